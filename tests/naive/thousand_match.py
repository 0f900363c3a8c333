"""Match layer of Thousand, RULES.md section 3.10: barrel, falls, dump truck (what example T10 needs).

Sticks, write-offs and the options of 3.10 are left out: they do not touch the play of a deal.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

TARGET, BARREL, FALLEN, BARREL_DEALS = 1000, 880, 760, 3


@dataclass(frozen=True)
class Player:
    """Total, deals left on the barrel (0 = not on it), falls so far in the game."""

    total: int = 0
    barrel: int = 0
    falls: int = 0


def fall(player: Player) -> Player:
    """Leave the barrel for 760; the third fall of the game costs everything (3.10)."""
    falls = player.falls + 1
    return Player(0 if falls == 3 else FALLEN, 0, falls)


def mounts(before: Player, after: Player) -> bool:
    """Did the player climb on the barrel in this deal?"""
    return before.barrel == 0 and after.barrel > 0


def score(player: Player, delta: int) -> Player:
    """One deal for one player, other players aside (3.10)."""
    if player.barrel:
        if delta >= 120:
            return replace(player, total=TARGET, barrel=0)
        return replace(player, barrel=player.barrel - 1) if player.barrel > 1 else fall(player)
    total = player.total + delta
    if total >= TARGET:
        return replace(player, total=total)
    if total >= BARREL:
        return replace(player, total=BARREL, barrel=BARREL_DEALS)
    return replace(player, total=0 if abs(total) == 555 else total)


def deal(players: list[Player], deltas: list[int], declarer: int) -> list[Player]:
    """One deal for all: a newly mounting player knocks everybody else off the barrel (3.10).

    When several mount in the same deal the declarer stays, else the lowest seat.
    """
    after = [score(p, d) for p, d in zip(players, deltas, strict=True)]
    new = [s for s, (b, a) in enumerate(zip(players, after, strict=True)) if mounts(b, a)]
    if not new:
        return after
    stays = declarer if declarer in new else min(new)
    return [fall(p) if p.barrel and s != stays else p for s, p in enumerate(after)]


def winners(players: list[Player]) -> list[int]:
    """Seats at or above the target."""
    return [s for s, p in enumerate(players) if p.total >= TARGET]
