"""What one seat of a kit can surely get: it knows its own hand, all others see everything and act as one.

Two sides of zero sum, so learning (`solver.kernels.cfr`) surely comes to the value, and two plans prove it: what the
seat's plan gets against the best answer of those who see everything, and what its own best answer gets against theirs.
The value is averaged over all hands; of one hand and a threshold `solver.seat.guaranteed` tells more.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from solver.formats.record import contract_text
from solver.games import Game
from solver.hidden.equilibrium import Told, teller
from solver.hidden.kit_tree import GIGABYTES, KitTree, kit_tree
from solver.hidden.learner import Learner
from solver.hidden.strategy import unit_of
from solver.kernels import cfr
from solver.kernels.policies import last_moves
from solver.model.checks import checks_numbers, seat_number
from solver.model.contract import Contract
from solver.model.shown import Shown

__all__ = ["Secured", "against_all", "secured"]

_last_moves: Any = last_moves

#: Iterations between two looks at what is proved.
_LOOK = 10


@dataclass(frozen=True)
class Secured(Shown):
    """Answer of `secured`.

    Parameters
    ----------
    seat
        Who does not see the cards.
    low, high
        The seat's plan gets `low` against any play, and no plan gets more than `high`, in `unit`, mean of all deals.
    unit
        ``"tricks"``, or ``"chance"`` to take as many as the contract says.
    contract
        In text.
    iterations
        Of the learning.
    partial
        Whether an interrupt ended it early.
    """

    seat: int
    low: float
    high: float
    unit: str
    contract: str
    iterations: int
    partial: bool = False

    def __str__(self) -> str:
        return (
            f"seat {self.seat} secures {self.low:.5f} to {self.high:.5f} {self.unit} against all others, who see "
            f"everything and act as one ({self.iterations} iterations)"
        )

    def to_json(self) -> dict[str, Any]:
        """Return plain values for `json.dumps`."""
        return asdict(self)


@checks_numbers
def secured(
    game: Game,
    seat: int,
    contract: str | Contract | None = None,
    *,
    iterations: int = 300,
    gap: float = 0.001,
    gigabytes: float = GIGABYTES,
    progress: bool | Told | None = None,
) -> Secured:
    """Solve a kit for one seat against all others, who see everything.

    Parameters
    ----------
    game, contract
        As for `solver.hidden.equilibrium.equilibrium`.
    seat
        Who does not see the cards of others.
    iterations
        Stop after so many in any case.
    gap
        Stop as soon as the value is known to within so much.
    gigabytes, progress
        As for `solver.hidden.equilibrium.equilibrium`; what is told beside the iterations is the gap.

    Returns
    -------
    Secured
        An interrupt returns what was proved, marked partial.

    Raises
    ------
    UnsupportedError, NotationError
        For a game that is too large or no kit, or what makes no sense.
    """
    seat = seat_number(seat, game.seats)
    kit = kit_tree(
        game, contract, gigabytes=gigabytes, times=2
    )  # moves of those who see everything are learned one by one
    tree = against_all(kit, seat)
    learner = Learner(tree, "predictive")
    tell = teller(progress)
    low, high, partial = float(tree.pays[:, 0].min()), float(tree.pays[:, 0].max()), False
    try:
        while learner.rounds < iterations and high - low > gap:
            learner.learn()
            if learner.rounds % _LOOK == 0 or learner.rounds == iterations:
                low, high = proved(learner, low, high)
            tell(learner.rounds, iterations, high - low)
    except KeyboardInterrupt:
        partial = True
    if not len(tree.action):  # nobody has a choice
        low = high = float(learner.values(learner.chances)[0])
    return Secured(
        seat, low, high, unit_of(kit.contract), contract_text(kit.game, kit.contract), learner.rounds, partial
    )


def proved(learner: Learner, low: float, high: float) -> tuple[float, float]:
    """Bounds of the value of side 0, by the mean plans of both sides and by what was proved before."""
    chances = learner.mix()
    return max(low, learner.worst(chances, 0)), min(high, learner.answer(chances, 0))


def against_all(kit: KitTree, seat: int) -> cfr.Tree:
    """Make the tree in which a seat (side 0) plays against all others as one (side 1), who see everything.

    Every position of theirs is an information set of its own.
    """
    old = kit.tree
    moves, owned = np.diff(old.base), old.owner == seat
    fan, theirs = np.diff(old.first), old.side != seat
    # Actions of the seat come first, then the moves of the others.
    number = np.full(int(old.base[-1]) + 1, -1, np.int64)  # of an old action; the last entry for "none"
    mine = np.repeat(owned, moves)
    number[:-1][mine] = np.arange(mine.sum())
    own = int(mine.sum())
    is_theirs = np.repeat(theirs, fan)
    move_number = np.where(is_theirs, own + np.cumsum(is_theirs) - 1, -1)
    last = np.empty(len(old.action), np.int32)
    _last_moves(old, seat, last)
    before = np.concatenate([number[old.before[owned]], np.append(move_number, -1)[last[theirs]]])
    base = np.concatenate([[0], np.cumsum(np.concatenate([moves[owned], fan[theirs]]))])
    action = number[old.action]
    action[theirs] = move_number[old.first[:-1][theirs]]
    alike = np.isin(old.member, np.flatnonzero(mine))
    moved = is_theirs[kit.mirrored[:, 0]]
    tree: cfr.Tree = cfr.new_tree(
        old.first, old.child, action, theirs, old.layer, old.roots, base,
        np.repeat([0, 1], [owned.sum(), theirs.sum()]), before,
        np.concatenate([number[old.member[alike]], move_number[kit.mirrored[moved, 0]]]),
        np.concatenate([number[old.twin[alike]], move_number[kit.mirrored[moved, 1]]]),
        np.stack([old.pays[:, seat], -old.pays[:, seat]], axis=1),
    )  # fmt: skip
    return tree
