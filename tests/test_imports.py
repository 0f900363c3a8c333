"""No module of the package reaches itself through what it imports, at its top or inside a function."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
#: Who may load modules by text: names of the public package, of kinds and of commands, and other programs.
BY_TEXT = {
    "solver",
    "solver.bidding.of_game",
    "solver.cli",
    "solver.studies.kinds",
    "solver.kernels._jit",
    "solver.bench.peers",
}


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in (ROOT / "solver").rglob("*.py")}


def run_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Every node but those that only a type checker reads."""
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        children: list[ast.AST] = list(node.orelse)
    else:
        yield node
        children = list(ast.iter_child_nodes(node))
    for child in children:
        yield from run_nodes(child)


def imports(source: str, modules: set[str]) -> set[str]:
    """The modules that a source imports, of these."""
    names: set[str] = set()
    for node in run_nodes(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            whole = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= whole & modules or {node.module}
    return names & modules


def assert_no_cycle(sources: dict[str, str]) -> None:
    graph = {name: imports(source, set(sources)) for name, source in sources.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as wrong:
        raise AssertionError(" -> ".join(wrong.args[1][::-1])) from None


def test_no_circular_imports() -> None:
    assert_no_cycle({name: path.read_text(encoding="utf-8") for name, path in MODULES.items()})


@pytest.mark.parametrize("line", ["from a import b", "import a.b", "def f():\n    from a.b import g"])
def test_a_cycle_is_seen(line: str) -> None:
    with pytest.raises(AssertionError, match=r"a\.[bc] -> a\.[bc] -> a\.[bc]"):
        assert_no_cycle({"a": "", "a.b": "import a.c", "a.c": line})


def test_types_make_no_cycle() -> None:
    assert_no_cycle({"a": "", "a.b": "import a.c", "a.c": "if TYPE_CHECKING:\n    import a.b"})


def test_modules_are_loaded_by_text_where_that_is_meant() -> None:
    assert {n for n, path in MODULES.items() if "import_module(" in path.read_text(encoding="utf-8")} == BY_TEXT


def test_relative_imports_are_not_used() -> None:
    """The graph reads absolute names only."""
    for name, path in MODULES.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            assert not (isinstance(node, ast.ImportFrom) and node.level), name
