"""Every registered game under its main options, for the suites that run over all of them.

A new game needs nothing here: it comes in with its defaults, and its twin `naive.NAME` says in `CONTRACTS` what it is
played for. Games with decisions between auction and play have those completed by `Game.plans`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import twin
from naive import minimax
from solver.games import GAMES, Game, game
from solver.model.contract import Contract
from solver.model.deal import Deal
from solver.model.errors import NotationError, TrickwiseError, UnsupportedError
from solver.model.play import Position

#: Options beside the defaults, one row a case.
MAIN: dict[str, list[dict[str, Any]]] = {
    "kit": [{"trump": "t"}, {"must_beat": True}, {"seats": 4}],
    "skat": [{"skat_counts": False}],
    "sheepshead": [{"partner": "jd"}, {"hold_card": False}, {"seats": 3}],
    "thousand": [{"trump_timing": "immediate"}, {"must_beat": False}, {"marriage_needs_trick": False}],
    "three_of_spades": [{"three_on_top": True}, {"seats": 7}, {"own_call": True}],
    "whist": [{"trump": "none"}],
}

#: What a game is played for, where its twin does not say it.
_CONTRACTS = {"sheepshead": ["by 2", "by 0", "by 1"], "thousand": ["120 by 0", "100 by 1", "150 by 2"]}


@dataclass(frozen=True)
class Case:
    """A game with options; `id` names it in tests and in the frozen files."""

    name: str
    items: tuple[tuple[str, Any], ...] = ()

    @property
    def id(self) -> str:
        """Name and changed options, fit for a file name."""
        return "-".join([self.name, *(f"{k}-{str(v).lower()}" for k, v in self.items)])

    @property
    def game(self) -> Game:
        """The solver's game."""
        return game(self.name, **dict(self.items))

    @property
    def table(self) -> twin.Table:
        """The plain twin's side of it."""
        values = self.game.option_values()
        size = (values["suits"], values["ranks"]) if self.name == "kit" else (3, 4)
        loose = self.name == "sheepshead" and (not values["hold_card"] or values["partner_leads_any"])
        return twin.Table(self.name, self.game.seats, *size, loose=loose)

    @property
    def contracts(self) -> list[str]:
        """What it is played for, before any plan."""
        return getattr(twin.GAMES[self.name], "CONTRACTS", None) or _CONTRACTS[self.name]


CASES = [Case(name, tuple(options.items())) for name in GAMES for options in ({}, *MAIN.get(name, []))]


def plans(case: Case, deal: Deal, seed: int) -> list[Contract]:
    """One of the contracts of a case, completed by every plan of its declarer."""
    one = case.game
    for i in range(len(case.contracts)):
        try:
            first = one.contract(case.contracts[(seed + i) % len(case.contracts)])
            if first.declarer is None:
                return [first]
            return list(islice(one.plans(deal.hands[first.declarer] | deal.talon, first), 5000))
        except UnsupportedError:  # nothing is planned
            if playable(deal, first):
                return [first]
        except NotationError:  # not with these options
            continue
    raise AssertionError(f"{case.id}: none of {case.contracts} can be played")


def playable(deal: Deal, contract: Contract) -> bool:
    """Whether a deal is played under a contract: it allows it, and the contract does not end it."""
    try:
        return deal.game.start(deal, deal.game.check_contract(contract)) is not None
    except TrickwiseError:
        return False


def start(case: Case, seed: int) -> tuple[Deal, Contract, Position]:
    """A deal, a contract that it allows, and the position before the first lead."""
    one, rng = case.game, random.Random(f"{case.id} {seed}")
    deal = one.deal(seed=seed)
    found = plans(case, deal, seed)
    contract = next(c for c in iter(lambda: rng.choice(found), None) if playable(deal, c))
    return deal, one.check_contract(contract), one.start(deal, one.check_contract(contract))


def playout(position: Position, rng: random.Random, *, left: int = 0) -> Iterator[Position]:
    """The positions of random play, the first included, until `left` cards a hand are left."""
    yield position
    while position.trick or len(position.hands[0]) > left:
        position = position.play(rng.choice(position.legal()))
        yield position


def ending(case: Case, seed: int, tricks: int, *, on_table: int = 0) -> Position:
    """The last tricks of a deal played at random, with some cards on the table."""
    rng = random.Random(f"{case.id} {seed} {tricks}")
    *_, position = playout(start(case, seed)[2], rng, left=tricks)
    for _ in range(on_table):
        position = position.play(rng.choice(position.legal()))
    return position


# ---------------------------------------------------------------------- against the twin


def twin_of(case: Case, position: Position) -> dict:
    """The plain twin's form of a position."""
    return twin.from_position(case.table, position)


def perft(position: Position, plies: int) -> int:
    """Number of distinct sequences of so many cards, declaring a marriage and not declaring it counted apart."""
    moves = position.legal()
    if plies <= 1:
        return len(moves) if plies else 1
    return sum(perft(position.play(move), plies - 1) for move in moves)


def twin_perft(case: Case, position: Position, plies: int) -> int:
    """The same from the plain twin."""
    state = twin.state_of(twin_of(case, position))
    cards = sum(map(len, position.hands))
    return minimax.perft(case.table.twin, list(state.hands), state.leader, state.ctx, plies) if plies <= cards else 0
