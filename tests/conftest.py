"""Settings shared by all tests."""

from __future__ import annotations

import os

import matplotlib
from hypothesis import HealthCheck, settings

SMALL = bool(os.environ.get("TRICKWISE_SMALL"))

settings.register_profile(
    "trickwise",
    deadline=None,  # the first example may compile
    max_examples=25 if SMALL else 100,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("trickwise")

matplotlib.use("agg")
