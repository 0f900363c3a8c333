"""Studies of kind `match`: two ways to play cards against each other, every deal twice with the sides changed over.

A unit is a deal. What one policy is better than the other is the mean difference of the two plays, and the report says
how sure that is in four ways. The luck of the deal goes out of it where both play the same deal (duplicate), and most
of it where the deal's double-dummy value is taken as a control variate, fitted by least squares.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solver.games import game as find_game
from solver.model.errors import NotationError, UnsupportedError
from solver.studies.definition import REQUIRED, Definition, Key
from solver.studies.kinds import Item, Report, Row

if TYPE_CHECKING:
    import pandas as pd

    from solver.games import Game
    from solver.model.contract import Contract
    from solver.studies.duel import Policy

__all__ = ["KIND", "designs"]


class Match:
    """Two policies of card play."""

    name = "match"
    games: tuple[str, ...] = ("kit", "sheepshead", "thousand", "three_of_spades")
    chunk = 20
    unit = "deals"
    keys: Mapping[str, Key] = {
        "deals": Key(int, REQUIRED, 1, 10**9, help="deals, each played twice"),
        "contract": Key(str, REQUIRED, help="what is played, without a plan: '2 by 0', '120 by 0', 'by 0'"),
        "first": Key(str, REQUIRED, help="a policy: 'random', 'double dummy', 'pimc' or 'blind lead', which may "
                     "name worlds, as in 'pimc 20' (of up to 70 a seat takes all)"),
        "second": Key(str, REQUIRED, help="the policy that it is compared with"),
        "plan": Key(str, "chosen", choices=("chosen", "drawn"), help="how each deal's plan is settled: the best by a "
                    "light search on what the declarer knows, or any legal one"),
        "limit": Key(int, 0, 0, None, help="most nodes for one card in one of a seat's worlds, 0 for no limit"),
    }  # fmt: skip

    def check(self, definition: Definition) -> Definition:
        """Read policies and contract."""
        game, given = find_game(definition.game, **definition.options), definition.settings
        policies = _policies(definition)
        contract = _contract(game, given["contract"])
        from solver.studies.duel import default_bid_of

        planned = game.name in ("thousand", "sheepshead", "three_of_spades") and given["plan"] == "chosen"
        if planned or any(p.sampled for p in policies):
            default_bid_of(game, contract)
        if game.name == "thousand" and game.seats != 3:
            raise UnsupportedError(f"thousand with table={definition.options['table']}: a match is for three seats")
        if game.name == "sheepshead" and definition.options.get("partner") == "queens":
            raise UnsupportedError("sheepshead with partner=queens: nobody picks, so there are no plans")
        said = {name: str(p) for name, p in zip(("first", "second"), policies, strict=True)}
        return replace(definition, settings={**given, **said})

    def inputs(self, definition: Definition, base: Path) -> list[Item]:
        """Nothing is read."""
        return []

    def units(self, definition: Definition, inputs: Sequence[Item]) -> int:
        """Deals."""
        return int(definition.settings["deals"])

    def columns(self, definition: Definition) -> dict[str, str]:
        """A row a deal.

        `value` of the declarer's side double dummy; what it took when the first policy played it (`taken_first`) and
        when the second did; the declarer's score both times; `ahead`, how far the first is by what was taken.
        """
        return {
            "number": "BIGINT", "deal": "VARCHAR", "plan": "VARCHAR", "value": "BIGINT", "taken_first": "BIGINT",
            "taken_second": "BIGINT", "score_first": "BIGINT", "score_second": "BIGINT", "ahead": "BIGINT",
        }  # fmt: skip

    def work(self, definition: Definition, first: int, last: int, items: Sequence[Item]) -> list[Row]:
        """Play some deals."""
        from solver.studies.duel import play_pair

        game, given = find_game(definition.game, **definition.options), definition.settings
        contract, policies, rows = _contract(game, given["contract"]), _policies(definition), []
        for number in range(first, last):
            one = play_pair(
                game, contract, policies, number, seed=definition.seed, plan=given["plan"], limit=given["limit"]
            )
            score = one.score or (None, None)
            rows.append({
                "number": number, "deal": one.deal.text, "plan": one.plan, "value": one.value,
                "taken_first": one.taken[0], "taken_second": one.taken[1], "score_first": score[0],
                "score_second": score[1], "ahead": one.taken[0] - one.taken[1],
            })  # fmt: skip
        return rows

    def report(self, definition: Definition, results: pd.DataFrame, n_units: int) -> Report:
        """How far the first policy is ahead a deal, with four intervals."""
        game, given = find_game(definition.game, **definition.options), definition.settings
        heading = (
            f"{game.name}, {given['contract']}: {given['first']} against {given['second']}, {len(results)} of "
            f"{n_units} deals, each played twice, seed {definition.seed}",
        )
        unit, tables = game.unit_of(_contract(game, given["contract"])), []
        for what, words in (("taken", f"{unit} of the declarer's side"), ("score", "score of the declarer")):
            some = results[results[f"{what}_first"].notna()]
            if len(some) > 3 and (what == "taken" or game.name != "kit"):
                tables.append((f"ahead a deal, {words}", designs(some, what)))
        notes = (
            f"{given['first']} plays the declarer's side in the first play of a deal, {given['second']} in the second; "
            "ahead: by what the side took more in the first play",
            "plain: as if no two plays were of one deal; control: less what the double-dummy value explains; "
            "duplicate: both plays of a deal together; low to high: 95 %, Student's interval; saves: plays that it "
            "takes plain for each that it takes so",
        )
        return Report(heading, tuple(tables), notes)


def designs(frame: pd.DataFrame, what: str = "taken") -> pd.DataFrame:
    """Mean difference of the two plays by four designs.

    Parameters
    ----------
    frame
        Rows of a study, at least four, with ``{what}_first``, ``{what}_second`` and `value`.
    what
        ``"taken"`` or ``"score"``.

    Returns
    -------
    DataFrame
        A row a design: `design`, the difference `ahead` with `low` to `high`, its standard `error`, `variance` of a
        deal, and `saves`, the plain variance over it.
    """
    import numpy as np
    import pandas as pd
    from scipy.special import stdtrit

    a, b, v = (frame[name].to_numpy(float) for name in (f"{what}_first", f"{what}_second", "value"))
    n, middle = len(a), float((a - b).mean())
    v = v - v.mean()
    spread = float(v @ v)

    def left(x: Any, lost: int) -> float:
        """Variance that the value does not explain, `lost` degrees of freedom less."""
        x = x - x.mean()
        slope = float(v @ x) / spread if lost == 2 and spread else 0.0
        return float(((x - slope * v) ** 2).sum()) / (n - lost)

    found = {
        "plain": left(a, 1) + left(b, 1), "control": left(a, 2) + left(b, 2),
        "duplicate": left(a - b, 1), "duplicate and control": left(a - b, 2),
    }  # fmt: skip
    rows = []
    for name, variance in found.items():
        error = sqrt(variance / n)
        half = float(stdtrit(n - 2 if "control" in name else n - 1, 0.975)) * error
        saves = found["plain"] / variance if variance else np.nan
        rows.append({"design": name, "ahead": middle, "low": middle - half, "high": middle + half, "error": error,
                     "variance": variance, "saves": saves, "n": n})  # fmt: skip
    return pd.DataFrame(rows)


def _policies(definition: Definition) -> tuple[Policy, Policy]:
    from solver.studies.duel import read_policy

    given = definition.settings
    return read_policy(given["first"], "match.first"), read_policy(given["second"], "match.second")


def _contract(game: Game, text: str) -> Contract:
    """The contract; its plan is each deal's own."""
    found = game.contract(text)
    if found.declarer is None:
        raise NotationError(f"match.contract is {text[:60]!r}: expected one that names its declarer, as in 'by 0'")
    if found.passes or found.bury or found.called or found.under or found.taken or found.surrender:
        raise NotationError(f"match.contract is {text[:60]!r}: leave the plan out, as each deal has its own")
    return found


#: The kind.
KIND = Match()
