"""What README shows is what the command prints."""

from __future__ import annotations

import json
import re
import shlex

import pytest

import consoles

from .test_cli import run  # noqa: F401  (a fixture)

README = (consoles.ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = [pytest.param(one, id=one.command[:40]) for one in consoles.shown()]


@pytest.mark.kernel
@pytest.mark.parametrize("example", COMMANDS)
def test_console(run, example: consoles.Shown) -> None:  # noqa: F811
    both = example.command.endswith(" 2>&1")
    ran = run(*shlex.split(example.command.removesuffix(" 2>&1")))
    assert consoles.steady(ran.err if both else ran.out) == consoles.steady(example.output)


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
