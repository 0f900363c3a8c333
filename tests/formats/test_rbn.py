"""RBN: boards as lines that begin with a letter."""

from __future__ import annotations

import pytest

from solver.formats.pbn import Board, read_pbn
from solver.formats.pbn_write import write_pbn
from solver.formats.rbn import rbn_boards, read_rbn
from solver.games import game
from solver.model.errors import NotationError

from .mutations import case, mutations

DEAL = "N:AKQ2.J98.T72.654 J43.AKQ2.J98.T72 T98.T76.AKQ3.J98 765.543.654.AKQ3"
RECORD = """\
% RBN version 3.2
D 19980131
T Greed:Somebody
L Town
E Event:Pairs
F M
N na+sa:wa+ea:C
B 15:C
H N:AKQ2.J98.T72.654:J43.AKQ2.J98.T72:T98.T76.AKQ3.J98:
{The bidding was
short.}
A NB:1C^1P1NA
1 two cards or more
C 1N:S
P CA428:CK579:CQ6TJ
1 clubs again
R 7:90
"""


def only(text: str) -> Board:
    (board,) = read_rbn(text)
    return board


def refused(text: str) -> str:
    with pytest.raises(NotationError) as bad:
        read_rbn(text)
    assert "\n" not in str(bad.value)
    return str(bad.value)


def test_the_case() -> None:
    board = only(case("rbn.txt"))
    assert board.deal == game("bridge").read(DEAL)
    assert board.tags == {"Board": "1", "RBN_B": "1:NN"}


def test_a_whole_record() -> None:
    board = only(RECORD)
    assert board.deal == game("bridge", vulnerable="all").read(DEAL)
    assert board.tags == {
        "Date": "1998.01.31", "RBN_T": "Greed:Somebody", "Site": "Town", "Event": "Event:Pairs", "Scoring": "M",
        "North": "na", "South": "sa", "West": "wa", "East": "ea", "Room": "Closed", "Board": "15", "RBN_B": "15:C",
        "Dealer": "N", "Vulnerable": "All", "Auction": "N", "RBN_A": "NB:1C^1P1NA", "RBN_A1": "two cards or more",
        "Contract": "1NT", "Declarer": "S", "Play": "W", "RBN_P1": "clubs again", "Result": "7", "RBN_R": "7:90",
    }  # fmt: skip
    assert board.sections == {"Auction": ("1C Pass 1NT Pass", "Pass Pass"), "Play": (
        "CA C4 C2 C8", "CK C5 C7 C9", "CQ C6 CT CJ",
    )}  # fmt: skip
    assert read_pbn(write_pbn([board])) == (board,)


@pytest.mark.parametrize(
    "text",
    [
        "N:AKQ2.J98.T72.654:J43.AKQ2.J98.T72:T98.T76.AKQ3.J98",
        "n:akq2.j98.t72.654;j43.akq2.j98.t72;t98.t76.akq3.j98;",
        "H N:AKQ2.J98.1072.654:J43.AKQ2.J98.1072:1098.1076.AKQ3.J98:765.543.654.AKQ3",
        "H E:J43.AKQ2.J98.T72:T98.T76.AKQ3.J98:765.543.654.AKQ3:",
        "H S:T98.T76.AKQ3.J98:765.543.654.AKQ3::J43.AKQ2.J98.T72",
        "\r\n\r\nW:765.543.654.AKQ3:AKQ2.J98.T72.654:J43.AKQ2.J98.T72\r\n",
    ],
)
def test_every_spelling_is_the_deal(text: str) -> None:
    assert only(text) == Board(game("bridge").read(DEAL))


def test_a_record_has_what_the_record_before_told() -> None:
    other = "N nb+sb:wb+eb:O\nA NB:1CA\nR 6\n"
    first, second, third = read_rbn(RECORD + "\n" + other + "\n\nB 16\n" + RECORD.splitlines()[8])
    assert second.deal == first.deal
    assert (second.tags["Board"], second.tags["Room"], second.tags["North"]) == ("15", "Open", "nb")
    assert (second.tags["Contract"], second.tags["Declarer"], second.tags["Result"]) == ("1C", "N", "6")
    assert (third.tags["Board"], third.tags["Event"]) == ("16", "Event:Pairs")
    assert "Contract" not in third.tags
    assert "expected a line like H" in refused(RECORD + "\nB 16\nA NB:1CA\n")


def test_boards_one_after_another() -> None:
    hands = RECORD.splitlines()[8]
    assert len(read_rbn(f"{hands[2:]}\n{hands[2:]}")) == 2
    assert [b.tags["Board"] for b in read_rbn(f"B 1\n{hands}\nB 2\n{hands}")] == ["1", "2"]


@pytest.mark.parametrize(
    "contract, tags",
    [
        ("1N:S", ("1NT", "S")), ("1NS", ("1NT", "S")), ("4SX:W", ("4SX", "W")), ("4SR:W", ("4SXX", "W")),
        ("4SXX:W:N", ("4SXX", "W")), ("Pass", ("Pass", None)), ("?", (None, None)),
    ],
)  # fmt: skip
def test_contracts(contract: str, tags: tuple[str | None, str | None]) -> None:
    board = only(f"H {DEAL.replace(' ', ':')}\nC {contract}\n")
    assert (board.tags.get("Contract"), board.tags.get("Declarer")) == tags


@pytest.mark.parametrize(
    "calls, tags",
    [
        ("WZ:PPPP", ("Pass", None)), ("WZ:A", ("Pass", None)), ("WZ:PA", ("Pass", None)), ("1CPPA", ("1C", "W")),
        ("WE:1SP2SP:4SA", ("4S", "W")), ("WE:1SX2SX:RA", ("2SXX", "W")), ("W?:1S!P2S?Y", (None, None)),
    ],
)  # fmt: skip
def test_auctions(calls: str, tags: tuple[str | None, str | None]) -> None:
    board = only(f"H {DEAL.replace(' ', ':')}\nA {calls}\n")
    assert (board.tags.get("Contract"), board.tags.get("Declarer")) == tags
    assert board.tags["Dealer"] == "W"


@pytest.mark.parametrize(
    "old, new, expected",
    [
        ("H N:", "H X:", "line 9: cannot read the hands"),
        ("AKQ2.J98", "AKQA.J98", "line 9: AS stands twice"),
        ("AKQ2.J98", "AKQ.J98", "line 9: the cards told"),
        ("AKQ2.J98", "AKQx.J98", "line 9: cannot read 'X'"),
        ("NB:", "NQ:", "line 12: cannot read 'NQ:"),
        ("1C^1P1N", "1C^1P1C", "line 12: the bid 1C by South is not above 1C"),
        ("C 1N:S", "C 1N:N", "line 14: the contract '1N:N' is not what the calls end in, 1NT by South"),
        ("C 1N:S", "C what", "line 14: cannot read the contract 'what'"),
        ("CK579", "CK549", "line 15: seat 1 plays 4C but does not hold it"),
        ("CK579", "CK5S39", "line 15: seat 1 may not play 3S (follow-suit)"),
        ("CA428", "A428", "line 15: cannot read 'A428'"),
        ("{The", "The", "line 10: cannot read 'The bidding was'"),
        ("short.}", "short.", "line 10: the text that begins with { here has no }"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(old: str, new: str, expected: str) -> None:
    errors = [str(board) for board in rbn_boards(RECORD.replace(old, new)) if isinstance(board, NotationError)]
    assert any(expected in error for error in errors), errors


def test_a_bad_board_does_not_lose_the_others() -> None:
    boards = list(rbn_boards("\n\n".join([RECORD, RECORD.replace("CK579", "CK549"), RECORD])))
    assert [isinstance(board, Board) for board in boards] == [True, False, True]
    assert str(boards[1]).startswith("line 34: ")
    boards = list(rbn_boards("\n\n".join([RECORD, RECORD.replace("short.}", "short."), RECORD])))
    assert [isinstance(board, Board) for board in boards] == [True, False, True]
    assert str(boards[1]).startswith("line 29: the text that begins with {")


def test_nothing_is_no_board() -> None:
    assert refused("").startswith("no deal")
    assert refused("D 1998\nE An event").startswith("no deal")


def test_spoilt_files_are_boards_or_one_line_errors() -> None:
    for text in (*mutations(case("rbn.txt")), *mutations(RECORD)):
        for board in rbn_boards(text):
            if isinstance(board, NotationError):
                assert len(str(board).splitlines()) == 1
            else:
                assert isinstance(board, Board)
