"""One place for each game on each floor: elsewhere no code names a game, or asks which one it is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import solver
from solver.games import GAMES

ROOT = Path(solver.__file__).parent
OPTIONS = {one["option"] for found in GAMES.values() for one in found.describe_options()}
CLASSES = {found.__name__ for found in GAMES.values()}
#: The places: the rules, and what bidding needs to know of one game.
PLACE = re.compile(rf"games/.*|bidding/(of|passing)_({'|'.join(GAMES)})\w*\.py")
MODULE = re.compile(rf"solver\.(games\.|bidding\.(of|passing)_)({'|'.join(GAMES)})(_\w+)?")
#: Modules that name a game for what they are, with the reason.
ALLOWED = {
    "formats/pbn.py": "PBN is a notation of bridge",
    "formats/pbn_write.py": "PBN is a notation of bridge",
    "formats/lin.py": "LIN is a notation of bridge",
    "formats/rbn.py": "RBN is a notation of bridge",
    "formats/boards.py": "finds out the notation of a file, some of which are of bridge",
    "formats/bridge_course.py": "a notation of bridge",
    "formats/iss.py": "logs of the skat server",
    "deals/table.py": "the table of bridge by declarer and strain",
    "cli/bridge.py": "the command of that table, and its help",
    "cli/__init__.py": "names the module of that command",
    "cli/records.py": "an option says that deals are of bridge",
    "hidden/strategy_file.py": "the file's format is of strategies of the kit",
    "model/deal.py": "skat is a word for cards dealt to nobody",
    "bench/workloads.py": "what is timed, and against which figures: suites of positions of certain games",
    "bench/measure.py": "measures those suites; the unit is a bridge deal",
    "bench/peers.py": "compares with solvers of bridge",
    "bench/startup.py": "times one question of a certain game",
}


def _documents(tree: ast.Module) -> set[ast.AST]:
    """Docstrings, which may speak of games."""
    found: set[ast.AST] = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        first = body[0] if isinstance(body, list) and body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
            found.add(first.value)
    return found


def _option(node: ast.AST) -> str:
    """Name of the option that is read, as in ``game.options.partner`` or ``getattr(game.options, "partner", "")``."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute) and node.value.attr == "options":
        return node.attr
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "getattr":
        of, name = node.args[:2]
        if isinstance(of, ast.Attribute) and of.attr == "options" and isinstance(name, ast.Constant):
            return str(name.value)
    return ""


def _named(text: str) -> Iterator[tuple[int, str]]:
    """Places in a source that name a game: as a whole string, its class, its module, or an option that it has."""
    tree = ast.parse(text)
    documents = _documents(tree)
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and node.value in GAMES
            and node not in documents
        ):
            yield node.lineno, repr(node.value)
        elif isinstance(node, ast.Name) and node.id in CLASSES:
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute) and node.attr in CLASSES:
            yield node.lineno, node.attr
        elif _option(node) in OPTIONS:
            yield node.lineno, f"option {_option(node)}"
        elif isinstance(node, ast.ImportFrom) and MODULE.fullmatch(node.module or ""):
            yield node.lineno, str(node.module)


SOURCES = sorted(p.relative_to(ROOT).as_posix() for p in ROOT.rglob("*.py"))


@pytest.mark.parametrize("path", [p for p in SOURCES if not PLACE.fullmatch(p) and p not in ALLOWED])
def test_no_game_is_named_elsewhere(path: str) -> None:
    found = [f"line {line}: {what}" for line, what in _named((ROOT / path).read_text())]
    assert not found, f"solver/{path} names a game: {'; '.join(found)}"


@pytest.mark.parametrize("path", sorted(ALLOWED))
def test_what_is_allowed_is_needed(path: str) -> None:
    assert list(_named((ROOT / path).read_text())), f"solver/{path} names no game: take it off the list"


@pytest.mark.parametrize(
    "text",
    ['x = {"kit": 1}', 'game.name == "skat"', "isinstance(game, Thousand)", "games.kit.Kit",
     "from solver.games.bridge import STRAINS", "from solver.bidding.of_kit import OF", "def f(x: Whist): ...",
     'game.options.partner', 'getattr(known.game.options, "open_pass", False)'],
)  # fmt: skip
def test_names_are_seen(text: str) -> None:
    assert list(_named(text))


def test_words_are_no_names() -> None:
    assert not list(_named('"""kit"""\ndef f():\n    "kit"\n    return "the kit", game, Board\n'))
