"""What a game is like for a search that deals the hidden cards: leaf correlation, bias, disambiguation.

Perfect-information Monte Carlo solves sampled deals as if all cards were seen. It errs where a seat would choose one
card in one deal and another in the next without being able to tell the deals apart, and it does well all the same in
games of a certain shape. Long, Sturtevant, Buro and Furtak name three properties that say which, and measure them by
random play; here a deal is dealt, a plan drawn among the legal ones, and one line played of random legal cards.

* **Leaf correlation**: how often the last decision does not matter. The last decision of a line is its last turn with
  more than one legal move; it is *closed* when, whichever move is made, all that follows is forced. The leaves below
  its moves are siblings, and the leaf correlation is the share of closed last decisions whose siblings all have the
  same payoff. No line has two of them. Lines whose last decision is not closed (another card would have left somebody
  a choice) are not counted; `Diagnosis.closed` says how many are. Near 1 the deal is decided before its end, which
  suits sampling; near 0 each seat can turn it until the last.
* **Bias**: how often a line ends well for a side, or for a seat where each plays for itself. Near 0 or 1 most of the
  tree has one value.
* **Disambiguation**: how fast a seat learns where the cards lie. With n worlds open to it at one of its turns and m at
  its next, the seat has learned ``1 - m / n``: 0 nothing, 1 all there was. The factor as summed up here is the mean of
  that over all pairs of successive turns in which there was something to learn (n > 1), of all seats and deals
  together, each pair weighing the same. Worlds are counted exactly, from what the seat on turn has seen
  (`solver.worlds.knowledge`). What is seen before a seat's first turn counts for nothing.

Lines of different deals are independent, turns within a deal are not, so the deal is the unit of every interval:
Wilson's for a rate (a deal gives one leaf at most), and for disambiguation that of a ratio of two means over deals. All
three belong to random play: better players reach other positions.

References
----------
Long, Sturtevant, Buro and Furtak, "Understanding the success of perfect information Monte Carlo sampling in game tree
search", AAAI 2010.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import exp, log, nan, sqrt
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from solver.deals.estimate import Estimate, plain_rows
from solver.deals.success import Progress, progress_bar
from solver.formats.record import contract_text
from solver.games import Game, as_game
from solver.hidden.randomplay import Line, Turn, play_line
from solver.model.checks import checks_numbers
from solver.model.contract import Contract, Outcome
from solver.model.errors import UnsupportedError
from solver.model.play import Position
from solver.stats.rates import CONFIDENCE, Mean, mean, sampled

__all__ = ["DEALS", "Diagnosis", "diagnose", "ratio"]

#: Lines played; the worlds of some of them are counted, which takes most of the time.
DEALS = 1000


@dataclass(frozen=True)
class Diagnosis(Estimate):
    """Leaf correlation, bias and disambiguation of a game under random legal play.

    `frame` has a row for each number: `measure`, `of` (the payoff, the seat, the turns), `value` with its interval
    `low` to `high`, and `n`, the last decisions, deals or pairs of turns that it rests on.

    Parameters
    ----------
    turns
        For each turn of a seat, counted from 1: `n` turns, `worlds`, the geometric mean of their number, and `learned`,
        the mean of what the seat has learned by its next turn, turns with one world left out.
    closed
        Share of lines whose last decision is closed, so that it gives a leaf correlation.
    counted
        Deals in which worlds were counted.
    """

    turns: pd.DataFrame = field(default_factory=pd.DataFrame, repr=False, compare=False)
    closed: float = nan
    counted: int = 0

    def value(self, measure: str, of: str | None = None) -> float:
        """One of the numbers, the first of that measure where `of` is None."""
        rows = self.frame[self.frame["measure"] == measure]
        return float((rows if of is None else rows[rows["of"] == of])["value"].iloc[0])

    def __str__(self) -> str:
        with pd.option_context("display.float_format", "{:.3f}".format):
            one = self.frame.to_string(index=False)
        with pd.option_context("display.float_format", "{:.3g}".format):
            return "\n".join([*self.heading, one, self.turns.to_string(index=False), *self.notes])

    def _repr_html_(self) -> str:
        one = self.frame.to_html(index=False, float_format="{:.3f}".format)
        two = self.turns.to_html(index=False, float_format="{:.3g}".format)
        return f"<p>{'<br>'.join(self.heading)}</p>{one}{two}<p>{'<br>'.join(self.notes)}</p>"

    def to_json(self) -> dict[str, Any]:
        """Return plain values for `json.dumps`."""
        found = super().to_json()
        rows = found.pop("rows")
        return {**found, "counted": self.counted, "turns": plain_rows(self.turns), "rows": rows}


@checks_numbers
def diagnose(
    game: Game | str,
    contract: str | Contract | None = None,
    *,
    deals: int = DEALS,
    counted: int | None = None,
    seed: int = 0,
    progress: Progress = None,
    **options: Any,
) -> Diagnosis:
    """Measure leaf correlation, bias and disambiguation of a game by random legal play.

    Parameters
    ----------
    game
        A game, or its name with `options`.
    contract
        What is played in every deal, ``"120 by 0"``; it names no cards but those of trumps. The usual one when None:
        each for itself in the kit, 120 in Thousand, the lowest bid in 3 of Spades. The plan (pass, bury, call; in 3 of
        Spades trumps too) is drawn in each deal among the legal ones.
    deals
        How many, one line each. Deal i is the same whatever their number.
    counted
        In how many of them, the first ones, the worlds of every turn are counted; a number that takes a few seconds
        when None. 0 leaves disambiguation out.
    seed
        Of deals, plans and play.
    progress
        True for a bar, or a function of (done, total) deals.
    **options
        Options of the game, when it is named by text.

    Returns
    -------
    Diagnosis
        After an interrupt of the deals that were finished, marked as partial. All is done on one thread.

    Raises
    ------
    NotationError
        For a contract that cannot be read, or that the game does not have.
    UnsupportedError
        For a contract that names cards or in which nothing is played, and for more counted deals than deals.
    """
    one = as_game(game, options)
    if counted is not None and not 0 <= counted <= deals:
        raise UnsupportedError(f"counted is {counted}: expected a whole number from 0 to the {deals} deals")
    agreed = one.contract(one.usual_contract() if contract is None else contract)
    _check(agreed)
    counts = min(deals, one.quickly_counted) if counted is None else counted
    tell = progress_bar(progress)
    lines: list[Line] = []
    try:
        for i in range(deals):
            lines.append(play_line(one, agreed, i, seed=seed, count=i < counts))
            if tell is not None:
                tell(i + 1, deals)
    except KeyboardInterrupt:
        if not lines:
            raise KeyboardInterrupt("stopped before any deal was played") from None
    return _summed(one, agreed, lines, min(counts, len(lines)), seed, partial=len(lines) < deals)


def _check(contract: Contract) -> None:
    """Refuse what cannot hold in deals drawn at random, and what is not played."""
    passed = (card for _, card in contract.passes)
    under = () if contract.under is None else (contract.under,)
    if named := [*contract.called, *contract.bury, *passed, *contract.taken, *under]:
        raise UnsupportedError(
            f"the contract names {' '.join(named)}: deals and plans are drawn at random here, so leave cards out"
        )
    if contract.surrender or contract.kind == "schwanzer":
        raise UnsupportedError(f"{contract.kind or 'surrender'}: nothing is played, so there is nothing to measure")


# ---------------------------------------------------------------------- numbers


def ratio(above: Sequence[float], below: Sequence[float]) -> Mean:
    """Sum of one quantity over the sum of another, over independent clusters, kept within 0 to 1.

    The standard error is that of the linearised ratio; the quantile is Student's, for one less than the clusters.

    Parameters
    ----------
    above, below
        One entry a cluster.
    """
    a, b = np.asarray(above, np.float64), np.asarray(below, np.float64)
    a, b = a[b > 0], b[b > 0]
    if not len(a):
        return Mean(nan, nan, 0.0, 1.0)
    value = float(a.sum() / b.sum())
    if len(a) == 1:
        return Mean(value, nan, 0.0, 1.0)
    error = sqrt(len(a) / (len(a) - 1) * float(((a - value * b) ** 2).sum())) / float(b.sum())
    half = float(stdtrit(len(a) - 1, 0.5 + CONFIDENCE / 2)) * error
    return Mean(value, error, max(0.0, value - half), min(1.0, value + half))


class _Payoff(NamedTuple):
    """A payoff, and what to read it from."""

    name: str
    of: Callable[[Position, Outcome], object]


def _winners(end: Position, outcome: Outcome) -> tuple[int, ...]:
    """Seats with the highest score."""
    return tuple(s for s, score in enumerate(outcome.scores) if score == max(outcome.scores))


def _payoffs(game: Game, contract: Contract, line: Line) -> list[_Payoff]:
    """The payoffs of this contract, the main one first."""
    every = _Payoff("scores of all seats", lambda end, outcome: outcome.scores)
    if not line.end.side:
        return [every, _Payoff("who scores most", _winners)]
    found = [_Payoff(f"{game.unit_of(contract)} of the side", lambda end, outcome: end.collected)]
    if game.settle(line.end, line.contract).made is not None:
        found.insert(0, _Payoff("contract made", lambda end, outcome: outcome.made))
    return found if contract.side is not None else [*found, every]  # sides that are only named score nothing


def _summed(
    game: Game, contract: Contract, lines: Sequence[Line], counted: int, seed: int, *, partial: bool
) -> Diagnosis:
    """The answer from the lines that were played."""
    payoffs = _payoffs(game, contract, lines[0])
    leaves = [line for line in lines if line.siblings]
    rows: list[dict[str, Any]] = []
    for payoff in payoffs:
        same = [len({payoff.of(end, game.settle(end, x.contract)) for end in x.siblings}) == 1 for x in leaves]
        p, low, high = sampled(same)
        rows.append(_row("leaf correlation", payoff.name, p, low, high, len(same)))
    rows += _bias(game, lines, payoffs[0].name == "contract made")
    rows += _disambiguation(lines[0].contract.declarer, lines[:counted]) if counted else []
    closed = len(leaves) / len(lines)
    text = contract_text(game, contract)
    question = f"leaf correlation, bias and disambiguation, {text or 'each seat for itself'}"
    return Diagnosis(
        game.name, game.option_values(), question, "", text, "random legal play", seed, len(lines),
        game.unit_of(contract), pd.DataFrame(rows), {"closed": closed}, partial,
        notes=tuple(_notes(game, contract, lines, counted, closed)), turns=_by_turn(lines[:counted]), closed=closed,
        counted=counted,
    )  # fmt: skip


def _row(measure: str, of: str, value: float, low: float, high: float, n: int) -> dict[str, Any]:
    return {"measure": measure, "of": of, "value": value, "low": low, "high": high, "n": n}


def _bias(game: Game, lines: Sequence[Line], made: bool) -> list[dict[str, Any]]:
    """How often the contract is made; else how often each seat scores most, a shared place counted in parts."""
    outcomes = [game.settle(line.end, line.contract) for line in lines]
    if made:
        p, low, high = sampled([bool(one.made) for one in outcomes])
        return [_row("bias", "contract made", p, low, high, len(lines))]
    if lines[0].end.side:
        return []
    winners = [_winners(line.end, one) for line, one in zip(lines, outcomes, strict=True)]
    rows = []
    for seat in range(game.seats):
        one = mean([(seat in some) / len(some) for some in winners])
        rows.append(_row("bias", f"seat {seat} scores most", one.value, max(0.0, one.low), min(1.0, one.high),
                         len(lines)))  # fmt: skip
    return rows


def _disambiguation(declarer: int | None, lines: Sequence[Line]) -> list[dict[str, Any]]:
    """What is learned from turn to turn."""
    kinds: list[tuple[str, Callable[[Turn], bool]]] = [
        ("every turn", lambda turn: True),
        ("turns with a choice", lambda turn: turn.moves > 1),
    ]
    if declarer is not None:
        kinds += [("turns of the declarer", lambda turn: turn.seat == declarer),
                  ("turns of the others", lambda turn: turn.seat != declarer)]  # fmt: skip
    rows = []
    for name, counts in kinds:
        gains = [[1 - after.worlds / before.worlds for before, after in line.learned if counts(after)]
                 for line in lines]  # fmt: skip
        sizes = [len(some) for some in gains]
        one = ratio([sum(some) for some in gains], sizes)
        rows.append(_row("disambiguation", name, one.value, one.low, one.high, sum(sizes)))
    return rows


def _by_turn(lines: Sequence[Line]) -> pd.DataFrame:
    """Worlds by number of the turn."""
    worlds: dict[int, list[float]] = {}
    gains: dict[int, list[float]] = {}
    for line in lines:
        for seat in {turn.seat for turn in line.turns}:
            own = [turn.worlds for turn in line.turns if turn.seat == seat]
            for number, n in enumerate(own, 1):
                worlds.setdefault(number, []).append(log(n))
                if n > 1 and number < len(own):
                    gains.setdefault(number, []).append(1 - own[number] / n)
    return pd.DataFrame([
        {"turn": number, "n": len(some), "worlds": exp(float(np.mean(some))),
         "learned": float(np.mean(gains[number])) if number in gains else nan}
        for number, some in sorted(worlds.items())
    ])  # fmt: skip


def _notes(game: Game, contract: Contract, lines: Sequence[Line], counted: int, closed: float) -> list[str]:
    told = [
        "leaf correlation: share of last decisions after which every card leads to the same payoff; in "
        f"{closed:.1%} of the lines all is forced after the last decision, the others are left out",
    ]
    if lines[0].end.side:
        made = game.settle(lines[0].end, lines[0].contract).made is not None
        told.append(f"bias: {'how often random play makes the contract' if made else 'none without a target'}")
    else:
        told.append("bias: how often random play gives a seat the highest score, a shared one counted in parts")
    if counted:
        told.append(
            "disambiguation: share of its worlds that a seat has ruled out by its next turn, mean over turns with "
            f"more than one world; worlds counted in {counted} deals"
        )
    drawn = "" if lines[0].contract == contract else ", a legal plan drawn in each"
    told.append(f"deals drawn at random without an auction{drawn}; 95 % intervals, the deal as the unit")
    return told
