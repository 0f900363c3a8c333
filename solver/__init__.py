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

if TYPE_CHECKING:
    from solver.analysis.advice import advise
    from solver.analysis.annotate import annotate
    from solver.analysis.bidding import bid
    from solver.analysis.check import check
    from solver.analysis.diagnose import diagnose
    from solver.analysis.doubledummy import cards, solve
    from solver.analysis.equilibrium import equilibrium, read_equilibrium
    from solver.analysis.league import league, truths
    from solver.analysis.line import line
    from solver.analysis.planning import plan
    from solver.analysis.plans import plans
    from solver.analysis.secured import secured
    from solver.analysis.sidebyside import numbers
    from solver.analysis.table import table
    from solver.analysis.threshold import threshold
    from solver.formats.pbn import read_pbn, write_pbn
    from solver.formats.record_read import read_record
    from solver.games import deal, game, read
    from solver.model import errors
    from solver.model.errors import IllegalPlayError, NotationError, TrickwiseError, UnsupportedError
    from solver.studies.runner import report_study, run_study
    from solver.studies.store import read_study
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
    "read_equilibrium",
    "read_pbn",
    "read_record",
    "read_study",
    "report_study",
    "run_study",
    "secured",
    "solve",
    "table",
    "threshold",
    "truths",
    "write_pbn",
]

#: Where each public name lives; the module itself where no attribute follows.
_HOMES = {
    "IllegalPlayError": "solver.model.errors:IllegalPlayError",
    "NotationError": "solver.model.errors:NotationError",
    "TrickwiseError": "solver.model.errors:TrickwiseError",
    "UnsupportedError": "solver.model.errors:UnsupportedError",
    "advise": "solver.analysis.advice:advise",
    "annotate": "solver.analysis.annotate:annotate",
    "bid": "solver.analysis.bidding:bid",
    "cards": "solver.analysis.doubledummy:cards",
    "check": "solver.analysis.check:check",
    "deal": "solver.games:deal",
    "diagnose": "solver.analysis.diagnose:diagnose",
    "equilibrium": "solver.analysis.equilibrium:equilibrium",
    "errors": "solver.model.errors",
    "game": "solver.games:game",
    "knowledge": "solver.worlds.knowledge:knowledge",
    "league": "solver.analysis.league:league",
    "line": "solver.analysis.line:line",
    "numbers": "solver.analysis.sidebyside:numbers",
    "plan": "solver.analysis.planning:plan",
    "plans": "solver.analysis.plans:plans",
    "plot": "solver.views.plot",
    "read": "solver.games:read",
    "read_equilibrium": "solver.analysis.equilibrium:read_equilibrium",
    "read_pbn": "solver.formats.pbn:read_pbn",
    "read_record": "solver.formats.record_read:read_record",
    "read_study": "solver.studies.store:read_study",
    "report_study": "solver.studies.runner:report_study",
    "run_study": "solver.studies.runner:run_study",
    "secured": "solver.analysis.secured:secured",
    "solve": "solver.analysis.doubledummy:solve",
    "table": "solver.analysis.table:table",
    "threshold": "solver.analysis.threshold:threshold",
    "truths": "solver.analysis.league:truths",
    "write_pbn": "solver.formats.pbn:write_pbn",
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


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
