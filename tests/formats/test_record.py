"""Records of deals: read tolerantly, written in one form, refused in one line."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import random_records as rr
from solver.formats.record import Record, RecordedCard, RecordedTrick, WrittenResult, write_record
from solver.formats.record_read import load_record, read_record
from solver.games import game
from solver.games.clauses import read_clauses
from solver.model.errors import NotationError, UnsupportedError
from solver.model.play import Move

from .test_cards import attempt

FOLDER = Path(__file__).parents[1] / "data" / "records"
FILES = sorted(FOLDER.glob("*.txt"))

T7 = """\
game: thousand
dealer: 2
hands: AH KH QH 9H 9D JC TS | JD AC TC AS KS QS 9S | JH AD TD KD QD KC QC
talon: TH 9C JS
auction: 0:100 1:110 2:pass 0:120 1:pass
contract: 120 by 0
plan: pass 9C to 1, pass 9D to 2
play:
1. 0 AH, 1 JD, 2 JH -> 0 (15)
2. 0 KH!, 1 9C, 2 9D -> 0 (4)
3. 0 TH, 1 9S, 2 QC -> 0 (13)
4. 0 TS, 1 AS, 2 KC -> 1 (25)
5. 1 QS!, 2 QD, 0 JS -> 1 (8)
6. 1 AC, 2 KD, 0 JC -> 1 (17)
7. 1 TC, 2 TD, 0 9H -> 1 (20)
8. 1 KS, 2 AD, 0 QH -> 1 (18)
result: points 132 128 0; tricks 3 5 0; scores 120 130 0; made
"""

K4 = """\
game: kit
dealer: 2
hands: o2 o1 t3 s4 | o3 t2 t1 s1 | o4 t4 s3 s2
play:
1. 0 s4, 1 s1, 2 s2 -> 0 (1)
2. 0 t3, 1 t1, 2 t4 -> 2 (1)
3. 2 o4, 0 o1, 1 o3 -> 2 (1)
4. 2 s3, 0 o2, 1 t2 -> 2 (1)
result: scores 1 0 3
"""

SEEN = """\
game: sheepshead
seat: 0
dealer: 4
hands: AC 9C QS 7S KH 9D | ? | ? | ? | ?
blind: ?
auction: 0:pass 1:pass 2:pick
contract: picker 2
plan: call AH, bury ?
play:
1. 0 AC, 1 8C, 2 TD
"""


# --------------------------------------------------------------------- the strict form


@pytest.mark.parametrize("text", [T7, K4, SEEN])
def test_the_strict_form_is_written_as_it_was_read(text: str) -> None:
    assert read_record(text).text == text


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_files_are_read_and_written(path: Path) -> None:
    record = load_record(path.read_bytes(), path.name)
    again = read_record(write_record(record))
    assert again == record
    assert write_record(again) == write_record(record)


def test_fields() -> None:
    record = read_record(T7)
    assert record.game == game("thousand")
    assert (record.dealer, record.seat, record.hidden) == (2, None, frozenset())
    assert record.contract.passes == ((1, "9C"), (2, "9D"))
    assert (record.contract.target, record.contract.declarer) == (120, 0)
    assert [str(c) for c in record.calls] == ["0:100", "1:110", "2:pass", "0:120", "1:pass"]
    assert record.play[1] == RecordedTrick(
        (RecordedCard(0, Move("KH", True)), RecordedCard(1, Move("9C")), RecordedCard(2, Move("9D"))), 0, 4
    )
    assert (record.play[1].line, record.lines["auction"]) == (10, 5)
    assert record.result == WrittenResult((132, 128, 0), (3, 5, 0), (120, 130, 0), True)
    assert record.complete
    assert record.deal == game("thousand").read(record.deal.text)
    assert str(record) == T7.rstrip("\n")


@pytest.mark.parametrize(
    "name, text, expected",
    [
        ("thousand", "120 by 0, pass 9C to 1", {"target": 120, "declarer": 0, "passes": ((1, "9C"),)}),
        ("sheepshead", "picker 2, call AC, alone", {"declarer": 2, "called": ("AC",), "kind": "alone"}),
    ],
)
def test_games_read_clauses_without_checking_the_rules(name: str, text: str, expected: dict) -> None:
    one, found = game(name), {}
    for clause in read_clauses(text, name):
        one.read_clause(clause, found, text)
    assert found == expected


def test_one_seats_view() -> None:
    record = read_record(SEEN)
    assert (record.seat, record.talon, record.hidden) == (0, None, {"bury"})
    assert record.hands[1:] == (None,) * 4
    assert not record.complete
    assert record.deal is None
    lone = SEEN.replace(" | ? | ? | ? | ?", "").replace("blind: ?\n", "").replace("plan: call AH, bury ?", "call: ah")
    assert read_record(lone).hands == record.hands
    assert read_record(lone).talon is None
    hand = SEEN.replace("hands: ", "hand 0: ").replace(" | ? | ? | ? | ?", "")
    assert read_record(hand) == record
    passes = "game: thousand\nseat: 1\nhands: ?|JD AC TC AS KS QS 9S|?\nplan: 120 by 0, pass 9C to 1, ? to 2\n"
    seen = read_record(passes)
    assert (seen.contract.passes, seen.hidden) == (((1, "9C"),), {"pass"})
    assert "pass 9C to 1, pass ? to 2" in seen.text
    assert read_record(seen.text) == seen
    under = read_record("game: sheepshead\nplan: picker 1, call AC, under ?, bury ? ?\nhands: ?|?|?|?|?\n")
    assert under.hidden == {"under", "bury"}
    assert read_record(under.text) == under
    played = read_record("game: thousand\ntalon: none\nhands: ? | ? | ?\n")
    assert (played.talon, read_record(played.text)) == (frozenset(), played)


# --------------------------------------------------------------------- tolerance


def swap(text: str, *pairs: tuple[str, str]) -> str:
    for old, new in pairs:
        assert re.search(old, text, re.MULTILINE), old
        text = re.sub(old, new, text, flags=re.MULTILINE)
    return text


@pytest.mark.parametrize(
    "pairs",
    [
        [("^game: ", "\ufeffGAME:")],
        [("^dealer: 2\n", "")],
        [("^dealer: 2", "Dealer: seat 2   # the last")],
        [("^talon", "prikup")],
        [("^talon: (.*)", ""), (r"^(hands: .*)", r"\1 | talon: TH 9C JS")],
        [(" -> .*$", "")],
        [(r"^\d\. ", "")],
        [(r"^\d\. ", ""), (r"(?<=[ ,>])\d (?=[AKQJT9]\w)", ""), (r"^\d (?=[AKQJT9]\w)", "")],
        [("->", "→")],
        [(r"\((\d+)\)$", r": \1 points")],
        [("!", " (+100)")],
        [("KH!", "K♥ !")],
        [(", pass", ",")],
        [("pass 9C to 1, pass 9D to 2", "pass 9D to 2; PASSES 9c TO seat 1")],
        [("auction: .*", "bids: 100, 110, pass, 120, pass")],
        [("auction: .*", "auction: seat 0: 100; 1=110\n  2:pass 120\n\n pass")],
        [("auction: (.*)\n", ""), (r"\Z", "auction: 0:100 1:110 2:pass 0:120 1:pass\n")],
        [("contract: 120 by 0\nplan: ", "contract: 120 by 0, ")],
        [("plan: pass 9C to 1, pass 9D to 2", "pass: 9C to 1, 9D to 2")],
        [(r" \| ", " |\n  ")],
        [("AH KH QH 9H", "♥AKQ9")],
        [("; tricks", ", tricks"), ("; scores 120 130 0", "; score: +120, 130/0")],
        [(r"result: points 132 128 0; ", "result: "), (r"\Z", "points: 132 128 0\n")],
    ],
)
def test_many_ways_to_write_one_record(pairs: list[tuple[str, str]]) -> None:
    written = swap(T7, *pairs)
    found, right = read_record(written), read_record(T7)
    if "->" not in written and "→" not in written:
        bare = tuple(RecordedTrick(t.cards) for t in right.play)
        right = Record(**{**vars(right), "play": bare})
    if found.play[0].cards[0].seat is None:
        bare = tuple(
            RecordedTrick(tuple(RecordedCard(None, m) for _, m in t.cards), t.winner, t.points) for t in right.play
        )
        right = Record(**{**vars(right), "play": bare})
    assert found == right


def test_options_and_seats() -> None:
    record = read_record("game: 1000\noptions: bid_cap=flat120; must_trump=off\nhands: ?|?|?\n")
    assert record.game == game("thousand", bid_cap="flat120", must_trump=False)
    assert "options: bid_cap=flat120, must_trump=off\n" in record.text
    six = read_record("game: three_of_spades\nhands: ? | ? | ? | ? | ? | ?\n")
    assert six.game.seats == 6
    assert read_record(six.text) == six
    four = read_record("game: sheepshead\noptions: seats=4, partner=called\nhands: ?|?|?|?\n")
    assert (four.game.hand_size, read_record(four.text)) == (7, four)


# --------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    "text, parts",
    [
        ("", ["no game is named", "game: thousand"]),
        ("dealer: 0", ["no game is named"]),
        ("AH KH", ["line 1", "belongs to no key"]),
        ("game: whist4", ["line 1", "no game 'whist4'"]),
        (T7.replace("thousand", "kit"), ["line 3", "'AH'", "the kit"]),
        (T7.replace("auction:", "auktion:"), ["line 5", "'auktion:'", "did you mean 'auction'"]),
        (T7.replace("dealer:", "zzz:"), ["line 2", "unknown key", "there are game"]),
        (T7 + "dealer: 1\n", ["line 18", "'dealer' stands twice", "line 2"]),
        (T7.replace("dealer: 2", "dealer: 3"), ["line 2", "dealer is '3'", "seat from 0 to 2"]),
        (T7.replace("dealer: 2", "seat: me"), ["line 2", "seat is 'me'"]),
        (T7.replace("| JD", "| AH"), ["line 3", "AH stands twice", "seat 0", "seat 1"]),
        (T7.replace("KH QH", "KH KH"), ["line 3", "KH stands twice"]),
        (T7.replace("JS\n", "JD\n"), ["line 3", "JD stands twice", "the talon"]),
        (T7.replace(" JS\n", "\n"), ["2 cards in the talon", "3 or 0"]),
        (T7.replace("KH QH 9H 9D", "KH QH 9H"), ["seat 0 6", "7 a seat"]),
        (T7.replace(" | JH", " JH"), ["line 3", "read 2 hands", "3 seats"]),
        (T7.replace("AH KH", "AH 2H"), ["line 3", "place 11", "AH 2H"]),
        (T7.replace("1:110", "1-110"), ["line 5", "'1-110'", "SEAT:CALL"]),
        (T7.replace("1:110", "7:110"), ["line 5", "no seat 7"]),
        (T7.replace("120 by 0", "120 at 0"), ["line 6", "'120 at 0'"]),
        (T7.replace("120 by 0", "120 by 3"), ["line 6", "by '3'", "0 to 2"]),
        (T7.replace("plan: ", "plan: 125, "), ["line 7", "bid is 125", "120 in line 6"]),
        (T7.replace("plan: ", "plan: call AH, "), ["line 7", "no 'call'"]),
        (T7.replace("9D to 2", "9C to 2"), ["line 6", "9C stands twice"]),
        (T7.replace("9D to 2", "9D to 1"), ["two cards are passed to one seat"]),
        (T7.replace("9C to 1", "9C ? to 1"), ["line 7", "'?' stands for"]),
        (T7.replace("plan: ", "plan: ? , "), ["line 7", "'?'"]),
        (T7.replace("3. ", "5. "), ["line 11", "trick 5 stands where trick 3"]),
        (T7.replace("2. 0 KH!, ", "2. "), ["line 10", "trick 2 has 2 cards"]),
        (T7.replace(" -> 0 (15)", ""), []),
        (T7.replace("-> 0 (15)", "-> 4 (15)"), ["line 9", "winner is 4"]),
        (T7.replace("-> 0 (15)", "-> nobody"), ["line 9", "'nobody'", "-> 2 (15)"]),
        (T7.replace("1 JD, 2 JH", "1 2 JH, JD"), ["line 9", "'2'", "the card of seat 1"]),
        (T7.replace("2 JH ->", "2 ->"), ["line 9", "'2'", "card of seat 2 after it"]),
        (T7.replace("2 JH ->", "2 J ->"), ["line 9", "'J'"]),
        (T7.replace("KH!", "!"), ["line 10", "'!'", "KH!"]),
        (T7.replace("KH!", "?"), ["line 10", "'?'"]),
        (T7.replace("points 132 128 0", "points 132 128"), ["line 17", "2 points", "3 are expected"]),
        (T7.replace("; made", "; mode"), ["line 17", "'mode'"]),
        (T7.replace("; made", "; made 3"), ["line 17", "no number follows"]),
        (T7.replace("; made", "; scores 1 2 3"), ["line 17", "scores stands twice"]),
        (T7.replace("; made", "; 17"), ["line 17"]),
        (T7.replace("120 by 0", "1" * 5000 + " by 0"), ["line 6", "5015 characters"]),
        (T7.replace("120 by 0", "1" * 500 + " by 0"), ["line 6", "500 digits"]),
        (T7 + "#" * 100_000, ["100"]),
        ("game: sheepshead\nplan: picker 2, call AH, alone\nhands: ?|?|?|?|?", []),
        ("game: kit\noptions: colour=red", ["line 2", "no option 'colour'"]),
        ("game: kit\noptions: seats", ["line 2", "NAME=VALUE"]),
        ("game: kit\nhand 7: o1", ["line 2", "no seat 7"]),
        ("game: kit\nhand 0: o1 o2 o3 o4\nhands: ?|?|?", ["line 3", "'hands' stands twice"]),
        ("game: kit\nhand 0: o1 o2 o3 o4\n t1", ["line 3", "the hand runs on"]),
        ("game: thousand\ntalon: AH\n KH JH", ["line 3", "the talon runs on"]),
        ("game: sheepshead\nplan: bury TC ?\nhands: ?|?|?|?|?", ["line 2", "'?' stands for a whole bury"]),
        ("game: sheepshead\nplan: bury TC 8C, bury ?", ["line 2", "with cards and with '?'"]),
    ],
)
def test_refusals_say_where_and_what(text: str, parts: list[str]) -> None:
    if not parts:  # is read: the rules are `check`'s business
        read_record(text)
        return
    with pytest.raises((NotationError, UnsupportedError)) as caught:
        read_record(text)
    message = str(caught.value)
    assert [part for part in parts if part not in message] == []
    assert "\n" not in message
    assert len(message) < 500


def test_bytes() -> None:
    assert load_record(T7.encode("utf-8-sig"), "t7.txt") == read_record(T7)
    with pytest.raises(NotationError, match=r"t7\.txt is not UTF-8 text: byte 3"):
        load_record(b"ga\xff", "t7.txt")


# --------------------------------------------------------------------- round trips


@given(st.sampled_from(rr.RULES), st.integers(0, 10**9), st.none() | st.integers(0, 25))
def test_round_trip(rules: tuple[str, dict[str, object]], seed: int, cards: int | None) -> None:
    one, rng = game(rules[0], **rules[1]), random.Random(seed)
    record = rr.played(rng, one, cards=cards, seats=rng.choice([0, 0.5, 1])).record
    for written in (record, rr.view(record, rng.randrange(one.seats))):
        again = read_record(written.text)
        assert again == written
        assert again.text == written.text


@given(st.text(max_size=300) | st.binary(max_size=300))
def test_any_text_is_a_record_or_refused(text: str | bytes) -> None:
    raw = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    _, message = attempt(load_record, raw, "it")
    assert "\n" not in message
