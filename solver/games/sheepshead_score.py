"""What a deal of Sheepshead scores: the settlement table (RULES.md 2.7), and deals that nobody picked (2.8)."""

from __future__ import annotations

from collections.abc import Sequence

from solver.games.sheepshead_options import SheepsheadOptions
from solver.model.cards import Card
from solver.model.contract import Outcome
from solver.model.errors import NotationError
from solver.model.play import Position

__all__ = [
    "NO_PICK", "TIERS", "TRUMPS", "explain_points", "nobody_picked", "nobody_picked_scores", "power", "shares",
    "showdown", "tier", "tier_name", "weak",
]  # fmt: skip

#: Trumps from the weakest.
TRUMPS = ("7D", "8D", "9D", "KD", "TD", "AD", "JD", "JH", "JS", "JC", "QD", "QH", "QS", "QC")

#: Games that each seat plays for itself when nobody picks; the last is shown down, not played.
NO_PICK = ("leaster", "moster", "mittler", "schneidster", "schwanzer")

#: Results of the picking side from the worst.
TIERS = ("no trick", "schneider against", "lost", "won", "schneider", "schwarz")

_WORTH = (-3, -2, -1, 1, 2, 3)


def tier(points: int, taken: int, total: int, o: SheepsheadOptions) -> int:
    """Place in `TIERS` of a result.

    With ``schwarz="points"`` the ends are all 120 points and none, in place of every trick and none.

    Parameters
    ----------
    points
        Of the picking side, bury included.
    taken, total
        Tricks of the picking side and of all.
    o
        House rules.
    """
    points = points if taken else 0
    nothing, everything = taken == 0, taken == total
    if o.schwarz == "points":
        nothing, everything = points == 0, points == 120
    if nothing or everything:
        return 0 if nothing else 5
    return 4 if points >= 91 else 3 if points >= 61 else 2 if points >= 31 else 1


def tier_name(rung: int, o: SheepsheadOptions) -> str:
    """Word for a place in `TIERS`."""
    return "no point" if rung == 0 and o.schwarz == "points" else TIERS[rung]


def shares(rung: int, o: SheepsheadOptions, *, alone: bool, multiplier: int) -> tuple[int, int, int]:
    """Score of (picker, partner, each opponent) for a tier; the partner's is 0 when the picker is alone.

    With ``partner="queens"`` both holders count as partners and nobody as picker, so neither is off the hook.
    """
    m = _WORTH[rung] * multiplier
    if m < 0 and o.double_on_bump:
        m *= 2
    opponents = o.seats - (1 if alone else 2)
    if alone or (rung == 0 and o.partner_off_hook and o.partner != "queens"):
        return opponents * m, 0, -m
    return (opponents - 1) * m, m, -m


def explain_points(taken: int, bury: int, o: SheepsheadOptions, *, alone: bool, multiplier: int) -> str:
    """Say which tier so many points from tricks are and what it scores, both tiers where points do not tell."""
    total = taken + bury
    usual = tier(total, 1, 2, o)
    rungs = [0, usual] if taken == 0 else [usual, 5] if total == 120 else [usual]
    said = []
    for rung in dict.fromkeys(rungs):
        own, partner, other = shares(rung, o, alone=alone, multiplier=multiplier)
        if o.partner == "queens":
            roles = f"holder of both {own:+}" if alone else f"each holder {partner:+}"
        else:
            roles = f"picker {own:+}" if alone else f"picker {own:+}, partner {partner:+}"
        said.append(f"{tier_name(rung, o)} ({roles}, each opponent {other:+})")
    counted = f"{total} points, {bury} of them buried" if bury else f"{total} points"
    if len(said) == 1:
        return f"{counted}: {said[0]}"
    if taken == 0:
        return f"no points from tricks: {said[0]}; with a worthless trick {counted}: {said[1]}"
    return f"{counted}: {said[0]}; with every trick {said[1]}"


def weak(hand: frozenset[Card]) -> bool:
    """Whether a hand has no ace, no face card and no trump."""
    return not any(c in TRUMPS or c.rank in "AK" for c in hand)


# ---------------------------------------------------------------------- nobody picked


def nobody_picked_scores(
    kind: str, points: Sequence[int], tricks: Sequence[int], tie: str
) -> tuple[tuple[int, ...], str]:
    """Scores of a game that each seat plays for itself, and who decided it.

    Parameters
    ----------
    kind
        ``"leaster"``: the fewest points win, of seats with a trick. ``"moster"``: the most points lose. Both are won by
        a seat that takes every trick. ``"mittler"``: the middle points win. ``"schneidster"``: the nearest to 30 and
        not above win.
    points, tricks
        By seat, points with the blind where it counts.
    tie
        The option `leaster_tie`; a tie in another game is a wash.
    """
    seats = range(len(points))
    if kind in ("leaster", "moster") and max(tricks) == sum(tricks):
        who, verb = [tricks.index(max(tricks))], "wins with every trick"
    elif kind == "leaster":
        fewest = min(p for p, t in zip(points, tricks, strict=True) if t)
        who, verb = [s for s in seats if tricks[s] and points[s] == fewest], "wins"
    elif kind == "moster":
        who, verb = [s for s in seats if points[s] == max(points)], "loses"
    else:
        low = [p for p in points if p <= 30]
        wanted = sorted(points)[len(points) // 2] if kind == "mittler" else max(low, default=-1)
        who, verb = [s for s in seats if points[s] == wanted], "wins"
    if len(who) != 1 and not (kind == "leaster" and tie == "split"):
        return (0,) * len(points), "nobody pays" + (f", seats {' and '.join(map(str, who))} tie" if who else "")
    text = f"seat {who[0]} {verb}" if len(who) == 1 else f"seats {' and '.join(map(str, who))} win"
    return _paid(who, len(points), -1 if verb == "loses" else 1), text


def _paid(who: Sequence[int], seats: int, sign: int) -> tuple[int, ...]:
    """Each other seat pays 1 to each of these, or with sign -1 gets it from them."""
    return tuple(sign * (seats - len(who) if s in who else -len(who)) for s in range(seats))


def nobody_picked(kind: str, position: Position, tie: str) -> Outcome:
    """Outcome of a leaster and its like that has been played out."""
    scores, said = nobody_picked_scores(kind, position.points, position.tricks, tie)
    text = f"{kind}, points {' '.join(map(str, position.points))}: {said}"
    return Outcome(position.points, position.tricks, None, scores, text)


def power(hand: frozenset[Card]) -> tuple[int, int]:
    """Trump power of a hand in a schwanzer, queens 3, jacks 2, other diamonds 1, and its highest trump."""
    trumps = [c for c in hand if c in TRUMPS]
    return sum({"Q": 3, "J": 2}.get(c.rank, 1) for c in trumps), max(map(TRUMPS.index, trumps), default=-1)


def showdown(position: Position) -> Outcome:
    """Outcome of a schwanzer: hands as dealt are shown, the most power loses, of equals that with the highest trump."""
    if any(position.tricks) or position.trick:
        raise NotationError("a schwanzer is not played: it is scored from the hands as dealt")
    found = [power(hand) for hand in position.hands]
    loser = found.index(max(found))
    text = f"schwanzer, power {' '.join(str(p) for p, _ in found)}: seat {loser} loses"
    return Outcome(position.points, position.tricks, None, _paid([loser], len(found), -1), text)
