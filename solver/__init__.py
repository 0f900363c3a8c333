"""Trickwise: a game-theoretic double-dummy solver for trick-taking card games.

>>> import solver as tw
>>> deal = tw.deal("kit", seed=7)
>>> tw.solve(deal, "2 by 0").made
True

Everything takes text or objects, nothing changes what it is given, and a seed is always named. Names are loaded on
first use, so that ``import solver`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from solver.model import verbs as _verbs

if TYPE_CHECKING:
    from solver.bidding.bid import bid
    from solver.bidding.planning import plan
    from solver.bidding.plans import plans
    from solver.bidding.sidebyside import numbers
    from solver.deals.check import check
    from solver.deals.doubledummy import cards, solve
    from solver.deals.line import line
    from solver.deals.table import table
    from solver.formats.boards import read, read_deals
    from solver.formats.iss import read_iss
    from solver.formats.lin import read_lin, write_lin
    from solver.formats.pbn import read_pbn
    from solver.formats.pbn_write import write_pbn
    from solver.formats.rbn import read_rbn
    from solver.formats.record_read import read_record
    from solver.games import deal, game
    from solver.hidden.diagnose import diagnose
    from solver.hidden.equilibrium import equilibrium, read_equilibrium
    from solver.hidden.league import league, truths
    from solver.hidden.secured import secured
    from solver.model import errors
    from solver.model.errors import IllegalPlayError, NotationError, TrickwiseError, UnsupportedError
    from solver.seat.advice import advise
    from solver.seat.annotate import annotate
    from solver.studies.runner import report_study, run_study
    from solver.studies.store import read_study
    from solver.thresholds.threshold import threshold
    from solver.views import plot
    from solver.worlds.knowledge import knowledge

    __version__: str

__all__ = [
    "IllegalPlayError",
    "NotationError",
    "TrickwiseError",
    "UnsupportedError",
    "__version__",
    "advise",
    "annotate",
    "bid",
    "cards",
    "check",
    "deal",
    "diagnose",
    "equilibrium",
    "errors",
    "game",
    "knowledge",
    "league",
    "line",
    "numbers",
    "plan",
    "plans",
    "plot",
    "read",
    "read_deals",
    "read_equilibrium",
    "read_iss",
    "read_lin",
    "read_pbn",
    "read_rbn",
    "read_record",
    "read_study",
    "report_study",
    "run_study",
    "secured",
    "solve",
    "table",
    "threshold",
    "truths",
    "write_lin",
    "write_pbn",
]

#: Where each public name lives; the module itself where no attribute follows.
_HOMES = {
    "IllegalPlayError": "solver.model.errors:IllegalPlayError",
    "NotationError": "solver.model.errors:NotationError",
    "TrickwiseError": "solver.model.errors:TrickwiseError",
    "UnsupportedError": "solver.model.errors:UnsupportedError",
    "advise": "solver.seat.advice:advise",
    "annotate": "solver.seat.annotate:annotate",
    "bid": "solver.bidding.bid:bid",
    "cards": "solver.deals.doubledummy:cards",
    "check": "solver.deals.check:check",
    "deal": "solver.games:deal",
    "diagnose": "solver.hidden.diagnose:diagnose",
    "equilibrium": "solver.hidden.equilibrium:equilibrium",
    "errors": "solver.model.errors",
    "game": "solver.games:game",
    "knowledge": "solver.worlds.knowledge:knowledge",
    "league": "solver.hidden.league:league",
    "line": "solver.deals.line:line",
    "numbers": "solver.bidding.sidebyside:numbers",
    "plan": "solver.bidding.planning:plan",
    "plans": "solver.bidding.plans:plans",
    "plot": "solver.views.plot",
    "read": "solver.formats.boards:read",
    "read_deals": "solver.formats.boards:read_deals",
    "read_equilibrium": "solver.hidden.equilibrium:read_equilibrium",
    "read_iss": "solver.formats.iss:read_iss",
    "read_lin": "solver.formats.lin:read_lin",
    "read_pbn": "solver.formats.pbn:read_pbn",
    "read_rbn": "solver.formats.rbn:read_rbn",
    "read_record": "solver.formats.record_read:read_record",
    "read_study": "solver.studies.store:read_study",
    "report_study": "solver.studies.runner:report_study",
    "run_study": "solver.studies.runner:run_study",
    "secured": "solver.hidden.secured:secured",
    "solve": "solver.deals.doubledummy:solve",
    "table": "solver.deals.table:table",
    "threshold": "solver.thresholds.threshold:threshold",
    "truths": "solver.hidden.league:truths",
    "write_lin": "solver.formats.lin:write_lin",
    "write_pbn": "solver.formats.pbn_write:write_pbn",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("trickwise")
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, attribute = home.partition(":")
    value: Any = import_module(module)
    if attribute:
        value = getattr(value, attribute)
    globals()[name] = value  # found at once next time
    return value


def _knowledge(*what: Any, **how: Any) -> Any:
    return __getattr__("knowledge")(*what, **how)


# A game offers what it cannot import: the floors above are loaded when it is asked.
_verbs.knowledge = _knowledge


def __dir__() -> list[str]:
    return sorted(__all__)
