"""Logs of the skat server."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.formats.iss import SkatLog, iss_games, read_iss
from solver.games import game
from solver.model.contract import Contract
from solver.model.errors import NotationError
from solver.model.play import Move

from .mutations import case, mutations

SKAT = game("skat")
CARDS = "CT.C9.C7.SJ.SK.S8.DJ.DA.DT.D8.CA.CK.CQ.SA.ST.SQ.HK.DK.DQ.D9.CJ.C8.S9.S7.HJ.HT.HQ.H8.H7.D7.HA.H9"
PLAY = (
    "0 CT 1 CA 2 C8 1 DK 2 HJ 0 D8 2 HQ 0 DJ 1 HK 0 DA 1 DQ 2 H9 2 H7 0 SJ 1 ST 0 S8 1 SQ 2 S9 "
    "1 SA 2 CJ 0 SK 2 HT 0 C7 1 CQ 2 H8 0 DT 1 CK 2 HA 0 C9 1 D9"
)
BIDS = "1 p 2 18 0 p"


def log(moves: str, result: str = "d:2 win") -> str:
    return f"(;GM[Skat]PC[Net]CO[]SE[1]ID[77]P0[a]P1[b]P2[c]R0[]MV[w {CARDS} {moves} ]R[{result}] ;)"


WHOLE = log(f"{BIDS} 2 s w HA.H9 2 H.S7.D7 {PLAY}")


def only(text: str) -> SkatLog:
    (entry,) = read_iss(text)
    return entry


def refused(text: str) -> str:
    with pytest.raises(NotationError) as bad:
        read_iss(text)
    assert "\n" not in str(bad.value)
    return str(bad.value)


def test_the_case() -> None:
    entry = only(case("iss.sgf"))
    assert entry.deal == SKAT.read(
        "AC TC AS TS KS KH QH 9H 8H 7H | JC 8C JS QS 9S 8S TH KD 8D 7D | KC QC 9C JH AH JD AD TD QD 9D | skat: 7C 7S"
    )
    assert entry.contract == SKAT.contract("hearts by 0, bury 7C 7S")
    assert [str(move) for move in entry.play] == ["7H", "TH", "AH"]
    assert (entry.name, entry.calls, entry.result) == ("1", ("1 p", "2 p", "0 18", "0 s"), ("d:0", "win"))
    assert (entry.line, entry.remarks) == (1, ())


def test_a_whole_game_comes_out_as_counted_by_hand() -> None:
    entry = only(WHOLE)
    assert entry.contract is not None
    position = SKAT.start(entry.deal, entry.contract)
    for move in entry.play:
        position = position.play(move)
    assert position.over
    assert SKAT.settle(position, entry.contract).points == (9 + 12, 21 + 3, 6 + 14 + 17 + 13 + 14 + 11)


@pytest.mark.parametrize(
    "moves, contract, remarks",
    [
        ("2 s w HA.H9 2 G.S7.D7", "grand by 2, bury 7S 7D", ()),
        ("2 s w H9.HA 2 N.D7.S7", "null by 2, bury 7S 7D", ()),
        ("2 s w HA.H9 2 NO.S7.D7.CJ.C8.S9.HJ.HT.HQ.H8.H7.HA.H9", "null by 2, bury 7S 7D", ("ouvert",)),
        ("2 GH", "grand by 2", ("hand",)),
        ("2 HH", "hearts by 2", ("hand",)),
        ("2 SHS", "90 by 2, trump S", ("hand", "schneider announced")),
        ("2 CHZ", "120 by 2, trump C", ("hand", "schwarz announced")),
        ("2 NHO.CJ.C8.S9.S7.HJ.HT.HQ.H8.H7.D7", "null by 2", ("hand", "ouvert")),
        ("2 GO.CJ.C8.S9.S7.HJ.HT.HQ.H8.H7.D7", None, ("hand", "ouvert")),
        (
            "2 GH 0 CT 1 RE 2 SC.D8.D7 w TI.0",
            "grand by 2",
            (
                "hand",
                "seat 1: gives up",
                "seat 2: shows its cards",
                "seat 0: time is up",
            ),
        ),
    ],
)
def test_games_declared(moves: str, contract: str | None, remarks: tuple[str, ...]) -> None:
    entry = only(log(f"{BIDS} {moves}"))
    wanted = SKAT.contract(Contract(2, 120, kind="grand")) if contract is None else SKAT.contract(contract)
    assert (entry.contract, entry.remarks) == (wanted, remarks)


@pytest.mark.parametrize(
    "moves, note",
    [
        ("1 p 2 p 0 p", "all have passed"),
        ("1 18 0 y w LE.1", "no game was declared"),
        ("", "no game was declared"),
    ],
)
def test_a_game_that_nobody_declares_is_a_note(moves: str, note: str) -> None:
    entry = only(log(moves, "passed"))
    assert (entry.contract, entry.play, entry.remarks[0]) == (None, (), note)


@pytest.mark.parametrize(
    "text, expected",
    [
        (WHOLE.replace("w CT", "w CA"), "AC stands twice"),
        (WHOLE.replace("w CT.", "w "), "read 31 cards dealt"),
        (WHOLE.replace("w CT", "w ??"), "cannot read the card '??'"),
        (WHOLE.replace("w HA.H9", "w HA.H8"), "the skat is HA.H8"),
        (WHOLE.replace("H.S7.D7", "H.S7.CT"), "lays away TC but does not hold it"),
        (WHOLE.replace("H.S7.D7", "H.S7"), "has wrong cards"),
        (WHOLE.replace("H.S7.D7", "R"), "ramsch is not played here"),
        (WHOLE.replace("H.S7.D7", "X.S7.D7"), "cannot read the game 'X.S7.D7'"),
        (WHOLE.replace("1 CA", "1 SA"), "may not play AS (follow-suit)"),
        (WHOLE.replace("1 CA", "2 CA"), "card 2, 2 CA: seat 1 is on turn"),
        (WHOLE.replace("1 D9 ]", "1 D9 0 SA ]"), "the deal is over"),
        (WHOLE.replace("1 D9 ]", "1 D9 0 ]"), "the moves end in '0'"),
        (WHOLE.replace("1 D9 ]", "4 D9 ]"), "'4' is none of w, 0, 1, 2"),
        (WHOLE.replace(" ;)", " x;)"), "cannot read 'x;)'"),
        (WHOLE.replace("GM[Skat]", "GM[1]"), "expected GM[Skat]"),
        (WHOLE[:150], "cannot read 'MV[w CT."),
        ("rubbish", "cannot read 'rubbish'"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, expected: str) -> None:
    message = refused("\n" + text)
    assert message.startswith("line 2: ")
    assert expected in message


def test_a_bad_game_does_not_lose_the_others() -> None:
    lines = [WHOLE, WHOLE.replace("1 CA", "1 SA"), "", WHOLE[:150], WHOLE.replace("]", "]\n"), WHOLE]
    games = list(iss_games("\n".join(lines)))
    assert [isinstance(entry, SkatLog) for entry in games] == [True, False, False, True, True]
    assert [str(games[i]).split(":")[0] for i in (1, 2)] == ["line 2", "line 4"]
    assert games[0] == games[3] == games[4]
    assert [games[i].line for i in (0, 3)] == [1, 5]  # type: ignore[union-attr]


def test_nothing_is_no_game() -> None:
    assert refused("\n").startswith("no game")


@given(st.integers(0, 10**6), st.sampled_from(["C", "S", "H", "D", "G", "N"]), st.booleans(), st.integers(0, 30))
def test_random_games_are_read_as_they_were_played(seed: int, kind: str, hand: bool, count: int) -> None:
    rng = random.Random(seed)
    deal, declarer = SKAT.deal(seed=seed), rng.randrange(3)

    def dotted(cards: list[str]) -> str:
        return ".".join(card[1] + card[0] for card in cards)

    skat = sorted(deal.talon)
    bury = () if hand else tuple(SKAT.deck.sort(rng.sample(sorted(deal.hands[declarer] | deal.talon), 2)))
    names = {"G": "grand", "N": "null", "C": "clubs", "S": "spades", "H": "hearts", "D": "diamonds"}
    laid = f", bury {' '.join(bury)}" if bury else ""
    contract = SKAT.contract(f"{names[kind]} by {declarer}{laid}")
    position = SKAT.start(deal, contract)
    moves, play = "", []
    for _ in range(count):
        move: Move = rng.choice(position.legal())
        moves += f" {position.turn} {dotted([move.card])}"
        play.append(move)
        position = position.play(move)
    words = dotted([card for seat in deal.hands for card in sorted(seat)] + list(skat))
    declared = f"{kind}H" if hand else f"{kind}.{dotted(list(bury))}"
    took = "" if hand else f"{declarer} s w {dotted(list(skat))} "
    entry = only(f"(;GM[Skat]MV[w {words} {declarer} 18 {took}{declarer} {declared}{moves} ];)")
    assert (entry.deal, entry.contract, entry.play) == (deal, contract, tuple(play))


def test_spoilt_files_are_games_or_one_line_errors() -> None:
    for text in (*mutations(case("iss.sgf")), *mutations(WHOLE)):
        for entry in iss_games(text):
            if isinstance(entry, NotationError):
                assert len(str(entry).splitlines()) == 1
            else:
                assert isinstance(entry, SkatLog)
