"""Record the figures anew: measure everything, then write the table of README and run the notebook.

    python benchmarks/record.py            measure (some minutes), add to results/speed.jsonl, write README and notebook
    python benchmarks/record.py --table    write README's table from the last recorded run
    python benchmarks/record.py --check    exit 1 when README's table is not that of the last recorded run

Needs the extras ``peers`` and ``notebooks``, and a machine that does nothing else meanwhile.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from solver.views.bench import number

HERE = Path(__file__).parent
RESULTS = HERE / "results" / "speed.jsonl"
README = HERE.parent / "README.md"
NOTEBOOK = HERE.parent / "notebooks" / "40_search_speed.ipynb"
MARKED = re.compile(r"(<!-- figures -->\n).*?(<!-- end of figures -->)", re.DOTALL)
REACHED = {"goal": "goal", "must": "must", "no": "not yet", None: ""}


def last_run() -> list[dict[str, Any]]:
    """Rows of the last full run that was recorded."""
    rows = [json.loads(line) for line in RESULTS.read_text(encoding="utf-8").splitlines()]
    whole = {row["date"] for row in rows if row["kind"] == "start" and not row["quick"]}
    return [row for row in rows if row["date"] == max(whole)]


def table() -> str:
    """Figures of the last run in Markdown."""
    rows = last_run()
    figures = [row for row in rows if row["kind"] == "figure"]
    unit = next(row["peer_ms"] for row in rows if row["work"] == "bridge")
    versions = ", ".join(f"{name} {version}" for name, version in figures[0]["versions"].items())
    lines = ["| figure | measured | must | goal | reached |", "| --- | ---: | ---: | ---: | --- |"]
    for row in figures:
        value, must, goal = (
            f"{number(row[key])} {row['unit']}" if row[key] else "" for key in ("value", "must", "goal")
        )
        lines.append(f"| {row['figure']} | {value} | {must} | {goal} | {REACHED[row['reached']]} |")
    told = f"Recorded {figures[0]['date'][:10]}, {figures[0]['cpu']}, U = {unit:.1f} ms; {versions}."
    return "\n".join(["", *lines, "", told, "", ""])


def write_table(*, check: bool) -> int:
    """Put the table into README, or say whether it is there."""
    text = README.read_text(encoding="utf-8")
    anew = MARKED.sub(lambda found: found[1] + table() + found[2], text)
    if check and anew != text:
        print("the figures of README.md are not those of the last recorded run", file=sys.stderr)
        return 1
    README.write_text(anew, encoding="utf-8")
    return 0


def run_notebook() -> None:
    """Execute the notebook in its place, and keep nothing about when and where."""
    import nbformat
    from nbclient import NotebookClient

    book = nbformat.read(NOTEBOOK, 4)
    NotebookClient(book, kernel_name="python3", resources={"metadata": {"path": str(NOTEBOOK.parent)}}).execute()
    book.metadata["language_info"] = {"name": "python"}
    for cell in book.cells:
        cell.metadata.pop("execution", None)
    nbformat.write(book, NOTEBOOK)


def main() -> int:
    """Do what was asked; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", action="store_true", help="only write the table")
    parser.add_argument("--check", action="store_true", help="only check the table")
    given = parser.parse_args()
    if not (given.table or given.check):
        RESULTS.parent.mkdir(exist_ok=True)
        measure = [sys.executable, "-m", "solver.cli", "bench", "--ablation", "--save", str(RESULTS)]
        if subprocess.run(measure, check=False).returncode:
            return 1
        run_notebook()
    return write_table(check=given.check)


if __name__ == "__main__":
    sys.exit(main())
