"""The manual: pages of Markdown in the folder ``manual`` of the package, found by name and shown."""

from __future__ import annotations

from difflib import get_close_matches
from importlib.resources import files
from typing import IO

from solver.games import ALIASES
from solver.model.checks import excerpt
from solver.model.errors import UnsupportedError

__all__ = ["find_page", "page_titles", "print_page"]

_FOLDER = files("solver") / "manual"


def page_titles() -> dict[str, str]:
    """Name and first heading of each page, by name."""
    names = sorted(file.name.removesuffix(".md") for file in _FOLDER.iterdir() if file.name.endswith(".md"))
    return {name: find_page(name).partition("\n")[0].removeprefix("# ") for name in names}


def find_page(name: str) -> str:
    """Return a page, as it is written.

    Raises
    ------
    UnsupportedError
        When there is none of this name; the message has the nearest ones.
    """
    key = name.strip().lower().removesuffix(".md").replace("-", "_").replace(" ", "_")
    names = {file.name.removesuffix(".md"): file for file in _FOLDER.iterdir() if file.name.endswith(".md")}
    file = names.get(ALIASES.get(key, key))
    if file is None:
        near = ", ".join(get_close_matches(key, names, 3))
        told = f"nearest: {near}" if near else f"there are {', '.join(sorted(names))}"
        raise UnsupportedError(f"the manual has no page {excerpt(name)} ({told})")
    return file.read_text(encoding="utf-8")


def print_page(text: str, stream: IO[str]) -> None:
    """Print a page: laid out on a terminal, elsewhere as it is written."""
    if not stream.isatty():
        stream.write(text)
        return
    from rich.markdown import Markdown

    from solver.views.tables import terminal

    terminal(stream).print(Markdown(text, hyperlinks=False))  # names of pages, to be asked for
