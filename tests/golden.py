"""Frozen numbers: what `tests/data/perft.txt` and `tests/data/golden/*.txt` hold, computed again.

`python tests/golden.py --write` writes them, `python tests/golden.py` says which differ. A difference is a change of
the rules, or of the order in which moves, plans or cards are listed; the text of the commit says which and why.

Perft counts are the numbers of distinct sequences of 1, 2, ... cards from the first lead of a fixed deal. A golden
playthrough tells a fixed deal: an auction, and for a contract of its own every hand, every legal move, every barred
card with its rule, and the score. Calls and moves follow a fixed pattern among what is legal; nobody plays well.
In the auction of a contract without a declarer all pass.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from every_game import CASES, Case, perft, start
from solver.formats.record import contract_text
from solver.games import Game
from solver.model.deal import Deal
from solver.model.errors import UnsupportedError
from solver.model.play import Position

DATA = Path(__file__).parent / "data"
#: The first seed tried.
SEED = 2
#: Perft stops at the first ply with so many sequences.
ENOUGH = 4000


@dataclass(frozen=True)
class PlayedAs(Case):
    """A case with a contract of its own, which names it too."""

    contract: str = ""

    @property
    def id(self) -> str:
        """As of a case, with the contract."""
        return f"{super().id}-{self.contract}"

    @property
    def contracts(self) -> list[str]:
        """The one contract."""
        return [self.contract]


#: Every case that is frozen.
FROZEN = [*CASES, PlayedAs("sheepshead", contract="leaster")]


def seed_of(case: Case) -> int:
    """Seed of the case's deal: the first of ten whose contract calls a card, else the first."""
    return next((s for s in range(SEED, SEED + 10) if start(case, s)[1].called), SEED)


# ---------------------------------------------------------------------- perft


def perft_line(case: Case) -> str:
    """Counts of one case, with the contract they are for."""
    seed = seed_of(case)
    _, contract, position = start(case, seed)
    counts: list[int] = []
    cards = sum(map(len, position.hands))
    while len(counts) < cards and (not counts or counts[-1] < ENOUGH):
        counts.append(perft(position, len(counts) + 1))
    return f"{case.id} | seed {seed} | {contract_text(case.game, contract)} | {' '.join(map(str, counts))}"


def perft_text() -> str:
    """The whole file."""
    head = (
        "# Sequences of 1, 2, ... cards from the first lead. Lines: case | seed of the deal | contract | counts.\n"
        "# Written by: python tests/golden.py --write\n"
    )
    return head + "".join(f"{perft_line(case)}\n" for case in FROZEN)


# ---------------------------------------------------------------------- playthroughs


def auction_lines(one: Game, deal: Deal, pattern: tuple[int, ...] = (1, 0, 2, 1)) -> list[str]:
    """An auction by a fixed pattern of small raises and passes, with the calls that were legal."""
    try:
        auction = one.auction(hands=deal.hands)
    except UnsupportedError as wrong:
        return [f"  {wrong}"]
    out = []
    while auction.turn is not None:
        legal = auction.legal()
        word = legal[pattern[len(auction.calls) % len(pattern)] % len(legal)]
        shown = " ".join(legal[:8]) + (f" ... {legal[-1]}" if len(legal) > 8 else "")
        out.append(f"  seat {auction.turn} calls {word} of: {shown}")
        auction = auction.call(word)
    assert auction.result is not None
    return [*out, f"  {auction.result.text}"]


def play_lines(one: Game, position: Position) -> tuple[list[str], Position]:
    """A playthrough by a fixed pattern, and how it ended."""
    out: list[str] = []
    step = 0
    while not position.over:
        if not position.trick:
            trump = f", trump {position.trump}" if position.trump else ""
            out.append(f"trick {sum(position.tricks) + 1}{trump}")
        seat, legal, barred = position.turn, position.legal(), position.barred()
        move = legal[(3 * step + 1) % len(legal)]
        out.append(f"  seat {seat} holds {one.deck.write(position.hands[seat])}")
        out.append(f"    plays {move} of: {' '.join(map(str, legal))}")
        if barred:
            rules = sorted(set(barred.values()))
            told = [f"{one.deck.write(c for c in barred if barred[c] == rule)} ({rule})" for rule in rules]
            out.append(f"    barred: {', '.join(told)}")
        before, position = position, position.play(move)
        if position.bonus != before.bonus:
            out.append(f"    bonus {position.bonus[seat] - before.bonus[seat]}")
        if not position.trick:
            points = position.points[position.leader] - before.points[position.leader]
            out.append(f"  -> seat {position.leader} wins {points}")
        step += 1
    return out, position


def playthrough(case: Case) -> str:
    """One deal from the first call to the score."""
    one, seed = case.game, seed_of(case)
    deal, contract, position = start(case, seed)
    played, over = play_lines(one, position)
    outcome = one.settle(over, contract)
    numbers = {"points": outcome.points, "tricks": outcome.tricks, "scores": outcome.scores}
    lines = [
        f"game {case.name}",
        *(f"option {name} {value}" for name, value in one.changed_options().items()),
        f"seed {seed}",
        f"deal {deal.text}",
        "auction",
        *(auction_lines(one, deal, (0,)) if contract.declarer is None else auction_lines(one, deal)),
        f"contract {contract_text(one, contract)}",
        f"side {' '.join(map(str, sorted(position.side))) or 'each for itself'}",
        *played,
        f"result {outcome.text}",
        *(f"{name} {' '.join(map(str, values))}" for name, values in numbers.items()),
    ]
    return "\n".join(lines) + "\n"


def files() -> dict[Path, str]:
    """Every frozen file with what it should hold."""
    return {
        DATA / "perft.txt": perft_text(),
        **{DATA / "golden" / f"{case.id}.txt": playthrough(case) for case in FROZEN},
    }


def main() -> int:
    """Write the files, or name those that differ."""
    write = sys.argv[1:] == ["--write"]
    wanted = files()
    stale = [p for p in (DATA / "golden").glob("*.txt") if p not in wanted]
    changed = [p for p, text in wanted.items() if not p.exists() or p.read_text("utf-8") != text]
    for path in changed:
        if write:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(wanted[path], "utf-8")
    for path in stale:
        if write:
            path.unlink()
    for path in (*changed, *stale):
        print(f"{'written' if write and path in changed else 'removed' if write else 'differs'}: {path.name}")
    return 0 if write or not (changed or stale) else 1


if __name__ == "__main__":
    sys.exit(main())
