"""Bridge to the plain twin: positions of `naive` as positions of the solver, and back.

A twin position is a dict with the keys hands, leader, trick, ctx, side (`naive.deals.random_position`).  Its ctx says
both the rules and the state; the solver keeps the two apart, so `to_position` builds `TrickRules` from the game with
the options that ctx names, and `from_position` reads them out of the rules again.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from naive import kit, minimax, sheepshead
from solver.games import GAMES as REGISTERED
from solver.games import Game, game
from solver.model.cards import Card
from solver.model.contract import CalledCard, Contract, TrickRules
from solver.model.play import Move, Position

#: The twin's rules of every registered game, a module of its name.
GAMES: dict[str, Any] = {name: import_module(f"naive.{name}") for name in REGISTERED}


def loose_sheepshead() -> Any:
    """The twin's Sheepshead with two options of RULES.md 2.11 that it lacks.

    `partner_leads_any`: the partner may lead any card of the called suit, which ends all duties although the called
    card may stay behind; a called ten that does loses to its ace (2.5: it wins on the first lead). `hold_card` off: the
    picker need not keep a card of the called suit. The flag of the called suit rises at the end of the trick in which
    it is first led; `opening` marks that trick.
    """

    def legal_cards(seat: int, hand: frozenset[str], trick: list[tuple[int, str]], ctx: dict) -> set[str]:
        if not trick and ctx["partner_leads_any"]:
            free = {**ctx, "called_suit_led": True}
            return sheepshead.legal_cards(seat, hand, trick, free)
        usual = sheepshead.legal_cards(seat, hand, trick, ctx)
        if not trick:
            return usual
        led = sheepshead.suit(trick[0][1], ctx)
        follow = {c for c in hand if sheepshead.suit(c, ctx) == led}
        if follow:
            return follow if usual == {ctx["called"]} and ctx["called_suit_led"] else usual
        if not ctx["hold_card"] and seat == ctx["picker"] and ctx["under"] is None:
            return set(hand)
        return usual

    def legal(seat: int, hand: frozenset[str], trick: list[tuple[int, str]], ctx: dict) -> set[tuple[str, bool]]:
        return {(c, False) for c in legal_cards(seat, hand, trick, ctx)}

    def after_move(seat: int, card: str, declare: bool, trick: list[tuple[int, str]], ctx: dict) -> tuple[dict, int]:
        opens = not trick and not ctx["called_suit_led"]
        first = opens and ctx["called"] is not None and sheepshead.suit(card, ctx) == ctx["called"][1]
        return {**ctx, "opening": first or (bool(trick) and ctx["opening"])}, 0

    def after_trick(ctx: dict, winner: int) -> dict:
        return {**ctx, "called_suit_led": ctx["called_suit_led"] or ctx["opening"], "opening": False}

    def winner(trick: list[tuple[int, str]], ctx: dict) -> int:
        return sheepshead.winner(trick, {**ctx, "called_ten_wins": ctx["called_ten_wins"] and ctx["opening"]})

    changed = {"legal": legal, "legal_cards": legal_cards, "winner": winner}
    changed |= {"after_move": after_move, "after_trick": after_trick}
    more = {"partner_leads_any": False, "hold_card": True, "opening": False}
    return SimpleNamespace(**{**vars(sheepshead), **changed, "DEFAULTS": {**sheepshead.DEFAULTS, **more}})


@dataclass(frozen=True)
class Table:
    """Who plays what: the twin's module, the solver's game, the number of seats."""

    name: str
    seats: int
    suits: int = 3  # kit only
    ranks: int = 4  # kit only
    loose: bool = False  # Sheepshead only: `loose_sheepshead`
    twin: Any = field(default=None, compare=False)

    def __post_init__(self) -> None:
        found = GAMES[self.name]
        if (self.suits, self.ranks) != (3, 4):
            deck = [s + str(r) for s in "ots"[: self.suits] for r in range(1, self.ranks + 1)]
            found = SimpleNamespace(**{**vars(kit), "DECK": deck})
        if self.loose:
            found = loose_sheepshead()
        object.__setattr__(self, "twin", found)

    def game(self, **options: Any) -> Game:
        """The solver's game with these options; Thousand with another number of seats only lends its rules."""
        if self.name == "kit":
            return game("kit", seats=self.seats, suits=self.suits, ranks=self.ranks, **options)
        known = {o["option"] for o in REGISTERED[self.name].describe_options()}
        if self.name == "thousand" or "seats" not in known:
            return game(self.name, **options)
        return game(self.name, seats=self.seats, **options)


# ---------------------------------------------------------------------- rules


@lru_cache(maxsize=4096)
def _rules(table: Table, items: tuple[tuple[str, Any], ...]) -> TrickRules:
    ctx = dict(items)
    if table.name == "kit":
        rules = table.game(must_beat=ctx["must_beat"]).trick_rules(Contract())
        return replace(rules, must_trump=ctx["must_trump"])
    if table.name == "sheepshead":
        called, under = ctx["called"], ctx["under"]
        contract = Contract(
            declarer=ctx["picker"],
            called=(Card(called),) if called else (),
            under=Card(under) if under else None,
        )
        names = ("called_ten_wins", *CalledCard.options())
        options = {name: ctx[name] for name in names if name in table.twin.DEFAULTS}
        return table.game(**options).trick_rules(contract)
    if table.name == "thousand":
        options = {
            "marriages": ctx["marriages"],
            "marriage_needs_trick": ctx["needs_trick"],
            "trump_timing": ctx["timing"],
        }
        options |= {name: ctx[name] for name in THOUSAND_OPTIONS} | {"last_trick_bonus": ctx["last_trick"]}
        rules = table.game(**options).trick_rules(Contract())
        return replace(rules, seats=table.seats)
    if table.name == "skat":
        game_word = ctx["game"]
        contract = Contract(kind=game_word) if len(game_word) > 1 else Contract(trump=game_word)
        return table.game().trick_rules(contract)
    if table.name == "three_of_spades" and ctx["three_on_top"]:
        return table.game(three_on_top=True).trick_rules(Contract(trump=ctx["trump"]))
    return table.game().trick_rules(Contract())


#: Options of Thousand that the twin, the game and its rules call by one name.
THOUSAND_OPTIONS = (
    "one_trump", "must_beat", "must_trump", "must_overtrump", "partial_trumping", "must_play_highest",
)  # fmt: skip

#: Entries of a twin ctx that change during play; the others are rules.
STATE = ("trump", "pending", "first_lead", "any_trump_yet", "called_suit_led", "opening")


def trick_rules(table: Table, ctx: dict) -> TrickRules:
    """The solver's rules for a twin ctx, whose missing entries have the twin's defaults."""
    full = {**table.twin.DEFAULTS, **ctx}
    state = [k for k in STATE if k != "trump" or not full.get("three_on_top")]  # that option needs the trump suit
    return _rules(table, tuple(sorted((k, v) for k, v in full.items() if k not in state)))


# ---------------------------------------------------------------------- positions


def to_position(table: Table, pos: dict) -> Position:
    """The solver's form of a twin position; points count from here."""
    ctx = {**table.twin.DEFAULTS, **pos["ctx"]}
    hands = tuple(frozenset(Card(c) for c in hand) for hand in pos["hands"])
    # A twin position does not say which card declared; that is history and changes nothing.
    trick = tuple(Move(Card(c)) for c in pos["trick"])
    in_play = {c for hand in hands for c in hand} | set(pos["trick"])
    if table.name == "sheepshead" or (table.name == "skat" and ctx["game"] != "null"):
        ctx["trump"] = "T"
    return Position(
        trick_rules(table, ctx),
        hands,
        pos["leader"],
        trick=trick,
        side=frozenset(pos["side"]),
        trump=ctx.get("trump"),
        pending=ctx.get("pending"),
        first_lead=ctx.get("first_lead", False),
        # The twin's flag rises with the lead, the solver's with the end of that trick, when the called card is gone.
        called_led=ctx.get("called_suit_led", False) and (table.loose or ctx["called"] not in in_play),
    )


def from_position(table: Table, position: Position) -> dict:
    """The twin's form of a position, rules included; `from_position(to_position(p)) == p`."""
    rules = position.rules
    ctx: dict[str, Any] = {}
    if table.name == "kit":
        ctx = {"trump": position.trump, "must_beat": rules.must_beat, "must_trump": rules.must_trump}
    elif table.name == "sheepshead":
        called = rules.called
        opening = (
            called is not None
            and len(position.trick) > 0
            and rules.suit_of[position.trick[0].card] == rules.called_suit
        )
        # The rules show the option of the called ten by its rank alone; without one any value means the same.
        card = None if called is None else called.card
        top = card is None or card.rank != "T" or rules.strength[card] > rules.strength["A" + card.suit]
        ctx = {
            "called": card,
            "picker": None if called is None else called.caller,
            "under": None if called is None else called.under,
            "called_suit_led": position.called_led or (opening and not table.loose),
            "called_ten_wins": top,
        }
        usual = CalledCard(Card("AC"), None)
        ctx |= {n: getattr(called or usual, n) for n in CalledCard.options() if n in table.twin.DEFAULTS}
        if table.loose:
            ctx["opening"] = opening and not position.called_led
    elif table.name == "thousand":
        immediate = rules.immediate_trump
        ctx = {
            "trump": position.trump,
            "pending": None if immediate else position.pending,
            "marriages": bool(rules.marriages),
            "timing": "immediate" if immediate else "next_trick",
            "first_lead": position.first_lead,
            "needs_trick": not rules.marriage_on_first_lead,
            "any_trump_yet": position.trump is not None or position.pending is not None,
            "last_trick": rules.last_value,
        }
        ctx |= {name: getattr(rules, name) for name in THOUSAND_OPTIONS}
    elif table.name == "skat":
        trumps = dict(rules.suits).get("T", ())
        word = "null" if rules.misere else "grand" if len(trumps) == 4 else trumps[0][1]
        ctx = {"game": word, "misere": rules.misere}
    elif table.name == "three_of_spades":
        ctx = {"trump": position.trump, "three_on_top": any(cards[-1] == "3S" for _, cards in rules.suits)}
    else:
        ctx = {"trump": position.trump}
    return {
        "hands": list(position.hands),
        "leader": position.leader,
        "trick": [m.card for m in position.trick],
        "ctx": ctx,
        "side": position.side,
    }


def state_of(pos: dict) -> minimax.State:
    """The twin's search state of a position."""
    return minimax.start(pos["hands"], pos["leader"], pos["trick"], pos["ctx"])


def position_of(state: minimax.State, side: frozenset[int]) -> dict:
    """A twin position from its search state."""
    return {
        "hands": list(state.hands),
        "leader": state.leader,
        "trick": list(state.trick),
        "ctx": state.ctx,
        "side": side,
    }


def show(table: Table, pos: dict, note: str = "") -> str:
    """A position as a literal that can be pasted into a test."""
    hands = [" ".join(sorted(h)) for h in pos["hands"]]
    changed = {k: v for k, v in pos["ctx"].items() if v != table.twin.DEFAULTS.get(k)}
    return (
        f"{note}\n{table.name}, {table.seats} seats: hands {hands}, leader {pos['leader']}, "
        f"trick {list(pos['trick'])}, ctx {changed}, side {sorted(pos['side'])}"
    )


# ---------------------------------------------------------------------- the twin's answers


def value(table: Table, pos: dict) -> int:
    """Unpruned minimax value for the position's side, from here on."""
    return minimax.value(table.twin, pos["hands"], pos["leader"], pos["trick"], pos["ctx"], pos["side"])


def move_values(table: Table, pos: dict) -> dict[Move, int]:
    """Value for the side after each legal move, what the move itself brings included."""
    found = minimax.move_values(table.twin, pos["hands"], pos["leader"], pos["trick"], pos["ctx"], pos["side"])
    return {Move(Card(c), declare): v for (c, declare), v in found.items()}


def turn(pos: dict) -> int:
    """Seat to play."""
    return (pos["leader"] + len(pos["trick"])) % len(pos["hands"])


def table(pos: dict) -> list[tuple[int, str]]:
    """Cards on the table as (seat, card)."""
    return [((pos["leader"] + i) % len(pos["hands"]), card) for i, card in enumerate(pos["trick"])]
