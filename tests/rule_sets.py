"""The rule sets on which the solver is compared with the plain twin, and random positions under each.

Every option that the play of the cards can have stands here at least once, each game with every number of seats.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import twin
from naive import deals, minimax
from solver.games import game


@dataclass(frozen=True)
class RuleSet:
    """One game with its options; `ctx` overrides what `naive.deals` draws, a list there is drawn from."""

    id: str
    table: twin.Table
    variant: str | None = None
    ctx: dict[str, Any] = field(default_factory=dict)

    def positions(self, seed: int, tricks: int, count: int, *, played: int = 0) -> Iterator[dict]:
        """Random positions of `tricks` tricks, half of them in the middle of a trick.

        `played` more tricks are dealt and played at random before, so that voids, captured called cards and
        declared trumps come up as they do in play.
        """
        rng = random.Random(f"{self.id} {tricks} {played} {seed}")
        for _ in range(count):
            pos = self._start(rng, tricks + played)
            if played:
                pos = self._play_on(rng, pos, played * self.table.seats)
            yield pos

    def _start(self, rng: random.Random, tricks: int) -> dict:
        table = self.table
        drawn = {k: rng.choice(v) if isinstance(v, list) else v for k, v in self.ctx.items()}
        if table.name == "thousand" and "trump" in drawn:
            drawn["any_trump_yet"] = drawn["trump"] is not None
        if table.name == "kit" or table.name not in deals.GAMES:
            return _plain_position(rng, table, tricks, drawn)
        if table.loose:  # the cards on the table are played under the loose rules
            drawn = {**table.twin.DEFAULTS, **drawn}
            ctx = {k: drawn[k] for k in ("partner_leads_any", "hold_card", "opening")}
            pos = deals.random_position(table.name, rng, tricks, table.seats, variant=self.variant, table=0, **ctx)
            return self._play_on(rng, pos, rng.choice([0, rng.randrange(table.seats)]))
        return deals.random_position(table.name, rng, tricks, table.seats, variant=self.variant, **drawn)

    def _play_on(self, rng: random.Random, pos: dict, plies: int) -> dict:
        state = twin.state_of(pos)
        for _ in range(plies):
            state, _ = minimax.play(self.table.twin, state, rng.choice(minimax.moves(self.table.twin, state)))
        return twin.position_of(state, pos["side"])


def _plain_position(rng: random.Random, table: twin.Table, tricks: int, ctx: dict) -> dict:
    """`deals.random_position` for kits of any size, and games without roles."""
    hands = deals.deal(rng, table.twin.DECK, table.seats, tricks)
    state = minimax.start(hands, rng.randrange(table.seats), [], {**table.twin.DEFAULTS, **ctx})
    for _ in range(rng.choice([0, rng.randrange(table.seats)])):
        state, _ = minimax.play(table.twin, state, rng.choice(minimax.moves(table.twin, state)))
    side = {rng.randrange(table.seats)} if table.name == "kit" else deals.some_side(rng, table.seats)
    return twin.position_of(state, frozenset(side))


def _kits() -> Iterator[RuleSet]:
    yield from (RuleSet(f"kit-{n}", twin.Table("kit", n), ctx={"trump": None}) for n in (2, 3, 4))
    trumps = {"trump": ["o", "t", "s"]}
    yield from (RuleSet(f"kit-{n}-trump", twin.Table("kit", n), ctx=trumps) for n in (2, 3, 4))
    three = twin.Table("kit", 3)
    yield RuleSet("kit-3-beat", three, ctx={"trump": None, "must_beat": True})
    yield RuleSet("kit-3-trump-beat", three, ctx={**trumps, "must_beat": True})
    yield RuleSet("kit-3-trump-must-trump", three, ctx={**trumps, "must_trump": True})
    both = {**trumps, "must_beat": True, "must_trump": True}
    yield RuleSet("kit-3-trump-beat-must-trump", three, ctx=both)
    yield RuleSet("kit-4-trump-beat-must-trump", twin.Table("kit", 4), ctx=both)
    yield RuleSet("kit-2-2x8", twin.Table("kit", 2, 2, 8), ctx={"trump": [None, "o", "t"]})
    yield RuleSet("kit-3-1x9", twin.Table("kit", 3, 1, 9), ctx={"trump": [None, "o"]})
    yield RuleSet("kit-3-3x9", twin.Table("kit", 3, 3, 9), ctx={"trump": [None, "o", "t", "s"]})
    yield RuleSet("kit-4-2x6-beat", twin.Table("kit", 4, 2, 6), ctx={"trump": [None, "t"], "must_beat": True})


def _sheepshead() -> Iterator[RuleSet]:
    for n in (3, 4, 5, 6, 7):
        table = twin.Table("sheepshead", n)
        yield RuleSet(f"sheepshead-{n}", table, "none")
        if n > 3:  # three players never have a partner
            yield RuleSet(f"sheepshead-{n}-called", table, "duties")
            yield RuleSet(f"sheepshead-{n}-under", table, "under")
            yield RuleSet(f"sheepshead-{n}-ten", table, "ten")
            yield RuleSet(f"sheepshead-{n}-ten-loses", table, "ten", {"called_ten_wins": False})
            yield RuleSet(f"sheepshead-{n}-under-not-led", table, "under", {"under_may_be_led": False})

    for n in (4, 5):
        for variant in ("duties", "under"):
            led = {"picker_leads_called": True, "under_may_be_led": [True, False]}
            yield RuleSet(f"sheepshead-{n}-picker-leads-{variant}", twin.Table("sheepshead", n), variant, led)
        ten = {"picker_leads_called": True, "called_ten_wins": [True, False]}
        yield RuleSet(f"sheepshead-{n}-picker-leads-ten", twin.Table("sheepshead", n), "ten", ten)
        loose = twin.Table("sheepshead", n, loose=True)
        yield RuleSet(f"sheepshead-{n}-leads-any", loose, "duties", {"partner_leads_any": True})
        yield RuleSet(f"sheepshead-{n}-no-hold-card", loose, "duties", {"hold_card": False})
        yield RuleSet(f"sheepshead-{n}-under-leads-any", loose, "under", {"partner_leads_any": True})
        both = {"partner_leads_any": True, "hold_card": False}
        yield RuleSet(f"sheepshead-{n}-loose", loose, "duties", both)


def _thousand() -> Iterator[RuleSet]:
    suits = list("CDHS")
    some = {"trump": [None, None, *suits]}
    plain = {"marriages": False}
    for n in (2, 3, 4):
        table = twin.Table("thousand", n)
        yield RuleSet(f"thousand-{n}-no-marriages", table, ctx={**plain, **some})
        yield RuleSet(f"thousand-{n}-next", table, ctx={**some, "timing": "next_trick"})
        yield RuleSet(f"thousand-{n}-immediate", table, ctx={**some, "timing": "immediate"})
    three = twin.Table("thousand", 3)
    first = {"trump": None, "first_lead": True}
    timing = {"timing": ["next_trick", "immediate"]}
    yield RuleSet("thousand-first-lead", three, ctx={**first, **timing, "needs_trick": True})
    yield RuleSet("thousand-first-lead-declares", three, ctx={**first, **timing, "needs_trick": False})
    yield RuleSet("thousand-one-trump", three, ctx={**some, **timing, "one_trump": True})
    yield RuleSet("thousand-one-trump-fixed", three, ctx={"trump": suits, **timing, "one_trump": True})
    yield RuleSet("thousand-last-ten", three, ctx={**some, **timing, "last_trick": 10})
    offs: list[tuple[str, dict[str, bool]]] = [
        ("no-beat", {"must_beat": False}),
        ("no-trump-duty", {"must_trump": False}),
        ("no-overtrump", {"must_overtrump": False}),
        ("partial", {"partial_trumping": True}),
        ("no-overtrump-partial", {"must_overtrump": False, "partial_trumping": True}),
        ("highest", {"must_play_highest": True}),
        ("highest-partial", {"must_play_highest": True, "partial_trumping": True}),
        ("no-beat-no-overtrump", {"must_beat": False, "must_overtrump": False}),
        ("free", {"must_beat": False, "must_trump": False, "must_overtrump": False}),
    ]
    for name, options in offs:
        yield RuleSet(f"thousand-{name}", three, ctx={**plain, "trump": suits, **options})
        yield RuleSet(f"thousand-{name}-marriages", three, ctx={**some, **timing, **options})
    yield RuleSet("thousand-4-partial-marriages", twin.Table("thousand", 4), ctx={**some, "partial_trumping": True})
    strict = {"must_play_highest": True, "last_trick": 10}
    for n in (2, 4):
        yield RuleSet(f"thousand-{n}-highest-last-ten", twin.Table("thousand", n), ctx={**some, **timing, **strict})


def _spades() -> Iterator[RuleSet]:
    for n in (5, 6, 7):
        table = twin.Table("three_of_spades", n)
        yield RuleSet(f"three-of-spades-{n}", table)
        yield RuleSet(f"three-of-spades-{n}-no-trump", table, ctx={"trump": None})
    yield RuleSet("three-of-spades-5-on-top", twin.Table("three_of_spades", 5), ctx={"three_on_top": True})


def _others() -> Iterator[RuleSet]:
    """Games without roles, that need nothing but a trump suit or none."""
    for name in sorted(set(twin.GAMES) - {*deals.GAMES, "skat"}):
        one = game(name)
        table = twin.Table(name, one.seats)
        yield RuleSet(name, table, ctx={"trump": list(one.deck.suits)})
        yield RuleSet(f"{name}-no-trump", table, ctx={"trump": None})


def _skat() -> Iterator[RuleSet]:
    three = twin.Table("skat", 3)
    yield RuleSet("skat-suit", three, ctx={"game": list("CSHD")})
    yield RuleSet("skat-grand", three, ctx={"game": "grand"})
    yield RuleSet("skat-null", three, ctx={"game": "null", "misere": True})


RULE_SETS: list[RuleSet] = [*_kits(), *_sheepshead(), *_thousand(), *_spades(), *_skat(), *_others()]

#: (tricks, positions) by the number of seats, at least 300 together; the twin needs about two seconds for each row.
USUAL = {
    2: ((2, 60), (3, 120), (4, 120)),
    3: ((2, 100), (3, 180), (4, 40)),
    4: ((2, 120), (3, 190)),
    5: ((2, 250), (3, 50)),
    6: ((2, 290), (3, 12)),
    7: ((2, 297), (3, 4)),
}

#: The same for the long suites.
LONG = {
    2: ((5, 300), (6, 40)),
    3: ((4, 200), (5, 15)),
    4: ((3, 400), (4, 12)),
    5: ((3, 200), (4, 3)),
    6: ((3, 90),),
    7: ((3, 40),),
}


def sizes(rules: RuleSet, plan: dict[int, tuple[tuple[int, int], ...]]) -> Iterator[tuple[int, int]]:
    """(tricks, positions) of a plan, hands cut to what the deck can deal."""
    deck = len(rules.table.twin.DECK)
    for tricks, count in plan[rules.table.seats]:
        yield min(tricks, deck // rules.table.seats), count
