"""Follow-suit kit, RULES.md section 1: three suits, four ranks, one point for each trick."""

from __future__ import annotations

Move = tuple[str, bool]
Trick = list[tuple[int, str]]

DECK: list[str] = [s + r for s in "ots" for r in "1234"]
DEFAULTS: dict = {"trump": None, "must_beat": False, "must_trump": False}
CONTRACTS = ["1 by 0", "2 by 1, lead 2", "by 2"]


def suit(card: str, ctx: dict) -> str:
    """Suits are only suits (1.1)."""
    return card[0]


def rank(card: str) -> int:
    """Highest number is the highest card (1.1)."""
    return int(card[1:])


def value(card: str, ctx: dict) -> int:
    """Single cards score nothing (1.3)."""
    return 0


def trick_value(ctx: dict) -> int:
    """One point for each trick captured (1.3)."""
    return 1


def _beating(cards: set[str], led: str, trick: Trick, ctx: dict) -> set[str]:
    """Cards of the led suit that take the lead in the trick, all of `cards` being of that suit (1.6)."""
    trump = ctx.get("trump")
    on_table = [c for _, c in trick]
    if led != trump and any(suit(c, ctx) == trump for c in on_table):
        return set()
    best = max(rank(c) for c in on_table if suit(c, ctx) == led)
    return {c for c in cards if rank(c) > best}


def legal_cards(hand: frozenset[str], trick: Trick, ctx: dict) -> set[str]:
    """Any lead; follow if able, else anything (1.2); options must_beat (following) and must_trump (1.6)."""
    if not trick:
        return set(hand)
    led = suit(trick[0][1], ctx)
    follow = {c for c in hand if suit(c, ctx) == led}
    if follow:
        higher = _beating(follow, led, trick, ctx) if ctx.get("must_beat") else set()
        return higher or follow
    trumps = {c for c in hand if suit(c, ctx) == ctx.get("trump")}
    return trumps if ctx.get("must_trump") and trumps else set(hand)


def legal(seat: int, hand: frozenset[str], trick: Trick, ctx: dict) -> set[Move]:
    """Legal moves as (card, declare); nothing is ever declared in this game."""
    return {(c, False) for c in legal_cards(hand, trick, ctx)}


def winner(trick: Trick, ctx: dict) -> int:
    """Highest trump if the trump option is used, else highest card of the led suit (1.2, 1.6)."""
    led = suit(trick[0][1], ctx)
    trumps = [(rank(c), s) for s, c in trick if suit(c, ctx) == ctx.get("trump")]
    return max(trumps or [(rank(c), s) for s, c in trick if suit(c, ctx) == led])[1]


def after_move(seat: int, card: str, declare: bool, trick_before: Trick, ctx: dict) -> tuple[dict, int]:
    """Nothing changes and nothing is credited before the end of the trick."""
    return dict(ctx), 0


def after_trick(ctx: dict, winner: int) -> dict:
    """Nothing carries over but the lead, which the caller keeps (1.2)."""
    return dict(ctx)


def session(hands: list[list[int]]) -> tuple[list[int], list[int]]:
    """Totals over the hands of a session and the seats that share the highest total (1.3)."""
    totals = [sum(scores) for scores in zip(*hands, strict=True)]
    return totals, [s for s, t in enumerate(totals) if t == max(totals)]
