"""How often a threshold is reached, answered in four ways and set side by side.

With all cards known every world has one value, but nobody at the table knows the world. So one number never tells the
whole story. There are four, each with what it is and is not: double dummy, the blind lead, self-play, and what
the declarer is sure of. On the kit, where the truth is known, the first is up to 5 points off, on either side; the
second within 1.3; the third 1 to 3 above it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from solver.deals.estimate import Estimate
from solver.deals.interrupt import STOPPED
from solver.deals.success import Progress, Runner
from solver.formats.record import contract_text
from solver.model.errors import NotationError, UnsupportedError
from solver.seat.blind import Leads, blind_lead
from solver.seat.firstlead import FEW, OWN_WORLDS, Chooser, at_first_lead, default_bid, nearby, needs_of
from solver.seat.guaranteed import guaranteed
from solver.seat.selfplay import self_play
from solver.stats.rates import Rate, exact, sampled
from solver.worlds.knowledge import Knowledge
from solver.worlds.sample import Worlds

__all__ = ["DEALS", "NUMBERS", "WORLDS", "Numbers", "Part", "chooser_of", "numbers_at_lead", "parts"]

#: Worlds drawn by default, and how many of them are played out.
WORLDS = 200
DEALS = 60
#: Worlds up to which what the declarer can be sure of is worked out.
MOST_GUARANTEED = 2_000

#: The numbers, and what each is.
NUMBERS = {
    "double dummy": "all seats see all cards from the first card on; no upper bound, as defenders who see all find "
    "every killing lead",
    "blind lead": "the first card is chosen once for all worlds that its seat considers possible, all seats see all "
    "cards after it; removes most of the leader's foresight, not that of the later cards",
    "self-play": "each card is chosen by its seat over worlds of its own knowledge; close to real play, but defenders "
    "who choose so work together less well than they could, which favours the declarer",
    "guaranteed": "one plan of play of the declarer, who sees only what it may, against others who see all cards; what "
    "it can be sure of, a lower bound of what perfect play reaches",
}


class Part(NamedTuple):
    """One number, world by world.

    Parameters
    ----------
    low, high
        ``float64[n]``, 0 or 1: surely and possibly reached.
    exact
        Whether nothing about it is sampled.
    worlds
        What it rests on, in words.
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    exact: bool
    worlds: str

    @property
    def rate(self) -> Rate:
        """The number with its interval."""
        return exact(self.low, self.high) if self.exact else sampled(self.low, self.high)


@dataclass(frozen=True)
class Numbers(Estimate):
    """A threshold answered in several ways.

    `frame` has a row for each number: `number`, `p` with its interval `low` to `high`, `n`, and `worlds`, what it
    rests on in words.

    Parameters
    ----------
    seat
        Whose knowledge.
    bid
        The threshold, as the game's ladder names it.
    """

    seat: int = 0
    bid: int = 0

    def p(self, number: str) -> float:
        """One of the numbers, by its name in `frame`."""
        return float(self.frame.loc[self.frame["number"] == number, "p"].iloc[0])

    def to_json(self) -> dict[str, Any]:
        """Return plain values for `json.dumps`."""
        found = super().to_json()
        return {**found, "seat": self.seat, "bid": self.bid, "rows": found.pop("rows")}


def numbers_at_lead(
    knowledge: Knowledge,
    *,
    bid: int | None = None,
    seed: int,
    worlds: int | None = None,
    deals: int | None = None,
    own_worlds: int | None = None,
    fast: bool = False,
    workers: int | None = None,
    progress: Progress = None,
) -> Numbers:
    """Say in several ways how often a threshold is reached, on what one seat knows at the first lead.

    Parameters
    ----------
    knowledge
        At the first lead, with the contract and its plan.
    bid
        The threshold, as the game's ladder names it; the contract's target when None, 61 in Sheepshead.
    seed
        Of all that is drawn; recorded in the result.
    worlds
        How many to draw for the first two numbers; all are taken where there are no more than that. `WORLDS` when None.
    deals
        How many of them are played out: `DEALS` when None, all of them where there are no more than 70.
    own_worlds
        How many worlds a seat draws for a decision: 8 when None; all are taken where there are no more than 70.
    fast
        Whether to leave it at the first two numbers.
    workers, progress
        As for `solver.seat.advice.advise`.

    Returns
    -------
    Numbers
        Of the first worlds only, and of those numbers that were begun, where an interrupt came.

    Raises
    ------
    NotationError, UnsupportedError
        When the play has not begun or some card is played, or for a threshold that the contract does not have.
    """
    known = at_first_lead(knowledge)
    game, contract, one = known.game, known.agreed, known.sample(1, seed=seed)
    assert contract is not None
    bid = default_bid(one) if bid is None else bid
    notes = []
    if game.has_dummy and not fast:
        fast = True
        notes.append("self-play and guaranteed are left out: one hand lies open")
    with Runner(workers=workers, progress=progress, chunk=1) as runner:
        found = parts(
            known, bid, seed=seed, worlds=worlds, deals=deals, own_worlds=own_worlds, fast=fast, runner=runner
        )
    if not found:
        raise KeyboardInterrupt("stopped before any world was searched")
    rows = [{"number": name, **part.rate._asdict(), "n": len(part.low), "worlds": part.worlds}
            for name, part in found.items()]  # fmt: skip
    if not fast and not runner.interrupted:
        try:
            rows.append(_guaranteed(known, one, bid))
        except UnsupportedError as why:
            notes.append(f"guaranteed is left out: {why}")
    notes = [*(f"{row['number']}: {NUMBERS[str(row['number'])]}" for row in rows), *notes]
    if any(not part.exact for part in found.values()):
        notes.append("low to high: 95 % Wilson intervals; a number that nothing was drawn for has none")
    if runner.interrupted:
        notes.append(STOPPED)
    position = one.start(0)
    told = contract.side is not None or not game.partner_cards(contract) or contract.declarer is None
    who = f"side {' '.join(map(str, sorted(position.side)))}" if told else f"the side of seat {contract.declarer}"
    unit = game.unit_of(contract)
    return Numbers(
        game.name, game.option_values(),
        f"{who} reaches {bid} ({unit}), seat {position.turn} leads, by what seat {known.seat} knows",
        game.deck.write(known.hand), contract_text(game, contract), "side by side, worlds all equally likely", seed,
        len(found["double dummy"].low), unit, pd.DataFrame(rows),
        {str(row["number"]).replace(" ", "_").replace("-", "_"): float(row["p"]) for row in rows},
        runner.interrupted, notes=tuple(notes), seat=known.seat, bid=bid,
    )  # fmt: skip


def parts(
    knowledge: Knowledge,
    bid: int | None = None,
    *,
    seed: int,
    worlds: int | None = None,
    deals: int | None = None,
    own_worlds: int | None = None,
    fast: bool = False,
    runner: Runner | None = None,
    chooser: Chooser | None = None,
) -> dict[str, Part]:
    """Give the sampled numbers world by world, so that those of several knowledges (many talons) can be put together.

    Parameters
    ----------
    knowledge, bid, seed, worlds, deals, own_worlds, fast
        As for `numbers`.
    runner
        Open worker threads; one of its own when None.
    chooser
        Keeps decisions of the kit from call to call; from `chooser_of`.

    Returns
    -------
    dict
        By name of the number; without those that an interrupt kept from beginning.
    """
    if runner is None:
        with Runner(workers=1, chunk=1) as one:
            return parts(
                knowledge, bid, seed=seed, worlds=worlds, deals=deals, own_worlds=own_worlds, fast=fast, runner=one,
                chooser=chooser,
            )  # fmt: skip
    known = at_first_lead(knowledge)
    for name, number in (("worlds", worlds), ("deals", deals), ("own_worlds", own_worlds)):
        if number is not None and number < 1:
            raise NotationError(f"{name} is {number}: expected a whole number from 1")
    first = WORLDS if worlds is None else worlds
    drawn = known.sample(max(first, 0 if fast else deals or DEALS), seed=seed)
    bid = default_bid(drawn) if bid is None else bid
    chooser = chooser_of(known, bid, own_worlds) if chooser is None else chooser
    leading, played = _some(drawn, first), _some(drawn, deals or (FEW if drawn.exact and len(drawn) <= FEW else DEALS))
    own = drawn.start(0).turn == known.seat
    runner.total = len(leading) * (len(needs_of(leading, chooser.bids)) if own else 1) + len(played) * (not fast)
    leads = blind_lead(leading, chooser.bids, seed=seed, runner=runner, chooser=chooser)
    if not leads.n:
        return {}
    at = chooser.bids.index(bid)
    out = _lead_parts(leading, leads, at, own, chooser.own_worlds)
    if fast or runner.interrupted:
        return out
    games = self_play(played, bid, seed=seed, runner=runner, chooser=chooser)
    if len(games):
        all_deals = played.exact and len(games) == len(played)
        many = f"all {len(games)} deals" if all_deals else f"{len(games)} deals"
        reached = games.reached.astype(np.float64)
        how = "all worlds" if games.exact else _drawn(chooser.own_worlds)
        out["self-play"] = Part(reached, reached, all_deals and games.exact, f"{many}, {how} a decision")
    return out


def chooser_of(knowledge: Knowledge, bid: int, own_worlds: int | None = None) -> Chooser:
    """A chooser for a threshold, to be handed to `parts` again and again."""
    contract = knowledge.agreed
    assert contract is not None
    return Chooser(knowledge.game, nearby(knowledge.game, contract, bid), own_worlds or OWN_WORLDS)


def _some(drawn: Worlds, n: int) -> Worlds:
    """The first worlds."""
    return drawn if n >= len(drawn) else replace(drawn, owners=drawn.owners[:n], exact=False)


def _drawn(own_worlds: int) -> str:
    return f"{own_worlds} worlds (all up to {FEW})" if own_worlds < FEW else f"{own_worlds} worlds"


def _lead_parts(worlds: Worlds, leads: Leads, at: int, own: bool, own_worlds: int) -> dict[str, Part]:
    """The numbers of the first lead."""
    every = worlds.exact and leads.n == len(worlds)
    many = f"all {leads.n} worlds" if every else f"{leads.n:,} of {worlds.knowledge.count():,} worlds"
    if own:
        how = "one card for all" + ("" if leads.exact else ", chosen on one half and read on the other")
    else:
        how = f"seat {worlds.start(0).turn} leads on {'all worlds' if leads.exact else _drawn(own_worlds)} of its own"
    seen, blind = ((low[:, at].astype(np.float64), high[:, at].astype(np.float64))
                   for low, high in ((leads.seen_low, leads.seen_high), (leads.low, leads.high)))  # fmt: skip
    return {
        "double dummy": Part(*seen, every, many),
        "blind lead": Part(*blind, every and leads.exact, f"{many}, {how}"),
    }


def _guaranteed(known: Knowledge, one: Worlds, bid: int) -> dict[str, Any]:
    """The row of what the declarer is sure of; `UnsupportedError` where that is not computed."""
    if one.knowledge.count() > MOST_GUARANTEED:
        raise UnsupportedError(f"{one.knowledge.count():,} worlds are too many for it")
    needs = needs_of(one, (bid,))
    if len(needs) > 1 or ("tricks" in needs and known.game.unit != "tricks"):
        raise UnsupportedError("the threshold counts points and tricks")
    (need,) = needs.values()
    found = guaranteed(known, int(need[0, 0]) + int(one.banked[0]))
    if found.partial:
        raise UnsupportedError("it was stopped")
    p = (found.low + found.high) / 2
    return {"number": "guaranteed", "p": p, "low": found.low, "high": found.high, "n": found.n,
            "worlds": f"all {found.n} worlds, with a certificate on either side"}  # fmt: skip
