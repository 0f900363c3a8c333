"""``python -m solver.cli`` is ``trickwise``."""

from solver.cli import main

main()
