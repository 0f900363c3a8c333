"""House rules of Sheepshead (RULES.md 2.11): the options, what contradicts what, and what is left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from solver.games.options import bool_option, choice, whole
from solver.model.checks import excerpt
from solver.model.errors import UnsupportedError

__all__ = ["LEFT_OUT", "USUAL_PARTNER", "SheepsheadOptions", "check_options"]

#: Partner rule of each number of seats when none is named (RULES.md 2.9).
USUAL_PARTNER: Mapping[int, str] = MappingProxyType({3: "none", 4: "none", 5: "called", 6: "jd", 7: "jd"})

#: Variants that are known and not offered, with the reason.
LEFT_OUT: Mapping[str, str] = MappingProxyType(
    {
        "partner=left": "the seat left of the picker would share the blind, so two seats would bury",
        "jd_call_up=before_blind": "a plan is judged by the picker's cards with the blind, not by those dealt",
        "call_ten=play_ace": "the picker's duty to play the ace to the called ten is no rule of play here",
        "leaster_tie=random": "the score of a deal is not drawn by lot here",
    }
)


@dataclass(frozen=True)
class SheepsheadOptions:
    """Variants of RULES.md 2.11; the first value of each is the default."""

    seats: int = whole(5, (3, 4, 5, 6, 7), "number of players")
    partner: str = choice(
        "called", "jd", "jc", "queens", "none",
        help="who helps the picker: holder of a called card, of JD, of JC, nobody; queens: holders of QC and QS play "
        "together and nobody picks (4 seats); not named, it is none with 3 or 4 seats, jd with 6 or 7",
    )  # fmt: skip
    jd_call_up: bool = bool_option(False, "a picker who holds JD may call the next of JH JS JC not held")
    hold_card: bool = bool_option(True, "the picker needs, and keeps, a card of the called suit")
    partner_leads_any: bool = bool_option(False, "the partner may lead any card of the called suit")
    picker_leads_called: bool = bool_option(
        False, "until the called suit has been led the picker may lead it only for want of other cards"
    )
    under_may_be_led: bool = bool_option(True, "the picker may lead the under card")
    under_test: str = choice(
        "eight", "after_bury", help="cards that must allow no ordinary call for an under call: with the bury or without"
    )
    call_own_ace: bool = bool_option(
        False, "the picker may call an ace that it keeps: alone in secret, with the duties of picker and partner"
    )
    call_ten: bool = bool_option(True, "with all three fail aces a fail ten may be called")
    called_ten_wins: bool = bool_option(True, "a called ten beats its ace when the suit is first led")
    bury_trump: bool = bool_option(True, "trumps may be buried; off: only for want of other cards")
    bury_ace: bool = bool_option(True, "aces may be buried; off: only for want of other cards")
    picker_alone_leads: bool = bool_option(False, "a picker who plays openly alone leads the first trick")
    no_pick: str = choice(
        "leaster", "doubler", "forced_dealer", "redeal", "moster", "mittler", "schneidster", "schwanzer",
        help="when all pass: fewest points win; next deal x2; the dealer picks; deal again; most points lose; middle "
        "points win; nearest to 30 and not above wins; most trump power (Q 3, J 2, other diamond 1) loses, unplayed",
    )  # fmt: skip
    doubler_stacks: bool = bool_option(False, "several doublers in a row multiply")
    weak_redeal: bool = bool_option(False, "a hand without ace, face card and trump may claim a new deal")
    leaster_blind: str = choice(
        "last_trick", "first_trick", "nobody", help="who gets the blind's points when nobody picks"
    )
    leaster_tie: str = choice(
        "wash", "split", help="seats tied for a leaster: nobody pays; or each other seat pays 1 to each of them"
    )
    double_on_bump: bool = bool_option(True, "losses of the picking side count double")
    partner_off_hook: bool = bool_option(True, "the partner pays nothing when the picking side takes no trick")
    schwarz: str = choice("tricks", "points", help="schwarz is every trick, or all 120 points (against: none of them)")
    crack: str = choice("off", "crack", "recrack", help="opponents may double; the picking side may then double again")
    blitz: bool = bool_option(False, "a blitz doubles")
    multiplier_cap: int = whole(0, (0, 2, 4, 8, 16), "most that doublings multiply a score by, 0 for no end")


def check_options(o: SheepsheadOptions) -> None:
    """Raise UnsupportedError for options that contradict each other."""

    def clash(option: str, why: str) -> UnsupportedError:
        return UnsupportedError(f"sheepshead option {option} is {excerpt(getattr(o, option))}, but {why}")

    if o.seats == 3 and o.partner != "none":
        raise clash("partner", "with seats=3 the picker has no partner")
    if o.partner == "queens" and o.seats != 4:
        raise clash("partner", f"two against two needs seats=4, not {o.seats}")
    if o.jd_call_up and o.partner != "jd":
        raise clash("jd_call_up", f"it goes with partner=jd, not {o.partner}")
    if o.no_pick == "mittler" and o.seats % 2 == 0:
        raise clash("no_pick", f"of seats={o.seats} none is in the middle")
    if o.doubler_stacks and o.no_pick != "doubler":
        raise clash("doubler_stacks", f"it goes with no_pick=doubler, not {o.no_pick}")
