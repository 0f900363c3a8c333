"""Studies of kind `exact`: the true success curve of a Thousand hand before the talon, double dummy.

All 680 talons, for each the best of 90 passes for each bid, over all 3,432 worlds. A unit is a talon, or several that
are alike (`BiddingOf.talon_classes`); a row is a talon and a bid with whole numbers of worlds, so that nothing
is lost to rounding and the curve of a study that is done has no interval. As long as talons are missing the finished
ones, which come in random order, are a sample of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from solver.games import game as find_game
from solver.games import games_for
from solver.model.errors import UnsupportedError
from solver.studies.definition import REQUIRED, Definition, Key
from solver.studies.kinds import Item, Kind, Report, Row

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from solver.bidding.of_game import Counts, Talon
    from solver.bidding.stakes import Stakes
    from solver.deals.estimate import Estimate
    from solver.model.cards import Card
    from solver.stats.rates import Rate

__all__ = ["KIND"]


class Exact(Kind):
    """A hand of Thousand, every talon, every pass, every world."""

    name = "exact"
    games: tuple[str, ...] = games_for(name)
    chunk = 1
    unit = "talons"
    keys: Mapping[str, Key] = {
        "hand": Key(str, REQUIRED, help="the seven cards before the talon"),
        "bids": Key(list[int], [], 100, 400, help="bids of the curve; all that a talon may bring in reach when empty"),
        "talons": Key(int, 0, 0, 680, help="so many talons of the random order only; 0 for all"),
        "worlds": Key(
            int, 0, 0, 3432, help="so many worlds drawn for each talon only, a rehearsal that says too much; 0 for all"
        ),
    }

    def check(self, definition: Definition) -> Definition:
        """Read the hand and the bids."""
        game = _game(definition)
        hand = game.read_hand(definition.settings["hand"], [game.hand_size])
        known, bids = game.bids(), definition.settings["bids"]
        if wrong := [b for b in bids if b not in known]:
            raise UnsupportedError(f"exact.bids has {wrong[0]}: {game.steps}")
        chosen = sorted(set(bids)) or list(_stakes(game, hand, []).bids)
        more = {"hand": game.deck.write(hand), "bids": chosen}
        return replace(definition, settings={**definition.settings, **more})

    def units(self, definition: Definition, inputs: Sequence[Item]) -> int:
        """Talons, those that are alike once."""
        return len(_talons(definition)[0])

    def columns(self, definition: Definition) -> dict[str, str]:
        """A row a talon and bid.

        `talon`, standing for `weight` talons; `bid`, with what it `needs` and a best `pass`, which `made` it in so many
        of all `worlds`; the same by the other reading of the contract check (``other_``).
        """
        return {
            "number": "BIGINT", "talon": "VARCHAR", "weight": "BIGINT", "bid": "BIGINT", "needs": "BIGINT",
            "pass": "VARCHAR", "made": "BIGINT", "other_needs": "BIGINT", "other_pass": "VARCHAR",
            "other_made": "BIGINT", "worlds": "BIGINT",
        }  # fmt: skip

    def work(self, definition: Definition, first: int, last: int, items: Sequence[Item]) -> list[Row]:
        """Count some talons."""
        from solver.bidding.of_game import bidding_of

        game, given = _game(definition), definition.settings
        of = bidding_of(game)
        known = game.knowledge(0, given["hand"])
        stakes = _stakes(game, known.hand, given["bids"])
        rows = []
        for number, talon in enumerate(_talons(definition)[0][first:last], first):
            seen = known.see(talon=game.deck.write(talon.cards))
            counts = of.best_plans(seen, stakes.needs or (), worlds=given["worlds"], seed=definition.seed + number)
            rows += _rows(game, number, talon, stakes, counts)
        return rows

    def report(self, definition: Definition, results: pd.DataFrame, n_units: int) -> Report:
        """The curve over all talons, or over those that are done."""
        game = _game(definition)
        if not len(results):
            return Report((f"{game.name}, {definition.settings['hand']}: no talon is finished yet",), (), ())
        found = _curve(game, definition, results)
        return Report(found.heading, (("success curve before the talon", found.frame),), found.notes, found)


def _game(definition: Definition) -> Any:
    """The game: one whose passes can be counted over all worlds."""
    from solver.bidding.of_game import bidding_of

    game = find_game(definition.game, **definition.options)
    bidding_of(game).check_exact()
    return game


def _stakes(game: Any, hand: frozenset[Card], bids: Sequence[int]) -> Stakes:
    from solver.bidding.of_game import stakes_of

    return stakes_of(game, game.contract("by 0"), hand, only=list(bids) or None)


def _talons(definition: Definition) -> tuple[list[Talon], list[int]]:
    from solver.bidding.of_game import bidding_of

    game, given = _game(definition), definition.settings
    return bidding_of(game).talon_classes(game.deck.hand(given["hand"]), given["talons"], seed=definition.seed)


def _rows(game: Any, number: int, talon: Talon, stakes: Stakes, counts: Counts) -> list[Row]:
    """A row for each bid."""
    from solver.formats.record import plan_text

    def said(rung: int) -> str | None:
        best = counts.best[rung]
        return None if best is None else plan_text(game, best)

    needs = stakes.needs or ()
    return [
        {"number": number, "talon": game.deck.write(talon.cards), "weight": talon.weight, "bid": bid,
         "needs": needs[own], "pass": said(own), "made": int(counts.made[own]), "other_needs": needs[other],
         "other_pass": said(other), "other_made": int(counts.made[other]), "worlds": counts.worlds}
        for bid, own, other in zip(stakes.bids, stakes.column, stakes.other, strict=True)
    ]  # fmt: skip


def _curve(game: Any, definition: Definition, results: pd.DataFrame) -> Estimate:
    """The success curve as an answer of its own."""
    import numpy as np
    import pandas as pd

    from solver.bidding.of_game import bidding_of
    from solver.deals.estimate import Estimate

    given = definition.settings
    talons, order = _talons(definition)
    done = results.pivot_table(index="number", columns="bid", values="made", sort=True).sort_index(axis=1)
    other = results.pivot_table(index="number", columns="bid", values="other_made", sort=True).sort_index(axis=1)
    worlds = int(results["worlds"].iloc[0])
    whole = len(done) == len(talons)
    # Talons are taken in their random order up to the first that is missing: any others would favour large classes.
    ready = np.isin(order, done.index)
    taken = np.array(order[: len(order) if ready.all() else int(np.argmin(ready))], np.int64)
    exact = whole and len(order) == 680 and not given["worlds"]
    rows: list[dict[str, Any]] = []
    stakes = _stakes(game, game.deck.hand(given["hand"]), given["bids"])
    name = bidding_of(game).other_column
    for bid in stakes.bids if len(taken) else ():
        made = done.loc[taken, bid].to_numpy(np.int64)
        rate = _rate(made, worlds, exact=exact)
        rows.append({
            "bid": bid, "p": rate.p, "low": rate.low, "high": rate.high,
            name: float(other.loc[taken, bid].mean()) / worlds, "expected_score": stakes.score(bid, rate.p),
            "made": int(made.sum()), "n": len(taken) * worlds,
        })  # fmt: skip
    method = "double dummy, every pass, " + ("all worlds" if not given["worlds"] else f"{worlds} worlds a talon")
    notes = [f"p: chance that the best pass for the bid makes it; {name}: by the other reading of the contract check; "
             f"expected_score = {stakes.formula}"]  # fmt: skip
    count = f"{len(taken)} of 680 talons ({len(talons)} that differ by more than suits)"
    notes.append(f"{count}: " + ("exact double dummy, no sampling" if exact else "95 % interval, the talon as unit"))
    if given["worlds"]:
        notes.append("the pass is chosen in the worlds in which it is read, so p is too high: a rehearsal of the study")
    return Estimate(
        game.name, game.option_values(), "how often each bid is made, before the talon", given["hand"], "by 0", method,
        definition.seed, len(taken) * worlds, game.unit, pd.DataFrame(rows), {"talons": float(len(taken))},
        notes=tuple(notes),
    )  # fmt: skip


def _rate(made: np.ndarray[Any, Any], worlds: int, *, exact: bool) -> Rate:
    """Mean over talons; its interval is that of talons drawn without replacement."""
    import numpy as np

    from solver.stats.rates import Rate, clustered

    p = float(made.sum()) / (len(made) * worlds)
    if exact:
        return Rate(p, p, p)
    one = clustered(np.arange(worlds) < made[:, None], population=680)
    return Rate(p, one.low, one.high)


#: The kind.
KIND = Exact()
