"""The answer of `solver.bid` in words: what was asked, how it was found, what was assumed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, takewhile
from typing import TYPE_CHECKING, Any

from solver.games.sheepshead import Sheepshead
from solver.games.thousand import Thousand
from solver.games.three_of_spades import ThreeOfSpades
from solver.model.shown import counted

if TYPE_CHECKING:
    from solver.bidding.bid_answer import Answer

__all__ = ["method_of", "notes_of", "question_of"]


def question_of(one: Answer) -> str:
    """What was asked."""
    game, seat = one.known.game, one.known.seat
    position = one.start
    if isinstance(game, Thousand):
        if one.clustered:
            return f"seat {seat} makes its bid, before the talon, the best pass for each talon and bid"
        if one.rounds:
            return f"seat {seat} makes its bid with these cards, the best pass for each bid"
        cards = 0 if position is None else len(position.hands[seat])
        return f"seat {one.contract.declarer} makes its bid with these {cards} cards"
    if isinstance(game, Sheepshead):
        side = one.contract.side
        who = f"seat {one.contract.declarer} picks" if side is None else f"seats {' '.join(map(str, sorted(side)))}"
        which = ", the best plan" * bool(one.rounds) + f" for each {game.talon_label}" * one.clustered
        leads = one.contract.leader if position is None else position.leader
        return f"the picking side reaches at least this tier, {who}{which}, seat {leads} leads"
    if isinstance(game, ThreeOfSpades):
        who = f"the team of seat {seat}"
        return f"{who} takes at least this many of {game.total} points" + ", the best contract for each bid" * bool(
            one.rounds
        )
    if position is None:
        which = f" for each {game.talon_label}" * one.clustered
        return f"at least so many {game.unit} by the side of seat {seat}, the best plan{which} for each bid"
    side = position.side
    who = f"seat {min(side)} against the rest" if len(side) == 1 else f"seats {' '.join(map(str, sorted(side)))}"
    return f"at least so many {game.unit} by {who}, seat {position.leader} leads"


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
    if isinstance(game, Thousand):
        yield from _thousand(one, game)
    elif isinstance(game, Sheepshead):
        yield from _sheepshead(one, game, summary)
    elif isinstance(game, ThreeOfSpades):
        yield from _spades(one, game)
    elif "expected_tricks" in summary:
        yield f"expected tricks {summary['expected_tricks']:.4g}"
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


def _thousand(one: Answer, game: Thousand) -> Iterator[str]:
    o = game.options
    check = "rounded" if o.round_before_check else "exact"
    yield (f"p: the {check} check of the contract (120 needs {game.rounded_need(120)} raw points rounded, 120 exact); "
           f"expected_score = {one.stakes.formula}")  # fmt: skip
    if one.raises and one.passed is not None:
        yield "with_raise: the contract is raised after the talon where that scores more; gain counts it"
    if one.ends is not None:
        yield ("match change, with_raise, the scores of passing and gain are changes of the seat's total in the match, "
               "by its rules of barrel and falls")  # fmt: skip
    if o.score_actual:
        yield "a made contract scores its points here, which may be more than the bid that expected_score counts"
    if o.redeal_four_nines or o.redeal_three_nines or o.redeal_weak_hand or o.redeal_bad_talon:
        yield "deals that would be dealt again are not left out of the worlds"
    if not game.talon_size:
        yield "the partner sees all cards as well; its marriages count"
    if one.clustered:
        hand = one.known.hand
        every = list(combinations(one.known.situation.unseen, game.talon_size))
        lucky = sum(game.bonus_in(hand | set(t)) > game.bonus_in(hand) for t in every)
        yield (f"the talon completes a marriage in {lucky} of {len(every)} ({lucky / len(every):.3f}); "
               f"highest bid allowed before the talon {one.cap}")  # fmt: skip
    elif not one.rounds and game.talon_size:
        known = one.known.agreed is not None and one.known.agreed.passes
        yield "cards passed are known" if known else "no pass named: the unseen cards lie anywhere with the others"


def _sheepshead(one: Answer, game: Sheepshead, summary: Mapping[str, float]) -> Iterator[str]:
    made = summary.get("p_make", float("nan"))
    bury = f"bury {game.banked(one.contract)} points, counted; " if one.contract.bury else ""
    if one.rounds:
        yield "each p is of the plan with the best chance of that tier, the score of the plan with the best score"
    if one.clustered:
        yield "seats before this one that were not heard count as having passed"
    yield (f"{bury}P(make) {made:.3f}, expected score of the picker {summary['expected_score']:+.2f} a deal, standard "
           f"error {summary['standard_error']:.2f}, 95 % from {summary['score_low']:+.2f} to "
           f"{summary['score_high']:+.2f}")  # fmt: skip
    if "gain" in summary:
        low, high = summary["gain_low"], summary["gain_high"]
        better = "pick" if low > 0 else "pass" if high < 0 else "too close to call"
        passing = f"{summary['pass_score']:+.2f} ({summary['pass_low']:+.2f} to {summary['pass_high']:+.2f})"
        yield (f"passing brings {passing}; picking gains {summary['gain']:+.2f} over it ({low:+.2f} to {high:+.2f}): "
               f"{better}")  # fmt: skip
    if not one.rounds:
        yield "the plan is one for all worlds; what passes of other seats tell is not used"


def _spades(one: Answer, game: ThreeOfSpades) -> Iterator[str]:
    share = "" if game.options.bidder_bonus else ", as of every member of the team"
    teams = ""
    if one.team:
        whole = sum(one.team)
        seats = ", ".join(f"{k} seats in {c / whole:.0%}" for k, c in enumerate(one.team) if c)
        teams = f"team of {seats} of the worlds drawn; "
    yield f"{teams}expected_score of the bid winner = {one.stakes.formula}{share}"
    yield "all seats know the teams from the start; what the auction tells is not used"


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
