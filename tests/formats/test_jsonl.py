"""Positions a line, read strictly."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.deals.doubledummy import cards
from solver.deals.positions import solve_line, solve_lines
from solver.formats.jsonl import load, read_position
from solver.games import game
from solver.model.errors import TrickwiseError

from .test_cards import attempt

KIT = {"id": "k6", "game": "kit", "hands": [["o2", "s4"], ["o3", "t1"], ["o4", "t2"]], "leader": 0, "side": [0]}
THOUSAND = {
    "game": "thousand", "hands": [["KH", "QH", "9S"], ["AH", "JS", "9C"], ["TH", "AS", "JD"]], "leader": 0,
    "trump": None, "declarer": 0,
}  # fmt: skip
SHEEPSHEAD = {
    "game": "sheepshead", "hands": [["AC", "7D"], ["8C", "QC"], ["9C", "TH"], ["KC", "8H"], ["TC", "9H"]], "leader": 1,
    "duties": {"called": "AC", "picker": 1, "under": None},
}  # fmt: skip


def ask(base: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Answer a line made from another; a value of `...` takes the key out."""
    obj = {k: v for k, v in {**base, **changes}.items() if v is not ...}
    return solve_line(json.dumps(obj))


@pytest.mark.kernel
def test_value_threshold_and_cards() -> None:
    found = ask(KIT)
    assert (found["id"], found["value"]) == ("k6", 1)
    assert found["nodes"] >= 0
    assert ask(KIT, need=1)["makes"] is True
    assert ask(KIT, need=2)["makes"] is False
    found = ask(KIT, cards=True)
    assert {c["card"]: c["value"] for c in found["cards"]} == {"s4": 1, "o2": 0}
    assert {c["card"]: c["makes"] for c in ask(KIT, cards=True, need=1)["cards"]} == {"s4": True, "o2": False}


@pytest.mark.kernel
def test_cards_on_the_table() -> None:
    found = ask(KIT, hands=[["o2"], ["o3", "t1"], ["o4", "t2"]], trick=["s4"])
    assert found["value"] == 1
    found = ask(KIT, hands=[["s4"], ["o3", "t1"], ["o4", "t2"]], trick=["o2"], cards=True)
    assert (found["value"], [c["card"] for c in found["cards"]]) == (0, ["o3"])


@pytest.mark.kernel
def test_thousand_keys() -> None:
    assert ask(THOUSAND)["value"] > ask(THOUSAND, marriages=False)["value"] + 50
    assert ask(THOUSAND, first_lead=True, cards=True)["value"] < ask(THOUSAND)["value"]
    assert ask(THOUSAND, timing="immediate")["value"] >= ask(THOUSAND)["value"]
    assert ask(THOUSAND, options={"marriages": False}) == {**ask(THOUSAND, marriages=False), "id": 1}
    assert ask(THOUSAND, side=[0]) == ask(THOUSAND, declarer=..., side=[0])
    led = ask(THOUSAND, hands=[["QH", "9S"], ["AH", "JS", "9C"], ["TH", "AS", "JD"]], trick=["KH"], declared=True)
    shown = next(c for c in ask(THOUSAND, cards=True)["cards"] if c["card"] == "KH" and c["declare"])
    assert led["value"] == shown["value"] - 100


@pytest.mark.kernel
def test_sheepshead_duties() -> None:
    _, position, _ = read_position(SHEEPSHEAD)
    assert position.side == {0, 1}
    assert position.rules.called.card == "AC"
    assert ask(SHEEPSHEAD, cards=True)["cards"]
    _, position, _ = read_position({**SHEEPSHEAD, "duties": None, "side": [0, 3]})
    assert (position.side, position.rules.called) == ({0, 3}, None)
    hands = [["AC"], ["8C"], ["9C"], ["KC"], ["TC"], ["7C"], ["QH"]]
    _, position, _ = read_position({"game": "sheepshead", "hands": hands, "leader": 0, "side": [0]})
    assert position.rules.seats == 7


@pytest.mark.parametrize(
    "base, changes, parts",
    [
        (KIT, {"game": ...}, ["'game'", "missing"]),
        (KIT, {"hands": ...}, ["'hands'", "missing"]),
        (KIT, {"leader": ...}, ["'leader'", "missing"]),
        (KIT, {"side": ...}, ["'side'", "missing"]),
        (KIT, {"sid": [0]}, ["'sid'", "did you mean 'side'"]),
        (KIT, {"game": "hearts"}, ["no game 'hearts'", "kit"]),
        (KIT, {"game": 3}, ["game is 3"]),
        (KIT, {"hands": [["o2", "x4"], ["o3", "t1"], ["o4", "t2"]]}, ["hands[0][1]", "'x4'"]),
        (KIT, {"hands": [["o2", "o2"], ["o3", "t1"], ["o4", "t2"]]}, ["o2 stands twice", "hands[0]"]),
        (KIT, {"hands": [["o2", 4], ["o3", "t1"], ["o4", "t2"]]}, ["hands[0][1] is 4"]),
        (KIT, {"hands": [["o2"], ["o3", "t1"], ["o4", "t2"]]}, ["do not fit", "seat 0 1", "seat 1 2"]),
        (KIT, {"hands": [["o2", "s4"], ["o3", "t1"], ["o4", "t2"]], "trick": ["s1"]}, ["do not fit", "1 on the table"]),
        (KIT, {"hands": "o2 s4"}, ["hands is", "list"]),
        (KIT, {"hands": [[], [], []]}, ["empty"]),
        (KIT, {"hands": [["o1"]] * 9}, ["seats is 9"]),
        (KIT, {"trick": ["s1", "s2", "s3"]}, ["complete"]),
        (KIT, {"hands": [["o2"], ["o3"], ["o4", "t2"]], "trick": ["o1", "t1"]}, ["trick[1]", "follow-suit"]),
        (KIT, {"leader": 3}, ["leader is 3", "seat from 0 to 2"]),
        (KIT, {"leader": True}, ["leader is true"]),
        (KIT, {"side": []}, ["side is []"]),
        (KIT, {"side": [0, 7]}, ["side[1] is 7"]),
        (KIT, {"need": "1"}, ['need is "1"']),
        (KIT, {"need": 10**30}, ["need is 1000"]),
        (KIT, {"cards": 1}, ["cards is 1", "true or false"]),
        (KIT, {"trump": "H"}, ['trump is "H"', "o t s"]),
        (KIT, {"declarer": 0}, ["'declarer'", "thousand"]),
        (KIT, {"options": {"must_beat": "maybe"}}, ["must_beat", "on, off"]),
        (KIT, {"options": {"seats": 3.0}}, ["seats is 3.0"]),
        (THOUSAND, {"timing": "now"}, ["trump_timing", "next_trick, immediate"]),
        (THOUSAND, {"marriages": 1}, ["marriages is 1"]),
        (THOUSAND, {"declared": True}, ["declared", "trick is empty"]),
        (THOUSAND, {"declarer": 3}, ["declarer is 3"]),
        (SHEEPSHEAD, {"duties": {"called": "AC"}}, ["duties is", "picker"]),
        (SHEEPSHEAD, {"duties": {"called": "8C", "picker": 1}}, ["duties: call 8C", "a fail ace is called"]),
        (SHEEPSHEAD, {"duties": {"called": "AC", "picker": 0}}, ["duties: call AC", "the picker holds it"]),
        (SHEEPSHEAD, {"duties": {"called": "AC", "picker": 1, "under": "TH"}}, ["duties: under TH", "does not hold"]),
        (SHEEPSHEAD, {"options": {"partner": "none"}}, ["duties: call AC", "partner=none"]),
        (
            SHEEPSHEAD,
            {"duties": {"called": "AC", "picker": 0, "under": "7D"}, "options": {"call_own_ace": True}},
            ["duties: under 7D", "without an under card"],
        ),
        (KIT, {"trick": 0}, ["trick is 0", "list"]),
        (KIT, {"trick": ""}, ['trick is ""', "list"]),
        (KIT, {"options": []}, ["options is []", "object"]),
        (SHEEPSHEAD, {"trump": "H"}, ["fixed"]),
    ],
)
def test_one_clear_error(base: dict[str, Any], changes: dict[str, Any], parts: list[str]) -> None:
    found = ask(base, **changes)
    assert set(found) == {"id", "error"}
    assert [part for part in parts if part not in found["error"]] == []
    assert "\n" not in found["error"]


@pytest.mark.parametrize(
    "text, part",
    [
        ("{", "not JSON"),
        ("[1]", "one JSON object"),
        ('{"id": 1, "id": 2}', "stands twice"),
        ("[" * 100_000, "not JSON"),
        ('{"id":' * 60 + "1" + "}" * 60, "more than 50 objects and lists within each other"),
        ('{"id": ' + "[" * 400 + "]" * 400 + "}", "more than 50"),
        ("1" * 5000, "5000 digits"),
        ('{"id": NaN}', "NaN is no number"),
        ('{"id": -Infinity}', "-Infinity is no number"),
        ('{"id": 1e999}', "too large"),
        ('{"id": "\\ud800"}', "surrogate"),
        ('{"id": {"a\\udfff": 1}}', "surrogate"),
        ('{"id": "\0"}', "not JSON"),
        ("\0", "not JSON"),
        ('{"id": "' + "x" * 10_000, "not JSON"),
        ('{"' + "x" * 10_000 + '": 1, "' + "x" * 10_000 + '": 1}', "stands twice"),
        (json.dumps("y" * 10_000), "one JSON object"),
        (b"\xff\xfe", "not UTF-8"),
        (b'{"id": "' + b"z" * 10_000 + b'\xc3"}', "not UTF-8"),
    ],
)
def test_what_is_no_object(text: str | bytes, part: str) -> None:
    found = solve_line(text, 7)
    assert found["id"] == 7
    assert part in found["error"]
    assert len(found["error"]) < 250


@pytest.mark.kernel
def test_a_bad_line_does_not_stop_the_rest() -> None:
    lines = [json.dumps(KIT), "", "{}", json.dumps({**KIT, "id": None}), json.dumps({**KIT, "id": ["a", 1]})]
    found = list(solve_lines(lines))
    assert [f["id"] for f in found] == ["k6", 3, 4, ["a", 1]]
    assert ["error" in f for f in found] == [False, True, False, False]


values = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 9) | st.floats() | st.sampled_from(["AH", "o1", "kit", "H", "x", ""]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["called", "picker", "seats"]), inner),
    max_leaves=12,
)


@given(
    st.sampled_from([KIT, THOUSAND, SHEEPSHEAD]),
    st.dictionaries(
        st.sampled_from([*KIT, *THOUSAND, *SHEEPSHEAD, "trick", "trump", "need", "options", "timing"]), values
    ),
)
def test_any_object_is_read_or_refused(base: dict[str, Any], changes: dict[str, Any]) -> None:
    obj = json.loads(json.dumps({**base, **changes}))
    _, message = attempt(read_position, obj)
    assert "\n" not in message


@given(st.text(max_size=60) | st.text(alphabet='{}[]":,0123456789 gamehnds', max_size=60))
def test_any_line_is_read_or_refused(text: str) -> None:
    _, message = attempt(load, text)
    assert "\n" not in message


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)  # fmt: skip
_LINES = (
    st.binary(max_size=80)
    | st.text(st.characters(codec=None), max_size=40).map(lambda text: text.encode(errors="surrogatepass"))
    | st.text('{}[]":,0123456789.eE-\\u\0 gamehnds', max_size=60).map(str.encode)
    | _JSON.map(lambda value: json.dumps(value).encode())
    | st.dictionaries(st.sampled_from([*KIT, "trick", "need", "cards", "options"]), _JSON, max_size=3).map(
        lambda changes: json.dumps({**KIT, **changes}).encode()
    )
    | st.integers(1, 100_000).map(lambda deep: b'{"id": ' + b"[" * deep)
    | st.integers(1, 3_000).map(lambda deep: b'{"id": ' + b"[" * deep + b"]" * deep + b"}")
)


@pytest.mark.kernel
@given(st.lists(_LINES.map(lambda line: line.replace(b"\n", b" ")), max_size=6))
@settings(max_examples=200, deadline=None)
def test_any_lines_end_in_an_answer_each(lines: list[bytes]) -> None:
    """Whatever stands in a line, it has one answer, which is JSON and one line itself; blank lines have none."""
    found = list(solve_lines(lines, limit=1000))
    assert len(found) == sum(bool(line.strip()) for line in lines)
    for answer in found:
        text = json.dumps(answer, allow_nan=False)
        assert len(text.encode().splitlines()) == 1
        assert ("error" in answer) != ("value" in answer or "makes" in answer or "low" in answer)
        assert "\n" not in answer.get("error", "")
        assert len(answer.get("error", "")) < 400


@pytest.mark.kernel
def test_an_ace_of_the_pickers_own_is_called_by_that_option() -> None:
    """As `cards` and `worlds` have it: what may be called is for the game to say, not for its notation."""
    own = {**SHEEPSHEAD, "duties": {"called": "AC", "picker": 0, "under": None}, "options": {"call_own_ace": True}}
    _, position, _ = read_position(own)
    assert position.side == {0}
    assert position.rules.called.card == "AC"
    deal = game("sheepshead", call_own_ace=True).read(
        "AC 7D 8D 9D TD KD | 8C QC QS JC JS AD | 9C TH AH KH QH 9H | KC 8H 7H JH JD AS | TC QD 7S 8S 9S KS"
    )
    hands = [deal.game.deck.sort(hand) for hand in deal.hands]
    found = ask(own, hands=hands, leader=0, first_lead=..., cards=True)
    frame, bury = cards(deal, "picker 0, call AC, bury 7C TS"), 10
    assert {c["card"]: c["value"] + bury for c in found["cards"]} == dict(
        zip(frame["card"], frame["value"], strict=True)
    )


@pytest.mark.kernel
def test_jacks_are_called_by_that_option() -> None:
    obj = {**SHEEPSHEAD, "hands": [["AC", "JD"], ["8C", "QC"], ["9C", "JH"], ["KC", "8H"], ["TC", "9H"]]}
    obj |= {"duties": {"called": "JH", "picker": 0, "under": None}, "options": {"partner": "jd", "jd_call_up": True}}
    assert read_position(obj)[1].side == {0, 2}


SKAT = {"game": "skat", "hands": [["7C", "8S"], ["8C", "7S"], ["9C", "AS"]], "leader": 0, "trump": "null", "side": [0]}


@pytest.mark.kernel
def test_whether_a_contract_is_made() -> None:
    """A null game is made by taking no trick, so that it is the reverse of taking one."""
    assert {k: ask(KIT, need=1)[k] for k in ("makes", "made")} == {"makes": True, "made": True}
    assert {k: ask(KIT, need=2)[k] for k in ("makes", "made")} == {"makes": False, "made": False}
    assert "made" not in ask(KIT)
    assert [c["made"] for c in ask(KIT, need=1, cards=True)["cards"]] == [False, True]
    for hands, takes in (
        ([["7C", "7S"], ["8C", "8S"], ["9C", "AS"]], 0),
        ([["AC", "7S"], ["8C", "8S"], ["9C", "AS"]], 1),
    ):
        found = ask(SKAT, hands=hands)
        assert (found["value"], found["made"]) == (takes, takes == 0)
        for need in (0, 1, 2):
            found = ask(SKAT, hands=hands, need=need, cards=True)
            assert (found["makes"], found["made"]) == (takes >= need, takes == 0)
            assert all(c["made"] is (not takes) for c in found["cards"])


def test_errors_are_ours() -> None:
    with pytest.raises(TrickwiseError):
        read_position({})


def test_a_house_rule_puts_the_three_on_top() -> None:
    obj = {
        "game": "three_of_spades", "hands": [["AH"], ["3S"], ["KH"], ["QH"], ["JH"]], "leader": 0, "side": [1],
        "trump": "H",
    }  # fmt: skip
    for options, best in (({}, 0), ({"three_on_top": True}, 1)):
        position = read_position({**obj, "options": options})[1]
        for card in ("AH", "3S", "KH", "QH", "JH"):
            position = position.play(card)
        assert position.leader == best


def test_house_rules_fix_the_trump() -> None:
    obj = {**KIT, "options": {"trump": "t"}}
    assert read_position(obj)[1].trump == "t"
    assert read_position({**obj, "trump": None})[1].trump is None
    assert read_position({**obj, "trump": "s"})[1].trump == "s"
    assert read_position(KIT)[1].trump is None
