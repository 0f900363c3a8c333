"""Studies of kind `threshold`: many hands drawn and estimated, in tables by what players count, and as rules.

A unit is a hand of `solver.thresholds.hand_rows`; a row has what `study_hand` says of it. The report is the answer of
`solver.thresholds.threshold`, made from the rows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from solver.games import game as find_game
from solver.games import games_for
from solver.model.checks import excerpt
from solver.model.errors import NotationError
from solver.studies.definition import REQUIRED, Definition, Key
from solver.studies.kinds import Item, Kind, Report, Row

if TYPE_CHECKING:
    import pandas as pd

    from solver.games import Game
    from solver.thresholds.hand_rows import Study

__all__ = ["KIND", "read_rounds"]

#: Tables of the report with their titles, by attribute of the answer.
_TABLES = (("frame", "hands by features and bid"), ("decision", "rules of thumb"), ("error", "what the rules lose"))
#: Columns that a row has only where the hand has such a bid.
_BID = re.compile(r"(p|gain)_\d+")


class Threshold(Kind):
    """Hands drawn, each estimated lightly."""

    name = "threshold"
    games: tuple[str, ...] = games_for(name)
    chunk = 8
    unit = "hands"
    keys: Mapping[str, Key] = {
        "hands": Key(int, REQUIRED, 1, 10**9, help="hands to draw, each independent of the others"),
        "position": Key(int, None, 0, 7, help="seats that speak (kit: play) before the hand's; drawn when absent"),
        "by": Key(list[str], [], help="features of the table; the usual ones of the game when empty"),
        "bids": Key(list[int], [], 0, 1000, help="bids, or tiers, of the table; the usual ones when empty"),
        "talons": Key(int, None, 1, 10_000, help="talons drawn for a hand; a light number when absent"),
        "rounds": Key(
            list[str],
            [],
            help="rounds of halving: '90x2' for 90 plans in 2 worlds, '90x2x5000' with a "
            "node limit; light ones when empty",
        ),
        "passed": Key(int, None, 1, 100_000, help="worlds in which passing is judged; a light number when absent"),
        "limit": Key(int, None, 0, None, help="most nodes of a search, 0 for no limit; the game's usual when absent"),
    }

    def check(self, definition: Definition) -> Definition:
        """Check against the game, and fill in the usual numbers."""
        from solver.thresholds.features import feature_names
        from solver.thresholds.hand_rows import check_bids

        given, study = definition.settings, _study(definition)
        by = feature_names(study.game, given["by"] or None)
        bids = check_bids(study.game, given["bids"] or None)
        rounds = ["x".join(map(str, r if r.limit else r[:2])) for r in study.rounds]
        more = {"by": list(by), "bids": list(bids), "talons": study.talons, "rounds": rounds, "passed": study.passed,
                "limit": study.limit}  # fmt: skip
        return replace(definition, settings={**given, **more})

    def units(self, definition: Definition, inputs: Sequence[Item]) -> int:
        """Hands."""
        return int(definition.settings["hands"])

    def columns(self, definition: Definition) -> dict[str, str]:
        """As the rows of `solver.thresholds.hand_rows.study_hand`, with a place for every bid that a hand may have."""
        from solver.bidding.of_game import bidding_of
        from solver.thresholds.features import features_of

        game = find_game(definition.game, **definition.options)
        features = dict.fromkeys((f.name for f in features_of(game)), "BIGINT")
        head = {"number": "BIGINT", "seed": "BIGINT", "hand": "VARCHAR", **features}
        bids = _bids(game)
        chances = dict.fromkeys((f"p_{b}" for b in bids), "DOUBLE")
        gains = dict.fromkeys((f"gain_{b}" for b in bids), "DOUBLE")
        three = dict.fromkeys(("gain", "gain_low", "gain_high"), "DOUBLE")
        if not game.has_auction:
            return {**head, **chances, **gains, "score": "DOUBLE", "n": "BIGINT"}
        if bidding_of(game).tiered:
            return {**head, **chances, "score": "DOUBLE", "pass_score": "DOUBLE", **three, "n": "BIGINT"}
        return {**head, **chances, **gains, "best_bid": "BIGINT", "score": "DOUBLE", "pass_score": "DOUBLE", **three,
                "break_even": "BIGINT", "n": "BIGINT"}  # fmt: skip

    def work(self, definition: Definition, first: int, last: int, items: Sequence[Item]) -> list[Row]:
        """Estimate some hands."""
        from solver.thresholds.hand_rows import study_hand

        study, columns = _study(definition), self.columns(definition)
        return [_fit(study_hand(study, number, workers=1), columns) for number in range(first, last)]

    def report(self, definition: Definition, results: pd.DataFrame, n_units: int) -> Report:
        """The answer of `solver.thresholds.threshold`."""
        from solver.deals.estimate import plain_rows
        from solver.thresholds.threshold import thresholds_of

        if not len(results):
            return Report((f"{definition.game}: no hand is finished yet",), (), ())
        own = results[list(self.columns(definition))].sort_values("number")
        rows = [{k: v for k, v in row.items() if v is not None or not _BID.fullmatch(k)} for row in plain_rows(own)]
        found = thresholds_of(_study(definition), rows, definition.settings["by"], bids=definition.settings["bids"])
        tables = tuple((title, table) for name, title in _TABLES if len(table := getattr(found, name)))
        return Report(found.heading, tables, found.notes, found)


def _study(definition: Definition) -> Study:
    from solver.thresholds.hand_rows import study_of

    given = definition.settings
    return study_of(
        definition.game, options=definition.options, seed=definition.seed, position=given["position"],
        talons=given["talons"], rounds=read_rounds(given["rounds"]) or None, passed=given["passed"],
        limit=given["limit"],
    )  # fmt: skip


def read_rounds(texts: Sequence[str]) -> list[Any]:
    """Rounds of halving, as in ``["90x2", "24x8x5000"]``.

    Raises
    ------
    NotationError
        For a text that is none.
    """
    from solver.deals.halving import Round

    out = []
    for text in texts:
        found = re.fullmatch(r"(\d{1,9})\s*x\s*(\d{1,6})(?:\s*x\s*(\d{1,12}))?", text.strip())
        numbers = [] if found is None else [int(x) for x in found.groups() if x is not None]
        if not numbers or 0 in numbers[:2]:
            raise NotationError(
                f"rounds has {excerpt(text)}: expected PLANSxWORLDS, as in '90x2', or PLANSxWORLDSxNODES"
            )
        out.append(Round(*numbers))
    return out


def _bids(game: Game) -> tuple[int, ...]:
    """Every bid, or tier, that a row may have a chance of."""
    return tuple(rung.bid for rung in game.ladder(game.contract("by 0")))


def _fit(row: Mapping[str, Any], columns: Mapping[str, str]) -> Row:
    """A row with all columns in their order, None where a hand has no such bid."""
    if unknown := row.keys() - columns.keys():
        raise TypeError(f"no column for {', '.join(sorted(unknown))}")
    return {name: row.get(name) for name in columns}


#: The kind.
KIND = Threshold()
