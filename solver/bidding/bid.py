"""How high to bid: the chance of each bid, with the plan chosen honestly, set against passing.

A bid is a promise made on hidden cards, followed by a decision on a little more information: the talon (an outer
chance), then the plan on what is seen, then the hidden worlds, the same for all plans. Each bid finds its own best
plan; what the chosen plan is worth is read in worlds that did not choose it.

Every world is judged double dummy, that is with all cards seen by all from the first lead on.

* Before the talon (Thousand, Sheepshead): talons are drawn, and the talon is the unit of the intervals.
* To plan (3 of Spades; after the talon): one decision, the world is the unit.
* At play: the plan is told, or there is none (kit, whist), and only worlds are left to chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from solver.bidding.bid_answer import Answer
from solver.bidding.bids import Bids, Read
from solver.bidding.of_game import FEW, bidding_of, stakes_of
from solver.bidding.passing import Passing
from solver.bidding.planning import decide, searches
from solver.bidding.question import as_declarer, ask, at_play, begin, open_plans
from solver.deals.halving import Questions, Round
from solver.deals.plan_matrix import SearchInterruptedError, fixed_field
from solver.deals.success import Progress, Runner
from solver.formats.record import plan_text
from solver.games import Game
from solver.games.match import Match
from solver.model.cards import Card
from solver.model.checks import ALL, checks_numbers, excerpt
from solver.model.contract import Contract
from solver.model.errors import NotationError, UnsupportedError
from solver.worlds.calls import auction_of
from solver.worlds.knowledge import Knowledge
from solver.worlds.talons import draw_talons

__all__ = ["bid"]

#: Talons drawn unless a number is named.
TALONS = 40
#: Worlds at most in which one plan is read until it is known well enough.
MOST_READ = 20_000
#: Talons at most that are drawn for that.
MOST_TALONS = 680
#: Worlds after which an answer with a plan told is looked at.
STEP = 256
#: Talons, or worlds, after which an answer that may stop early is first looked at.
FIRST = 16


@checks_numbers
def bid(
    source: Knowledge | Game | str,
    hand: str | frozenset[Card] = "",
    contract: str | Contract | None = None,
    *,
    seat: int | None = None,
    dealer: int | None = None,
    worlds: int | str | None = None,
    talons: int | str | None = None,
    passing: Passing | None = None,
    match: Match | None = None,
    until: float | None = None,
    rounds: Sequence[Round] | None = None,
    passed: int | None = None,
    seed: int = 0,
    workers: int | None = None,
    progress: Progress = None,
    limit: int | None = None,
    **options: Any,
) -> Bids:
    """Estimate how often each bid is made, double dummy, and which are better than passing.

    Parameters
    ----------
    source
        What the seat knows; or a game, or its name with `options`.
    hand
        With a game: the seat's cards. Kit and 3 of Spades: as dealt. Thousand: 7 before the talon, 10 with it, 8 after
        the pass. Sheepshead: 6 before the blind, 8 with it, 6 after a bury that the contract names.
    contract
        What is settled. With the plan (``"call AH, bury TC 8H"``, ``"pass 9C to 1, 9D to 2"``, ``"trump S, call AS
        KD"``) that plan is judged; without it the best one is found for each bid. Kit: ``"lead 1"`` where seat 0 does
        not lead.
    seat, dealer
        The seat that holds the hand, by default the contract's declarer, else 0; who dealt, the last seat when None.
    worlds
        How many to draw (for every talon, before it is seen); ``"all"``, or at least as many as there are, takes every
        one. Default: all as far as there are few, otherwise a number for the game.
    talons
        Before the talon: how many to draw, or ``"all"`` of them.
    passing
        What passing brings; the usual model of the game when None, see `solver.bidding.passing`.
    match
        Thousand: the match so far, so that barrel and penalties count.
    until
        Stop as soon as the chance of the bid (the contract's, else the one that scores best) is known to so much. The
        bands hold however often they are looked at.
    rounds, passed
        Rounds of halving, and worlds in which passing is judged; numbers for each game when None. A study of many hands
        asks for less of both.
    seed
        Of all that is drawn; recorded in the result.
    workers
        Threads, None for all cores; numbers do not depend on it.
    progress
        True for a bar, or a function of (done, total).
    limit
        Most positions to search for one world, 0 for no limit. A world left undecided counts as anything from 0 to 1.
    **options
        Options of the game, when it is named by text.

    Returns
    -------
    Bids
        With a row a bid: `bid`, `p`, and `low` to `high`, a 95 % interval unless all worlds were searched.

    Raises
    ------
    NotationError, IllegalPlayError, UnsupportedError
        For a hand or plan that cannot be read or that the rules bar.
    """
    if until is not None and not (isinstance(until, int | float) and 0 < until < 1):
        raise UnsupportedError(f"until is {excerpt(until)}: expected a half-width between 0 and 1, as 0.03 or 3%")
    known = begin(ask(source, hand, contract, seat=seat, dealer=dealer, options=options))
    if known.play:
        raise NotationError("cards are played already: `advise` answers from there on")
    of = bidding_of(known.game)
    _check_game(known)
    _check_auction(known)
    if match is not None:
        of.check_match(match)
    runner = Runner(workers=workers, progress=progress, limit=of.limit if limit is None else limit, chunk=of.chunk)
    with runner:
        bidder = _Bidder(known, runner, seed, worlds, talons, until, rounds)
        if match is not None and not bidder.open_auction:
            raise UnsupportedError("match: it counts where a bid is set against passing, before the talon")
        answer = bidder.fixed() if at_play(known) else bidder.before() if bidder.outer else bidder.to_plan()
        if bidder.open_auction and not answer.stopped:
            answer.set_against(passing or of.passing(), match, runner, passed)
            answer.stopped = runner.interrupted
    return answer.bids(runner)


def _check_game(known: Knowledge) -> None:
    """Refuse what no bid can be asked about."""
    game, agreed, of = known.game, known.agreed, bidding_of(known.game)
    if agreed is not None and agreed.surrender:
        raise UnsupportedError("the contract is given up: nothing is played, so nothing is estimated")
    of.check_table()
    if agreed is not None and agreed.target is not None and agreed.kind == "":
        of.check_target(agreed.target)
    if agreed is not None and agreed.kind in game.undeclared:
        raise UnsupportedError(f"a {agreed.kind} has no bids: every seat plays for itself")
    if not of.estimated:
        raise UnsupportedError(f"bids of {game.name} are not estimated: solve, cards and line answer for a whole deal")


def _check_auction(known: Knowledge) -> None:
    """Refuse a seat that the calls heard leave nothing to bid."""
    auction = auction_of(known) if known.calls else None
    if auction is None or known.agreed is not None or known.talon is not None:
        return
    result, me = auction.result, known.seat
    if result is not None and result.declarer != me:
        raise NotationError(f"the auction is over, {auction}: seat {me} has nothing to bid")
    if any(call.seat == me and call.word == "pass" for call in auction.calls):
        raise NotationError(f"seat {me} has passed: it has nothing to bid")


class _Bidder:
    """One call of `bid`."""

    def __init__(
        self, known: Knowledge, runner: Runner, seed: int, worlds: int | str | None, talons: int | str | None,
        until: float | None, rounds: Sequence[Round] | None,
    ) -> None:  # fmt: skip
        self.rounds = rounds
        self.known, self.game, self.runner, self.seed = known, known.game, runner, seed
        self.of = bidding_of(known.game)
        self.worlds, self.talons, self.until = worlds, talons, until

    @property
    def outer(self) -> bool:
        """Whether the talon is still to come."""
        return self.game.talon_size > 0 and self.known.talon is None

    @property
    def open_auction(self) -> bool:
        """Whether the seat may still pass: nothing beyond its own hand and calls is known."""
        if at_play(self.known) or not (self.game.has_plans or self.game.talon_size):
            return False
        return self.outer or self.game.talon_size == 0

    # ------------------------------------------------------------------ at play

    def fixed(self) -> Answer:
        """The plan is told: only worlds are left to chance."""
        total, n = self.known.count(), self.worlds
        if n == ALL:
            if total > 10 * FEW:
                raise UnsupportedError(f"all of {total:,} worlds are too many: name a number of worlds")
            n = total
        usual = self.of.worlds if self.until is None else MOST_READ
        drawn = self.known.sample(
            usual if n is None else int(n), seed=self.seed, limit=self.of.few if n is None else int(n)
        )
        contract = drawn.contract(0)
        declarer = self.known.seat if contract.declarer is None else contract.declarer
        hand = drawn.start(0).hands[declarer] if declarer == self.known.seat else frozenset[Card]()
        stakes = stakes_of(self.game, contract, hand, only=self.of.told_bids(contract))
        field = fixed_field(drawn, stakes.ladder)
        questions = Questions(stakes.rungs, stakes.worth(contract))
        answer = Answer(self.known, contract, stakes, "world", exact=drawn.exact, seed=self.seed,
                        limit=self.runner.limit, total=total, until=self.until)  # fmt: skip
        answer.start = drawn.start(0)
        answer.team = tuple(int(x) for x in np.bincount([int(s).bit_count() for s in drawn.sides]))
        self.runner.total = field.size
        for start in range(0, field.size, STEP):
            stop = min(start + STEP, field.size)
            try:
                found = field.search(self.runner, np.zeros(1, np.int64), start, stop)
            except SearchInterruptedError:
                answer.stopped = True
                break
            values = [questions.values(found, q) for q in range(questions.count)]
            low, high = (np.stack([v[i][0] for v in values], axis=1) for i in (0, 1))
            answer.reads.append(Read(low, high))
            if answer.settled():
                break
        return answer

    # ------------------------------------------------------------------ to plan

    def _rounds(self, usual_rounds: Sequence[Round]) -> tuple[Round, ...]:
        usual_rounds = tuple(usual_rounds if self.rounds is None else self.rounds)
        if self.worlds is None:
            return usual_rounds
        if self.worlds == ALL or int(self.worlds) < 2:
            raise UnsupportedError("where a plan is chosen worlds are drawn: name a number of at least 2")
        return (*usual_rounds[:-1], usual_rounds[-1]._replace(worlds=int(self.worlds)))

    def to_plan(self) -> Answer:
        """One decision: a plan for each bid, read in worlds that did not choose it."""
        known, game = self.known, self.game
        agreed = as_declarer(known)
        plans = list(open_plans(known, agreed))
        stakes = stakes_of(game, plans[0], known.hand | (known.talon or frozenset()))
        rounds = self._rounds(self.of.schedule)
        self.runner.total = 0
        answer = Answer(known, agreed, stakes, "world", exact=False, seed=self.seed,
                        limit=self.runner.limit, total=known.count(), until=self.until,
                        rounds=rounds, plans=len(plans))  # fmt: skip
        try:
            race, chosen = decide(known, stakes, plans, rounds, self.runner, seed=self.seed)
        except SearchInterruptedError:
            answer.stopped = True
            return answer
        answer.stopped = race.stopped
        answer.reads.append(Read(chosen.low, chosen.high, chosen.hint))
        answer.best = tuple(plan_text(game, plans[int(i)]) for i in chosen.best)
        if self.until is not None and not answer.stopped and not answer.settled():
            self._read_on(answer, [plans[int(i)] for i in chosen.best])
        return answer

    def _read_on(self, answer: Answer, best: list[Contract]) -> None:
        """Read the plan of the one bid of interest in fresh worlds until it is known well enough."""
        answer.aim = answer.target  # fixed before the worlds that it is read in are drawn; those before are not read
        column = answer.column
        known = self.known.contract(replace(best[column], target=answer.aim))
        only = stakes_of(self.game, best[column], self.known.hand, only=[answer.aim])
        answer.alone = column
        taken = 0
        while not answer.settled() and taken < MOST_READ:
            size = 256
            seed = int(np.random.SeedSequence([self.seed, 2, taken]).generate_state(1)[0])
            drawn = known.sample(size, seed=seed, limit=0)
            field = fixed_field(drawn, only.ladder)
            try:
                found = field.search(self.runner, np.zeros(1, np.int64), 0, size)
            except SearchInterruptedError:
                answer.stopped = True
                return
            values = [(x[0] > only.column[0]).astype(np.float64) for x in (found.low, found.high)]
            answer.more.append(Read(values[0][:, None], values[1][:, None]))
            taken += size

    # ------------------------------------------------------------------ before the talon

    def before(self) -> Answer:
        """Talons, for each a plan for each bid, worlds the same for all plans."""
        known, game = self.known, self.game
        agreed = as_declarer(known)
        if agreed.passes or agreed.bury or agreed.called:
            raise NotationError(
                f"the {game.talon_label} has not been seen, so nothing is planned yet: leave the plan out"
            )
        rounds = self._rounds(self.of.before)
        usual = TALONS if self.until is None else MOST_TALONS
        count = usual if self.talons is None else None if self.talons == ALL else int(self.talons)
        drawn = draw_talons(known, count, seed=self.seed)
        stakes = stakes_of(game, agreed, known.hand)
        answer = Answer(known, agreed, stakes, game.talon_label, exact=False, seed=self.seed,
                        limit=self.runner.limit, total=drawn.total, until=self.until,
                        rounds=rounds, every=drawn.complete)  # fmt: skip
        seeds = np.random.SeedSequence(self.seed).generate_state(len(drawn))
        for i, (talon, seen) in enumerate(zip(drawn.cards, drawn.known, strict=True)):
            plans = list(open_plans(seen, agreed))
            self.runner.total = max(self.runner.total, searches(rounds, len(plans)) * len(drawn))
            try:
                race, chosen = decide(seen, stakes, plans, rounds, self.runner, seed=int(seeds[i]))
            except SearchInterruptedError:
                answer.stopped = True
                break
            if race.stopped:  # a talon whose plan is half chosen says less than the others
                answer.stopped = True
                break
            answer.plans = len(plans)
            answer.reads.append(Read(chosen.low, chosen.high, chosen.hint))
            answer.cases.append((talon, tuple(plan_text(game, plans[int(b)]) for b in chosen.best)))
            if self.until is not None and i + 1 == FIRST:
                answer.aim = answer.target  # one bid for all looks
            if i + 1 >= FIRST and answer.settled():
                break
        return answer
