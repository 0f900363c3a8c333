"""What a declarer may decide between the auction and the first lead: every plan that the rules allow for a hand."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from solver.bidding.of_game import bidding_of
from solver.bidding.question import split_talon
from solver.formats.record import plan_text
from solver.games import Game, as_game
from solver.model.cards import Card
from solver.model.contract import Contract
from solver.model.errors import NotationError
from solver.model.shown import Shown

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["LONG", "Plans", "plan_row", "plans"]

#: Rows of a table that is printed without being asked for in full.
LONG = 40


@dataclass(frozen=True)
class Plans(Shown):
    """Every plan of one hand.

    Parameters
    ----------
    game
        With its options.
    hand
        All cards that the declarer holds, talon included.
    contract
        What the plans complete.
    plans
        As contracts, in the game's order.
    notes
        What else the declarer may do.
    """

    game: Game
    hand: frozenset[Card]
    contract: Contract
    plans: tuple[Contract, ...] = field(repr=False)
    notes: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """How many plans there are."""
        return len(self.plans)

    @property
    def heading(self) -> str:
        """How many, for which cards."""
        return f"{self.count} plan{'s' * (self.count != 1)} for {self.game.deck.write(self.hand)}"

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A row a plan: the cards of each part, and the plan as the contract's text has it."""
        return [plan_row(self.game, self.hand, plan) for plan in self.plans]

    @property
    def frame(self) -> pd.DataFrame:
        """The plans as a table."""
        import pandas as pd

        return pd.DataFrame(self.rows).dropna(axis="columns", how="all")

    def __len__(self) -> int:
        return self.count

    def __str__(self) -> str:
        return self._text(self.count)

    def _display(self) -> str:
        return self._text(LONG)

    def _text(self, most: int) -> str:
        """The first plans, a line each, and how many more there are."""
        more = [f"… and {self.count - most} more"] if self.count > most else []
        return "\n".join([self.heading, *(plan_text(self.game, p) for p in self.plans[:most]), *more, *self.notes])


def plans(game: Game | str, hand: str, contract: str | Contract = "", *, call: str = "") -> Plans:
    """List every plan open to a declarer.

    Parameters
    ----------
    game
        From `solver.games.game`, or its name.
    hand
        The declarer's cards, talon included; ``"… | blind: TC 8H"`` is read too.
    contract
        What is settled already: ``"120 by 0"``, ``"picker 2, call AH"``, ``"trump S"``; seat 0 plays when it names
        nobody.
    call
        Only plans that call these cards; ``"alone"`` for those that call none.

    Raises
    ------
    UnsupportedError
        When the game has no plans.
    NotationError
        For a hand that is too long or too short, or what cannot be read.
    """
    game = as_game(game)
    if type(game).plans is Game.plans:
        game.plans(frozenset(), Contract())  # says that there are none
    text = " ".join(split_talon(hand))
    held = frozenset(game.deck.read(text)) if game.talon_size else game.read_hand(text, [game.hand_size])
    agreed = game.contract(contract)
    if agreed.declarer is None and not agreed.kind:
        agreed = replace(agreed, declarer=0)
    wanted = frozenset() if call.strip().lower() in ("", "alone") else frozenset(game.deck.read(call))
    found = tuple(plan for plan in game.plans(held, agreed) if _fits(plan, wanted, call))
    if wanted & held and not found:
        raise NotationError(f"call {' '.join(sorted(wanted & held))}: the declarer holds it, and no plan calls it")
    return Plans(game, held, agreed, found, tuple(bidding_of(game).plan_notes(agreed)))


def _fits(plan: Contract, wanted: frozenset[Card], call: str) -> bool:
    if wanted:
        return wanted <= set(plan.called)
    return not call.strip() or not plan.called


def plan_row(game: Game, hand: frozenset[Card], plan: Contract) -> dict[str, Any]:
    """Columns of a plan: the cards of each part, and the plan as a contract's text has it."""
    write = game.deck.write
    row: dict[str, Any] = {
        "trump": plan.trump, "call": write(plan.called) or plan.kind or None, "under": plan.under,
        "take": write(plan.taken) or None, "bury": write(plan.bury) or None,
        **{f"pass to {seat}": str(card) for seat, card in plan.passes},
    }  # fmt: skip
    return {**row, **bidding_of(game).plan_columns(hand, plan), "plan": plan_text(game, plan)}
