"""Contract bridge: four seats, partners opposite, one point for each trick, a trump suit or none."""

from __future__ import annotations

Move = tuple[str, bool]
Trick = list[tuple[int, str]]

RANKS = "AKQJT98765432"  # high to low
SUITS = "CDHS"
DECK: list[str] = [r + s for s in SUITS for r in RANKS]
DEFAULTS: dict = {"trump": None}
CONTRACTS = ["4H by S", "3NT by N", "10 by 3, trump S, lead 1", "7CX by East", "5 by 0, trump D"]


def suit(card: str, ctx: dict) -> str:
    """The printed suit."""
    return card[1]


def value(card: str, ctx: dict) -> int:
    """Single cards score nothing."""
    return 0


def trick_value(ctx: dict) -> int:
    """One point for each trick."""
    return 1


def legal(seat: int, hand: frozenset[str], trick: Trick, ctx: dict) -> set[Move]:
    """Follow suit if able, otherwise anything."""
    led = suit(trick[0][1], ctx) if trick else None
    same = [c for c in hand if suit(c, ctx) == led]
    return {(c, False) for c in same or hand}


def winner(trick: Trick, ctx: dict) -> int:
    """Highest trump; without a trump the highest card of the suit led."""
    led = suit(trick[0][1], ctx)
    counted = ctx.get("trump") if any(suit(c, ctx) == ctx.get("trump") for _, c in trick) else led
    return min((RANKS.index(c[0]), seat) for seat, c in trick if suit(c, ctx) == counted)[1]


def after_move(seat: int, card: str, declare: bool, trick_before: Trick, ctx: dict) -> tuple[dict, int]:
    """Nothing changes and nothing is credited before the end of the trick."""
    return dict(ctx), 0


def after_trick(ctx: dict, winner: int) -> dict:
    """Nothing carries over but the lead, which the caller keeps."""
    return dict(ctx)


#: The scoring table of duplicate bridge, not vulnerable and vulnerable: bonuses for a part score, game, small and
#: grand slam; then what the first, second, third and every further undertrick costs, undoubled and doubled.
BONUS = ((50, 300, 500, 1000), (50, 500, 750, 1500))
UNDER = (((50, 50, 50, 50), (100, 200, 200, 300)), ((100, 100, 100, 100), (200, 300, 300, 300)))
OVER_DOUBLED = (100, 200)


def score(level: int, trump: str | None, tricks: int, doubled: int, vulnerable: bool) -> int:
    """Points of the declaring side; `doubled` is 0, 1 or 2 (redoubled)."""
    v = int(vulnerable)
    if tricks < 6 + level:
        row = UNDER[v][min(doubled, 1)]
        lost = sum(row[min(i, 3)] for i in range(6 + level - tricks))
        return -lost * (2 if doubled == 2 else 1)
    per = {"C": 20, "D": 20, "H": 30, "S": 30, None: 30}[trump]
    below = (per * level + (10 if trump is None else 0)) * 2**doubled
    part, game, small, grand = BONUS[v]
    total = below + (game if below >= 100 else part)
    total += small if level == 6 else grand if level == 7 else 0
    over = tricks - 6 - level
    total += over * (per if doubled == 0 else OVER_DOUBLED[v] * doubled)
    return total + 50 * doubled
