"""The public surface, frozen: what `tests/data/api.txt` holds, read again from the package.

`python tests/api.py --write` writes it, `python tests/api.py` shows what differs. A line is a public name of `solver`
with its signature; then come the classes and aliases of the package that these signatures name, and those that their
members do, with their public members. Where a name lives is left out: that may change, and users import from `solver`.
"""

from __future__ import annotations

import ast
import difflib
import inspect
import sys
from collections.abc import Iterator
from dataclasses import MISSING, is_dataclass
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, ForwardRef

import solver

FILE = Path(__file__).parent / "data" / "api.txt"
#: Classes that signatures name are one step away, those that these hold or return two; what is beyond is inner work.
STEPS = 2
HEAD = (
    "# The public names of `solver`, then the classes and aliases that their signatures and members name.\n"
    "# Written by: python tests/api.py --write\n"
)


class Text(str):
    """An annotation that a signature shows as it is written, without quotes."""

    __slots__ = ()
    __repr__ = str.__str__


class Surface:
    """The lines of the public names, and the names of the package in their annotations."""

    def __init__(self) -> None:
        self.named: set[tuple[str, str]] = set()

    def signature(self, function: Any) -> str:
        """Parameters with annotations and defaults, and what is returned."""
        signature = inspect.signature(function)
        parameters = [
            p.replace(annotation=self.note(p.annotation, function.__module__)) for p in signature.parameters.values()
        ]
        returned = self.note(signature.return_annotation, function.__module__)
        return str(signature.replace(parameters=parameters, return_annotation=returned))

    def note(self, annotation: Any, module: str) -> Any:
        """Show an annotation as it is written, and keep what it names."""
        if not isinstance(annotation, str):
            return annotation
        for node in ast.walk(ast.parse(annotation, mode="eval")):
            if isinstance(node, ast.Name) and (home := origins(module).get(node.id)):
                self.keep(*home)
        return Text(annotation)

    def keep(self, module: str, name: str) -> None:
        """Keep a class or an alias of the package; `name` may be imported there from elsewhere in it."""
        home = origins(module).get(name, (module, name))
        if home != (module, name):
            self.keep(*home)
            return
        if name not in solver.__all__:  # else it has lines already
            self.named.add((name, module))

    def members(self, thing: type) -> Iterator[str]:
        """Fields in their order, then properties and methods; what a base has is told where the base is."""
        home, own = thing.__module__, vars(thing)
        annotations = own.get("__annotations__", {})
        for name, annotation in annotations.items():
            if not name.startswith("_"):
                written = annotation.__forward_arg__ if isinstance(annotation, ForwardRef) else annotation
                yield f"{name}: {self.note(written, home)}{default(thing, name)}"
        for name, value in sorted(own.items()):
            if name.startswith("_") and name != "__call__" and not (name == "__init__" and written_out(thing)):
                continue
            function = getattr(value, "fget", None) or getattr(value, "func", None) or getattr(value, "__func__", value)
            if isinstance(value, property | cached_property):
                yield f"{name} -> {self.note(function.__annotations__.get('return'), home)}"
            elif isinstance(function, FunctionType):
                kind = "" if function is value else f"{type(value).__name__} "
                yield f"{kind}{name}{self.signature(function)}"
            elif not any(name in vars(base).get("__annotations__", {}) for base in thing.__mro__):
                yield f"{name}: {type(value).__name__}"

    def entry(self, name: str, value: Any, module: str = "solver") -> str:
        """All lines of one public thing."""
        if isinstance(value, type):
            bases = [base for base in value.__bases__ if base is not object]
            for base in bases:
                if base.__module__.startswith("solver."):
                    self.keep(base.__module__, base.__name__)
            head = f"class {name}" + (f"({', '.join(base.__name__ for base in bases)})" if bases else "")
            return "".join(f"{line}\n" for line in [head, *(f"    {line}" for line in self.members(value))])
        if isinstance(value, ModuleType):
            return f"module {name}\n" + "".join(
                f"    {line}\n"
                for inner in value.__all__
                for line in self.entry(inner, getattr(value, inner)).splitlines()
            )
        if isinstance(value, FunctionType):
            return f"{name}{self.signature(value)}\n"
        alias = aliases(module).get(name)
        return f"{name} = {self.note(alias, module)}\n" if alias else f"{name}: {type(value).__name__}\n"


def written_out(thing: type) -> bool:
    """Whether the class has no constructor made by machinery."""
    return not is_dataclass(thing) and not getattr(thing, "_is_protocol", False)


def default(thing: type, name: str) -> str:
    """Default of a field, the factory's name where there is one; none of what the class alone has."""
    field = getattr(thing, "__dataclass_fields__", {}).get(name)
    if field is not None and field.default_factory is not MISSING:
        return f" = {field.default_factory.__name__}()"
    value = getattr(thing, "_field_defaults", {}).get(name, MISSING) if field is None else field.default
    return "" if value is MISSING or "ClassVar" in str(thing.__annotations__[name]) else f" = {value!r}"


@cache
def tree_of(module: str) -> ast.Module:
    """Source of a module, parsed."""
    return ast.parse(inspect.getsource(import_module(module)))


@cache
def aliases(module: str) -> dict[str, str]:
    """What a module assigns to names of its own, as it is written."""
    return {
        target.id: ast.unparse(node.value)
        for node in tree_of(module).body
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }


@cache
def origins(module: str) -> dict[str, tuple[str, str]]:
    """Where each name of the package lives that a module defines or imports, for type checking alone too."""
    homes = {name: (module, name) for name in aliases(module)}
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "solver":
            homes |= {alias.asname or alias.name: (str(node.module), alias.name) for alias in node.names}
    return homes | {node.name: (module, node.name) for node in tree_of(module).body if isinstance(node, ast.ClassDef)}


def api_text() -> str:
    """The whole file."""
    surface = Surface()
    entries = [surface.entry(name, getattr(solver, name)) for name in sorted(solver.__all__)]
    written: dict[tuple[str, str], str] = {}
    for _ in range(STEPS):
        waiting = surface.named - written.keys()
        written |= {
            (name, module): surface.entry(name, getattr(import_module(module), name), module)
            for name, module in waiting
        }
    others = sorted((name, text) for (name, _), text in written.items())
    return HEAD + "\n" + "".join(entries) + "".join(f"\n{text}" for _, text in others)


def differences() -> list[str]:
    """Lines that the file and the package do not share, as a diff."""
    frozen = FILE.read_text(encoding="utf-8").splitlines()
    return list(difflib.unified_diff(frozen, api_text().splitlines(), FILE.name, "solver", lineterm="", n=0))


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        FILE.write_text(api_text(), encoding="utf-8")
    else:
        print("\n".join(differences()) or "nothing differs")
