"""Console blocks of the documents: what stands in them, and the same written anew.

``python tests/consoles.py --write`` runs every command that a document shows and puts what it prints in the place of
what stands there; without the option it names the commands whose output has changed.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]

_BLOCK = re.compile(r"(?<=```console\n)\$ trickwise .*?\n(?=```)", re.DOTALL)


class Shown(NamedTuple):
    """A command of a document with what it is shown to print."""

    document: str
    command: str
    output: str


def documents() -> list[Path]:
    """Every document that shows commands: README and the pages of the manual."""
    return [ROOT / "README.md", *sorted((ROOT / "solver" / "manual").glob("*.md"))]


def shown() -> Iterator[Shown]:
    """Every command that the documents show."""
    for path in documents():
        for block in _BLOCK.findall(path.read_text(encoding="utf-8")):
            for command, output in _commands(block):
                yield Shown(path.relative_to(ROOT).as_posix(), command, output)


def _commands(block: str) -> Iterator[tuple[str, str]]:
    for part in re.split(r"^\$ trickwise ", block, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def _printed(command: str) -> str:
    both = command.endswith(" 2>&1")
    asked = [sys.executable, "-m", "solver.cli", *shlex.split(command.removesuffix(" 2>&1"))]
    streams = {"stderr": subprocess.STDOUT} if both else {"stderr": subprocess.DEVNULL}
    ran = subprocess.run(asked, stdout=subprocess.PIPE, cwd=ROOT, text=True, encoding="utf-8", check=False, **streams)
    return ran.stdout.rstrip("\n") + "\n"


def steady(text: str) -> str:
    """Text without the number of nodes, which every change of the search changes."""
    return re.sub(r"\d+\n\n(?=\w+: side)", "N\n\n", text.rstrip("\n"))


def main(write: bool) -> int:
    """Compare, or write anew; returns how many commands print something else."""
    changed = 0
    for path in documents():
        text = path.read_text(encoding="utf-8")

        def anew(match: re.Match[str], path: Path = path) -> str:
            nonlocal changed
            out = ""
            for command, output in _commands(match[0]):
                printed = _printed(command)
                if steady(printed) != steady(output):
                    changed += 1
                    print(f"{path.name}: trickwise {command}")
                out += f"$ trickwise {command}\n{printed if steady(printed) != steady(output) else output}"
            return out

        fresh = _BLOCK.sub(anew, text)
        if write and fresh != text:
            path.write_text(fresh, encoding="utf-8")
    return changed


if __name__ == "__main__":
    count = main("--write" in sys.argv[1:])
    sys.exit(bool(count) and "--write" not in sys.argv[1:])
