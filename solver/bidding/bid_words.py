"""The answer of `solver.bid` in words: how it was found, what was assumed; what was asked the game says itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from solver.model.shown import counted

if TYPE_CHECKING:
    from solver.bidding.bid_answer import Answer

__all__ = ["method_of", "notes_of"]


def method_of(one: Answer) -> str:
    """How worlds were found."""
    if one.clustered:
        found = f"{len(one.reads)} of {counted(one.total, f'{one.unit}s')}, uniform worlds"
    elif one.whole:
        found = f"all {one.total:,} worlds"
    else:
        found = "uniform worlds"
    return found + (", stopped when clear" if one.settled() else "")


def notes_of(one: Answer, rows: Sequence[Mapping[str, Any]], summary: Mapping[str, float]) -> Iterator[str]:
    """Lines for people."""
    game = one.known.game
    yield _interval(one)
    undecided = sum(int((r.low != r.high).any(axis=1).sum()) for r in (*one.reads, *one.more))
    if undecided:
        yield f"{undecided} worlds stopped at {one.limit:,} nodes: they count from 0 to 1 and widen the intervals"
    if one.rounds:
        steps = " - ".join(str(min(r.plans, one.plans)) for r in one.rounds)
        where = f"for each {one.unit} and bid" if one.clustered else "for each bid"
        yield f"plan: {where} one choice for all worlds, by halving {steps}, two-fold cross-fitted"
    if one.more:
        yield f"{one.aim}, the bid of interest, is read in {one.read_on} worlds that chose neither it nor its plan"
    if one.until is not None and not one.settled() and not one.stopped:
        yield f"not known to {one.until:g}: name more worlds or {game.talon_label}s"
    yield from one.of.notes(one, summary)
    position = one.start
    if game.unit == "tricks" and position is not None and len(position.side) == 1:
        yield "one against the rest, who also see all cards: what the seat could be sure of if all were told"
    if one.model:
        yield f"passing: {one.model}"
        if one.stakes.scored:
            yield from _break_even(one, rows)
    elif one.stopped and one.clustered:
        yield "passing is not judged: stopped before"
    if one.passed is not None and one.stakes.scored:
        yield "the best bid and break-even are picked from estimates, so a little luck is in them"


def _interval(one: Answer) -> str:
    """Say what low and high are."""
    if one.clustered:
        each = one.rounds[-1].worlds
        drawn = "" if one.complete else ", spread evenly over what they bring"
        how = "95 % interval" if one.complete and one.until is None else "95 % confidence sequence, good at every look"
        return (f"{len(one.reads)} of {one.total} {one.unit}s{drawn}, {each} worlds each read; low to high: {how}, the "
                f"{one.unit} as the unit")  # fmt: skip
    if one.whole:
        return f"all {one.total:,} worlds searched: exact double dummy rates, no sampling error"
    if one.until is None and not one.rounds:
        return f"low to high: 95 % Wilson interval, worlds drawn from {one.total:,}, all equally likely"
    return f"low to high: 95 % confidence sequence, good at every look, worlds drawn from {one.total:,}"


def _break_even(one: Answer, rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The highest bids that are no worse than passing."""
    legal = [r for r in rows if r.get("legal", True) and "gain" in r]
    if not legal:
        return
    sure = list(takewhile(lambda r: r["gain_low"] >= 0, legal))  # from the lowest on: then 95 % holds for all of them
    ends = [
        max((r["bid"] for r in some), default=None)
        for some in ([r for r in legal if r["gain"] >= 0], sure, [r for r in legal if r["gain_high"] >= 0])
    ]
    words = ["none" if e is None else str(e) for e in ends]
    if len({r["pass_score"] for r in legal}) == 1:
        yield f"passing scores {legal[0]['pass_score']:.1f} in the mean, whatever bid is declined"
    what = "expected score" if one.ends is None else "change in the match"
    if ends[0] is None:
        yield f"break-even: none, no bid has a better {what} than passing (perhaps up to {words[2]})"
        return
    yield (f"break-even: {words[0]}, the highest bid whose {what} is no worse than passing (surely up to {words[1]}, "
           f"perhaps up to {words[2]})")  # fmt: skip
