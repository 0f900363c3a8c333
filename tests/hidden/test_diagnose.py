"""Leaf correlation, bias and disambiguation: against the plain twin, by example, and the command."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import numpy as np
import pytest

import solver
from cli.test_cli import run, table  # noqa: F401  (a fixture)
from naive import diagnose as twin
from solver.games import GAMES, game
from solver.hidden import diagnose as module
from solver.hidden.diagnose import diagnose, ratio
from solver.hidden.randomplay import Line, _siblings, play_line
from solver.model.errors import NotationError, TrickwiseError, UnsupportedError

PLAIN = {"trump": None, "must_beat": False}


def as_twin(line: Line, ctx: dict) -> list[twin.Node]:
    """The same line in the twin."""
    nodes = [twin.begin(tuple(frozenset(map(str, hand)) for hand in line.deal.hands))]
    for move in line.moves:
        assert str(move.card) in twin.choices(nodes[-1], ctx)
        nodes.append(twin.step(nodes[-1], str(move.card), ctx))
    return nodes


# --------------------------------------------------------------------- against the twin


@pytest.mark.parametrize(
    "options, ctx, lines",
    [
        ({}, PLAIN, 8),
        ({"ranks": 3}, PLAIN, 40),
        ({"suits": 2, "ranks": 4, "seats": 2}, PLAIN, 20),
        ({"ranks": 3, "trump": "t", "must_beat": True}, {"trump": "t", "must_beat": True}, 40),
    ],
)
def test_lines_like_the_twin(options: dict, ctx: dict, lines: int) -> None:
    kit = game("kit", **options)
    deck = [str(card) for card in kit.deck.cards]
    closed = 0
    for number in range(lines):
        line = play_line(kit, kit.contract(None), number, seed=4)
        plain = as_twin(line, ctx)
        assert plain[-1].taken == line.end.tricks
        assert sorted(end.tricks for end in line.siblings) == sorted(twin.siblings(plain, ctx))
        closed += bool(line.siblings)
        counts = twin.counts(plain, deck, ctx)
        assert [turn.worlds for turn in line.turns] == counts
        assert [turn.moves for turn in line.turns] == [len(twin.choices(node, ctx)) for node in plain[:-1]]
        gained = [1 - after.worlds / before.worlds for before, after in line.learned]
        assert gained == pytest.approx([float(x) for x in twin.learned(plain, counts)])
    assert closed > lines / 2


@pytest.mark.parametrize("options", [{}, {"trump": "t", "must_beat": True}])
def test_whole_small_kit(options: dict) -> None:
    kit = game("kit", suits=2, ranks=3, **options)
    exact = twin.whole([str(card) for card in kit.deck.cards], 3, {**PLAIN, **options})
    found = diagnose(kit, deals=1500, counted=400, seed=2)
    assert found.closed == pytest.approx(float(exact.closed), abs=0.03)
    numbers = [exact.same, *exact.most, exact.learned]
    names = [("leaf correlation", "scores of all seats"), *(("bias", f"seat {s} scores most") for s in range(3)),
             ("disambiguation", "every turn")]  # fmt: skip
    for number, (measure, of) in zip(numbers, names, strict=True):
        row = found.frame[(found.frame["measure"] == measure) & (found.frame["of"] == of)].iloc[0]
        half = (row["high"] - row["low"]) / 2
        assert 0 < half < 0.06
        assert abs(row["value"] - float(number)) < 2 * half


def test_ratio() -> None:
    above, below = [1.0, 2.0, 0.5, 1.5], [2, 3, 1, 2]
    one = ratio(above, below)
    assert one.value == pytest.approx(5 / 8)
    assert one.low < one.value < one.high
    assert ratio([*above, 0.0], [*below, 0]) == one  # a deal without turns says nothing
    rng = np.random.default_rng(1)
    size = rng.integers(1, 9, 20_000)
    many = [ratio((got := rng.binomial(size[i : i + 100], 0.6)), size[i : i + 100]) for i in range(0, 20_000, 100)]
    assert got.sum() > 0
    assert np.mean([m.low <= 0.6 <= m.high for m in many]) == pytest.approx(0.95, abs=0.05)
    assert (ratio([], []).low, ratio([], []).high) == (0, 1)
    assert (ratio([1], [2]).value, ratio([1], [2]).low, ratio([1], [2]).high) == (0.5, 0, 1)


# --------------------------------------------------------------------- by example


def test_last_decision() -> None:
    """Seat 2, last to play to the first trick, has the choice of o3 or o1, and with o3 takes it."""
    kit = game("kit", suits=2, ranks=3)
    deal = kit.read("o2 t3 | t1 t2 | o3 o1")
    position = kit.start(deal, kit.contract(None)).play("o2").play("t2")
    assert sorted(end.tricks for end in _siblings(position)) == [(0, 0, 2), (2, 0, 0)]
    assert _siblings(kit.start(deal, kit.contract(None))) == ()  # others choose after it


def test_learned_by_hand() -> None:
    """Seat 0 holds half of six cards: 6 worlds; then it has seen two others, and each has one card left."""
    kit = game("kit", suits=1, ranks=6)
    line = play_line(kit, kit.contract(None), 0, seed=1)
    first, second = [turn for turn in line.turns if turn.seat == 0]
    assert (first.worlds, second.worlds) == (6, 2)


@pytest.mark.parametrize("name", GAMES)
def test_every_game(name: str) -> None:
    found = diagnose(name, deals=12, counted=1, seed=3)
    rates = found.frame[["value", "low", "high"]].to_numpy()
    assert ((rates >= 0) & (rates <= 1)).all()
    assert (rates[:, 1] <= rates[:, 0] + 1e-12).all()
    assert (rates[:, 0] <= rates[:, 2] + 1e-12).all()
    assert set(found.frame["measure"]) == {"leaf correlation", "bias", "disambiguation"}
    assert found.turns["worlds"].iloc[0] > found.turns["worlds"].iloc[-1] >= 1
    assert found.n == 12
    assert found.counted == 1
    one = game(name)
    line = play_line(one, one.contract(one.usual_contract()), 0, seed=3)
    assert one.settle(line.end, line.contract).points
    assert min(turn.worlds for turn in line.turns) >= 1
    own = [turn.worlds for turn in line.turns if turn.seat == line.turns[0].seat]
    assert own == sorted(own, reverse=True)


@pytest.mark.parametrize(
    "name, contract, options",
    [
        ("kit", "2 by 1", {}),
        ("kit", "by 0", {}),
        ("sheepshead", "by 0, alone", {}),
        ("sheepshead", "leaster", {}),
        ("sheepshead", None, {"partner": "queens", "seats": 4}),
        ("thousand", None, {"table": "two_fixed"}),
        ("thousand", None, {"table": "four_pairs"}),
        ("three_of_spades", "250 by 2, trump S", {"extra_partner": True}),
        ("skat", "null by 1", {}),
        ("bridge", "side 0 2, trump H", {}),
        ("whist", None, {"trump": "none"}),
    ],
)
def test_contracts(name: str, contract: str | None, options: dict) -> None:
    found = diagnose(name, contract, deals=4, counted=1, seed=1, **options)
    assert found.value("leaf correlation") >= 0
    assert 0 < found.value("disambiguation") <= 1


def test_the_dummy_is_played_by_the_declarer() -> None:
    bridge = game("bridge")
    line = play_line(bridge, bridge.contract("3NT by S"), 0, seed=1)
    seats = [turn.seat for turn in line.turns]
    assert seats.count(2) == 26
    assert 0 not in seats
    assert next(t.worlds for t in line.turns if t.seat == 2) <= 10400600  # both hidden hands of 13 among 26 cards


# --------------------------------------------------------------------- the answer


def test_seed_settles_it_and_more_deals_begin_alike() -> None:
    one, two = (diagnose("kit", deals=20, counted=5, seed=6) for _ in range(2))
    assert one.frame.equals(two.frame)
    assert one.turns.equals(two.turns)
    assert not one.frame.equals(diagnose("kit", deals=20, counted=5, seed=7).frame)
    kit = game("kit")
    counted, plain = (play_line(kit, kit.contract(None), 3, seed=6, count=c) for c in (True, False))
    assert counted == replace(plain, turns=counted.turns)
    without = diagnose("kit", deals=20, counted=0, seed=6)
    assert "disambiguation" not in set(without.frame["measure"])
    assert len(without.turns) == 0
    assert without.value("bias", "seat 1 scores most") == one.value("bias", "seat 1 scores most")


def test_shown() -> None:
    found = solver.diagnose("kit", deals=20, counted=5, seed=6)
    text = str(found)
    assert text.startswith("kit: leaf correlation, bias and disambiguation, each seat for itself\nrandom legal play, n")
    assert "worlds counted in 5 deals" in text
    assert found._repr_html_().count("<table") == 2
    assert found.to_json()["turns"][0]["turn"] == 1
    assert found.to_json()["seed"] == 6


def test_no_decision_at_all() -> None:
    found = diagnose("kit", suits=1, ranks=3, deals=5, seed=1)
    assert found.closed == 0
    assert np.isnan(found.value("leaf correlation"))
    assert str(found)


def test_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    def some(one, contract, number, *, seed, count):
        if number == 7:
            raise KeyboardInterrupt
        return play_line(one, contract, number, seed=seed, count=count)

    monkeypatch.setattr(module, "play_line", some)
    told: list[tuple[int, int]] = []
    found = diagnose("kit", deals=20, counted=9, seed=6, progress=lambda done, total: told.append((done, total)))
    assert found.partial
    assert (found.n, found.counted, told[-1]) == (7, 7, (7, 20))
    assert "PARTIAL" in str(found)
    monkeypatch.undo()
    assert found.frame.equals(diagnose("kit", deals=7, counted=7, seed=6).frame)
    monkeypatch.setattr(module, "play_line", lambda *a, **k: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt, match="before any deal"):
        diagnose("kit")


@pytest.mark.parametrize(
    "name, contract, more, said",
    [
        ("kits", None, {}, "no game 'kits'"),
        ("kit", "9 by 0", {}, "9 tricks: a hand of the kit has 4"),
        ("kit", None, {"deals": 0}, "deals is 0: expected a whole number from 1"),
        ("kit", None, {"deals": 5, "counted": 6}, "counted is 6: expected a whole number from 0 to the 5 deals"),
        ("skat", "by 0", {}, "no game: write"),
        ("thousand", "120 by 0, pass 9C to 1, 9D to 2", {}, "names 9C 9D: deals and plans are drawn at random"),
        ("thousand", "120 by 0, surrender", {}, "surrender: nothing is played"),
        ("sheepshead", "schwanzer", {"no_pick": "schwanzer"}, "schwanzer: nothing is played"),
        ("sheepshead", "by 0, call AC", {}, "the contract names AC"),
    ],
)
def test_errors(name: str, contract: str | None, more: dict, said: str) -> None:
    with pytest.raises((NotationError, UnsupportedError), match=said) as caught:
        diagnose(name, contract, **more)
    assert isinstance(caught.value, TrickwiseError)
    assert "\n" not in str(caught.value)


# --------------------------------------------------------------------- the command

ARGS = ("diagnose", "kit", "--deals", "30", "--counted", "5", "--seed", "5")


def test_command(run) -> None:  # noqa: F811
    ran = run(*ARGS)
    assert ran.code == 0, ran.err
    lines = ran.out.splitlines()
    assert lines[:2] == [
        "kit: leaf correlation, bias and disambiguation, each seat for itself", "random legal play, n = 30, seed 5",
    ]  # fmt: skip
    assert lines[3].split() == ["measure", "of", "value", "n"]
    assert lines[-1].startswith("deals drawn at random without an auction")
    found = table(run(*ARGS, "--json"))
    assert (found["n"], found["seed"], found["counted"], found["contract"]) == (30, 5, 5, "")
    assert {"measure", "of", "value", "low", "high", "n"} == set(found["rows"][0])
    rows = list(csv.DictReader(io.StringIO(run(*ARGS, "--csv").out)))
    assert [float(row["value"]) for row in rows] == pytest.approx([row["value"] for row in found["rows"]])
    told = table(run(*ARGS, "--contract", "2 by 0", "--json"))
    assert told["rows"][0]["of"] == "contract made"
    assert told["unit"] == "tricks"
    assert "worlds open" not in run(*ARGS[:3], "9", "--counted", "0", "--seed", "1").out


def test_command_says_what_is_wrong(run) -> None:  # noqa: F811
    for more in (("--counted", "31"), ("--contract", "9 by 0"), ("-o", "suits=4")):
        ran = run(*ARGS[:4], *more)
        assert (ran.code, ran.out, len(ran.err.splitlines())) == (2, "", 1)


def test_command_interrupted(run, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    def some(one, contract, number, *, seed, count):
        if number == 7:
            raise KeyboardInterrupt
        return play_line(one, contract, number, seed=seed, count=count)

    monkeypatch.setattr(module, "play_line", some)
    ran = run(*ARGS)
    assert ran.code == 130
    assert "n = 7, seed 5, PARTIAL" in ran.out
