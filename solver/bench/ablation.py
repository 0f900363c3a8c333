"""What each part of the search is worth: the same deals with one part off.

Every part only saves work. So the answer stays the same without it, which checks the part, and nodes and time grow,
which says what it is good for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from solver.bench.timing import Case, Timed, differing, timed
from solver.deals.search import Search, memory_bits
from solver.formats.jsonl import Question
from solver.kernels.table import SWITCHES, Memory, new_memory
from solver.model.layout import layout_of
from solver.model.play import Position

__all__ = ["ablation", "agreed"]


def memory_without(position: Position, without: int) -> Memory:
    """New memory of the usual size for a position, with some parts off."""
    memory = new_memory(memory_bits(len(layout_of(position.rules).cards)), without)
    memory.entries.fill(0)  # so that no search pays for the first touch of a page
    return memory


def ablation(
    cases: Sequence[Case], *, limit: int, tell: Callable[[], None] | None = None
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Search deals with everything on and with each part off.

    Parameters
    ----------
    cases
        Deals of one game and number of seats.
    limit
        Nodes for one deal; a deal that meets it counts with the nodes it had, so its ratios are too low.
    tell
        Called after each deal.

    Returns
    -------
    rows
        A row a part: `without`, `nodes` and `mean_ms`, their ratios to the whole search on the same deals, and how
        many deals met the limit.
    wrong
        Answers that differ from the recorded ones.
    """
    variants = {"nothing": 0, **SWITCHES}
    memories = {name: memory_without(cases[0].position, bit) for name, bit in variants.items()}
    found: dict[str, list[Timed]] = {name: [] for name in variants}
    for memory in memories.values():
        timed(cases[0], limit=limit, memory=memory)  # loads the code and lays hands on the memory
    for case in cases:  # all variants in turn, so that whatever else the machine does meets all
        for name, memory in memories.items():
            found[name].append(timed(case, limit=limit, memory=memory))
        if tell is not None:
            tell()
    whole = found["nothing"]
    usual_nodes, usual = sum(t.nodes for t in whole), sum(t.seconds for t in whole)
    rows: list[dict[str, Any]] = []
    wrong: list[dict[str, Any]] = []
    for name, some in found.items():
        nodes, seconds = sum(t.nodes for t in some), sum(t.seconds for t in some)
        rows.append(
            {
                "without": name, "deals": len(cases), "nodes": nodes / len(cases),
                "mean_ms": 1000 * seconds / len(cases), "nodes_ratio": nodes / max(usual_nodes, 1),
                "time_ratio": seconds / max(usual, 1e-9), "limited": sum(t.answer is None for t in some),
            }
        )  # fmt: skip
        wrong += [{**row, "without": name} for row in differing(some)]
    return rows, wrong


def agreed(position: Position, question: Question, *, limit: int = 3_000_000) -> int | bool:
    """Answer a question in several ways that must agree.

    A value is searched for and then asked about as a threshold, from scratch; and everything is asked again with each
    part of the search off, as far as the limit allows.
    """
    one = Search(position)
    if question.need is not None:
        answer: int | bool | None = one.reaches(position, question.need)
        assert isinstance(answer, bool)
    else:
        answer = one.proved(position)
        for need, wanted in ((answer, True), (answer + 1, False)):
            one.renew()
            assert one.reaches(position, need) is wanted, "value and threshold disagree"
    case = Case("", "", position, question.need, answer)
    for name, bit in SWITCHES.items():
        again = timed(case, limit=limit, memory=memory_without(position, bit))
        assert not again.wrong, f"without {name} the answer is {again.answer}, not {answer}"
    return answer
