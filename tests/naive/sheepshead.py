"""Sheepshead, RULES.md section 2: effective suits, duties of the called-ace game, settlement, plans."""

from __future__ import annotations

from itertools import combinations

Move = tuple[str, bool]
Trick = list[tuple[int, str]]
Plan = tuple[str | None, str | None, frozenset[str]]

TRUMPS: list[str] = [
    "QC",
    "QS",
    "QH",
    "QD",
    "JC",
    "JS",
    "JH",
    "JD",
    "AD",
    "TD",
    "KD",
    "9D",
    "8D",
    "7D",
]  # high to low (2.1)
FAIL_RANKS = "ATK987"  # high to low (2.1)
FAIL_SUITS = "CSH"
TRUMP = "T"
POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
DECK: list[str] = TRUMPS + [r + s for s in FAIL_SUITS for r in FAIL_RANKS]
DEFAULTS: dict = {
    "called": None,
    "picker": None,
    "under": None,
    "called_suit_led": False,
    "called_ten_wins": True,
    "under_may_be_led": True,
    "picker_leads_called": False,
}


def called_suit(ctx: dict) -> str | None:
    """Suit of the called card, None when nothing was called."""
    called = ctx.get("called")
    return called[1] if called else None


def suit(card: str, ctx: dict) -> str:
    """Trump, printed fail suit, or for the under card the called suit (2.4)."""
    if card == ctx.get("under"):
        return called_suit(ctx)
    return TRUMP if card in TRUMPS else card[1]


def value(card: str, ctx: dict) -> int:
    """Card points; an under card is scored at its real value (2.1, 2.5)."""
    return POINTS.get(card[0], 0)


def trick_value(ctx: dict) -> int:
    """Tricks as such score nothing."""
    return 0


def _leads(seat: int, hand: frozenset[str], ctx: dict) -> set[str]:
    """2.4 Leading."""
    called, under = ctx.get("called"), ctx.get("under")
    cards = set(hand)
    if called in hand and not ctx.get("called_suit_led"):  # the partner
        cards = {c for c in hand if c == called or suit(c, ctx) != called_suit(ctx)}
    if ctx.get("picker_leads_called") and seat == ctx.get("picker") and called and not ctx.get("called_suit_led"):
        cards = {c for c in cards if suit(c, ctx) != called_suit(ctx)} or cards
    if under in hand and seat == ctx.get("picker") and not ctx.get("under_may_be_led", True):
        cards = cards - {under} or cards
    return cards


def _discards(seat: int, hand: frozenset[str], ctx: dict) -> set[str]:
    """2.4 Following, step 3: the cards a player void in the led suit may throw."""
    if len(hand) == 1:
        return set(hand)
    cards = set(hand) - {ctx.get("under")}
    if ctx.get("called") and not ctx.get("called_suit_led"):
        cards -= {ctx["called"]}  # held by the partner only
        of_called_suit = {c for c in hand if suit(c, ctx) == called_suit(ctx)}
        if seat == ctx.get("picker") and len(of_called_suit) == 1:
            cards -= of_called_suit
    return cards


def legal_cards(seat: int, hand: frozenset[str], trick: Trick, ctx: dict) -> set[str]:
    """Play obligations of 2.4, in the order of that section."""
    if not trick:
        return _leads(seat, hand, ctx)
    led = suit(trick[0][1], ctx)
    called, under = ctx.get("called"), ctx.get("under")
    if under in hand and led == called_suit(ctx):
        return {under}
    follow = {c for c in hand if c != under and suit(c, ctx) == led}
    if called in follow:
        return {called}
    return follow or _discards(seat, hand, ctx)


def legal(seat: int, hand: frozenset[str], trick: Trick, ctx: dict) -> set[Move]:
    """Legal moves as (card, declare); nothing is ever declared in this game."""
    return {(c, False) for c in legal_cards(seat, hand, trick, ctx)}


def winner(trick: Trick, ctx: dict) -> int:
    """Highest trump, else highest of the led suit; the under card never wins (2.5).

    A called ten that lies in a trick of its own suit was forced out by the first lead of that suit
    (2.4: it can neither be thrown away before nor be kept back), so no further test for "first" is made.
    """
    led, called = suit(trick[0][1], ctx), ctx.get("called")
    able = [(s, c) for s, c in trick if c != ctx.get("under")]
    trumps = [(TRUMPS.index(c), s) for s, c in able if suit(c, ctx) == TRUMP]
    if trumps:
        return min(trumps)[1]
    followers = {c: s for s, c in able if suit(c, ctx) == led}
    if called in followers and called[0] == "T" and ctx.get("called_ten_wins", True):
        return followers[called]
    if not followers:
        raise ValueError("only the under card follows suit: cannot happen under the duties of 2.4")
    return followers[min(followers, key=lambda c: FAIL_RANKS.index(c[0]))]


def after_move(seat: int, card: str, declare: bool, trick_before: Trick, ctx: dict) -> tuple[dict, int]:
    """called_suit_led becomes true at the first lead of the called suit, under card included (2.4)."""
    if not trick_before and ctx.get("called") and suit(card, ctx) == called_suit(ctx):
        return {**ctx, "called_suit_led": True}, 0
    return dict(ctx), 0


def after_trick(ctx: dict, winner: int) -> dict:
    """Nothing carries over but the lead, which the caller keeps."""
    return dict(ctx)


def multiplier(points: int, tricks_taken: int, total_tricks: int) -> int:
    """The table of 2.7, before doubling."""
    if tricks_taken == 0:
        return -3
    if tricks_taken == total_tricks:
        return 3
    if points >= 91:
        return 2
    if points >= 61:
        return 1
    return -1 if points >= 31 else -2


def settle(
    points: int,
    tricks_taken: int,
    total_tricks: int,
    opponents: int,
    alone: bool,
    double_on_bump: bool = True,
    partner_off_hook: bool = True,
) -> dict[str, int]:
    """Scores of picker, partner (0 when alone) and each opponent (2.7); `points` includes the bury."""
    m = multiplier(points, tricks_taken, total_tricks)
    if m < 0 and double_on_bump:
        m *= 2
    if alone or (tricks_taken == 0 and partner_off_hook):
        return {"picker": opponents * m, "partner": 0, "opponent": -m}
    return {"picker": (opponents - 1) * m, "partner": m, "opponent": -m}


def leaster(points: list[int], tricks: list[int], blind_points: int, last_winner: int) -> list[int]:
    """Fewest points among the takers of at least one trick wins; a tie is a wash (2.8)."""
    n = len(points)
    totals = [p + (blind_points if s == last_winner else 0) for s, p in enumerate(points)]
    fewest = min(t for t, k in zip(totals, tricks, strict=True) if k > 0)
    winners = [s for s in range(n) if tricks[s] > 0 and totals[s] == fewest]
    if len(winners) > 1:
        return [0] * n
    return [n - 1 if s == winners[0] else -1 for s in range(n)]


def fail_cards(cards: set[str] | frozenset[str], x: str) -> set[str]:
    """The cards of fail suit x."""
    return {c for c in cards if c not in TRUMPS and c[1] == x}


def calls(eight: set[str]) -> list[tuple[str, bool]]:
    """Available calls as (card, with an under card) (2.3 point 4)."""
    present = [x for x in FAIL_SUITS if fail_cards(eight, x)]
    ordinary = ["A" + x for x in present if "A" + x not in eight]
    if ordinary:
        return [(c, False) for c in ordinary]
    if all("A" + x in eight for x in FAIL_SUITS):
        return [("T" + x, False) for x in FAIL_SUITS if "T" + x not in eight]
    return [("A" + x, True) for x in FAIL_SUITS if x not in present]


def plans(eight: set[str]) -> list[Plan]:
    """All plans (call, under, bury) of the picker's eight cards; call None = alone (2.3)."""
    pairs = [frozenset(p) for p in combinations(sorted(eight), 2)]
    out: list[Plan] = [(None, None, bury) for bury in pairs]
    for call, needs_under in calls(eight):
        if needs_under:
            out += [(call, u, bury) for u in sorted(eight) for bury in pairs if u not in bury]
        else:
            out += [(call, None, bury) for bury in pairs if fail_cards(eight - bury, call[1])]
    return out


def house_plans(
    eight: set[str],
    bury: int = 2,
    hold_card: bool = True,
    call_ten: bool = True,
    after_bury: bool = False,
    own_ace: bool = False,
    bury_trump: bool = True,
    bury_ace: bool = True,
) -> set[Plan]:
    """`plans` under the house rules of 2.11 that bear on them, bury by bury."""
    free = {c for c in eight if (bury_trump or c not in TRUMPS) and (bury_ace or c[0] != "A")}
    missing = [x for x in FAIL_SUITS if "A" + x not in eight]
    out: set[Plan] = set()
    for put in map(frozenset, combinations(eight, bury)):
        if len(free) >= bury and not put <= free:
            continue
        kept = eight - put
        out.add((None, None, put))
        rank, callable_ = ("A", missing) if missing else ("T", [x for x in FAIL_SUITS if "T" + x not in eight])
        for x in callable_ if missing or call_ten else []:
            if not hold_card or fail_cards(kept, x):
                out.add((rank + x, None, put))
        tested = kept if after_bury else eight
        if missing and hold_card and not any(fail_cards(tested, x) for x in missing):
            out |= {("A" + x, u, put) for x in missing for u in kept}
        if own_ace:
            out |= {("A" + x, None, put) for x in FAIL_SUITS if "A" + x in kept}
    return out


def jack_plans(eight: set[str], bury: int = 2) -> set[Plan]:
    """Plans with the jack of diamonds as partner and call-up (2.6)."""
    calls: list[str | None] = [None]
    if "JD" in eight:
        calls += [j for j in ("JH", "JS", "JC") if j not in eight][:1]
    return {(call, None, frozenset(put)) for call in calls for put in combinations(eight, bury)}
