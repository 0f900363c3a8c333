"""``bid``, ``plan`` and ``numbers``: how high, with what plan, and what the chance of it means."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from solver.cli.advise import read_until
from solver.cli.command import command, form, note, waiting, write_estimate
from solver.cli.files import Force, check_files
from solver.cli.parameters import (
    Csv,
    GameName,
    HandText,
    Json,
    Lead,
    Limit,
    LimitOrUsual,
    Options,
    Plot,
    Seat,
    Seed,
    Settled,
    Talons,
    Target,
    Totals,
    Until,
    Workers,
    Worlds,
    chosen_seed,
    find_game,
    find_hand,
)
from solver.cli.worlds import Auction, Dealer, File, Hand, Name, Talon, find_knowledge
from solver.model.errors import NotationError

if TYPE_CHECKING:
    from solver.worlds.knowledge import Knowledge

#: Last line under a success curve.
MEANING = (
    "p: share of these deals in which the bid makes double dummy (all cards seen by all, perfect play); "
    "no forecast of play at a table"
)

Every = Annotated[bool, typer.Option("--all", help="print long tables whole")]
ContractOption = Annotated[
    str, typer.Option("--contract", "--plan", help="what is settled; with a plan that plan is judged")
]


@command
def bid(
    game: Name = "",
    hand: Hand = "",
    contract: ContractOption = "",
    seat: Seat = None,
    lead: Lead = None,
    talon: Talon = "",
    auction: Auction = "",
    record: File = "",
    dealer: Dealer = None,
    worlds: Worlds = "",
    talons: Talons = "",
    totals: Totals = "",
    until: Until = "",
    seed: Seed = None,
    limit: LimitOrUsual = None,
    workers: Workers = None,
    plot: Plot = "",
    force: Force = False,
    option: Options = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """How often each bid makes for one hand, with the best plan, and whether it beats passing."""
    from solver.formats.arguments import read_number

    check_files(force=force, plot=plot)
    source, cards, told = _asked(game, hand, contract, lead, talon, auction, record, seat, dealer, option)
    given: dict[str, Any] = {"worlds": read_number("worlds", worlds), "talons": read_number("talons", talons)}
    width: Any = read_until(until)  # `bid` says what it cannot be
    from solver.bidding.bid import bid as ask
    from solver.bidding.of_game import bidding_of
    from solver.views import tables
    from solver.views.bids import bid_rows

    match = bidding_of(getattr(source, "game", source)).match_from(totals) if totals else None
    # A knowledge has all of these; beside a game they are told.
    more: dict[str, Any] = {} if cards is None else {"contract": told, "seat": seat, "dealer": dealer}
    with waiting("deals searched") as progress:
        found = ask(
            source, cards or "", seed=chosen_seed(seed), limit=limit, workers=workers, progress=progress, until=width,
            match=match, **more, **given,
        )  # fmt: skip
    if found.partial and not found.n:
        raise KeyboardInterrupt

    def table() -> None:
        tables.print_table(bid_rows(found), sys.stdout, heading=found.heading, notes=[*found.notes, MEANING])

    write_estimate(found, form(json, csv), table)
    if plot:
        from solver.views.plot import save_curve

        save_curve(found, plot)
    if found.partial:
        raise KeyboardInterrupt


def _asked(
    game: str, hand: str, contract: str, lead: int | None, talon: str, auction: str, record: str, seat: int | None,
    dealer: int | None, option: list[str] | None,
) -> tuple[Any, str | None, str]:  # fmt: skip
    """What `bid` is asked about: a game with a hand and a contract, or a knowledge told part by part."""
    if lead is not None:
        contract = f"{contract}, lead {lead}"
    if talon or auction or record:
        known: Knowledge = find_knowledge(game, hand, "", "", talon, auction, record, seat, dealer, option)
        if contract:
            from solver.bidding.question import read_contract

            known = known.contract(read_contract(known.game, contract, known.seat, known.dealer))
        return known, None, ""
    if not game or not hand:
        raise NotationError("name a game and your cards, or a record with --record")
    chosen = find_game(game, option)
    cards, _ = find_hand(chosen, hand, seat or 0)
    return chosen, cards, contract


@command
def plan(
    game: GameName,
    hand: HandText,
    contract: Settled = "",
    seat: Seat = None,
    target: Target = None,
    worlds: Worlds = "",
    exhaustive: Annotated[
        bool | None, typer.Option("--exhaustive/--sampled", help="all plans in all worlds, or never")
    ] = None,
    every: Every = False,
    seed: Seed = None,
    limit: Limit = 0,
    workers: Workers = None,
    option: Options = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Which pass, call and bury, or trumps and called cards: every plan of a hand ranked over deals that fit it."""
    from solver.formats.arguments import read_number

    chosen = find_game(game, option)
    number = read_number("worlds", worlds)
    if isinstance(number, str):
        number, exhaustive = None, True
    text, _ = find_hand(chosen, hand, seat or 0, talon=True)
    from solver.bidding.planning import plan as ask
    from solver.views import tables
    from solver.views.bids import SHOWN, plan_rows, raise_rows

    with waiting("deals searched") as progress:
        found = ask(
            chosen, text, contract or None, seat=seat, bid=target, worlds=number, exhaustive=exhaustive,
            seed=chosen_seed(seed), limit=limit, workers=workers, progress=progress,
        )  # fmt: skip

    def table() -> None:
        rows = plan_rows(found)
        if len(rows) > SHOWN and not every:
            note(f"the best {SHOWN} of {len(rows)} plans: --all prints all, --json and --csv have all")
            rows = rows[:SHOWN]
        tables.print_table(rows, sys.stdout, heading=found.heading, notes=[*found.notes, PLAN_MEANING])
        if len(found.by_bid):
            sys.stdout.write("\n")
            tables.print_table(raise_rows(found), sys.stdout, heading=["best plan for each bid, by halving"])

    write_estimate(found, form(json, csv), table)
    if found.partial:
        raise KeyboardInterrupt


#: Last line under a ranking.
PLAN_MEANING = "double dummy: from the first lead on all seats see all cards; the plan is chosen without seeing them"


@command
def numbers(
    game: Name = "",
    hand: Hand = "",
    contract: ContractOption = "",
    seat: Seat = None,
    lead: Lead = None,
    talon: Talon = "",
    auction: Auction = "",
    record: File = "",
    dealer: Dealer = None,
    target: Target = None,
    worlds: Worlds = "",
    talons: Talons = "",
    deals: Annotated[int | None, typer.Option(min=1, help="deals to play out")] = None,
    own_worlds: Annotated[int | None, typer.Option(min=1, help="worlds that a seat draws for a card")] = None,
    fast: Annotated[bool, typer.Option("--fast", help="double dummy and blind lead only")] = False,
    seed: Seed = None,
    workers: Workers = None,
    plot: Plot = "",
    force: Force = False,
    option: Options = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """One chance in four ways, side by side: double dummy, blind lead, self-play, guaranteed."""
    from solver.formats.arguments import read_number

    check_files(force=force, plot=plot)
    source, cards, told = _asked(game, hand, contract, lead, talon, auction, record, seat, dealer, option)
    many, outer = read_number("worlds", worlds), read_number("talons", talons)
    if isinstance(many, str) or isinstance(outer, str):
        raise NotationError("numbers: name a number of worlds or talons, not all")
    from solver.bidding.sidebyside import numbers as ask
    from solver.views import tables

    more: dict[str, Any] = {} if cards is None else {"contract": told, "seat": seat, "dealer": dealer}
    with waiting("deals searched and played") as progress:
        found = ask(
            source, cards or "", bid=target, seed=chosen_seed(seed), talons=outer, worlds=many, deals=deals,
            own_worlds=own_worlds, fast=fast, workers=workers, progress=progress, **more,
        )  # fmt: skip

    def table() -> None:
        tables.print_table(found.frame, sys.stdout, heading=found.heading, notes=found.notes)

    write_estimate(found, form(json, csv), table)
    if plot:
        from solver.views.plot import save_numbers

        save_numbers(found, plot)
    if found.partial:
        raise KeyboardInterrupt
