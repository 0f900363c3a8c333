"""Signature of the search: total nodes and a hash of values over a small fixed suite.

A refactoring must keep it; a change of search states its new signature in the commit that makes it.

    python benchmarks/signature.py            print it
    python benchmarks/signature.py --check    compare with signature.txt, exit 1 when it differs
    python benchmarks/signature.py --write    freeze it anew
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from pathlib import Path

from solver.bench.workloads import SUITES
from solver.deals.positions import solve_line

HERE = Path(__file__).parent
FROZEN = HERE / "signature.txt"

#: Suite and how many of its lines; values for some, thresholds for others.
SUITE = {
    "thousand_8": 40, "sheepshead_5": 20, "three_of_spades_7": 10, "three_of_spades_6": 10, "three_of_spades_5": 3,
    "bridge": 6, "skat": 12,
}  # fmt: skip


def signature() -> str:
    """Run the suite and say ``nodes hash``, one line a part and one for all."""
    lines, total, everything = [], 0, hashlib.sha256()
    for name, count in SUITE.items():
        nodes, values = 0, []
        with (SUITES / f"{name}.jsonl").open(encoding="utf-8") as file:
            for line, _ in zip(file, range(count), strict=False):
                answer = solve_line(line)
                nodes += answer["nodes"]
                values.append(answer.get("value", answer.get("makes")))
        everything.update(json.dumps(values).encode())
        total += nodes
        lines.append(f"{name:<18} {nodes:>10}")
    return "\n".join([*lines, f"{'all':<18} {total:>10} {everything.hexdigest()[:16]}"]) + "\n"


def main() -> int:
    """Print, check or write the signature; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare with signature.txt")
    parser.add_argument("--write", action="store_true", help="write signature.txt")
    given = parser.parse_args()
    now = signature()
    print(now, end="")
    if given.write:
        FROZEN.write_text(now, encoding="utf-8")
    if given.check and now != FROZEN.read_text(encoding="utf-8"):
        print(f"the signature differs from {FROZEN.name}:\n{FROZEN.read_text(encoding='utf-8')}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
