"""A recorded deal as the plain twin of `solver.worlds` takes it: what a seat saw, and which plans are legal."""

from __future__ import annotations

from collections.abc import Callable

import twin
from naive import worlds as naive
from random_records import Played
from solver.games import Game
from solver.model.contract import Contract
from solver.worlds.sample import Worlds


def table_of(game: Game) -> twin.Table:
    """The twin's rules of a game with its options."""
    o = game.option_values()
    if game.name == "kit":
        return twin.Table("kit", game.seats, o["suits"], o["ranks"])
    loose = game.name == "sheepshead" and (o["partner_leads_any"] or not o["hold_card"])
    return twin.Table(game.name, game.seats, loose=loose)


def seen_by(one: Played, seat: int) -> tuple[naive.Seen, Callable[[naive.World], bool]]:
    """What a seat saw of a deal in play, and the test of the plan."""
    record, start = one.record, one.positions[0]
    game = record.game
    contract = game.check_contract(record.contract)
    declarer, mine = contract.declarer, contract.declarer == seat
    position, played = start, []
    for trick in record.play:
        for card in trick.cards:
            played.append((position.turn, str(card.move.card), card.move.declare))
            position = position.play(card.move)
    size = len(start.hands[0])
    sizes: dict[naive.Place, int] = dict.fromkeys(range(game.seats), size)
    known: naive.World = {seat: start.hands[seat]}
    if mine or game.passes_shown():
        known |= {to: frozenset({card}) for to, card in contract.passes if to != seat}
    shown = {card for _, card, _ in played}
    ctx = twin.from_position(table_of(game), start)["ctx"]
    if contract.under is not None and contract.under not in shown and not mine:
        sizes["under"] = 1
        sizes[declarer] -= 1
        ctx = {**ctx, "under": None}
    elif contract.under is not None and not mine:
        known[declarer] = frozenset({contract.under})
    if contract.bury:
        sizes["bury"] = len(contract.bury)
        if mine:
            known["bury"] = frozenset(contract.bury)
    away = len(game.deck) - sum(sizes.values())
    if away:
        sizes["talon"] = away
    deck = [str(c) for c in game.deck.cards]
    seen = naive.Seen(deck, known, sizes, start.leader, played, declarer, {**table_of(game).twin.DEFAULTS, **ctx})
    return seen, plan_test(one, contract, seat, shown)


def plan_test(one: Played, contract: Contract, seat: int, shown: set[str]) -> Callable[[naive.World], bool]:
    """The legality of the plan, by game."""
    game = one.record.game
    o, declarer = game.option_values(), contract.declarer
    if game.name == "sheepshead" and declarer is not None and o["partner"] != "queens":
        rules = {
            "hold_card": o["hold_card"], "call_ten": o["call_ten"], "after_bury": o["under_test"] == "after_bury",
            "own_ace": o["call_own_ace"], "bury_trump": o["bury_trump"], "bury_ace": o["bury_ace"],
        }  # fmt: skip
        call = contract.called[0] if contract.called else None
        under = contract.under if contract.under in shown or declarer == seat else None
        return naive.picker_plan(declarer, call, contract.kind == "alone", under, o["partner"], rules)
    if game.name == "thousand" and game.seats == 3 and declarer is not None:
        record = one.record
        bids = {c.seat: int(c.word) for c in record.calls if c.word != "pass"}
        own = declarer == seat or game.passes_shown()
        passes = {to: str(card) for to, card in contract.passes if own or to == seat}
        forced = len({c.seat for c in record.calls if c.word != "pass"}) == 0 or (
            o["all_pass"] == "forced_forehand" and len(record.calls) == 3 and record.calls[0].word == "100"
            and all(c.word == "pass" for c in record.calls[1:])
        )  # fmt: skip
        hidden = o["hidden_talon"] and forced and declarer != seat
        talon = frozenset() if hidden else frozenset(record.talon or ())
        return naive.bids_ok(bids, declarer, seat, talon, passes, o["bid_cap"] == "marriage")
    if game.name == "thousand":
        bids = {c.seat: int(c.word) for c in one.record.calls if c.word != "pass"}
        if o["bid_cap"] != "marriage":
            bids = {}

        def dealt(world: naive.World, s: int) -> frozenset[str]:
            return world[s] | (world.get("bury", frozenset()) if s == declarer else frozenset())

        taken = set(contract.taken)
        return lambda world: taken <= dealt(world, declarer) | world[seat] and all(
            bid <= game.cap(frozenset(dealt(world, s)) - taken)  # type: ignore[attr-defined]
            for s, bid in bids.items() if s != seat
        )  # fmt: skip
    if game.name == "three_of_spades" and not o["own_call"]:
        return lambda world: not world[declarer] & set(contract.called)
    return lambda world: True


def as_rows(seen: naive.Seen, found: Worlds) -> set[tuple[int, ...]]:
    """Owners of each world, in numbers."""
    return set(map(tuple, found.owners.tolist()))


def row(world: naive.World, found: Worlds) -> tuple[int, ...]:
    """A twin's world as a row of owners."""
    one = found.knowledge.situation
    at = {card: place for place, cards in world.items() for card in cards}
    return tuple(at[c] if isinstance(at[c], int) else one.place(at[c]) for c in found.cards)  # type: ignore[misc]
