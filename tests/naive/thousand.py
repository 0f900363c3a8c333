"""Thousand, RULES.md section 3: marriages, must-beat play, contract and bids."""

from __future__ import annotations

Move = tuple[str, bool]
Trick = list[tuple[int, str]]

RANKS = "ATKQJ9"  # high to low in every suit, trump included (3.1)
SUITS = "CDHS"
DECK: list[str] = [r + s for s in SUITS for r in RANKS]
POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
MARRIAGE = {"H": 100, "D": 80, "C": 60, "S": 40}
DEFAULTS: dict = {
    "trump": None,
    "pending": None,
    "marriages": True,
    "timing": "next_trick",
    "first_lead": False,
    "needs_trick": True,
    "one_trump": False,
    "any_trump_yet": False,
    "must_beat": True,
    "must_trump": True,
    "must_overtrump": True,
    "partial_trumping": False,
    "must_play_highest": False,
    "last_trick": 0,
}


def suit(card: str, ctx: dict) -> str:
    """The printed suit."""
    return card[1]


def value(card: str, ctx: dict) -> int:
    """Card points (3.1)."""
    return POINTS.get(card[0], 0)


def trick_value(ctx: dict) -> int:
    """Tricks as such score nothing."""
    return 0


def _higher(cards: set[str], table: list[str]) -> set[str]:
    """Those of `cards` that outrank every card of `table`, all being of one suit."""
    return {c for c in cards if all(RANKS.index(c[0]) < RANKS.index(t[0]) for t in table)}


def _follow(cards: set[str], led: str, table: list[str], ctx: dict) -> set[str]:
    """3.6 point 1: beat if able, unless a trump lies on a plain-suit lead; must_play_highest of 3.12."""
    trump = ctx.get("trump")
    trumped = led != trump and any(c[1] == trump for c in table)
    if trumped or not ctx.get("must_beat", True):
        return cards
    higher = _higher(cards, [c for c in table if c[1] == led])
    if higher and ctx.get("must_play_highest"):
        return {min(higher, key=lambda c: RANKS.index(c[0]))}
    return higher or cards


def _ruff(trumps: set[str], hand: frozenset[str], table: list[str], ctx: dict) -> set[str]:
    """3.6 point 2: trump, and overtrump if able; partial_trumping of 3.12 excuses from undertrumping."""
    on_table = [c for c in table if c[1] == ctx["trump"]]
    over = _higher(trumps, on_table)
    if not over:
        return set(hand) if ctx.get("partial_trumping") else trumps
    return over if ctx.get("must_overtrump", True) else trumps


def legal_cards(hand: frozenset[str], trick: Trick, ctx: dict) -> set[str]:
    """Play obligations of 3.6."""
    if not trick:
        return set(hand)
    table = [c for _, c in trick]
    led = table[0][1]
    follow = {c for c in hand if c[1] == led}
    if follow:
        return _follow(follow, led, table, ctx)
    trumps = {c for c in hand if c[1] == ctx.get("trump")}
    if trumps and ctx.get("must_trump", True):
        return _ruff(trumps, hand, table, ctx)
    return set(hand)


def declarable(hand: frozenset[str], trick: Trick, ctx: dict) -> set[str]:
    """Kings and queens whose lead may declare a marriage (3.5)."""
    too_early = ctx.get("first_lead", False) and ctx.get("needs_trick", True)
    if trick or too_early or not ctx.get("marriages", True):
        return set()
    return {c for c in hand if c[0] in "KQ" and {"K" + c[1], "Q" + c[1]} <= hand}


def legal(seat: int, hand: frozenset[str], trick: Trick, ctx: dict) -> set[Move]:
    """Legal moves as (card, declare); declaring is optional (3.5)."""
    plain = {(c, False) for c in legal_cards(hand, trick, ctx)}
    return plain | {(c, True) for c in declarable(hand, trick, ctx)}


def winner(trick: Trick, ctx: dict) -> int:
    """Highest trump if any, else highest card of the led suit (3.7)."""
    led, trump = trick[0][1][1], ctx.get("trump")
    trumps = [(RANKS.index(c[0]), s) for s, c in trick if c[1] == trump]
    return min(trumps or [(RANKS.index(c[0]), s) for s, c in trick if c[1] == led])[1]


def after_move(seat: int, card: str, declare: bool, trick_before: Trick, ctx: dict) -> tuple[dict, int]:
    """A declared marriage is credited at once and names the new trump (3.5)."""
    if not declare:
        return dict(ctx), 0
    bonus = MARRIAGE[card[1]]
    had_trump = ctx.get("any_trump_yet", False) or ctx.get("trump") is not None
    if ctx.get("one_trump") and had_trump:
        return dict(ctx), bonus
    key = "trump" if ctx.get("timing", "next_trick") == "immediate" else "pending"
    return {**ctx, key: card[1], "any_trump_yet": True}, bonus


def after_trick(ctx: dict, winner: int) -> dict:
    """A pending trump comes into force (3.5) and the first lead of the deal is over."""
    trump = ctx.get("pending") or ctx.get("trump")
    return {**ctx, "trump": trump, "pending": None, "first_lead": False}


def round5(points: int) -> int:
    """Nearest multiple of five (3.8)."""
    return (points + 2) // 5 * 5


def deal_score(cards: int, bonuses: int) -> int:
    """Rounded card points plus own bonuses (3.8)."""
    return round5(cards) + bonuses


def made(raw: int, bid: int, rounding: bool = True) -> bool:
    """Contract test on the raw total of cards and bonuses (3.8)."""
    return raw >= (bid - 2 if rounding else bid)


def settle(cards: list[int], bonuses: list[int], declarer: int, bid: int, rounding: bool = True) -> list[int]:
    """Declarer plus or minus the bid, every defender the own deal score (3.8)."""
    scores = [deal_score(c, b) for c, b in zip(cards, bonuses, strict=True)]
    success = made(cards[declarer] + bonuses[declarer], bid, rounding)
    scores[declarer] = bid if success else -bid
    return scores


def cap(hand: set[str] | frozenset[str]) -> int:
    """Highest bid before the talon: 120 plus complete marriages in the hand (3.3)."""
    return 120 + sum(MARRIAGE[s] for s in SUITS if {"K" + s, "Q" + s} <= hand)


def legal_bid(bid: int, current: int | None, cap: int) -> bool:
    """At least 100, in fives below 200 and tens from 200, above the standing bid, within the cap (3.3)."""
    step = 5 if bid < 200 else 10
    return bid >= 100 and bid % step == 0 and (current is None or bid > current) and bid <= cap


def legal_bids(current: int | None, cap: int) -> list[int]:
    """All legal bids, ascending (3.3)."""
    return [b for b in range(cap + 1) if legal_bid(b, current, cap)]


def auction(actions: list[int | None], caps: list[int]) -> tuple[int, int]:
    """(declarer, bid); actions clockwise from forehand 0, None = pass, seat 2 deals (3.3)."""
    active, current, holder, seat = {0, 1, 2}, None, None, 0
    for action in actions:
        if len(active) == 1 or seat not in active:
            raise ValueError("the auction is over")
        if action is None:
            active.remove(seat)
        elif legal_bid(action, current, caps[seat]):
            current, holder = action, seat
        else:
            raise ValueError(f"illegal bid {action}")
        if len(active) > 1 or holder is None:
            seat = min((s for s in active), key=lambda s: (s - seat - 1) % 3)
    if len(active) > 1:
        raise ValueError("the auction is not over")
    if holder is None:
        return 2, 100
    return holder, current
