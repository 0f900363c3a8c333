"""Records of random legal deals: auction, plan and play drawn from what the rules allow."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from solver.deals.check import NO_DEAL
from solver.formats.record import Record, RecordedCard, RecordedTrick, WrittenResult, default_leader
from solver.games import GAMES, Game
from solver.games.auction import Auction
from solver.model.contract import Contract, Outcome
from solver.model.deal import Deal
from solver.model.errors import TrickwiseError, UnsupportedError
from solver.model.play import Position

#: Games with options whose records differ in kind.
RULES: list[tuple[str, dict[str, object]]] = [
    ("kit", {}),
    ("kit", {"seats": 4, "ranks": 8, "trump": "o"}),
    ("whist", {}),
    ("bridge", {}),
    ("skat", {}),
    ("sheepshead", {}),
    ("sheepshead", {"partner": "jd", "no_pick": "schwanzer"}),
    ("sheepshead", {"seats": 3, "no_pick": "doubler"}),
    ("sheepshead", {"seats": 4, "partner": "called", "no_pick": "moster"}),
    ("sheepshead", {"seats": 7, "leaster_blind": "first_trick"}),
    ("thousand", {}),
    ("thousand", {"preset": "polish3", "last_trick_bonus": 10, "trump_timing": "immediate"}),
    ("thousand", {"preset": "four_pairs"}),
    ("thousand", {"preset": "two_fixed"}),
    ("three_of_spades", {}),
    ("three_of_spades", {"seats": 7, "three_on_top": True}),
    ("three_of_spades", {"seats": 4, "bidder_bonus": True, "final_raise": True}),
]


def house_rules(rng: random.Random) -> Game:
    """A game with a few options drawn at random."""
    while True:
        kind = rng.choice([*GAMES.values()])
        options = kind.describe_options()
        some = rng.sample(options, min(len(options), rng.randrange(5)))
        try:
            game = kind(**{row["option"]: rng.choice(row["values"]) for row in some})
        except UnsupportedError:  # options that contradict each other
            continue
        if game.hand_size > 1:
            return game


class Played(NamedTuple):
    """A record, and the positions before each card of its play."""

    record: Record
    positions: list[Position]
    outcome: Outcome | None


def strain(rng: random.Random, game: Game) -> dict[str, object]:
    """Trumps of a game whose contract names them, and how high it is bid."""
    if game.name == "bridge":
        return {"trump": rng.choice([None, *game.deck.suits]), "target": rng.choice([None, *range(1, 14)])}
    word = rng.choice([*game.deck.suits, "grand", "null"])
    return {"kind": word} if len(word) > 1 else {"trump": word, "target": rng.choice([None, 61, 90])}


def bid(rng: random.Random, auction: Auction) -> Auction:
    """Call at random, low bids more often."""
    while auction.result is None:
        legal = auction.legal()
        auction = auction.call(
            legal[0] if rng.random() < 0.6 else rng.choice(legal[:4] if rng.random() < 0.9 else legal)
        )
    return auction


def plan(rng: random.Random, deal: Deal, contract: Contract) -> Contract:
    """One of the first few hundred plans."""
    game = deal.game
    declarer = contract.declarer
    assert declarer is not None
    talon = deal.talon
    if game.seats == 2 and talon:
        contract = replace(contract, taken=tuple(rng.sample(sorted(talon), 2)))
        talon = frozenset(contract.taken)
    try:
        some = list(islice(game.plans(deal.hands[declarer] | talon, contract), 400))
    except UnsupportedError:
        return contract
    return rng.choice(some)


def played(rng: random.Random, game: Game, *, cards: int | None = None, seats: float = 0.9) -> Played:
    """A random deal, played to its end or for so many cards."""
    dealer, deal = rng.randrange(game.seats), game.deal(seed=rng.randrange(10**9))
    leader = rng.choice([default_leader(game, dealer)] * 3 + list(range(game.seats)))
    contract = Contract(leader=leader)
    calls: Auction | None = None
    try:
        calls = bid(rng, game.auction(dealer=dealer, hands=deal.hands))
    except UnsupportedError:
        contract = replace(contract, declarer=rng.choice([None, 0, 1]))
        if game.name == "whist" and game.option_values()["trump"] == "turned":
            contract = replace(contract, trump=rng.choice(game.deck.suits))
        elif game.name in ("bridge", "skat"):
            contract = replace(contract, declarer=rng.randrange(game.seats), **strain(rng, game))
            if game.name == "skat" and rng.random() < 0.8:
                contract = plan(rng, deal, contract)
    blank = Record(game, dealer, deal.hands, deal.talon, calls.calls if calls else (), contract)
    if calls is not None and calls.result is not None:
        agreed = calls.result
        if agreed.kind in NO_DEAL:
            return Played(blank, [], None)
        kind = agreed.kind if agreed.declarer is None else ""
        contract = replace(contract, declarer=agreed.declarer, target=agreed.bid, kind=kind)
        if agreed.declarer is not None:
            contract = plan(rng, deal, contract)
            if "surrender" in game.clauses and game.talon_size and rng.random() < 0.1:
                gives_up = replace(contract, passes=(), bury=(), taken=(), surrender=True)
                try:
                    outcome: Outcome = game.surrender(game.check_contract(gives_up))  # type: ignore[attr-defined]
                except TrickwiseError:
                    pass
                else:
                    return Played(replace(blank, contract=gives_up, result=written(outcome)), [], outcome)
    return play_out(rng, replace(blank, contract=contract), deal, cards, seats)


def play_out(rng: random.Random, blank: Record, deal: Deal, cards: int | None, seats: float) -> Played:
    """Play random legal cards and write them down."""
    game = blank.game
    agreed = game.check_contract(blank.contract)
    position, positions, tricks = game.start(deal, agreed), [], []
    row: list[RecordedCard] = []
    if agreed.kind == "schwanzer":
        outcome = game.settle(position, agreed)
        return Played(replace(blank, result=written(outcome)), [], outcome)
    while not position.over and (cards is None or len(positions) < cards):
        positions.append(position)
        move = rng.choice(position.legal())
        row.append(RecordedCard(position.turn if rng.random() < seats else None, move))
        after = position.play(move)
        if not after.trick:
            gained = sum(after.points) - sum(position.points)
            told = rng.random() < 0.8
            tricks.append(RecordedTrick(tuple(row), after.leader if told else None, gained if told else None))
            row = []
        position = after
    if row:
        tricks.append(RecordedTrick(tuple(row)))
    outcome = game.settle(position, agreed) if position.over else None
    result = None if outcome is None else written(outcome)
    return Played(replace(blank, play=tuple(tricks), result=result), positions, outcome)


def written(outcome: Outcome) -> WrittenResult:
    """All of an outcome."""
    return WrittenResult(outcome.points, outcome.tricks, outcome.scores, outcome.made)


def view(record: Record, seat: int) -> Record:
    """What one seat saw: its hand, public calls, its own part of the plan."""
    game, contract = record.game, record.contract
    hands = tuple(hand if s == seat else None for s, hand in enumerate(record.hands))
    if contract.declarer is None or contract.declarer == seat:
        return replace(record, seat=seat, hands=hands, talon=record.talon if contract.declarer == seat else _none(game))
    hidden = set()
    if contract.bury:
        hidden.add("bury")
    if contract.passes:
        hidden.add("pass")
    passes = tuple((to, card) for to, card in contract.passes if to == seat)
    seen = replace(contract, bury=(), passes=passes)
    return replace(
        record, seat=seat, hands=hands, talon=_none(game), contract=seen, hidden=frozenset(hidden)
    )  # fmt: skip


def _none(game: Game) -> frozenset[object] | None:
    return None if game.talon_size else frozenset()
