"""Studies of kind `match`: two ways to play cards against each other, every deal twice with the sides changed over.

A unit is a deal. What one policy is better than the other is the mean difference of the two plays of a deal, with the
interval of that. Beside it stands how many plays it would have taken had the two played different deals, with and
without the deals' double-dummy values as a control variate (`solver.studies.duel`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from solver.games import game as find_game
from solver.games import games_for
from solver.model.checks import excerpt
from solver.model.errors import NotationError
from solver.studies.definition import REQUIRED, Definition, Key
from solver.studies.kinds import Item, Kind, Report, Row

if TYPE_CHECKING:
    import pandas as pd

    from solver.games import Game
    from solver.model.contract import Contract
    from solver.studies.duel import Policy

__all__ = ["KIND"]


class Match(Kind):
    """Two policies of card play."""

    name = "match"
    games: tuple[str, ...] = games_for(name)
    chunk = 20
    unit = "deals"
    keys: Mapping[str, Key] = {
        "deals": Key(int, REQUIRED, 4, 10**9, help="deals, each played twice"),
        "contract": Key(str, REQUIRED, help="what is played, without a plan: '2 by 0', '120 by 0', 'by 0'"),
        "first": Key(str, REQUIRED, help="a policy: 'random', 'double dummy', 'pimc' or 'blind lead', which may "
                     "name worlds, as in 'pimc 20' (a seat that has no more than these or 70 takes all)"),
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
        from solver.bidding.of_game import bidding_of
        from solver.studies.duel import target_of

        planned = game.has_plans and given["plan"] == "chosen"
        if planned or any(p.sampled for p in policies):
            target_of(game, contract)
        bidding_of(game).check_duel()
        said = {name: str(p) for name, p in zip(("first", "second"), policies, strict=True)}
        return replace(definition, settings={**given, **said})

    def units(self, definition: Definition, inputs: Sequence[Item]) -> int:
        """Deals."""
        return int(definition.settings["deals"])

    def columns(self, definition: Definition) -> dict[str, str]:
        """A row a deal.

        `value` of the declarer's side double dummy; what it took when the first policy played it (`taken_first`) and
        when the second did; the declarer's score both times; whether its side reached the target, where there is one
        (`made_first`, `made_second`); `ahead`, how far the first is by what was taken.
        """
        return {
            "number": "BIGINT", "deal": "VARCHAR", "plan": "VARCHAR", "value": "BIGINT", "taken_first": "BIGINT",
            "taken_second": "BIGINT", "score_first": "BIGINT", "score_second": "BIGINT", "made_first": "BOOLEAN",
            "made_second": "BOOLEAN", "ahead": "BIGINT",
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
            score, made = one.score or (None, None), one.made or (None, None)
            rows.append({
                "number": number, "deal": one.deal.text, "plan": one.plan, "value": one.value,
                "taken_first": one.taken[0], "taken_second": one.taken[1], "score_first": score[0],
                "score_second": score[1], "made_first": made[0], "made_second": made[1],
                "ahead": one.taken[0] - one.taken[1],
            })  # fmt: skip
        return rows

    def report(self, definition: Definition, results: pd.DataFrame, n_units: int) -> Report:
        """How far the first policy is ahead a deal, and how often the contract is made."""
        from solver.studies.duel import FEWEST, designs

        game, given = find_game(definition.game, **definition.options), definition.settings
        first, second = (policy.told(game) for policy in _policies(definition))
        heading = (
            f"{game.name}, {given['contract']}: {first} against {second}, {len(results)} of "
            f"{n_units} deals, each played twice, seed {definition.seed}",
        )
        if len(results) < FEWEST:
            return Report(heading, (), (f"tables take {FEWEST} deals or more; so far there are {len(results)}",))
        contract, tables = _contract(game, given["contract"]), []
        words = {"taken": f"{game.unit_of(contract)} of the declarer's side", "score": "score of the declarer"}
        for what, said in words.items():
            if results[f"{what}_first"].notna().all() and (what == "taken" or not game.each_for_itself):
                tables.append((f"ahead a deal, {said}", designs(results, what)))
        notes = [
            f"each deal's first play: {first} plays the declarer's side and {second} the other; in the second they "
            "change over; ahead: by what the first play brought more, mean of a deal",
            "duplicate is what was played, both plays of the same deal; low to high: 95 %, Student's interval with the "
            "deal as the unit, which takes some dozens of deals to be right; none while the difference never varies",
            "variance: of the difference of one play each; plain: as if each had played deals of its own; control: so, "
            "and each result less a multiple of the deal's double-dummy value, the same for both; saves: how many "
            "times as many plays plain takes for the same error",
        ]
        if results["made_first"].notna().all():
            tables.append((f"how often the declarer's side reaches {contract.target}", _made(results, first, second)))
            notes.append("p: share of deals, with Wilson's 95 % interval; both rows are of the same deals")
        return Report(heading, tuple(tables), tuple(notes))


def _made(results: pd.DataFrame, first: str, second: str) -> pd.DataFrame:
    """Who reaches the target how often against whom."""
    import pandas as pd

    from solver.stats.rates import sampled

    rows = []
    for name, declarer, defenders in (("first", first, second), ("second", second, first)):
        rate = sampled(results[f"made_{name}"].to_numpy(float))
        rows.append({"declarer": declarer, "defenders": defenders, "p": rate.p, "low": rate.low, "high": rate.high,
                     "n": len(results)})  # fmt: skip
    return pd.DataFrame(rows)


def _policies(definition: Definition) -> tuple[Policy, Policy]:
    from solver.studies.duel import read_policy

    given = definition.settings
    return read_policy(given["first"], "match.first"), read_policy(given["second"], "match.second")


def _contract(game: Game, text: str) -> Contract:
    """The contract; its plan is each deal's own."""
    found = game.contract(text)
    if found.declarer is None:
        raise NotationError(f"match.contract is {excerpt(text)}: expected one that names its declarer, as in 'by 0'")
    if found.passes or found.bury or found.called or found.under or found.taken or found.surrender:
        raise NotationError(f"match.contract is {excerpt(text)}: leave the plan out, as each deal has its own")
    return found


#: The kind.
KIND = Match()
