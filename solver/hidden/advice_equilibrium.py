"""Advice from an equilibrium of the kit: nothing is sampled, and no seat sees through the backs of cards.

At an equilibrium a seat may mix; then several cards are worth the same, and the likeliest is named the best. What a
card is worth holds as long as all others play by the equilibrium. Where one of them has played what it never plays
there, or the seat itself has, its answer is worth nothing, and says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from solver.formats.record import contract_text
from solver.model.checks import excerpt
from solver.model.errors import NotationError, UnsupportedError
from solver.seat.advice_answer import Advice, barred_rows, card_row
from solver.worlds.knowledge import Knowledge

if TYPE_CHECKING:
    from solver.hidden.equilibrium import Equilibrium

__all__ = ["advise_at"]


def advise_at(
    knowledge: Knowledge, equilibrium: Equilibrium, objective: str | None, seed: int
) -> Advice | tuple[str, ...]:
    """Judge the cards of a seat that is to play by an equilibrium.

    Parameters
    ----------
    knowledge
        Of the seat that is to play, in the kit of the equilibrium, with its contract or the same for other seats.
    equilibrium
        Solved or read from a file.
    objective
        None, ``"tricks"`` where each seat counts its own, ``"make"`` where a contract is asked about.
    seed
        Recorded in the answer; nothing is drawn.

    Returns
    -------
    Advice
        With a column `chance`, of each card at the equilibrium; or, where its path has been left, notes that say so.

    Raises
    ------
    NotationError
        When the equilibrium is of another game or contract.
    UnsupportedError
        For an objective that it is not an equilibrium of.
    """
    game, position = knowledge.game, knowledge.position
    if position is None or knowledge.agreed is None:
        raise NotationError("the play has not begun: tell the contract first")
    wants = "tricks" if equilibrium.contract.target is None else "make"
    if objective not in (None, wants):
        raise UnsupportedError(f"objective {excerpt(objective)}: the equilibrium is one of {wants!r}")
    found = equilibrium.strategy.of(knowledge)
    without = "the answer is found without the equilibrium"
    if len(found.frame) == 1:
        return (f"the seat has no choice: {without}",)
    if found.notes:
        return (*found.notes, without)
    # Payoffs are the seat's own; a contract's chance is told of the side that wants it.
    column = "tricks" if wants == "tricks" else "p_make"
    turned = wants == "make" and knowledge.seat not in position.side
    rows: list[dict[str, Any]] = []
    for one in found.frame.to_dict("records"):
        row = card_row(str(one["card"]), False, best=one["card"] == found.best)
        row["chance"] = float(one["chance"])
        row |= _three(column, 1.0 - one["worth"] if turned else one["worth"])
        row |= _three("diff", one["worth"] - found.frame["worth"].iloc[0])
        rows.append({**row, "equals": ""})
    rows += barred_rows(position)
    names = ["card", "declare", "legal", "best", "chance"]
    names += [f"{c}{end}" for c in (column, "diff") for end in ("", "_low", "_high")]
    frame = pd.DataFrame(rows, columns=[*names, "equals", "barred_by", "why"])
    frame = frame.astype({"barred_by": object, "why": object, "equals": object})
    count = knowledge.count()
    notes = (
        "chance: of each card at the equilibrium; where several are mixed, no other seat can tell what to expect",
        f"{found.unit}: exact, as long as all play on by it; no seat gains more than "
        f"{equilibrium.frame['gain'].max():.5f} by leaving it, in the mean of all deals: in this one it may be more",
    )
    return Advice(
        game.name, game.option_values(), f"seat {knowledge.seat} plays a card, {len(knowledge.play)} played before",
        found.hand, contract_text(game, knowledge.agreed),
        f"equilibrium of hidden cards ({equilibrium.method}, {equilibrium.iterations} iterations, NashConv "
        f"{equilibrium.nashconv:.5f}), all {count:,} worlds",
        seed, count, found.unit, frame, {"worlds": float(count)}, notes=notes, seat=knowledge.seat,
        objective=wants, worlds=count, distinct=count, exact=True,
    )  # fmt: skip


def _three(column: str, value: float) -> dict[str, float]:
    return {column: value, f"{column}_low": value, f"{column}_high": value}
