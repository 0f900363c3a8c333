"""PBN: deals and files, read tolerantly, written in one form."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.formats.pbn import Board, load_pbn, pbn_boards, read_pbn
from solver.formats.pbn_write import write_pbn
from solver.games import game, read
from solver.games.bridge_deal import find_deal, read_hands, write_hands
from solver.model.contract import Contract
from solver.model.errors import NotationError

from .test_cards import attempt

BRIDGE = game("bridge")
ONE = BRIDGE.deal(seed=1)
PBN = "N:AT7654.5.A732.T9 K92.KJ9632.KQJ.A Q.Q87.T9654.8763 J83.AT4.8.KQJ542"
FROM_SOUTH = "S:Q.Q87.T9654.8763 J83.AT4.8.KQJ542 AT7654.5.A732.T9 K92.KJ9632.KQJ.A"

FILE = """\
% PBN 2.1
% EXPORT
[Event "A {small} match; one \\"room\\""]
[Board "7"]
[Dealer "S"]
[Vulnerable "All"] ; both
[Deal "S:Q.Q87.T9654.8763 J83.AT4.8.KQJ542 AT7654.5.A732.T9 K92.KJ9632.KQJ.A"]
{ a comment
of two lines }
[Declarer "W"]
[Contract "3NTX"]
[Auction "S"]
Pass 3NT X Pass
Pass Pass

[Event "#"]
[Board "8"]
[Dealer "W"]
[Vulnerable "None"]
[Deal "#"]
[Contract "Pass"]
"""


# --------------------------------------------------------------------- deals


@pytest.mark.parametrize(
    "text",
    [
        PBN,
        FROM_SOUTH,
        PBN.lower(),
        PBN.replace("T", "10"),
        "  north :\n" + PBN[2:].replace(" ", "\n\t"),
        f'[Deal "{PBN}"]',
        f'[Board "3"]\n[ deal "{FROM_SOUTH}" ]\n',
        ONE.text,
    ],
)
def test_a_deal_in_any_notation(text: str) -> None:
    assert BRIDGE.read(text) == ONE == read("bridge", text)


def test_written_from_any_seat() -> None:
    assert write_hands(ONE.hands) == PBN
    assert write_hands(ONE.hands, 2) == FROM_SOUTH
    assert find_deal(ONE.text) is None
    assert find_deal("S: A K | H: A | D: A | C: A") is None  # suits, not seats


def test_endings_and_voids() -> None:
    ending = BRIDGE.read("E:-.A.K. 2.T.. .-.3.2 .2..5")
    assert ending.text == "2H 5C | AH KD | 2S TH | 3D 2C"
    assert BRIDGE.read(ending.text) == ending


@pytest.mark.parametrize(
    "text, parts",
    [
        ("N:" + " ".join(["-"] * 4), ["hand of North", "place 3", "unknown"]),
        ("E:AKQ... -  .AKQ.. ..AKQ.", ["hand of South", "place 10", "unknown"]),
        ("N:AKQ... ... ...", ["read 3 hands", "4"]),
        ("N:AK.Q.J 2... 3... 4...", ["3 suits", "place 3"]),
        ("N:AKX.J.. 2... 3... 4...", ["'X' at place 5", "A K Q J T 9"]),
        ("N:A... 2... A... 4...", ["AS stands twice", "places 3 and 13"]),
        ("N:AK... 2... 3... 4...", ["unequal", "13 cards each"]),
        ("N:", ["read 0 hands"]),
        (f'[Deal "{PBN}"]\n[Deal "{PBN}"]', ["2 deals", "one"]),
    ],
)
def test_deals_that_cannot_be_read(text: str, parts: list[str]) -> None:
    with pytest.raises(NotationError) as caught:
        BRIDGE.read(text)
    assert [part for part in parts if part not in str(caught.value)] == []
    assert "\n" not in str(caught.value)


def test_no_seat() -> None:
    with pytest.raises(NotationError, match="begins with a seat"):
        read_hands("AKQ.J.. 2... 3... 4...")


# --------------------------------------------------------------------- files


def test_a_file() -> None:
    seven, eight = read_pbn(FILE)
    assert seven.deal.hands == eight.deal.hands == ONE.hands
    assert (seven.deal.game, eight.deal.game) == (game("bridge", vulnerable="all"), BRIDGE)
    assert seven.tags == {
        "Event": 'A {small} match; one "room"', "Board": "7", "Dealer": "S", "Vulnerable": "All", "Declarer": "W",
        "Contract": "3NTX", "Auction": "S",
    }  # fmt: skip
    assert seven.sections == {"Auction": ("Pass 3NT X Pass", "Pass Pass")}
    assert seven.contract == Contract(declarer=3, target=9, leader=0, doubles=("double",))
    assert (eight.tags["Event"], eight.contract) == (seven.tags["Event"], None)
    assert read_pbn(write_pbn([seven, eight])) == (seven, eight)
    assert '[Deal "S:Q.Q87' in write_pbn([seven])
    assert write_pbn([eight]).count("\n[") == len(eight.tags)


def test_boards_without_empty_lines_and_tags_out_of_place() -> None:
    text = f'[Site "here"]\n\n[Board "1"]\n[Deal "{PBN}"]\n[Board "2"]\n[Deal "{FROM_SOUTH}"]\n\n[Contract "4H"]\n'
    first, second = read_pbn(text + '[Declarer "^E"]')
    assert (dict(first.tags), first.contract) == ({"Site": "here", "Board": "1"}, None)
    assert second.contract == BRIDGE.contract("4H by E")


def test_lines_of_deals() -> None:
    assert [b.deal for b in read_pbn(f"{PBN}\r\n\r\n{FROM_SOUTH}\n")] == [ONE, ONE]


def test_a_deal_over_several_lines() -> None:
    words = PBN.split()
    assert [b.deal for b in read_pbn("\n".join(words) + f"\n{FROM_SOUTH}\n")] == [ONE, ONE]
    board, error = pbn_boards(f"{PBN}\nnonsense")
    assert (isinstance(board, Board), str(error).split(":")[0]) == (True, "line 2")
    assert [b.deal for b in read_pbn("  north :\n" + PBN[2:].replace(" ", "\n\t"))] == [ONE]


def test_the_last_of_four_hands_may_be_left_out() -> None:
    assert BRIDGE.read(" ".join(PBN.split()[:3])) == ONE
    with pytest.raises(NotationError, match=r"read 3 hands .* three of 13 cards"):
        BRIDGE.read("N:AK.QJ.. T9... 8765...")


def test_a_comment_that_swallows_a_board() -> None:
    text = f'[Board "1"]\n[Deal "{PBN}"]\n{{15 9 %s\n\n[Board "2"]\n[Deal "{PBN}"]\n{{15 8}}\n'
    with pytest.raises(NotationError, match=r"line 3: .* hides the deal of line 6: close it with \}"):
        read_pbn(text % "")
    assert len(read_pbn(text % "}")) == 2
    (alone,) = read_pbn(f'[Deal "{PBN}"]\n{{ old:\n[Deal "{FROM_SOUTH}"]\n}}\n{{ more }}')  # meant to be hidden
    assert alone.deal == ONE


@pytest.mark.parametrize("bad", [f'[Deal "{PBN}"] x', f'[Deal "{PBN}', '[Deal "N:AKQ"]', f'[Deal "{PBN}"] [Deal'])
@pytest.mark.parametrize("at", range(3))
@pytest.mark.parametrize("gap", ["", "\n"])
def test_a_bad_board_costs_no_other(bad: str, at: int, gap: str) -> None:
    deals = [bad if i == at else f'[Deal "{PBN}"]' for i in range(3)]
    text = gap.join(f'[Board "{i}"]\n{deal}\n[Contract "1S"]\n' for i, deal in enumerate(deals))
    found = list(pbn_boards(text))
    assert [board.name for board in found if isinstance(board, Board)] == [str(i) for i in range(3) if i != at]
    (error,) = (board for board in found if isinstance(board, NotationError))
    assert f"line {2 + at * (4 if gap else 3)}: " in str(error)


def test_a_missing_card_is_no_end_of_the_play() -> None:
    head = f'[Deal "{PBN}"]\n[Contract "1S"]\n[Declarer "N"]\n[Play "E"]\n'
    assert [str(move) for move in read_pbn(head + "S2 - - -")[0].play] == ["2S"]
    assert [str(move) for move in read_pbn(head + "S2 =1= SQ! S8 -\n*\nS9")[0].play] == ["2S", "QS", "8S"]
    for spoilt in ("- SQ - -", "S2 SQ - ST", "S2 - - -\nS9 - - -", "S2 SQ S8 SA\n- H8 - -"):
        (board,) = read_pbn(head + spoilt)
        with pytest.raises(NotationError, match=r"trick [12] of the play, .*, has no card of .*, who is on turn"):
            _ = board.play


def test_a_tag_of_the_result_that_comes_again_begins_no_board() -> None:
    text = f'[Board "1"]\n[Deal "{PBN}"]\n[Contract "1S"]\n[Declarer "N"]\n[Declarer "N"]\n[Board "2"]\n[Deal "{PBN}"]'
    one, two = read_pbn(text)
    assert (one.contract, two.contract) == (BRIDGE.contract("1S by N"), None)


def test_bytes() -> None:
    text = f'[North "Müller"]\n[Deal "{PBN}"]\n'
    for encoding in ("utf-8", "utf-8-sig", "latin-1"):
        assert load_pbn(text.encode(encoding))[0].tags == {"North": "Müller"}


@pytest.mark.parametrize(
    "text, parts",
    [
        ("", ["no deal", "[Deal"]),
        ("nonsense", ["line 1", "'nonsense'", "expected a tag"]),
        ('[Board "1"]\n', ["line 1", "[Board …] has no [Deal …]"]),
        (f'[Board "1"]\n[Deal "{PBN}"]\n\n[Board "2"]\n', ["line 4", "has no [Deal …]"]),
        ('\n[Deal "N:- - - -"]', ["line 2", "hand of North", "unknown"]),
        (f'[Deal "{PBN}"] x', ["line 1", "cannot read 'x' after a tag"]),
        (f'[Vulnerable "Us"]\n[Deal "{PBN}"]', ["line 2", "'Us'", "None, NS, EW, All"]),
        ('[Deal "#"]', ["line 1", "seat and a colon"]),
    ],
)
def test_files_that_cannot_be_read(text: str, parts: list[str]) -> None:
    with pytest.raises(NotationError) as caught:
        read_pbn(text)
    assert [part for part in parts if part not in str(caught.value)] == []
    assert "\n" not in str(caught.value)


def test_a_contract_that_cannot_be_read() -> None:
    (board,) = read_pbn(f'[Deal "{PBN}"][Contract "8H"][Declarer "S"]')
    with pytest.raises(NotationError, match="8H by S"):
        _ = board.contract


@pytest.mark.parametrize(
    "tags, sections, part",
    [
        ({"Two words": "x"}, {}, "letters"),
        ({"board": "1"}, {}, "capital"),
        ({"Deal": PBN}, {}, "beside the deal"),
        ({"Board": "#"}, {}, "not '#'"),
        ({"Board": "1\n2"}, {}, "one line"),
        ({}, {"Auction": ("Pass",)}, "no such tag"),
        ({"Auction": "N"}, {"Auction": ("",)}, "read back"),
        ({"Auction": "N"}, {"Auction": ('[Board "1"]',)}, "read back"),
        ({"Auction": "N"}, {"Auction": ("Pass ; no",)}, "read back"),
    ],
)
def test_what_cannot_be_written(tags: dict, sections: dict, part: str) -> None:
    with pytest.raises(NotationError, match=part):
        write_pbn([Board(ONE, tags, sections)])


# --------------------------------------------------------------------- any text

names = st.sampled_from(["Event", "Board", "Dealer", "Declarer", "Contract", "Play", "Note_1", "x"])
values = st.text(st.characters(exclude_characters="\r\n"), max_size=12).filter(lambda v: v != "#")
lines = st.text(st.characters(exclude_characters="\r\n"), min_size=1, max_size=12)


@st.composite
def boards(draw: st.DrawFn) -> Board:
    tags = draw(st.dictionaries(names, values, max_size=5))
    if draw(st.booleans()):
        tags["Vulnerable"] = draw(st.sampled_from(["None", "NS", "EW", "All"]))
    one = game("bridge", vulnerable=tags.get("Vulnerable", "None").lower())
    sections = {name: tuple(draw(st.lists(lines, min_size=1, max_size=2))) for name in tags if draw(st.booleans())}
    return Board(one.deal(seed=draw(st.integers(0, 10**6))), tags, sections)


@given(st.lists(boards(), min_size=1, max_size=3))
def test_what_is_written_is_read_back(some: list[Board]) -> None:
    text, message = attempt(write_pbn, some)
    if text is None:  # a line that looks like a tag or a comment
        assert "read back" in message
        some = [Board(b.deal, b.tags) for b in some]
        text = write_pbn(some)
    assert read_pbn(text) == tuple(some)
    assert write_pbn(read_pbn(text)) == text


@given(st.integers(0, 10**6), st.integers(0, 3), st.integers(1, 13))
def test_deals_are_read_back(seed: int, first: int, size: int) -> None:
    hands = tuple(frozenset(sorted(h)[:size]) for h in BRIDGE.deal(seed=seed).hands)
    assert read_hands(write_hands(hands, first)) == hands
    assert BRIDGE.read(write_hands(hands, first)).hands == hands


texts = st.text(alphabet='NESW:AKQJT9.10- []"{};%#\\\nDealBord', max_size=60) | st.text(max_size=40)


@given(texts)
def test_any_text_is_read_or_refused(text: str) -> None:
    for function in (read_pbn, BRIDGE.read, lambda t: BRIDGE.read("N:" + t), read_hands):
        found, message = attempt(function, text)
        assert "\n" not in message
        assert found is not None or message


def spoil(data: st.DataObject, text: str) -> str:
    """A text with characters changed, left out or doubled."""
    chars = list(text)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(chars) - 1))
        chars[at] = data.draw(st.sampled_from(["", chars[at] * 2, "\n", '"', "[", "A", ".", " ", "{", "\x00"]))
    return "".join(chars)


@given(st.data())
def test_spoiled_files_are_read_or_refused(data: st.DataObject) -> None:
    found, message = attempt(read_pbn, spoil(data, FILE))
    assert "\n" not in message
    assert found is not None or message
    for board in found or ():
        attempt(lambda b: b.contract, board)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    _, message = attempt(load_pbn, raw)
    assert "\n" not in message


def test_files_on_disk_hold_what_the_reader_says(tmp_path: Path) -> None:
    path = tmp_path / "one.pbn"
    path.write_text(write_pbn([Board(ONE, {"Board": "1"})]), encoding="utf-8")
    assert load_pbn(path.read_bytes()) == (Board(ONE, {"Board": "1"}),)
