"""The public surface: as it is frozen, shown by `dir`, and told alike to readers, to type checkers and at run time."""

from __future__ import annotations

import solver
from api import differences, origins


def test_the_surface_is_as_frozen() -> None:
    """A difference is a change for users: `python tests/api.py --write`, and the changelog says what changes."""
    assert differences() == []


def test_dir_shows_the_public_names_alone() -> None:
    assert dir(solver) == sorted(set(solver.__all__))
    assert len(dir(solver)) == len(solver.__all__)


def test_type_checkers_find_the_names_that_users_do() -> None:
    """What is imported for type checkers is what is loaded on first use, and that is what is public."""
    imported = {name: ".".join(home) for name, home in origins("solver").items() if not name.startswith("_")}
    assert imported == {name: home.replace(":", ".") for name, home in solver._HOMES.items()}
    assert sorted({*imported, "__version__"}) == sorted(solver.__all__)
