"""How every seat plays a kit at an equilibrium, as a table of all information sets, and its file.

A table is asked by a hand and the cards played so far, in anybody's names: `Strategy.ask`. Suits that behave alike are
renamed in the order in which they were seen, and the set is found by halving.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from solver.deals.estimate import plain_rows
from solver.formats.play import read_play
from solver.formats.record import contract_text
from solver.games import Game
from solver.hidden.kit_tree import Renaming, renaming
from solver.kernels.public_tree import CODE_BITS
from solver.model.contract import Contract
from solver.model.errors import IllegalPlayError, UnsupportedError
from solver.model.layout import Layout, layout_of
from solver.model.play import Move, Position
from solver.model.shown import Shown
from solver.worlds.knowledge import Knowledge

__all__ = ["OFF_PATH", "Decision", "Strategy", "unit_of"]

#: The others have left the equilibrium with cards that it makes less likely than so many times any unseen ones.
OFF_PATH = 0.01

#: A seat has left it with own cards that it plays with less than this chance.
_OWN = 0.001


@dataclass(frozen=True, eq=False)
class Decision(Shown):
    """What a seat plays with one hand after one history.

    Parameters
    ----------
    seat, hand
        Who is on turn, and its cards left, in the strict form.
    frame
        A row a legal card, the likeliest first: `card`, `chance`, and `worth`: what the seat gets in all when all go on
        by the strategy, nan where the others never come here and for the only legal card.
    path
        For each of the seat's choices so far and for now, how likely the others were to play the cards since the one
        before: `after` so many cards, `chance`, and `even`: the chance if any unseen card could always come next.
    own
        Chance of the seat's own cards so far, where it had a choice.
    unit
        Of `worth`.
    """

    seat: int
    hand: str
    frame: pd.DataFrame
    path: pd.DataFrame
    own: float
    unit: str

    @property
    def best(self) -> str:
        """The likeliest card."""
        return str(self.frame["card"].iloc[0])

    @property
    def on_path(self) -> bool:
        """Whether the others have played as at the equilibrium, as far as the seat can tell."""
        return bool(self._expected.all())

    @property
    def _expected(self) -> pd.Series[bool]:
        """Whether the others played as expected, by row of `path`."""
        return self.path["chance"] >= OFF_PATH * self.path["even"]

    @property
    def notes(self) -> tuple[str, ...]:
        """What limits the answer."""
        out = []
        if not self.on_path:
            row = self.path[~self._expected].iloc[0]
            out.append(
                f"the others have left the equilibrium within the first {int(row['after'])} cards: at it they play so "
                f"with a chance of {row['chance']:.2g}; what follows is not certified"
            )
        if self.own < _OWN:
            out.append(
                f"seat {self.seat} itself has left the equilibrium: it plays so with a chance of {self.own:.2g}; what "
                "follows is what was learned last, not certified"
            )
        return tuple(out)

    def __str__(self) -> str:
        shown = self.frame.copy()
        shown["chance"] = [f"{p:.1%}" for p in shown["chance"]]
        shown["worth"] = ["-" if np.isnan(w) else f"{w:.3f}" for w in shown["worth"]]
        head = f"seat {self.seat} with {self.hand}: chance of each card at the equilibrium, worth in {self.unit}"
        return "\n".join([head, shown.to_string(index=False), *self.notes])

    def to_json(self) -> dict[str, Any]:
        """Return plain values for `json.dumps`; a worth that is not known is None."""
        return {
            "seat": self.seat, "hand": self.hand, "unit": self.unit, "rows": plain_rows(self.frame),
            "path": plain_rows(self.path), "own": self.own, "on_path": self.on_path, "notes": list(self.notes),
        }  # fmt: skip


@dataclass(frozen=True, eq=False)
class Strategy(Shown):
    """Chances of all cards in all information sets of a kit.

    Parameters
    ----------
    game, contract
        What is played.
    keys
        ``uint64[sets]``, rising: the public history above the bits of the hand.
    base
        ``int32[sets + 1]``: first action of each.
    chance
        ``float32[actions]``: of each legal card, by rising bit of the layout.
    worth
        ``float32[actions]``: expected payoff of the seat in turn after it, nan where the others never come.
    weight
        ``float32[sets]``: how likely chance and the others let each happen.
    alike
        Whether suits are renamed in the order in which they are seen.
    """

    game: Game
    contract: Contract
    keys: NDArray[np.uint64] = field(repr=False)
    base: NDArray[np.int32] = field(repr=False)
    chance: NDArray[np.float32] = field(repr=False)
    worth: NDArray[np.float32] = field(repr=False)
    weight: NDArray[np.float32] = field(repr=False)
    alike: bool = True

    @cached_property
    def layout(self) -> Layout:
        """Bits of the cards."""
        return layout_of(self.game.trick_rules(self.contract))

    @property
    def unit(self) -> str:
        """Of payoffs."""
        return unit_of(self.contract)

    def __str__(self) -> str:
        asked = contract_text(self.game, self.contract) or f"lead {self.contract.leader}"
        return (
            f"strategy of {self.game.name}, {asked}: "
            f"{len(self.keys):,} information sets, {len(self.chance):,} cards to choose from"
        )

    def __call__(self, hand: str, history: str = "") -> pd.DataFrame:
        """Chance and worth of each card, see `ask`."""
        return self.ask(hand, history).frame

    def ask(self, hand: str, history: str = "") -> Decision:
        """Say how the seat on turn plays.

        Parameters
        ----------
        hand
            As it was dealt, ``"o1 t3 t1 s2"``.
        history
            The cards played, ``"0 o3, 1 o4"`` or ``"o3 o4"``.

        Raises
        ------
        NotationError, IllegalPlayError
            For what cannot be read, a card out of turn or not held, or a revoke.
        UnsupportedError
            When the seat has no card to play.
        """
        bits = [self.layout.bit[one.move.card] for one in read_play(self.game, history)]
        seat = self._turns(bits)[-1]
        return self.of(self.game.knowledge(seat, hand).contract(self.contract).played(history))

    def of(self, knowledge: Knowledge) -> Decision:
        """Say how the seat of a knowledge plays, which is on turn; see `ask`.

        The contract may be that of the strategy with all seats moved on, as when another one leads.
        """
        position, agreed = knowledge.position, knowledge.agreed or self.contract
        shift = (agreed.leader - self.contract.leader) % self.game.seats
        if knowledge.game != self.game or agreed != _moved(self.contract, shift, self.game.seats):
            raise UnsupportedError(
                f"the strategy is of {_asked(self.game, self.contract)}, the question of "
                f"{_asked(knowledge.game, knowledge.agreed)}: ask the strategy of that game and contract"
            )
        if position is None or not position.hands[knowledge.seat]:
            raise UnsupportedError("the seat has no card to play: the play has not begun, or is over")
        if position.turn != knowledge.seat:
            raise IllegalPlayError(f"seat {position.turn} is on turn, not seat {knowledge.seat}")
        knowledge.count()  # says so where no deal is left
        seat = (knowledge.seat - shift) % self.game.seats
        bits = [self.layout.bit[move.card] for _, move in knowledge.play]
        turns = self._turns(bits)
        hand = self.layout.encode(knowledge.hand)
        path: list[tuple[int, float, float]] = []
        own, before, even = 1.0, 1.0 / math.comb(len(self.layout.cards), self.game.hand_size), 1.0
        unseen = len(self.layout.cards) - self.game.hand_size
        now = pd.DataFrame({"card": [move.card for move in position.legal()], "chance": 1.0, "worth": np.nan})
        for at, turn in enumerate(turns):
            if turn != seat:
                even /= max(unseen, 1)
                unseen -= 1
                continue
            found = self._look_up(bits[:at], hand, seat)
            if found is not None:
                table, here = found
                path.append((at, here / before if before else 0.0, even))
                before, even = here, 1.0
                if at == len(bits):
                    now = table.sort_values("chance", ascending=False, kind="stable", ignore_index=True)
                else:
                    own *= float(table.loc[table["card"] == self.layout.cards[bits[at]], "chance"].iloc[0])
            if at < len(bits):
                hand &= ~(1 << bits[at])
        text = self.game.deck.write(position.hands[knowledge.seat])
        columns = ["after", "chance", "even"]
        return Decision(knowledge.seat, text, now, pd.DataFrame(path, columns=columns), own, self.unit)

    def _look_up(self, bits: Sequence[int], hand: int, seat: int) -> tuple[pd.DataFrame, float] | None:
        """Cards with their chances, and how likely the others let it happen; None where the seat has no choice."""
        names = self._names(bits)
        found = self._find([names[b] for b in bits], sum(1 << names[b] for b in _ones(hand)))
        if found is None:
            return None
        row = slice(self.base[found], self.base[found + 1])
        cards = sorted(self._legal(bits, hand, seat), key=names.__getitem__)
        table = pd.DataFrame({
            "card": [self.layout.cards[b] for b in cards], "chance": self.chance[row].astype(np.float64),
            "worth": self.worth[row].astype(np.float64),
        })  # fmt: skip
        return table, float(self.weight[found])

    def _turns(self, bits: Sequence[int]) -> list[int]:
        """Whose turn it was before each card, and is now."""
        turns, seats = [self.contract.leader], self.game.seats
        for i in range(1, len(bits) + 1):
            trick = self._trick(turns[i - (i - 1) % seats - 1], bits[i - (i - 1) % seats - 1 : i])
            won = trick.best if len(trick.trick) == seats else None
            turns.append(trick.turn if won is None else won[0])
        return turns

    def _trick(self, leader: int, bits: Sequence[int], hand: int = 0) -> Position:
        """A trick as it lies, before the seat on turn, of whom no more than its hand is known."""
        moves = tuple(Move(self.layout.cards[b]) for b in bits)
        hands = (self.layout.decode(hand),) * self.game.seats  # nothing that is asked depends on other hands
        return Position(self.layout.rules, hands, leader, moves, trump=self.contract.trump)

    def _legal(self, bits: Sequence[int], hand: int, seat: int) -> list[int]:
        """Bits of the cards that a seat may play next."""
        on_table = len(bits) % self.game.seats
        trick = self._trick((seat - on_table) % self.game.seats, bits[len(bits) - on_table :], hand)
        return [self.layout.bit[move.card] for move in trick.legal()]

    def _names(self, bits: Sequence[int]) -> list[int]:
        """The bit that stands for each card after these were seen."""
        suit_of = self.layout.record.suit_of
        alike = self._renaming.alike.tolist()
        met = list(dict.fromkeys(int(suit_of[b]) for b in bits if suit_of[b] in alike))
        order = [*met, *(suit for suit in alike if suit not in met)]
        cards = [
            [b for b in range(len(self.layout.cards)) if suit_of[b] == suit] for suit in range(len(self.layout.suits))
        ]
        out = list(range(len(self.layout.cards)))
        for suit, name in zip(order, alike, strict=True):
            for b, other in zip(cards[suit], cards[name], strict=True):
                out[b] = other
        return out

    @cached_property
    def _renaming(self) -> Renaming:
        return renaming(self.layout, self.contract.trump, symmetric=self.alike)

    def _find(self, named: Sequence[int], hand: int) -> int | None:
        """Number of an information set; None where the seat has no choice."""
        code = 0
        for bit in named:
            code = code << CODE_BITS | bit + 1
        key = np.uint64(code << len(self.layout.cards) | hand)
        at = int(np.searchsorted(self.keys, key))
        return at if at < len(self.keys) and self.keys[at] == key else None


def _asked(game: Game, contract: Contract | None) -> str:
    """A game and contract in one line."""
    told = "" if contract is None else contract_text(game, contract)
    return f"{game.called}{told and ', '}{told}"


def _moved(contract: Contract, shift: int, seats: int) -> Contract:
    """The same contract with every seat moved on."""
    return replace(
        contract,
        leader=(contract.leader + shift) % seats,
        declarer=None if contract.declarer is None else (contract.declarer + shift) % seats,
        side=None if contract.side is None else frozenset((s + shift) % seats for s in contract.side),
    )


def _ones(bits: int) -> Iterator[int]:
    """Places of the set bits."""
    while bits:
        yield (bits & -bits).bit_length() - 1
        bits &= bits - 1


def unit_of(contract: Contract) -> str:
    """What payoffs are: tricks, or the chance that a side takes as many as it must."""
    return "tricks" if contract.target is None else "chance"
