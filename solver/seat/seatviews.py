"""What every seat knows of a world in which one seat believes, from the first lead on.

A world of one seat's knowledge is a deal: every other seat has its own hand in it, saw the same public things, and has
its own part of the plan. So each has a knowledge of its own, and its own worlds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product

import numpy as np

from solver.model.cards import Card
from solver.model.errors import TrickwiseError
from solver.model.play import Move
from solver.worlds.calls import auction_of
from solver.worlds.knowledge import Knowledge
from solver.worlds.sample import Worlds
from solver.worlds.situation import played_size

__all__ = ["Views", "seed_of", "went_on"]


def seed_of(*numbers: int) -> int:
    """A seed from several numbers."""
    return int(np.random.SeedSequence(numbers).generate_state(1, np.uint64)[0])


@dataclass(frozen=True)
class Views:
    """What each seat knows at the first lead of the worlds of one seat's knowledge.

    In games that pass cards unseen a world says how cards lie after the passes. Which card was passed to a seat that
    the knowing seat does not see is then drawn: a card of the talon that lies there, else any that fits the calls.

    Parameters
    ----------
    worlds
        At the first lead.
    seed
        Of the passes drawn.
    """

    worlds: Worlds
    seed: int
    _drawn: dict[int, tuple[tuple[int, Card], ...]] = field(default_factory=dict, repr=False)

    def of(self, i: int, seat: int) -> Knowledge:
        """What a seat knows in world i."""
        known = self.worlds.knowledge
        if seat == known.seat:
            return known
        if i not in self._drawn:
            self._drawn[i] = self._passes(i)
        return self._view(i, seat, self._drawn[i])

    def _view(self, i: int, seat: int, passes: tuple[tuple[int, Card], ...]) -> Knowledge:
        known, contract = self.worlds.knowledge, self.worlds.contract(i)
        assert known.agreed is not None
        game, hidden = known.game, set[str]()
        if contract.declarer not in (None, seat):
            hidden = {word for word, put in (("bury", contract.bury), ("under", contract.under)) if put}
            contract = replace(contract, bury=(), under=None)
            if not game.passes_shown():
                passes = tuple((to, card) for to, card in passes if to == seat)
            hidden |= {"pass"} if self._passing and len(passes) < game.seats - 1 else set()
        sees = game.talon_size > 0 and game.sees_talon(seat, contract, forced=known.forced)
        return replace(
            known, seat=seat, hand=self.worlds.deal(i).hands[seat], dealt=False if game.talon_size else None,
            talon=known.talon if sees else None, hidden=frozenset(hidden),
            agreed=replace(contract, passes=passes, taken=known.agreed.taken),
            shown=tuple(None if s == seat else hand for s, hand in enumerate(known.shown)),
        )  # fmt: skip

    @cached_property
    def _passing(self) -> bool:
        """Whether the declarer gives cards to others."""
        game = self.worlds.knowledge.game
        contract = self.worlds.knowledge.agreed
        taken = contract is not None and contract.declarer is not None and game.talon_size > 0
        return taken and played_size(game) > game.hand_size

    def _passes(self, i: int) -> tuple[tuple[int, Card], ...]:
        """The cards passed in world i, those that the knowing seat does not know drawn."""
        known, contract = self.worlds.knowledge, self.worlds.knowledge.situation.contract
        if not self._passing or contract is None or contract.declarer is None:
            return ()
        sure = dict(contract.passes)
        if contract.declarer == known.seat:
            return tuple(sure.items())
        deal, rng = self.worlds.deal(i), np.random.default_rng(seed_of(self.seed, i, played_size(known.game)))
        open_to = []
        for seat in range(known.game.seats):
            if seat == contract.declarer:
                continue
            cards = [sure[seat]] if seat in sure else known.game.deck.sort(deal.hands[seat])
            taken = [card for card in cards if card in (known.talon or ())]
            open_to.append([(seat, card) for card in taken or cards])
        every = [tuple(some) for some in product(*open_to)]
        order = [every[k] for k in rng.permutation(len(every))]
        return next((some for some in order if self._fits(i, some)), order[0])

    def _fits(self, i: int, passes: tuple[tuple[int, Card], ...]) -> bool:
        """Whether hands less and with these passes may have made the calls."""
        try:
            for seat in range(self.worlds.knowledge.game.seats):
                auction_of(self._view(i, seat, passes))
        except TrickwiseError:
            return False
        return True


def went_on(view: Knowledge, moves: Sequence[Move], under: Card | None) -> Knowledge:
    """A view at the first lead after some cards; an under card is known as soon as it is played."""
    play = tuple((None, move) for move in moves)
    if "under" in view.hidden and view.agreed is not None and any(move.card == under for move in moves):
        agreed, hidden = replace(view.agreed, under=under), view.hidden - {"under"}
        return replace(view, play=play, agreed=agreed, hidden=hidden)
    return replace(view, play=play)
