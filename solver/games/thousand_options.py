"""Options and presets of Thousand (RULES.md 3, variants 3.11 and 3.12), and what is left out with the reason.

A preset is a set of defaults: an option named beside it wins. Two options are information only: the hidden talon and
the open pass change what seats know, not what may be played or what it scores.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from solver.games.options import bool_option, choice, whole

__all__ = ["LEFT_OUT", "PRESETS", "ThousandOptions"]


@dataclass(frozen=True)
class ThousandOptions:
    """Variants of RULES.md 3."""

    preset: str = choice(
        "russian3", "polish3", "ukrainian3", "lviv", "four_sit_out", "four_pairs", "two_fixed",
        help="a named set of defaults for the other options; an option given beside it wins",
    )  # fmt: skip
    table: str = choice(
        "three", "four_sit_out", "four_pairs", "two_fixed",
        help="three seats and a talon; four, of whom the dealer sits out; two pairs, six cards each and no talon; "
        "or two seats, ten cards each and two musiks of two, of which the declarer takes one and discards two",
    )  # fmt: skip
    sitter_credit: str = choice(
        "none", "aces", "marriages", "both",
        help="four_sit_out: the sitter scores 50 for each ace in the talon, its marriages, both or nothing",
    )  # fmt: skip
    discards: str = choice("nobody", "declarer", help="two_fixed: whose the points of the two discarded cards are")

    redeal_four_nines: bool = bool_option(False, "four nines in a hand are dealt again")
    redeal_three_nines: bool = bool_option(False, "three nines in a hand are dealt again")
    redeal_weak_hand: bool = bool_option(False, "a hand of less than 14 card points is dealt again")
    redeal_bad_talon: bool = bool_option(False, "a talon of less than 5 card points is dealt again")

    bid_cap: str = choice(
        "marriage", "flat120", "none", help="highest bid before the talon: 120 + own marriages, 120, or none"
    )
    bid_step: int = whole(5, (5, 10), "bids below 200 are multiples of this; from 200 on of 10")
    all_pass: str = choice(
        "forced_dealer", "forced_forehand", "redeal",
        help="when nobody bids the dealer plays 100; or the forehand must open with 100; or the cards are dealt again",
    )  # fmt: skip
    hidden_talon: bool = bool_option(False, "information only: the talon of a forced 100 is not shown")
    open_pass: bool = bool_option(False, "information only: the cards given to the opponents are shown to all")

    round_before_check: bool = bool_option(True, "card points are rounded before the contract is checked")
    rounding: int = whole(5, (5, 10), "the declarer's card points are rounded to the nearest multiple of this")
    defender_rounding: int = whole(5, (5, 10), "a defender's card points are rounded to the nearest multiple of this")
    score_actual: bool = bool_option(False, "a made contract scores the points taken, not the bid")
    last_trick_bonus: int = whole(0, (0, 10), "points for the last trick")
    write_off: str = choice(
        "write_off", "rospis", "none",
        help="giving up after the talon: minus the bid, half of it to each opponent; nothing, 60 to each opponent; "
        "or not allowed. Every third costs 120 more",
    )  # fmt: skip

    marriages: bool = bool_option(True, "marriages may be declared")
    marriage_needs_trick: bool = bool_option(True, "a marriage needs a trick taken before, so not on the first lead")
    trump_timing: str = choice("next_trick", "immediate", help="when a declared suit becomes trump")
    one_trump: bool = bool_option(False, "only the first marriage makes trumps, later ones only score")
    must_beat: bool = bool_option(True, "a follower must beat the best card of the suit led when able")
    must_play_highest: bool = bool_option(False, "a follower who must beat plays the highest card of the suit")
    must_trump: bool = bool_option(True, "a seat void in the suit led must trump")
    must_overtrump: bool = bool_option(True, "a seat that must trump must overtrump when able")
    partial_trumping: bool = bool_option(False, "a seat that cannot overtrump may throw any card")

    barrel: int = whole(880, (880, 900, 0), "total that mounts the barrel; 0 for no barrel")
    barrel_deals: int = whole(3, (0, 1, 2, 3, 4, 5), "deals on the barrel before the fall; 0 for no limit")
    barrel_shared: str = choice(
        "knock_off", "all_fall", "first_stays", "coexist",
        help="when a second seat mounts: the earlier one falls; all fall; the newcomer falls; or nobody",
    )  # fmt: skip
    sticks: bool = bool_option(True, "a seat without a trick gets a stick; every third costs 120")
    dump_truck: bool = bool_option(True, "a total of exactly 555 or -555 becomes 0")
    no_win_streak: bool = bool_option(True, "three deals in a row without a win cost 120")
    points_capped_from: int = whole(0, (0, 800, 880, 900), "from this total defence points do not count; 0 for never")
    golden_deal: bool = bool_option(False, "in the first deals each seat in turn must play 120, and scores are doubled")


_NO_PENALTIES: dict[str, Any] = {"sticks": False, "dump_truck": False, "write_off": "none"}

#: What each preset changes (RULES.md 3.11).
PRESETS: Mapping[str, Mapping[str, Any]] = {
    "russian3": {},
    "polish3": {
        "bid_step": 10, "all_pass": "forced_forehand", "defender_rounding": 10, "points_capped_from": 800,
        **_NO_PENALTIES,
    },
    "ukrainian3": {"barrel_deals": 2, **_NO_PENALTIES},
    "lviv": {"barrel": 900, "barrel_deals": 0},
    "four_sit_out": {"table": "four_sit_out"},
    "four_pairs": {"table": "four_pairs"},
    "two_fixed": {"table": "two_fixed"},
}  # fmt: skip

#: Known variants that are not offered.
LEFT_OUT: Mapping[str, str] = {
    "preset=polish_site": "sources disagree how its talon of two and the odd card are dealt",
    "preset=two_site": "sources do not say where the seven cards left over lie and what they score",
    "preset=deck_32": "no source gives the deal and the marriages of the 32-card game",
    "preset=deck_20": "no source gives the deal of the 20-card game",
    "declare_without_lead": "a marriage is declared by leading its king or queen",
    "ace_marriage": "sources disagree what four aces score and which suit becomes trump",
    "mizere": "no source gives its place in the auction",
    "slam": "sources disagree what it scores",
    "contra": "sources disagree what is doubled",
    "blind_bids": "sources disagree what is doubled",
}
