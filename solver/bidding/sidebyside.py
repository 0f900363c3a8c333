"""The four numbers of `solver.seat.numbers` from any stage on: the plan is chosen first, honestly.

Before the talon some talons are drawn. For each the best plan for the bid is chosen on worlds of its own, and the
numbers of its first lead are read in others; the talon is the unit of the intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from solver.bidding.of_game import bidding_of, stakes_of
from solver.bidding.planning import decide
from solver.bidding.question import as_declarer, ask, at_play, begin, open_plans
from solver.deals.halving import Round
from solver.deals.interrupt import STOPPED
from solver.deals.plan_matrix import SearchInterruptedError
from solver.deals.success import Progress, Runner
from solver.formats.record import contract_text, plan_text
from solver.games import Game
from solver.model.cards import Card
from solver.model.checks import checks_numbers
from solver.model.contract import Contract
from solver.seat.firstlead import nearby
from solver.seat.numbers import NUMBERS, Numbers, Part, numbers_at_lead, parts
from solver.stats.rates import clustered
from solver.worlds.knowledge import Knowledge
from solver.worlds.talons import draw_talons

__all__ = ["TALONS", "numbers"]

#: Talons drawn unless a number is named, worlds read and deals played out for each.
TALONS = 16
EACH = 16
PLAYED = 4


@checks_numbers
def numbers(
    source: Knowledge | Game | str,
    hand: str | frozenset[Card] = "",
    contract: str | Contract | None = None,
    *,
    seat: int | None = None,
    dealer: int | None = None,
    bid: int | None = None,
    seed: int,
    talons: int | None = None,
    worlds: int | None = None,
    deals: int | None = None,
    own_worlds: int | None = None,
    fast: bool = False,
    workers: int | None = None,
    progress: Progress = None,
    **options: Any,
) -> Numbers:
    """Say in several ways how often a bid is made: double dummy, blind lead, self-play, guaranteed.

    Parameters
    ----------
    source, hand, contract, seat, dealer, options
        As for `solver.bidding.bid.bid`. Where the plan is not told the best one for the bid is chosen first.
    bid
        The threshold; by default the contract's, else 61 in Sheepshead, 120 in Thousand, the lowest bid in 3 of Spades,
        2 in the kit.
    seed
        Of all that is drawn; recorded in the result.
    talons
        Before the talon: how many to draw, `TALONS` when None.
    worlds, deals, own_worlds
        Worlds read, deals played out and worlds that a seat draws for a decision; before the talon the first two are
        for each talon. Numbers for each stage when None.
    fast
        Whether to leave it at the first two numbers.
    workers, progress
        As for `solver.bidding.bid.bid`.

    Returns
    -------
    Numbers

    Raises
    ------
    NotationError, IllegalPlayError, UnsupportedError
        For what cannot be read, a threshold that the contract does not have, or a game without one.
    """
    known = begin(ask(source, hand, contract, seat=seat, dealer=dealer, options=options))
    chosen = _usual(known) if bid is None else bid
    one, two = (int(x) for x in np.random.SeedSequence(seed).generate_state(2))  # to choose by, and to read
    more: dict[str, Any] = {"seed": seed, "worlds": worlds, "deals": deals, "own_worlds": own_worlds, "fast": fast}
    if at_play(known):
        return numbers_at_lead(known, bid=chosen, workers=workers, progress=progress, **more)
    of = bidding_of(known.game)
    of.check_target(chosen)
    agreed = replace(as_declarer(known), target=chosen)
    nearby(known.game, agreed, chosen)
    if known.game.talon_size == 0 or known.talon is not None:
        with Runner(workers=workers, progress=progress, chunk=of.chunk) as runner:
            try:
                plan = _plan(known, agreed, of.schedule, runner, one)
            except SearchInterruptedError:
                raise KeyboardInterrupt("stopped before the plan was chosen") from None
        told = known.contract(plan)
        read = {**more, "seed": two}
        found = numbers_at_lead(told, bid=chosen, workers=workers, progress=progress, **read)
        return replace(
            found, seed=seed, notes=(*found.notes, f"plan chosen for {chosen}: {plan_text(known.game, plan)}")
        )
    return _before(known, agreed, chosen, TALONS if talons is None else talons, workers, progress, more)


def _usual(known: Knowledge) -> int:
    """The bid asked about when none is named."""
    game, agreed = known.game, known.agreed
    if agreed is not None and agreed.target is not None:
        return agreed.target
    return bidding_of(game).usual_bid(agreed)


def _plan(known: Knowledge, agreed: Contract, rounds: Sequence[Round], runner: Runner, seed: int) -> Contract:
    """The best plan for the agreed bid."""
    plans = list(open_plans(known, agreed))
    only = None if bidding_of(known.game).tiered else [agreed.target or 0]
    stakes = stakes_of(known.game, plans[0], known.hand | (known.talon or frozenset()), only=only)
    question = stakes.column[stakes.bids.index(agreed.target or 0)]
    race, chosen = decide(known, stakes, plans, rounds, runner, seed=seed, focus=[question])
    if race.stopped:
        raise SearchInterruptedError
    return plans[int(chosen.best[question])]


def _before(
    known: Knowledge, agreed: Contract, bid: int, talons: int, workers: int | None, progress: Progress,
    more: dict[str, Any],
) -> Numbers:  # fmt: skip
    """Talons, for each a plan and the numbers of its first lead."""
    game, seed, of = known.game, more["seed"], bidding_of(known.game)
    drawn = draw_talons(known, talons, seed=seed)
    seeds = np.random.SeedSequence(seed).generate_state(2 * len(drawn)).reshape(-1, 2)
    each = {**more, "worlds": more["worlds"] or EACH, "deals": more["deals"] or PLAYED}
    cases: list[dict[str, Part]] = []
    with Runner(workers=workers, progress=progress, chunk=of.chunk) as runner:
        for (one, two), seen in zip(seeds.tolist(), drawn.known, strict=True):
            runner.chunk = of.chunk
            try:
                plan = _plan(seen, agreed, of.before, runner, one)
            except SearchInterruptedError:
                break
            runner.chunk = 1
            found = parts(seen.contract(plan), bid, **{**each, "seed": two}, runner=runner)
            if runner.interrupted:
                break
            cases.append(found)
    if not cases:
        raise KeyboardInterrupt("stopped before any talon was searched")
    rows = []
    for name in cases[0]:
        least = min(len(case[name].low) for case in cases)  # where a talon leaves fewer worlds than are asked for
        low = np.stack([case[name].low[:least] for case in cases])
        high = np.stack([case[name].high[:least] for case in cases])
        rate = clustered(low, high, population=drawn.total)
        words = f"{len(cases)} {game.talon_label}s, {cases[0][name].worlds}"
        rows.append({"number": name, **rate._asdict(), "n": low.size, "worlds": words})
    notes = [*(f"{row['number']}: {NUMBERS[str(row['number'])]}" for row in rows),
             f"the plan for {bid} is chosen for each {game.talon_label}, in worlds that are not read",
             f"low to high: 95 % intervals, the {game.talon_label} as the unit"]  # fmt: skip
    if not more["fast"]:
        notes.append(f"guaranteed is left out before the {game.talon_label}")
    if runner.interrupted:
        notes.append(STOPPED)
    return Numbers(
        game.name, game.option_values(),
        f"seat {known.seat} reaches {bid} ({game.unit}), before the {game.talon_label}",
        game.deck.write(known.hand), contract_text(game, agreed), "side by side, worlds all equally likely", seed,
        int(rows[0]["n"]), game.unit, pd.DataFrame(rows),
        {str(row["number"]).replace(" ", "_").replace("-", "_"): float(row["p"]) for row in rows},
        runner.interrupted, notes=tuple(notes), seat=known.seat, bid=bid,
    )  # fmt: skip
