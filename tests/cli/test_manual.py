"""README and the manual: what they show is what the command prints, and nothing is missing or leads nowhere."""

from __future__ import annotations

import importlib.resources
import json
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

import consoles
import solver as tw
from solver.cli import app
from solver.games import GAMES
from solver.views.manual import find_page, page_titles, print_page

from .test_cli import run  # noqa: F401  (a fixture)

README = (consoles.ROOT / "README.md").read_text(encoding="utf-8")
PAGES = {path.stem: path.read_text(encoding="utf-8") for path in consoles.documents() if path.name != "README.md"}
ASKED = 'bid thousand "AH KH QH 9H TS JC 9D" --seed 1'  # what README's main command asks
SHOWN = [
    pytest.param(example, id=f"{Path(example.document).stem} {example.command[:40]}") for example in consoles.shown()
]


@pytest.mark.kernel
@pytest.mark.parametrize("example", SHOWN)
def test_console(run, monkeypatch: pytest.MonkeyPatch, example: consoles.Shown) -> None:  # noqa: F811
    monkeypatch.chdir(consoles.ROOT)
    both = example.command.endswith(" 2>&1")
    ran = run(*shlex.split(example.command.removesuffix(" 2>&1")))
    printed = (ran.err + ran.out).lstrip("\n") if both else ran.out
    assert consoles.steady(printed) == consoles.steady(example.output)


@pytest.mark.kernel
def test_json_lines(run) -> None:  # noqa: F811
    asked, answered = (
        block for block in re.findall(r"```json\n(.*?)```", PAGES["jsonl"], re.DOTALL) if block.startswith('{"id"')
    )
    ran = run("solve", "--jsonl", "-", text=asked)

    def plain(text: str) -> list[dict]:
        return [{k: v for k, v in json.loads(line).items() if k != "nodes"} for line in text.splitlines()]

    assert plain(ran.out) == plain(answered)


# -------------------------------------------------------------------- README


def test_readme_is_short() -> None:
    assert len(README.splitlines()) <= 200


def test_two_commands_to_set_up() -> None:
    assert len(re.findall(r"```sh\n", README)) == 2


def test_the_picture_is_the_answer() -> None:
    """The bars of README are the chances that the page of Thousand shows."""
    assert f"trickwise {ASKED}\n" in README
    (bars,) = re.findall(r"```text\n(100  .*?)```", README, re.DOTALL)
    drawn = {bid: (p, len(bar)) for bid, p, bar in re.findall(r"^(\d+) +([\d.]+) % *(█*)", bars, re.MULTILINE)}
    (answer,) = (shown.output for shown in consoles.shown() if shown.command == ASKED)
    chances = dict(re.findall(r"^(\d+) +([\d.]+) %", answer, re.MULTILINE))
    assert drawn == {bid: (p, round(float(p) / 2)) for bid, p in chances.items()}


# ---------------------------------------------------------------- whole, and nothing beside it


def _commands(group: Any, before: str = "") -> Iterator[str]:
    for name, one in group.commands.items():
        yield from _commands(one, f"{before}{name} ") if hasattr(one, "commands") else [f"{before}{name}"]


@pytest.mark.parametrize("command", list(_commands(typer.main.get_command(app))))
def test_every_command_is_in_the_manual(command: str) -> None:
    assert any(f"trickwise {command}" in page for page in PAGES.values())
    first = command.split()[0]
    assert f"`trickwise {first}" in PAGES["commands"]


def test_every_game_has_a_page() -> None:
    assert set(GAMES) <= set(PAGES)
    assert all(f"solver/manual/{page}.md" in README for page in PAGES)


@pytest.mark.parametrize("asked", re.findall(r"`trickwise ([a-z]+ [^`]+)` \|\n", README))
def test_questions_of_readme_can_be_asked(asked: str) -> None:
    """Names of commands and options, and the number of arguments; what they answer is on the pages."""
    words = shlex.split(asked.replace(r"\|", "|"))
    group: Any = typer.main.get_command(app)
    while hasattr(group, "commands"):
        group = group.commands[words.pop(0)]
    group.make_context("trickwise", words)


def test_answers_are_compared() -> None:
    """A command with its answer is a block `console`; studies alone show what is stopped and gone on with."""
    told = {name for name, page in PAGES.items() if re.search(r"```text\n\$ ", page)}
    assert told == {"studies"}
    assert "```text\n$ " not in README


def test_every_public_name_is_in_the_manual() -> None:
    assert all(f"tw.{name}" in PAGES["library"] or f"`{name}`" in PAGES["library"] for name in tw.__all__)
    for page in (README, *PAGES.values()):
        assert set(re.findall(r"\btw\.(\w+)", page)) <= set(tw.__all__)


@pytest.mark.parametrize("document", consoles.documents(), ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)]+)\)", text):
        name, _, heading = target.partition("#")
        path = document.parent / name if name else document
        assert path.is_file(), target
        if document.parent.name == "manual":  # nothing beside the pages is installed with them
            assert path.parent == document.parent, target
        if heading:
            lines = re.findall(r"^#+ (.*)", path.read_text(encoding="utf-8"), re.MULTILINE)
            assert heading in {re.sub(r"[^\w\- ]", "", line).lower().replace(" ", "-") for line in lines}, target


def test_sections_of_the_rules_are_explained() -> None:
    """Code and tests cite RULES.md by section; each is a heading of the manual."""
    headings = {number for page in PAGES.values() for number in re.findall(r"^##+ (\d(?:\.\d+)?) ", page, re.MULTILINE)}
    cited = set()
    for folder in ("solver", "tests"):
        for path in (consoles.ROOT / folder).rglob("*.py"):
            for rest in re.findall(r"RULES\.md((?:[ ,]|sections?|and|to|variants|\d\.?\d*)+)", path.read_text("utf-8")):
                cited |= set(re.findall(r"\d(?:\.\d+)?", rest))
    assert len(cited) > 30
    assert not cited - headings


def test_pages_are_installed() -> None:
    folder = importlib.resources.files("solver") / "manual"
    assert {file.name for file in folder.iterdir()} == {f"{name}.md" for name in PAGES}


# ------------------------------------------------------------------ the command


def test_a_page_is_printed_as_it_is_written(run) -> None:  # noqa: F811
    for name, text in PAGES.items():
        ran = run("manual", name)
        assert (ran.code, ran.out, ran.err) == (0, text, "")
    assert run("manual", "3 of Spades").out == run("manual", "3s").out == PAGES["three_of_spades"]


def test_the_list_of_pages(run) -> None:  # noqa: F811
    ran = run("manual")
    assert ran.code == 0
    assert set(page_titles()) == set(PAGES)
    for name, title in page_titles().items():
        assert re.search(rf"^{name} +{re.escape(title)}$", ran.out, re.MULTILINE)


@pytest.mark.parametrize(
    "name, told",
    [("shepshead", "'shepshead' (nearest: sheepshead)"), ("xyz", "there are bridge"), ("../cli", "'../cli'"),
     ("x" * 1000, "there are bridge")],
)  # fmt: skip
def test_a_page_that_is_none(run, name: str, told: str) -> None:  # noqa: F811
    ran = run("manual", name)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("trickwise: the manual has no page ")
    assert told in ran.err
    assert len(ran.err.splitlines()) == 1
    assert len(ran.err) < 400


def test_on_a_terminal_pages_are_laid_out(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    print_page(find_page("kit"), sys.stdout)
    shown = capsys.readouterr().out
    assert "The follow-suit kit" in shown
    assert "## 1 Rules" not in shown
