"""What is measured, and the figures that a user of this kind of solver would want it to reach.

U is the mean time in which DDS, through endplay, solves a deal of ``bridge.jsonl``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from solver.model.checks import excerpt
from solver.model.errors import NotationError, UnsupportedError

__all__ = ["FIGURES", "SUITES", "WORKS", "Figure", "Work", "chosen", "suites_folder"]

#: Folder of the recorded suites, a part of the package.
SUITES = Path(__file__).parent / "suites"


@dataclass(frozen=True)
class Work:
    """One measurement.

    Parameters
    ----------
    name
        Names it on the command line and in records.
    suite
        File with its deals.
    about
        What is asked of them.
    kind
        ``"deals"`` one by one, ``"batch"`` in one call, ``"table"`` of bridge, ``"endings"`` by cards left,
        ``"memory"`` and ``"start"``.
    need
        Asks whether the side takes so many points, instead of the recorded value.
    rest_counts
        Whether the points of cards in no hand are the side's.
    most, quick
        Deals at most, and in a quick run.
    limit
        Nodes for one deal where no other limit is given, 0 for none.
    """

    name: str
    suite: str
    about: str
    kind: str = "deals"
    need: int | None = None
    rest_counts: bool = False
    most: int = 10**6
    quick: int = 8
    limit: int = 0


#: Every measurement of a full run, in its order.
WORKS = (
    Work("bridge", "bridge", "bridge, value", quick=5),
    Work("bridge_table", "bridge", "bridge, all 20 declarers and strains", "table", most=20, quick=1),
    Work("skat_61", "skat", "Skat, 61 points with the skat", need=61, rest_counts=True),
    Work("skat", "skat", "Skat, value"),
    Work("sheepshead_61", "sheepshead_5", "Sheepshead, 5 seats, 61 points", need=61),
    Work("sheepshead", "sheepshead_5", "Sheepshead, 5 seats, value"),
    Work("thousand", "thousand_8", "Thousand without marriages, value", quick=20),
    Work("thousand_120", "thousand_120", "Thousand with marriages, 120", quick=20),
    Work("spades_7", "three_of_spades_7", "3 of Spades, 7 seats, the bid"),
    Work("spades_6", "three_of_spades_6", "3 of Spades, 6 seats, the bid"),
    Work("spades_5", "three_of_spades_5", "3 of Spades, 5 seats, the bid", quick=4),
    Work("kit", "kit", "kit, one seat against two", "batch", quick=100),
    Work("hard", "hard", "freak shapes, three-seat sides, many trumps", quick=3, limit=50_000_000),
    Work("endings", "", "value by cards left", "endings", most=10, quick=2),
    Work("memory", "", "memory of a searching thread", "memory"),
    Work("start", "", "first answer of a new process", "start"),
)


@dataclass(frozen=True)
class Figure:
    """One number to reach.

    Parameters
    ----------
    work
        Where it is measured.
    about
        What it is.
    field
        Which column of the work's row.
    unit
        ``"U"`` for a ratio to it, ``"x"`` for a ratio to the peer doing the same, else the column's own.
    must, goal
        The least to reach, and more.
    rising
        Whether more is better.
    """

    work: str
    about: str
    field: str
    unit: str
    must: float
    goal: float
    rising: bool = False


FIGURES = (
    Figure("bridge", "bridge value", "mean_ms", "U", 2, 0.65),
    Figure("bridge_table", "bridge table of 20 cells, of calc_dd_table", "mean_ms", "x", 2, 0.7),
    Figure("skat_61", "Skat, 61 points", "mean_ms", "U", 0.03, 0.01),
    Figure("skat", "Skat value", "mean_ms", "U", 0.5, 0.2),
    Figure("sheepshead_61", "Sheepshead, 61 points", "mean_ms", "U", 0.01, 0.004),
    Figure("sheepshead", "Sheepshead value", "mean_ms", "U", 0.08, 0.03),
    Figure("thousand", "Thousand value, no marriages", "mean_ms", "U", 0.02, 0.007),
    Figure("thousand_120", "Thousand 120, marriages", "mean_ms", "U", 0.02, 0.006),
    Figure("spades_7", "3 of Spades, 7 seats", "mean_ms", "U", 0.05, 0.02),
    Figure("spades_6", "3 of Spades, 6 seats", "mean_ms", "U", 0.05, 0.02),
    Figure("spades_5", "3 of Spades, 5 seats", "mean_ms", "U", 0.3, 0.1),
    Figure("spades_5", "3 of Spades, 5 seats, 99 of 100 deals", "p99_ms", "U", 5, 1.5),
    Figure("kit", "kit, in batches", "mean_ms", "U", 0.001, 0.0003),
    Figure("bridge", "nodes a second, bridge", "million_nodes_s", "million/s", 6, 10, rising=True),
    Figure("memory", "memory of a thread, largest", "mb", "MB", 64, 24),
    Figure("start", "cold start to first answer", "cold_s", "s", 30, 12),
    Figure("start", "warm start to first answer", "warm_s", "s", 1.0, 0.6),
)


def suites_folder(given: str = "") -> Path:
    """Folder of suites: the one given, else the package's own.

    Raises
    ------
    UnsupportedError
        When it is not there.
    """
    folder = Path(given) if given else SUITES
    if not folder.is_dir():
        raise UnsupportedError(f"no suites in the folder {excerpt(str(folder))}: give --suites DIR, or leave it out")
    return folder


def chosen(names: tuple[str, ...], folder: Path) -> list[Work]:
    """Works by their names or by their suites; any other file of the folder is asked as it is recorded.

    Raises
    ------
    NotationError
        For a name that is neither.
    """
    files = sorted(path.stem for path in folder.glob("*.jsonl"))
    if not names:
        return [work for work in WORKS if not work.suite or work.suite in files]
    found: list[Work] = []
    for name in names:
        some = [w for w in WORKS if w.name == name] or [w for w in WORKS if w.suite == name]
        if not some and name in files:
            some = [Work(name, name, f"{name}, as recorded")]
        if not some:
            known = ", ".join(dict.fromkeys([*(w.name for w in WORKS), *files]))
            raise NotationError(f"no suite {excerpt(name)} to measure: there are {known}")
        if missing := [w.suite for w in some if w.suite and w.suite not in files]:
            raise UnsupportedError(f"the suite {missing[0]}.jsonl is not in {excerpt(str(folder))}")
        found += [w for w in some if w not in found]
    return found
