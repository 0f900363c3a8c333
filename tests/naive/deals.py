"""Random test positions for the four games (deck, hand counts and roles of RULES.md 1.1, 2, 3.1, 4.1)."""

from __future__ import annotations

import random

from . import kit, minimax, sheepshead, thousand, three_of_spades

GAMES = {"kit": kit, "sheepshead": sheepshead, "thousand": thousand, "three_of_spades": three_of_spades}
SEATS = {"kit": [2, 3, 4], "sheepshead": [3, 4, 5, 6, 7], "thousand": [2, 3, 4], "three_of_spades": [5, 6, 7]}
USUAL_SEATS = {"kit": 3, "sheepshead": 5, "thousand": 3, "three_of_spades": 5}
SHEEPSHEAD_VARIANTS = ["duties", "none", "under", "ten"]

Hands = list[frozenset[str]]


def deal(
    rng: random.Random, deck: list[str], seats: int, tricks: int, forced: dict[int, set[str]] | None = None
) -> Hands:
    """Random hands of `tricks` cards; `forced` cards are given to their seats first."""
    forced = forced or {}
    taken = set().union(*forced.values()) if forced else set()
    rest = [c for c in deck if c not in taken]
    rng.shuffle(rest)
    out = []
    for seat in range(seats):
        hand = set(forced.get(seat, set()))
        while len(hand) < tricks:
            hand.add(rest.pop())
        out.append(frozenset(hand))
    return out


def some_side(rng: random.Random, seats: int) -> frozenset[int]:
    """A random side, neither empty nor everybody."""
    return frozenset(rng.sample(range(seats), rng.randrange(1, seats)))


def kit_start(rng: random.Random, tricks: int, seats: int) -> tuple[Hands, dict, frozenset[int]]:
    """Kit: one seat against the rest (0.3); half of the positions use the trump option (1.6)."""
    trump = rng.choice([None, None, None, "o", "t", "s"])
    side = frozenset({rng.randrange(seats)})
    return deal(rng, kit.DECK, seats, tricks), {**kit.DEFAULTS, "trump": trump}, side


def thousand_start(rng: random.Random, tricks: int, seats: int) -> tuple[Hands, dict, frozenset[int]]:
    """Thousand: declarer against the rest, partners opposite for half of the four-seat positions."""
    forced = {}
    if tricks >= 2 and rng.random() < 0.5:
        s = rng.choice(thousand.SUITS)
        forced = {rng.randrange(seats): {"K" + s, "Q" + s}}
    trump = rng.choice([None, None, *thousand.SUITS])
    first = trump is None and rng.random() < 0.25
    ctx = {
        **thousand.DEFAULTS,
        "trump": trump,
        "any_trump_yet": trump is not None,
        "first_lead": first,
        "timing": rng.choice(["next_trick", "immediate"]),
    }
    declarer = rng.randrange(seats)
    partner = {(declarer + 2) % 4} if seats == 4 and rng.random() < 0.5 else set()
    return deal(rng, thousand.DECK, seats, tricks, forced), ctx, frozenset({declarer} | partner)


def spades_start(rng: random.Random, tricks: int, seats: int) -> tuple[Hands, dict, frozenset[int]]:
    """3 of Spades: bidder and one to two (7 players: three) partners (4.1, 4.3)."""
    nominal = 4 if seats == 7 else 3
    side = frozenset(rng.sample(range(seats), rng.randrange(2, nominal + 1)))
    ctx = {**three_of_spades.DEFAULTS, "trump": rng.choice(three_of_spades.SUITS)}
    return deal(rng, three_of_spades.deck(seats), seats, tricks), ctx, side


def consistent(hands: Hands, picker: int, x: str, variant: str) -> bool:
    """Could these hands be left over from a legal plan, called suit not yet led (2.3, 2.4)?"""
    mine = hands[picker]
    others = frozenset().union(*(h for s, h in enumerate(hands) if s != picker))
    held = [y for y in sheepshead.FAIL_SUITS if sheepshead.fail_cards(mine, y)]
    if variant == "duties":
        return x in held
    if variant == "ten":
        return x in held and not any("A" + y in others for y in sheepshead.FAIL_SUITS)
    headed = all("A" + y not in others for y in held)
    return x not in held and headed  # under: no ordinary call on the eight


def called_start(rng: random.Random, tricks: int, seats: int, variant: str) -> tuple[Hands, dict, frozenset[int]]:
    """Sheepshead with picker, secret partner and a called card (2.3 point 4)."""
    picker, partner = rng.sample(range(seats), 2)
    x = rng.choice(sheepshead.FAIL_SUITS)
    called = ("T" if variant == "ten" else "A") + x
    while True:
        forced = {partner: {called}}
        if variant != "under":
            ranks = "AAAK987" if variant == "ten" else "TK987"
            forced[picker] = {rng.choice(ranks) + x}
        hands = deal(rng, sheepshead.DECK, seats, tricks, forced)
        if consistent(hands, picker, x, variant):
            break
    under = rng.choice(sorted(hands[picker])) if variant == "under" else None
    ctx = {**sheepshead.DEFAULTS, "called": called, "picker": picker, "under": under}
    return hands, ctx, frozenset({picker, partner})


def sheepshead_start(
    rng: random.Random, tricks: int, seats: int, variant: str | None
) -> tuple[Hands, dict, frozenset[int]]:
    """Sheepshead: one of the variants; three players never have a partner (2.9)."""
    if variant is None:
        variant = rng.choice(SHEEPSHEAD_VARIANTS)
    if seats == 3 or variant == "none":
        hands = deal(rng, sheepshead.DECK, seats, tricks)
        return hands, dict(sheepshead.DEFAULTS), some_side(rng, seats)
    return called_start(rng, tricks, seats, variant)


def random_position(
    game_name: str,
    rng: random.Random,
    tricks: int,
    seats: int | None = None,
    *,
    table: int | None = None,
    variant: str | None = None,
    **ctx_overrides,
) -> dict:
    """A random position: keys hands, leader, trick, ctx, side.

    Every seat has `tricks` cards at the start of the trick; `table` of them (default: none in half of the
    positions, else random) are then played legally at random.  `variant` chooses a Sheepshead variant.
    `ctx_overrides` are set before those cards are played.
    """
    seats = seats or USUAL_SEATS[game_name]
    if seats not in SEATS[game_name]:
        raise ValueError(f"{game_name} is not played by {seats}")
    if game_name == "sheepshead":
        hands, ctx, side = sheepshead_start(rng, tricks, seats, variant)
    else:
        starts = {"kit": kit_start, "thousand": thousand_start, "three_of_spades": spades_start}
        hands, ctx, side = starts[game_name](rng, tricks, seats)
    state = minimax.start(hands, rng.randrange(seats), [], {**ctx, **ctx_overrides})
    if table is None:
        table = rng.choice([0, rng.randrange(seats)])
    for _ in range(table):
        move = rng.choice(minimax.moves(GAMES[game_name], state))
        state, _ = minimax.play(GAMES[game_name], state, move)
    return {
        "hands": list(state.hands),
        "leader": state.leader,
        "trick": list(state.trick),
        "ctx": state.ctx,
        "side": side,
    }
