"""``manual``: the pages of the manual, which come with the package."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from solver.cli.command import command


@command
def manual(
    page: Annotated[str, typer.Argument(metavar="PAGE", help="name of a page, like thousand; absent a list")] = "",
) -> None:
    """Read the manual: rules and examples of each game, notations, files, what the numbers mean."""
    from solver.views.manual import find_page, page_titles, print_page
    from solver.views.tables import print_table

    if page:
        print_page(find_page(page), sys.stdout)
    else:
        print_table([{"page": name, "about": title} for name, title in page_titles().items()], sys.stdout)
