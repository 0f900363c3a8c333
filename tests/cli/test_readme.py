"""What README shows is what the command prints."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from .test_cli import run  # noqa: F401  (a fixture)

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
COMMANDS = [
    pytest.param(*part.split("\n", 1), id=part.split("\n")[0][:40])
    for block in re.findall(r"```console\n\$ trickwise (.*?)\n```", README, re.DOTALL)
    for part in block.split("\n$ trickwise ")
]


@pytest.mark.kernel
@pytest.mark.parametrize("command, shown", COMMANDS)
def test_console(run, command: str, shown: str) -> None:  # noqa: F811
    both = command.endswith(" 2>&1")
    ran = run(*shlex.split(command.removesuffix(" 2>&1")))
    assert steady(ran.err if both else ran.out) == steady(shown)


def steady(text: str) -> str:
    """Text without the number of nodes, which every change of the search changes."""
    return re.sub(r"\d+\n\n(?=\w+: side)", "N\n\n", text.rstrip("\n"))


@pytest.mark.kernel
def test_json_lines(run) -> None:  # noqa: F811
    asked, answered = (
        block for block in re.findall(r"```json\n(.*?)```", README, re.DOTALL) if block.startswith('{"id"')
    )
    ran = run("solve", "--jsonl", "-", text=asked)

    def plain(text: str) -> list[dict]:
        return [{k: v for k, v in json.loads(line).items() if k != "nodes"} for line in text.splitlines()]

    assert plain(ran.out) == plain(answered)


def test_two_commands_to_set_up() -> None:
    assert len(re.findall(r"```sh\n", README)) == 2
