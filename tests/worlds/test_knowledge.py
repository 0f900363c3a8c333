"""What a seat knows, step by step: sizes from RULES.md, named situations, words, and errors."""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial
from pathlib import Path

import pytest

import solver as tw
from naive.sheepshead import TRUMPS
from solver.formats.record_read import load_record, read_record
from solver.games import game
from solver.model.errors import IllegalPlayError
from solver.worlds.knowledge import Knowledge, knowledge

RECORDS = Path(__file__).parents[1] / "data" / "records"
T5 = "AH KH QH 9H TS JC 9D"  # the hands of RULES 3.14, T5
T5_1, T5_2 = "AS KS QS 9S AC TC JD", "TD JH QC KC KD QD AD"
TALON = "TH JS 9C"


def record(name: str, seat: int | None = None) -> Knowledge:
    return Knowledge.from_record(load_record((RECORDS / f"{name}.txt").read_bytes(), name), seat)


# --------------------------------------------------------------------- sizes of RULES.md


def test_kit_has_70_worlds() -> None:
    assert game("kit").knowledge(0, "o1 o2 t3 s4").count() == 70  # 1.5


def test_thousand_sizes() -> None:
    me = game("thousand").knowledge(seat=0, hand=T5)
    assert me.count() == 2_333_760 == comb(17, 3) * comb(14, 7)  # 3.13, before the talon
    assert me.see(talon=TALON).count() == 3432  # 3.13, after it
    defender = game("thousand").knowledge(1, T5_1).see(talon=TALON).contract("120 by 0, pass 9D to 1")
    assert defender.count() == 6435 == comb(13, 8) + 3 * comb(13, 7)  # 3.13, who got no card of the talon


def test_sheepshead_sizes() -> None:
    sheep = game("sheepshead")
    hand = "QC QD JS AD TD 9H"  # the picker of S6
    me = sheep.knowledge(2, hand)
    assert me.contract("picker 2").count() == me.count() == 325 * 2_308_743_493_056  # 2.10, before the blind is seen
    me = me.see(talon="TC 8H")
    assert me.count() == me.contract("picker 2").count() == 2_308_743_493_056
    assert me.contract("picker 2, call AH, bury TC 8H").count() == 2_308_743_493_056  # 2.10, after the bury
    other = sheep.knowledge(0, "QS 9D AC 9C KH 7S")
    assert other.count() == 325 * 2_308_743_493_056  # 2.10, a defender before trick 1
    alone = other.contract("picker 2, alone")
    assert alone.count() == 325 * 2_308_743_493_056
    called = other.contract("picker 2, call AH")
    assert called.count() < alone.count()


def test_a_call_in_numbers() -> None:
    """AH with one of three other seats, and a heart kept by the picker: five other hearts less the own one."""
    me = game("sheepshead").knowledge(0, "QS 9D AC 9C KH 7S").contract("picker 2, call AH")
    kept = comb(25, 6) - comb(21, 6)  # picker's hands from all but AH, with one of the four hearts unseen
    rest = 19  # AH to one of three seats, then the others and the bury
    assert me.count() == kept * 3 * comb(rest, 5) * comb(rest - 5, 6) * comb(rest - 11, 6)
    assert me.partner()["p"].tolist() == pytest.approx([0, 1 / 3, 1 / 3, 1 / 3])


def test_three_of_spades_size() -> None:
    me = game("three_of_spades").knowledge(1, "AC KC QC JC TC 9C 8C 7C 6C 5C")
    assert me.count() == factorial(40) // factorial(10) ** 4  # 4.6
    assert me.contract("175 by 1, trump S, call AS KD").count() == factorial(40) // factorial(10) ** 4


def test_other_games() -> None:
    assert (
        game("whist").knowledge(0, "AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C 2C").count() == factorial(39) // 6227020800**3
    )
    dummy = game("bridge").knowledge(0, "AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C 2C").contract("3NT by 3")
    seen = dummy.see(hands={1: "AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D"})
    assert seen.count() == comb(26, 13)
    skat = game("skat").knowledge(0, "JC JS AC TC KC QC 9C 8C 7C AS").contract("hearts by 1, bury ?")
    assert skat.count() == factorial(22) // (factorial(10) ** 2 * 2)


# --------------------------------------------------------------------- named situations


def test_a_missed_must_beat() -> None:
    me = game("thousand").knowledge(0, T5).see(talon=TALON).contract("120 by 0, pass 9C to 1, 9D to 2")
    assert me.chance("JD", 1) == Fraction(1, 2)
    me = me.played("0 KH, 1 9C")
    assert "seat 1 holds no heart: it played 9C when hearts were led in trick 1" in me.explain()
    me = game("thousand").knowledge(2, T5_2).see(talon=TALON).contract("120 by 0, pass 9D to 2")
    me = me.played("0 QH, 1 9H")
    assert me.chance("KH", 1) == me.chance("AH", 1) == 0
    assert "seat 1 holds no heart above the queen: it did not beat QH in trick 1" in me.explain()


def test_a_missed_overtrump() -> None:
    """Hearts are trumps from trick 3; in trick 4 seat 1 trumps spades, and seat 2 trumps below it."""
    me = game("thousand").knowledge(0, "AS TS KS QS JS 9S AD TD").contract("120 by 1")
    me = me.played("1 AC 2 JC 0 9S, 1 QH! 2 AH 0 JS, 2 JD 0 AD 1 9D")
    assert me.chance("TH", 2) == Fraction(5, 9)  # KH, declared, is with seat 1; nine more cards are unseen
    me = me.played("0 AS 1 JH 2 9H")
    assert "seat 2 holds no heart above the jack: it did not overtrump JH in trick 4" in me.explain()
    assert me.chance("TH", 2) == 0


def test_a_declared_marriage_shows_the_other_card() -> None:
    me = game("thousand").knowledge(0, T5).see(talon=TALON).contract("120 by 0, pass 9C to 1, JS to 2")
    me = me.played("0 TS, 1 AS, 2 JS")
    assert me.chance("QC", 1) < 1
    me = me.played("1 QC!")
    assert me.chance("KC", 1) == 1
    assert "seat 1 held KC: it declared a marriage with QC in trick 2" in me.explain()


def test_the_passer_knows_the_card_and_the_others_do_not() -> None:
    told = game("thousand").knowledge(0, T5).see(talon=TALON).contract("120 by 0, pass 9C to 1, 9D to 2")
    assert told.situation.held[1] == {"9C"}
    assert "seat 1 holds 9C: it was passed to it" in told.explain()
    full = record("thousand_t7", 1)
    assert full.agreed is not None
    assert full.agreed.passes == ((1, "9C"),)
    assert full.hidden == {"pass"}
    shown = game("thousand", open_pass=True)
    seen = Knowledge.from_record(read_record((RECORDS / "thousand_t7.txt").read_text().replace(
        "game: thousand", "game: thousand\noptions: open_pass=on")), 1)  # fmt: skip
    assert seen.game == shown
    assert len(seen.agreed.passes) == 2


def test_three_voids() -> None:
    me = game("kit", seats=4, suits=3, ranks=8).knowledge(0, "o8 o7 o6 o5 t1 s1")
    me = me.played("0 o8, 1 t2, 2 s3, 3 t4")
    lines = me.explain()
    assert [f"seat {s} holds no circle: it played {c} when circles were led in trick 1" for s, c in
            ((1, "t2"), (2, "s3"), (3, "t4"))] == list(lines)  # fmt: skip
    with pytest.raises(IllegalPlayError, match="no deal is left in which all cards were legal"):
        me.count()  # circles 1 to 4 would be with nobody


def test_partner_not_shown_and_the_called_suit_not_led() -> None:
    me = game("sheepshead").knowledge(0, "QS 9D AC 9C KH 7S").contract("picker 2, call AS")
    me = me.played("0 AC, 1 8C, 2 TD, 3 KC, 4 7C")
    held = [me.chance("AS", s) for s in range(5)]
    assert held[0] == held[2] == 0
    assert sum(held) == 1
    assert me.chance("AS", "bury") == 0
    me = me.played("2 TS")  # the picker leads its spade: the partner must play the ace
    assert me.chance("AS", 3) > 0
    me = me.played("3 8S")
    assert me.chance("AS", 3) == 0
    assert "seat 3 does not hold AS: it did not play it when its suit was led in trick 2" in me.explain()
    assert me.played("4 9S").partner()["p"].tolist() == [0, 1, 0, 0]


def test_a_partner_who_leads_the_called_suit_leads_the_called_card() -> None:
    me = game("sheepshead").knowledge(1, "QS 9D AC 9C KH 7S").contract("picker 2, call AS")
    me = me.played("0 8S")
    assert "seat 0 does not hold AS: it led 8S of the called suit in trick 1" in me.explain()
    assert me.partner()["p"].tolist() == pytest.approx([0, 0, 0.5, 0.5])


def test_the_picker_throws_a_card_of_the_called_suit_only_with_another() -> None:
    me = game("sheepshead").knowledge(0, "QS 9D AC 9C KH 7S").contract("picker 2, call AS").played("0 AC, 1 8C")
    spades = {c for c in me.cards if c[1] == "S" and c[0] not in "QJ"} - {"AS"}
    me = me.played("2 KS")
    left = spades - {"KS"}
    assert sum(me.chance(c, 2) for c in left) >= 1
    found = me.sample(200, seed=1)
    assert all(found.place_cards(i, 2) & left for i in range(200))


def test_under_card_out_and_bury_unknown() -> None:
    me = game("sheepshead").knowledge(0, "QS 9D KH TH 7S 8H").contract("picker 2, call AC, under ?, bury ?")
    kinds = [p.kind for p in me.situation.places if p.size]
    assert kinds == ["hand"] * 4 + ["bury", "under"]
    assert me.chance("AC", 2) == me.chance("AC", "bury") == me.chance("9C", 2) == me.chance("7C", "under") == 0
    found = me.sample(100, seed=2)
    assert len(found.groups) > 3  # the under card differs, and with it the order of the cards
    later = me.played("0 QS, 1 7D, 2 QC, 3 8D, 4 JD")
    assert later.count() < me.count()
    known = later.contract("picker 2, call AC, under KD, bury ?").played("2 KD, 3 AC, 4 KC")
    assert known.position is not None
    assert known.position.rules.called.under == "KD"
    assert known.partner()["p"].tolist() == [0, 0, 1, 0]


def test_the_under_card_shows_itself_when_the_called_suit_is_led() -> None:
    me = game("sheepshead").knowledge(0, "QS 9D KC TH 7S 8H").contract("picker 2, call AC, under ?")
    me = me.played("0 KC, 1 AC, 2 JD")
    assert me.situation.contract is not None
    assert me.situation.contract.under == "JD"
    assert me.situation.place("under") is None


def test_called_ten_pins_three_aces() -> None:
    me = game("sheepshead").knowledge(0, "QS 9D KC TH 7S 8H").contract("picker 2, call TC")
    for ace in ("AC", "AS", "AH"):
        assert me.chance(ace, 2) + me.chance(ace, "bury") == 1
    none = game("sheepshead").knowledge(0, "QS 9D AC TH 7S 8H").contract("picker 2, call TC")
    with pytest.raises(IllegalPlayError, match="no deal is left"):
        none.count()


def test_no_trump_is_buried_without_need() -> None:
    strict = game("sheepshead", bury_trump=False).knowledge(0, "QS 9D KC TH 7S 8H").contract("picker 2, call AS")
    found = strict.sample(2000, seed=3)
    trumps = set(TRUMPS)
    for i in range(len(found)):
        bury, kept = found.place_cards(i, 5), found.place_cards(i, 2)
        assert not bury & trumps or len((bury | kept) - trumps) < 2


def test_two_called_cards_may_be_in_one_hand() -> None:
    me = game("three_of_spades").knowledge(1, "AC KC QC JC TC 9C 8C 7C 6C 5C").contract("175 by 1, trump S, call AS KD")
    chances = dict(zip(me.partner()["seat"], me.partner()["p"], strict=True))
    both = Fraction(9, 39)  # the second card goes to the same hand of ten
    each = (2 - both) / 4
    assert chances == pytest.approx(dict.fromkeys((0, 2, 3, 4), float(each)))
    found = me.sample(4000, seed=4)
    sizes = [int(s).bit_count() for s in found.sides]
    assert set(sizes) == {2, 3}
    assert sizes.count(2) / 4000 == pytest.approx(float(both), abs=0.03)


def test_a_bid_shows_marriages() -> None:
    me = game("thousand").knowledge(0, "AH TH JH 9H AD TD JD", dealer=2).heard("0:100 1:150 2:pass 0:pass")
    plain = game("thousand").knowledge(0, "AH TH JH 9H AD TD JD").count()
    assert me.count() < plain
    assert "seat 1: it bid 150, so it was dealt marriages worth 30 or more" in me.explain()
    found = me.sample(300, seed=1)
    assert all(me.game.cap(found.deal(i).hands[1]) >= 150 for i in range(300))


def test_hidden_talon_of_a_forced_bid() -> None:
    text = "game: thousand\noptions: hidden_talon=on\ndealer: 2\nhands: {}\ntalon: TH JS 9C\nauction: 0:pass 1:pass\n"
    text = text.format(f"{T5} | {T5_1} | {T5_2}") + "contract: 100 by 2\nplan: pass 9C to 0, JS to 1\n"
    hidden, shown = (Knowledge.from_record(read_record(t), 0) for t in (text, text.replace("=on", "=off")))
    assert hidden.talon is None
    assert shown.talon == {"TH", "JS", "9C"}
    assert hidden.count() == comb(16, 8)
    assert shown.count() == comb(14, 8) + 2 * comb(14, 7)


def test_records() -> None:
    me = record("sheepshead_view")
    assert me.seat == 0
    assert me.partner()["p"].sum() == 1.0
    assert record("kit_k4", 1).count() == 1
    assert knowledge(load_record((RECORDS / "kit_k4.txt").read_bytes(), ""), 2).seat == 2
    assert tw.knowledge("kit", 0, "o1 o2 t3 s4").count() == 70


def test_lengths_and_probabilities_add_up() -> None:
    me = record("sheepshead_view")
    frame = me.probabilities()
    assert frame.groupby("card")["p"].sum().tolist() == pytest.approx([1.0] * len(me.cards))
    for place in me.situation.places:
        if place.size:
            assert frame[frame["place"] == place.name(me.game)]["p"].sum() == pytest.approx(place.size)
    assert me.lengths().groupby(["place", "suit"])["p"].sum().tolist() == pytest.approx([1.0] * (5 * 4 + 4))
