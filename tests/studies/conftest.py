"""What tests of studies share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import toykind
from solver.studies.kinds import KINDS


@pytest.fixture(scope="module", autouse=True)
def toy() -> Iterator[None]:
    """The kind ``toy``, for these tests alone."""
    toykind.register()
    yield
    del KINDS["toy"]
