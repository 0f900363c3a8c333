"""LIN: boards of bridge servers, read tolerantly, written in one form."""

from __future__ import annotations

import random
from dataclasses import replace
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.formats.lin import left_out, lin_boards, read_lin, write_lin
from solver.formats.pbn import Board, read_pbn
from solver.formats.pbn_write import write_pbn
from solver.games import game
from solver.model.errors import NotationError

from .mutations import case, mutations

BBO = "N:8732.AKQ4.53.965 654.JT765.AJ2.43 AKQJ.98.T6.AKT87 T9.32.KQ9874.QJ2"
HANDS = "SAKQJH98DT6CAKT87,ST9H32DKQ9874CQJ2,S8732HAKQ4D53C965"
FILE = f"""\
vg|A match,Round 1,I,1,2,Red,0,Blue,0|
rs|1HS+2,1HS+1|
pn|os,ow,on,oe,cs,cw,cn,ce|pg||
qx|o1|st||md|3{HANDS},|rh||ah|Board 1|sv|o|mb|1C|an|any|mb|p|mb|1H!|mb|p|
mb|p|mb|p|pg||pc|DK|pc|D3|pc|D2|pc|D6|pg||
mc|9|pg||
qx|c1|mb|1C|mb|p|mb|1H|mb|d|mb|r|mb|p|mb|p|mb|p|nt|a word
on two lines|pg||mc|8|
qx|o2|md|1{HANDS},|sv|b|ah|Board 2|mb|p|mb|p|mb|p|mb|p|pg||
"""


def only(text: str) -> Board:
    (board,) = read_lin(text)
    return board


def refused(text: str) -> str:
    with pytest.raises(NotationError) as bad:
        read_lin(text)
    assert "\n" not in str(bad.value)
    return str(bad.value)


def test_the_case_of_a_server() -> None:
    board = only(case("bbo.lin"))
    assert board.deal == game("bridge").read(BBO)
    assert board.tags == {
        "Board": "1", "South": "N1", "West": "N2", "North": "N3", "East": "N4", "Vulnerable": "None", "Dealer": "N",
        "Auction": "N", "Contract": "1H", "Declarer": "S", "Play": "W", "Result": "9",
    }  # fmt: skip
    assert board.sections == {"Auction": ("1C Pass 1H Pass", "Pass Pass"), "Play": ("DK D3 D2 D6",)}
    assert read_pbn(write_pbn([board])) == (board,)
    assert board.contract == game("bridge").contract("1H by S")


def test_the_case_is_what_another_reader_reads() -> None:
    lin = pytest.importorskip("endplay.parsers.lin")
    (theirs,) = lin.loads(case("bbo.lin"))
    assert str(theirs.deal) == BBO
    assert (theirs.contract.level, theirs.contract.declarer.abbr) == (1, "S")


def test_a_file_with_two_rooms() -> None:
    first, closed, second = read_lin(FILE)
    assert first.deal == closed.deal
    assert [b.tags["Room"] for b in (first, closed, second)] == ["Open", "Closed", "Open"]
    assert [b.tags["North"] for b in (first, closed, second)] == ["on", "cn", "on"]
    assert [b.tags["Board"] for b in (first, closed, second)] == ["1", "1", "2"]
    assert first.tags["Alert1"] == "any"
    assert first.tags["Alert3"] == ""
    assert (closed.tags["Contract"], closed.tags["Declarer"]) == ("1HXX", "S")
    assert closed.tags["Vulnerable"] == "None"
    assert (second.tags["Contract"], second.deal.game.options.vulnerable) == ("Pass", "all")
    assert "Declarer" not in second.tags
    assert read_lin(write_lin([first, closed, second])) == (first, closed, second)


def test_one_room_may_stand_after_the_other() -> None:
    heads, first, closed, second = FILE.partition("qx|o1")[0], *("qx|" + part for part in FILE.split("qx|")[1:])
    assert read_lin(heads + first + second + closed) == tuple(read_lin(FILE)[i] for i in (0, 2, 1))


@pytest.mark.parametrize(
    "text",
    [
        quote(case("bbo.lin").strip()),
        "https://www.example.org/tools/handviewer.html?bbo=y&lin=" + quote(case("bbo.lin").strip()) + "&x=1",
        "see https://www.example.org/v?lin=" + case("bbo.lin").strip().replace(" ", "%20"),
        case("bbo.lin").strip(),
        case("bbo.lin").rstrip()[:-1],
        case("bbo.lin").replace("|mb|", "|\r\nmb|"),
        case("bbo.lin").lower().replace("n1,n2,n3,n4", "N1,N2,N3,N4"),
        case("bbo.lin").replace("DT6", "D106"),
        case("bbo.lin").replace("mb|1C|mb|p|mb|1H|mb|p|mb|p|mb|p|", "mb|1CP1HPPP|"),
        case("bbo.lin").replace("sv|o|", "sv|0|xx|?|tu|n|"),
        case("bbo.lin").replace("C965,", "C965,S654HJT765DAJ2C43"),
        case("bbo.lin").replace(",ST9H32DKQ9874CQJ2,", ",,").replace("C965,", "C965,S654HJT765DAJ2C43"),
        "\ufeff" + case("bbo.lin"),
    ],
)
def test_every_spelling_is_the_board(text: str) -> None:
    assert only(text) == only(case("bbo.lin"))


def test_a_column_is_a_seat() -> None:
    board = only(case("bbo.lin").replace("pc|D6|", "pc|D6|pc|D7|pc|D5|pc|DJ|pc|DT|pc|C3|pc|CA|pc|C2|"))
    assert board.sections["Play"] == ("DK D3 D2 D6", "D7 D5 DJ DT", "C2 - C3 CA")


def test_boards_without_a_new_line_between() -> None:
    text = case("bbo.lin").strip()
    assert read_lin(text + text.replace("Board 1", "Board 2")) == (only(text), only(text.replace("Board 1", "Board 2")))


def test_a_bad_board_does_not_lose_the_others() -> None:
    good = case("bbo.lin").strip()
    lines = [good, good.replace("pc|D3", "pc|D2"), good, good[:40], good, "rubbish", good]
    boards = list(lin_boards("\n".join(lines)))
    assert [isinstance(board, Board) for board in boards] == [True, False, True, False, True, False, True]
    assert [str(boards[i]).split(":")[0] for i in (1, 3, 5)] == ["line 2", "line 4", "line 6"]


@pytest.mark.parametrize(
    "old, new, expected",
    [
        ("md|3", "md|7", "line 1: cannot read the dealer in '7SAKQJ"),
        ("SAKQJ", "SAKQQ", "QS stands twice, in the hands of South and South"),
        ("SAKQJ", "SAKQT", "TS stands twice, in the hands of South and West: the deck has it once"),
        ("SAKQJ", "SAKQ1", "cannot read '1'"),
        ("SAKQJ", "SAKQ", "make no deal"),
        ("mb|1C|", "mb|8C|", "cannot read the call '8C'"),
        ("mb|1H|", "mb|1C|", "the bid 1C by South is not above 1C"),
        ("mb|1H|", "mb|xx|", "the call XX by South: there is nothing"),
        ("pg||pc", "mb|p|pc", "the auction is over"),
        ("pc|D3|", "pc|H4|", "may not play 4H (follow-suit)"),
        ("pc|D3|", "pc|S6|", "seat 0 plays 6S but does not hold it"),
        ("pc|D3|", "pc|D9|", "seat 0 plays 9D but does not hold it"),
        ("pc|D3|", "pc|D|", "suit without a rank"),
        ("mc|9|", "mc|14|", "cannot read the claim '14'"),
        ("sv|o|", "sv|q|", "cannot read 'q' as vulnerable"),
        ("md|", "mx|", "a board without a deal"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(old: str, new: str, expected: str) -> None:
    message = refused(case("bbo.lin").replace(old, new))
    assert message.startswith("line 1: ")
    assert expected in message


@pytest.mark.parametrize(
    "cards, expected",
    [
        ("D7D5DJDTC3CAC2CT", "South plays TC after AC to the same trick"),
        ("DK", "KD is played twice"),
        ("HKDK", "KD is played twice"),
    ],
)
def test_a_play_without_calls_is_by_the_holders(cards: str, expected: str) -> None:
    bare = case("bbo.lin").replace("mb|1C|mb|p|mb|1H|mb|p|mb|p|mb|p|", "")
    board = only(bare)
    assert board.sections == {"Play": ("DK D3 D2 D6",)}
    assert "Contract" not in board.tags
    assert expected in refused(bare.replace("mc|9|", f"pc|{cards}|"))


def test_nothing_is_no_board() -> None:
    assert refused("").startswith("no deal")
    assert refused("pn|a,b,c,d|").startswith("no deal")


@pytest.mark.parametrize(
    "tags, expected",
    [
        ({}, "whose Dealer is ''"),
        ({"Dealer": "N", "North": "a|b"}, "a value is one line without a bar"),
        ({"Dealer": "N", "North": "a,b"}, "commas stand between names"),
        ({"Dealer": "N", "Auction": "N", "Contract": "2C", "Declarer": "N"}, "not the board's contract"),
    ],
)
def test_what_lin_cannot_hold_is_not_written(tags: dict[str, str], expected: str) -> None:
    board = Board(game("bridge").deal(seed=1), tags, {"Auction": ("1C Pass Pass Pass",)} if "Auction" in tags else {})
    with pytest.raises(NotationError, match=expected):
        write_lin([board])


@pytest.mark.parametrize("calls", ["Pass", "1C Pass Pass Pass", "2N Pass"])
def test_the_contract_is_in_lin_what_the_calls_say(calls: str) -> None:
    tags = {"Dealer": "N", "Auction": "N", "Contract": "2NT", "Declarer": "N"}
    board = Board(game("bridge").deal(seed=1), tags, {"Auction": (calls,)})
    if not calls.startswith("2"):
        with pytest.raises(NotationError, match="not the board's contract"):
            write_lin([board])
        return
    assert left_out(board) == ["Contract", "Declarer"]  # the auction may go on
    over = Board(board.deal, {**tags, "Contract": "2n"}, {"Auction": (f"{calls} AP",)})
    assert left_out(over) == []
    for result, tricks in (("9", "9"), ("EW 3", "10"), ("NS 11", "11")):
        told = replace(over, tags={**over.tags, "Result": result})
        assert (only(write_lin([told])).tags["Result"], left_out(told)) == (tricks, [])
    assert left_out(replace(over, tags={**over.tags, "Result": "many"})) == ["Result"]
    assert only(write_lin([over])).contract == over.contract


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """A board with calls and cards that the rules allow, as a text that `read_lin` reads."""
    rng = random.Random(draw(st.integers(0, 10**9)))
    deal = game("bridge", vulnerable=rng.choice(["none", "ns", "ew", "all"])).deal(seed=rng.randrange(10**6))
    word = st.text("abcXYZ0189 .'+-é", max_size=8).map(lambda text: " ".join(text.split()))
    tags = {name: text for name in ("North", "East", "South", "West") if (text := draw(word))}
    bare = Board(deal, {"Dealer": rng.choice("NESW"), "Vulnerable": "x", "Board": str(rng.randint(1, 99)), **tags})
    text = write_lin([bare]).strip()
    calls, height, passes = [], 4, 0
    while passes < (4 if height == 4 else 3):
        if rng.random() < 0.4 and height < 39:
            height += rng.randint(1, min(6, 39 - height))
            calls.append(f"{height // 5}{'CDHSN'[height % 5]}")
            passes = 0
        else:
            calls.append("p")
            passes += 1
    for call in calls:
        text += f"mb|{call}{'!' if rng.random() < 0.1 else ''}|"
        text += f"an|{meaning}|" if rng.random() < 0.1 and (meaning := draw(word)) else ""
    board = only(text)
    contract = board.contract
    if contract is not None:
        position = deal.game.start(deal, contract)
        for _ in range(rng.randint(0, 52)):
            move = rng.choice(position.legal())
            text += f"pc|{move.card.suit}{move.card.rank}|"
            position = position.play(move)
        text += f"mc|{rng.randint(0, 13)}|" if rng.random() < 0.5 else ""
    return only(text)


@given(st.lists(boards(), min_size=1, max_size=3))
def test_what_is_written_is_read_back(some: list[Board]) -> None:
    assert read_lin(write_lin(some)) == tuple(some)
    assert read_pbn(write_pbn(some)) == tuple(some)


def test_spoilt_files_are_boards_or_one_line_errors() -> None:
    for text in (*mutations(case("bbo.lin")), *mutations(FILE)):
        for board in lin_boards(text):
            if isinstance(board, NotationError):
                assert len(str(board).splitlines()) == 1
            else:
                assert isinstance(board, Board)
