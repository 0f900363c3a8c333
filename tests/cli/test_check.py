"""Checking records: the ten and more of tests/data/records, the command, and deals with one thing made wrong."""

from __future__ import annotations

import csv
import io
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import random_records as rr
from solver.deals.check import Finding, Report, check
from solver.formats.record import Record, RecordedCard, RecordedTrick
from solver.formats.record_read import load_record, read_record
from solver.games import game
from solver.model.play import Move

from .test_cli import Ran, run  # noqa: F401

FOLDER = Path(__file__).parents[1] / "data" / "records"

#: What is wrong in each file: line, rule, trick, seat, card, proof.
EXPECTED: dict[str, list[tuple[object, ...]]] = {
    "kit_k4": [],
    "sheepshead_s6": [],
    "thousand_t7": [],
    "spades_five": [],
    "sheepshead_view": [],
    "sheepshead_view_revoke": [(14, "winner", 4, 1, "TS", None), (15, "follow-suit", 5, 3, "TC", "KH")],
    "kit_errors": [
        (7, "winner", 1, 1, "t4", None), (8, "trick-points", 2, 0, None, None), (9, "follow-suit", 3, 1, "s2", "o1"),
    ],
    "thousand_errors": [
        (6, "call", None, 1, None, None), (12, "winner", 3, 2, "AS", None), (13, "trick-points", 4, 1, None, None),
        (18, "scores", None, None, None, None),
    ],
    "spades_errors": [
        (5, "call", None, 0, None, None), (19, "scores", None, None, None, None), (19, "made", None, None, None, None),
    ],
    "thousand_pass": [(8, "plan", None, 1, None, None)],
    "sheepshead_bury": [(7, "plan", None, 1, None, None)],
    "spades_twice": [(13, "trick-points", 5, 4, None, None), (14, "played-twice", 6, 4, "KH", None)],
    "leaster_twice": [(12, "played-twice", 4, 3, "7D", None)],
}  # fmt: skip

TEXTS = {
    "kit_errors": [
        "t4 of seat 0 wins it",
        "it has 1",
        "must follow the suit led (o): it held o1, and played it in trick 4",
    ],
    "thousand_errors": ["seat 1 may bid to 120", "AS of seat 1", "it has 10", "0 -125 0 are right"],
    "spades_errors": ["a bid of 155 is raised by 5, by 10 or to 250", "0 160 0 160 160 are right", "it is made"],
    "thousand_pass": ["passes JC but does not hold it"],
    "sheepshead_bury": ["must keep a card of that suit after the bury"],
    "spades_twice": ["it has 20", "which seat 4 played in trick 4"],
    "leaster_twice": ["which seat 3 played in trick 1"],
    "sheepshead_view_revoke": ["TS of seat 2", "it held KH, and played it in trick 6"],
}


def read(name: str) -> Record:
    return load_record((FOLDER / f"{name}.txt").read_bytes(), name)


def text(name: str) -> str:
    return (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def rules(report: Report) -> list[str]:
    return [f.rule for f in report.findings]


# --------------------------------------------------------------------- the files


def test_every_file_has_its_report() -> None:
    assert {p.stem for p in FOLDER.glob("*.txt")} == set(EXPECTED)
    kinds = [str(f[1]) for found in EXPECTED.values() for f in found]
    planted = ("follow-suit", "winner", "trick-points", "scores", "call", "plan", "played-twice")
    assert min(kinds.count(kind) for kind in planted) >= 2


@pytest.mark.parametrize("name", EXPECTED)
def test_files(name: str) -> None:
    report = check(read(name))
    found = [(f.line, f.rule, f.trick, f.seat, f.card, f.proof) for f in report.findings]
    assert found == EXPECTED[name]
    assert report.ok == (not found)
    for one, part in zip(report.findings, TEXTS.get(name, []), strict=True):
        assert part in one.text
        assert f"line {one.line}: " in str(one)
        assert f"[{one.rule}]" in str(one)


def test_report() -> None:
    good, bad = check(read("thousand_t7")), check(text("kit_errors"))
    assert good.lines[0] == "thousand: nothing is wrong"
    assert good.lines[-1].startswith("settlement: seat 0 has 132 (130 rounded): 120 made")
    assert good.outcome is not None
    assert good.outcome.scores == (120, 130, 0)
    assert str(bad).splitlines()[:2] == [
        "kit: 3 findings",
        "line 7: trick 1: the trick is written as won by seat 1, but t4 of seat 0 wins it [winner]",
    ]
    frame = bad.frame
    assert list(frame["rule"]) == rules(bad)
    assert list(frame.columns) == ["line", "rule", "trick", "seat", "card", "proof", "text"]
    assert good.frame.empty
    assert "<table" in bad._repr_html_()
    assert "<table" not in good._repr_html_()
    assert json.loads(json.dumps(bad.to_json()))["rows"][2]["proof"] == "o1"


# --------------------------------------------------------------------- one thing wrong


@pytest.mark.parametrize(
    "name, old, new, expected",
    [
        # auction
        ("thousand_t7", "0:120 1:pass", "0:105 1:pass", ("call", "must be raised")),
        ("thousand_t7", "0:100 1:110", "1:100 1:110", ("out-of-turn", "seat 0 is to call")),
        ("thousand_t7", "1:pass", "1:pass 2:130", ("auction-over", "the auction is over")),
        ("thousand_t7", " 0:120 1:pass", "", ("auction", "not over: seat 0 is to call")),
        ("sheepshead_s6", "pass, pick", "pass, pass", ("auction", "not over")),
        ("sheepshead_s6", "Auction: pass", "Auction: 100", ("call", "calls are pass and pick")),
        ("kit_k4", "play:", "auction: pass pass\nplay:", ("auction", "kit has no auction")),
        # contract
        ("thousand_t7", "contract: 120 by 0", "contract: 115 by 0", ("bid", "lower than the bid of 120")),
        ("thousand_t7", "contract: 120 by 0", "contract: 123 by 0", ("contract", "multiples of 5")),
        ("spades_five", "contract: 165 by 2", "contract: 170 by 2", ("bid", "no raise is open")),
        ("sheepshead_s6", "Picker: 2", "Picker: 3", ("declarer", "seat 2 picks")),
        # plan
        ("thousand_t7", "pass 9C to 1, 9D to 2", "pass 9C to 1", ("contract", "one card to each")),
        ("thousand_t7", "plan: pass 9C to 1, 9D to 2", "", ("plan", "the deal has a talon")),
        ("sheepshead_s6", "Call: AH", "Call: AC", ("plan", "must keep a card of that suit")),
        ("sheepshead_s6", "Call: AH", "Call: QC", ("contract", "a fail ace is called")),
        ("sheepshead_s6", "Bury: TC 8H", "Bury: 9H TC", ("plan", "the bury 9H is in the hand of seat 2")),
        ("spades_five", "call AC AS", "call AC AD", ("plan", "seat 2 calls AD but holds it")),
        # play
        ("thousand_t7", "1 AS, 2 KC", "1 QS, 2 KC", ("must-beat", "it held AS")),
        ("thousand_t7", "2 KC -> 1 (25)", "2 9D -> 1 (25)", ("played-twice", "trick 2")),
        ("thousand_t7", "0 AH, 1 JD, 2 JH", "0 AH, 1 JD, 2 KH", ("not-held", "which seat 0 holds")),
        ("thousand_t7", "0 AH, 1 JD, 2 JH", "0 AH, 2 JH, 1 JD", ("out-of-turn", "seat 1 is on turn")),
        ("thousand_t7", "0 AH, 1 JD", "0 KH!, 1 JD", ("marriage", "not on the first lead")),
        ("thousand_t7", "1 AC, 2 KD", "1 AC!, 2 KD", ("marriage", "king and queen")),
        ("sheepshead_s6", "9H TH AH(forced)", "9H TH 7H", ("partner-plays-called", "AH")),
        ("sheepshead_s6", "8C TD KC", "8C 9H KC", ("hold-card", "must be kept")),
        ("sheepshead_s6", "AC 8C TD", "AC 8C TC", ("not-held", "buried")),
        ("kit_k4", "4. 2 s3, 0 o2, 1 t2 -> 2", "4. 2 s3, 0 o2, 1 t2 -> 2\n 5. 2 s3", ("over", "all 4 tricks")),
        # result
        ("kit_k4", "scores 1 0 3", "scores 1 1 2", ("scores", "1 0 3 are right")),
        ("kit_k4", "scores 1 0 3", "tricks 1 1 2; points 1 0 3", ("tricks", "1 0 3 are right")),
        ("thousand_t7", "; made", "; failed", ("made", "written as failed")),
        ("spades_five", "points 20 0 100 85 45", "points 25 0 100 80 45", ("points", "20 0 100 85 45 are right")),
    ],
)  # fmt: skip
def test_one_thing_wrong(name: str, old: str, new: str, expected: tuple[str, str]) -> None:
    before = text(name)
    assert old in before
    report = check(before.replace(old, new, 1))
    found = [f for f in report.findings if f.rule == expected[0]]
    assert found, report
    assert expected[1] in " ".join(f.text for f in report.findings)


def test_a_raise_after_the_talon_is_allowed() -> None:
    raised = text("thousand_t7").replace("contract: 120", "contract: 130").replace("scores 120", "scores 130")
    assert check(raised).ok
    failed = text("thousand_t7").replace("contract: 120", "contract: 135").replace("scores 120", "scores -135")
    assert check(failed.replace("; made", "; failed")).ok


def test_what_the_contract_leaves_out_comes_from_the_auction() -> None:
    report = check(text("thousand_t7").replace("contract: 120 by 0\n", ""))
    assert report.ok
    assert report.contract is not None
    assert (report.contract.declarer, report.contract.target) == (0, 120)
    leaster = text("leaster_twice").replace("plan: leaster\n", "")
    assert rules(check(leaster)) == ["played-twice"]


def test_surrender_and_deals_thrown_in() -> None:
    head = text("thousand_t7").split("plan:")[0]
    assert check(head + "plan: surrender\nresult: scores -120 60 60").ok
    assert rules(check(head + "plan: surrender\nresult: scores -120 0 0")) == ["scores"]
    assert rules(check(head + "plan: surrender\nplay: 0 AH")) == ["surrender"]
    off = head.replace("dealer", "options: write_off=none\ndealer") + "plan: surrender\n"
    assert rules(check(off)) == ["contract"]
    again = "game: thousand\noptions: all_pass=redeal\nhands: ?|?|?\nauction: pass pass pass\n"
    assert check(again).ok
    assert rules(check(again + "play: AH")) == ["auction"]


def test_what_is_not_there_is_not_checked() -> None:
    report = check("game: thousand\nhands: ?|?|?")
    assert report.ok
    assert report.notes == ()
    short = text("thousand_t7").split("3. ")[0] + "result: scores 1 2 3\n"
    assert check(short).ok
    assert "not checked" in str(check(short))
    assert "8 more were not" in str(check(text("thousand_t7").split("6. ")[0] + "6. 1 AC"))
    assert "1 card in 1 trick was followed, 23 more" in str(check(text("thousand_t7").split("1. ")[0] + "1. 0 AH"))
    bare = check("game: three_of_spades\nplay: AS 2S 3S 4S 5S\nhands: ?|?|?|?|?")
    assert rules(bare) == ["plan"]


# --------------------------------------------------------------------- what one seat saw


def test_a_void_contradicted_later() -> None:
    head = "game: kit\nhands: ?|?|?\nplay:\n"
    report = check(head + "o1 t2 o3\n2 s1 0 s2 1 o4\n")
    [one] = report.findings
    assert (one.rule, one.trick, one.seat, one.card, one.proof) == ("follow-suit", 1, 1, "t2", "o4")
    assert check(head + "o1 t2 o3\n2 s1 0 s2 1 t4\n").ok


def test_duties_to_beat_and_trump_are_proved_by_later_cards() -> None:
    head = "game: thousand\nhands: ?|?|?\ncontract: 100 by 0\nplay:\n"
    beat = check(head + "0 TS, 1 9S, 2 JS\n0 9D 1 AS 2 TD\n")
    assert [(f.rule, f.trick, f.card, f.proof) for f in beat.findings] == [("must-beat", 1, "9S", "AS")]
    trump = head + "0 AS 1 9S 2 JS\n0 KH! 1 AC 2 JH\n0 AD 1 9D 2 {}\n0 TS 1 KS 2 {}\n"
    assert check(trump.format("TC", "9H")).findings[0].rule == "must-trump"
    assert check(trump.format("TC", "QC")).ok


def test_a_marriage_shows_the_other_card() -> None:
    head = "game: thousand\nhands: ?|?|?\ncontract: 100 by 0\nplay:\n0 AS 1 9S 2 JS\n0 KH! 1 9H 2 JH\n0 AD 1 9D 2 JD\n"
    report = check(head + "0 TS 1 KS 2 QH\n")
    [one] = report.findings
    assert (one.rule, one.trick, one.card, one.proof) == ("marriage", 2, "KH!", "QH")
    assert "QH is played by seat 2 in trick 4" in one.text
    revoke = check(head.replace("1 9H", "1 AC") + "0 QH 1 9H\n")
    assert (revoke.findings[0].trick, revoke.findings[0].proof) == (2, "9H")
    # who declares a marriage holds its queen, so a later heart is no news but clubs thrown on hearts are
    thrown = head.replace("2 JH", "2 AC").replace("0 AD 1 9D 2 JD\n", "0 9D 1 AD 2 JD\n1 JH 2 9C 0 TC\n")
    assert [(f.rule, f.trick, f.card, f.proof) for f in check(thrown).findings] == [("follow-suit", 4, "TC", "QH")]


def test_cards_in_two_places() -> None:
    view = text("sheepshead_view")
    assert rules(check(view.replace("1 7S, 2 8S", "1 AH, 2 8S"))) == ["not-held"]
    assert rules(check(view.replace("4 9C, 0 8C", "4 9C, 0 9S"))) == ["played-twice"]
    seen = check(view.replace("bury ?", "bury 7S QH"))
    assert rules(seen) == ["not-held"]
    assert "buried" in seen.findings[0].text
    assert rules(check(view.replace("bury ?", "bury KC QH"))) == ["plan"]
    passed = "game: thousand\nseat: 1\nhands: ?|JD AC TC AS KS QS 9S|?\nplan: 100 by 0, pass {} to 1, ? to 2\n"
    assert check(passed.format("9C")).ok
    assert rules(check(passed.format("AC"))) == ["plan"]


def test_the_declarers_view_of_its_own_plan() -> None:
    mine = (
        "game: thousand\nseat: 0\nhands: AH KH QH 9H TS JC 9D\ntalon: TH JS 9C\nplan: 120 by 0, pass {} to 1, 9D to 2\n"
    )
    assert check(mine.format("9C")).ok
    assert rules(check(mine.format("AC"))) == ["plan"]
    assert rules(check(mine.format("9C") + "play: 0 9C")) == ["not-held"]
    assert rules(check(mine.format("9C") + "play: 0 AH 1 9C 2 JH\n0 KH 1 9H")) == ["not-held"]


def test_a_hidden_under_card() -> None:
    one = game("sheepshead")
    rng = random.Random(5)
    while True:
        record = rr.played(rng, one, seats=1).record
        under = record.contract.under
        if under is not None and any(m.card == under for t in record.play for _, m in t.cards[1:]):
            break
    seat = (record.contract.declarer + 1) % 5
    seen = rr.view(record, seat)
    hidden = Record(
        **{
            **vars(seen),
            "hidden": seen.hidden | {"under"},
            "contract": type(seen.contract)(**{**vars(seen.contract), "under": None}),
        }
    )
    report = check(read_record(hidden.text))
    assert report.ok
    assert report.outcome == check(record).outcome


# --------------------------------------------------------------------- random deals


@given(st.sampled_from(rr.RULES), st.integers(0, 10**9), st.none() | st.integers(0, 25))
def test_legal_deals_are_found_right(rule: tuple[str, dict[str, object]], seed: int, cards: int | None) -> None:
    one, rng = game(rule[0], **rule[1]), random.Random(seed)
    record, _, outcome = rr.played(rng, one, cards=cards, seats=rng.choice([0, 0.5, 1]))
    report = check(record)
    assert report.findings == ()
    assert report.outcome == outcome
    seen = check(rr.view(record, rng.randrange(one.seats)))
    assert seen.findings == ()
    assert seen.outcome in (None, outcome)


@given(st.integers(0, 10**9))
@example(31634214)  # two seats, discards that count but are not written
def test_any_house_rules(seed: int) -> None:
    rng = random.Random(seed)
    one = rr.house_rules(rng)
    record, _, outcome = rr.played(rng, one)
    assert read_record(record.text) == record
    report = check(record)
    assert (report.findings, report.outcome) == ((), outcome)
    bare = type(record.contract)(**{**vars(record.contract), "passes": (), "bury": ()})
    unseen = None if one.talon_size else frozenset()
    nobody = Record(**{**vars(record), "hands": (None,) * one.seats, "talon": unseen, "contract": bare})
    assert check(nobody).findings == ()


@given(st.sampled_from(rr.RULES), st.integers(0, 10**9))
def test_a_barred_card_is_found_where_it_is_played(rule: tuple[str, dict[str, object]], seed: int) -> None:
    one, rng = game(rule[0], **rule[1]), random.Random(seed)
    record, positions, _ = rr.played(rng, one)
    places = [(i, card, why) for i, p in enumerate(positions) for card, why in p.barred().items()]
    if not places:
        return
    at, card, why = rng.choice(places)
    trick, place = divmod(at, one.seats)
    row = record.play[trick]
    cards = [*row.cards[:place], RecordedCard(row.cards[place].seat, Move(card)), *row.cards[place + 1 :]]
    play = (*record.play[:trick], RecordedTrick(tuple(cards)), *record.play[trick + 1 :])
    report = check(Record(**{**vars(record), "play": play, "result": None}))
    [found] = report.findings
    assert (found.rule, found.trick, found.seat, found.card) == (why, trick + 1, positions[at].turn, card)
    legal = {m.card for m in positions[at].legal()}
    assert found.proof is None or found.proof in legal | {(called := positions[at].rules.called) and called.card}


# --------------------------------------------------------------------- the command


def test_checking_needs_no_compiler() -> None:
    code = (
        f"import sys, solver; assert solver.check({text('kit_k4')!r}).ok; "
        "assert not {'numba', 'numpy', 'pandas'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("name", EXPECTED)
def test_exit_codes(run, name: str) -> None:  # noqa: F811
    ran: Ran = run("check", str(FOLDER / f"{name}.txt"))
    assert ran.code == bool(EXPECTED[name])
    assert ran.err == ""
    count = len(EXPECTED[name])
    assert ("nothing is wrong" if not count else f"{count} finding") in ran.out.splitlines()[0]
    assert all(str(found[1]) in ran.out for found in EXPECTED[name])


def test_standard_input_json_and_csv(run) -> None:  # noqa: F811
    ran = run("check", "-", "--json", text=text("kit_errors"))
    found = json.loads(ran.out)
    assert (ran.code, found["ok"], found["method"], found["outcome"]) == (1, False, "replay", None)
    assert [row["rule"] for row in found["rows"]] == ["winner", "trick-points", "follow-suit"]
    good = run("check", "-", "--json", text=text("kit_k4"))
    assert (good.code, json.loads(good.out)["outcome"]["scores"]) == (0, [1, 0, 3])
    ran = run("check", "-", "--csv", text=text("kit_errors"))
    rows = list(csv.DictReader(io.StringIO(ran.out)))
    assert (ran.code, rows[2]["proof"], rows[2]["trick"], rows[0]["proof"]) == (1, "o1", "3", "")
    empty = run("check", "-", "--csv", text=text("kit_k4"))
    assert (empty.code, empty.out) == (0, "line,rule,trick,seat,card,proof,text\n")


@pytest.mark.parametrize(
    "args, given, part",
    [
        (["check", "-"], b"game: kit\n\xff", "standard input is not UTF-8 text: byte 11"),
        (["check", "-"], b"", "no game is named"),
        (["check", "-"], b"game: kit\nhands: o1 o9", "line 2"),
        (["check", "no/such/file"], b"", "no/such/file"),
        (["check", "-", "--json", "--csv"], b"game: kit", "choose one"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(run, args: list[str], given: bytes, part: str) -> None:  # noqa: F811
    ran = run(*args, text=given)
    assert ran.code == 2
    assert ran.out == ""
    assert part in ran.err.splitlines()[-1]
    assert ran.err.splitlines()[-1].startswith("trickwise: ")


def test_finding_without_a_line() -> None:
    assert str(Finding(None, "over", "too much")) == "too much [over]"
