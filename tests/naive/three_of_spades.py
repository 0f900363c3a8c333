"""3 of Spades, RULES.md section 4: free play with a trump suit, auction steps, all-or-nothing score."""

from __future__ import annotations

Move = tuple[str, bool]
Trick = list[tuple[int, str]]

RANKS = "AKQJT98765432"  # high to low; 3S is an ordinary low spade (4.1)
SUITS = "CDHS"
DECK: list[str] = [r + s for s in SUITS for r in RANKS]
REMOVED = {5: {"2C", "2D"}, 6: {"2C", "2D", "2H", "4C"}, 7: {"2C", "2D", "2H"}}
DEFAULTS: dict = {"trump": None, "three_on_top": False}
CONTRACTS = ["175 by 1", "150 by 0", "250 by 2"]


def deck(players: int) -> list[str]:
    """The cards in play for 5, 6 or 7 players (4.1)."""
    return [c for c in DECK if c not in REMOVED[players]]


def suit(card: str, ctx: dict) -> str:
    """The printed suit; with three_on_top (4.7) 3S belongs to the trump suit, if there is one."""
    if card == "3S" and ctx.get("three_on_top") and ctx.get("trump"):
        return ctx["trump"]
    return card[1]


def _rank(card: str, ctx: dict) -> int:
    """0 for the strongest card of a suit; with three_on_top that is 3S (4.7)."""
    on_top = card == "3S" and ctx.get("three_on_top") and ctx.get("trump")
    return -1 if on_top else RANKS.index(card[0])


def value(card: str, ctx: dict) -> int:
    """3S 30, every A K Q J T 10, every 5 worth 5 (4.1)."""
    if card == "3S":
        return 30
    if card[0] in "AKQJT":
        return 10
    return 5 if card[0] == "5" else 0


def trick_value(ctx: dict) -> int:
    """Tricks as such score nothing."""
    return 0


def legal(seat: int, hand: frozenset[str], trick: Trick, ctx: dict) -> set[Move]:
    """Follow suit if able, otherwise anything (4.4)."""
    follow = {c for c in hand if trick and suit(c, ctx) == suit(trick[0][1], ctx)}
    return {(c, False) for c in follow or hand}


def winner(trick: Trick, ctx: dict) -> int:
    """Highest trump, else highest of the led suit (4.4)."""
    led, trump = suit(trick[0][1], ctx), ctx.get("trump")
    trumps = [(_rank(c, ctx), s) for s, c in trick if suit(c, ctx) == trump]
    return min(trumps or [(_rank(c, ctx), s) for s, c in trick if suit(c, ctx) == led])[1]


def after_move(seat: int, card: str, declare: bool, trick_before: Trick, ctx: dict) -> tuple[dict, int]:
    """Nothing changes and nothing is credited before the end of the trick."""
    return dict(ctx), 0


def after_trick(ctx: dict, winner: int) -> dict:
    """Nothing carries over but the lead, which the caller keeps (4.4)."""
    return dict(ctx)


def raises(current: int | None) -> list[int]:
    """Bids open to the next player: the opener's choices, or +5, +10 and 250 (4.2)."""
    if current is None:
        return list(range(150, 251, 5))
    return sorted(b for b in {current + 5, current + 10, 250} if current < b <= 250)


def auction(players: int, opener: int, actions: list[int | None]) -> tuple[int, int]:
    """(seat, bid) of the auction winner; actions clockwise from the opener, None = pass (4.2)."""
    active, current, seat, holder = set(range(players)), None, opener, opener
    for action in actions:
        if len(active) == 1 or current == 250:
            raise ValueError("the auction is over")
        if action is None and current is None:
            raise ValueError("the opener must bid")
        if action is None:
            active.remove(seat)
        elif action in raises(current):
            current, holder = action, seat
        else:
            raise ValueError(f"illegal bid {action}")
        seat = min(active - {seat}, key=lambda s: (s - seat - 1) % players)
    if current is None or (len(active) > 1 and current != 250):
        raise ValueError("the auction is not over")
    return holder, current


def settle(captured: list[int], team: set[int] | frozenset[int], bid: int) -> list[int]:
    """The bid for every team member if the team reaches it, else for every opponent (4.5)."""
    made = sum(captured[s] for s in team) >= bid
    return [bid if (s in team) == made else 0 for s in range(len(captured))]
