"""Every command and every verb of the library over every registered game: an answer, or one line that refuses.

Commands and verbs are found, not listed: a new one without a row here fails. The toy game is registered by the test
alone, so that whatever is looked up by a game's name shows.
"""

from __future__ import annotations

import inspect
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

import every_game
import solver as tw
import toygame
from deciding import QUICK
from solver.bidding.of_game import bidding_class
from solver.bidding.question import ask
from solver.cli import app
from solver.cli.records import Notation
from solver.deals.halving import Round
from solver.formats.pbn import Board
from solver.formats.record import Record, RecordedCard, RecordedTrick, contract_text, write_record
from solver.games import GAMES
from solver.model.errors import TrickwiseError
from solver.studies.kinds import KINDS

pytestmark = pytest.mark.usefixtures("registered", "quick")


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    toygame.register(monkeypatch)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer worlds for the choice of a plan; games without a schedule of their own keep the usual one."""
    for name, rounds in QUICK.items():
        monkeypatch.setattr(bidding_class(name), "schedule", rounds)
    for name, of in {name: bidding_class(name) for name in GAMES}.items():
        monkeypatch.setattr(of, "before", (Round(90, 1), Round(6, 2), Round(2, 4)))
        if (light := of.light) is not None:
            light = replace(light, rounds=QUICK.get(name, ()), passed=2 if light.passed else None)
            monkeypatch.setattr(of, "light", light)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Case], Path]:
    """A folder for each game, in which what one command leaves is there for the next."""
    return cache(lambda case: tmp_path_factory.mktemp(case.id))


@dataclass(frozen=True)
class Case:
    """A game, a deal of it under a contract, and how the deal is played."""

    name: str
    options: tuple[tuple[str, Any], ...] = ()
    agreed: str = ""  # what is played, without a plan

    @property
    def id(self) -> str:
        return "-".join([self.name, *(f"{key}-{value}" for key, value in self.options), *self.agreed.split()[:1]])

    @property
    def flags(self) -> list[str]:
        """The options as a command has them."""
        return [part for key, value in self.options for part in ("-o", f"{key}={value}")]

    @property
    def game(self) -> Any:
        return tw.game(self.name, **dict(self.options))

    @cached_property
    def deal(self) -> Any:
        return self.game.deal(seed=7)

    @property
    def settled(self) -> str:
        """What is played, without a plan."""
        return self.agreed or ("10 by 0" if self.name == "toy" else every_game.Case(self.name).contracts[0])

    @cached_property
    def contract(self) -> Any:
        """The same with a plan."""
        agreed = self.game.contract(self.settled)
        held = self.deal.hands[agreed.declarer] | self.deal.talon
        try:
            return self.game.check_contract(next(iter(self.game.plans(held, agreed))))
        except TrickwiseError:
            return agreed

    @property
    def told(self) -> str:
        return contract_text(self.game, self.contract)

    @property
    def seat(self) -> int:
        return self.contract.declarer

    @cached_property
    def tricks(self) -> list[RecordedTrick]:
        """The deal played at random."""
        rng, position, tricks = random.Random(7), self.game.start(self.deal, self.contract), []
        while not position.over:
            played = []
            while len(played) < self.game.seats:
                played.append(RecordedCard(position.turn, rng.choice(position.legal())))
                position = position.play(played[-1].move)
            tricks.append(RecordedTrick(tuple(played)))
        return tricks

    @property
    def play(self) -> str:
        return " ".join(str(card.move) for trick in self.tricks for card in trick.cards)

    @property
    def dealt(self) -> str:
        """The declarer's cards as dealt."""
        return self.game.deck.write(self.deal.hands[self.seat])

    @property
    def full(self) -> str:
        """With the talon."""
        return self.game.deck.write(self.deal.hands[self.seat] | self.deal.talon)

    @property
    def at_lead(self) -> str:
        """At the first lead."""
        return self.game.deck.write(self.game.start(self.deal, self.contract).hands[self.seat])

    @property
    def small(self) -> Any:
        """The game, or a kit small enough for an equilibrium in an instant."""
        return tw.game("kit", ranks=2) if self.name == "kit" else self.game

    @cached_property
    def known(self) -> Any:
        """What the declarer knows at the first lead."""
        return ask(self.game, self.at_lead, self.contract)

    @property
    def record(self) -> str:
        game, deal = self.game, self.deal
        return write_record(
            Record(game, game.seats - 1, deal.hands, deal.talon, contract=self.contract, play=tuple(self.tricks))
        )

    @property
    def line(self) -> str:
        """The last two cards of each seat as a line of JSON."""
        *_, position = every_game.playout(self.game.start(self.deal, self.contract), random.Random(7), left=2)
        trump = {"skat": self.contract.trump or self.contract.kind, "sheepshead": None}.get(self.name, position.trump)
        return json.dumps(
            {"game": self.name, "options": dict(self.options), "hands": [sorted(hand) for hand in position.hands],
             "leader": position.leader, "trump": trump, "side": sorted(position.side)}
        )  # fmt: skip


CASES = [
    *map(Case, GAMES),
    Case("skat", agreed="null by 2"),
    *(Case("toy", (("decides", what),)) for what in toygame.DECISIONS),
]
every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)


def commands(group: Any = None, before: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command of the application, with the words that call it."""
    group = typer.main.get_command(app) if group is None else group
    for name, one in group.commands.items():
        if hasattr(one, "commands"):  # a group
            yield from commands(one, (*before, name))
        else:
            yield (*before, name), one


# ---------------------------------------------------------------------- commands

#: Few worlds and deals, the same every time.
FEW = ["--worlds", "2", "--seed", "1", "--workers", "1"]


def _deal(case: Case, *more: str) -> list[str]:
    return [case.name, case.deal.text, case.told, *more, *case.flags]


def _stages(case: Case, *more: str) -> Iterator[list[str]]:
    """A hand before the talon, with it, and at the first lead; with and without a contract."""
    yield [case.name, case.dealt, *more, *case.flags]
    yield [case.name, case.dealt, "--contract", case.settled, *more, *case.flags]
    yield [case.name, case.full, "--contract", case.settled, *more, *case.flags]
    yield [case.name, case.at_lead, "--contract", case.told, *more, *case.flags]


def _small(case: Case) -> list[str]:
    return [case.name, *(["-o", "ranks=2"] if case.name == "kit" else case.flags)]


def _solve(case: Case, folder: Path) -> Iterator[list[str]]:
    yield _deal(case)
    lines = folder / "lines.jsonl"
    lines.write_text(case.line + "\n")
    yield ["--jsonl", str(lines)]


def _annotate(case: Case, folder: Path) -> Iterator[list[str]]:
    first = " ".join(case.play.split()[: case.game.seats])
    yield _deal(case, case.play if case.game.hand_size < 10 else first)
    yield _deal(case, first, "--seen", *FEW)


def _numbers(case: Case, folder: Path) -> Iterator[list[str]]:
    few = ["--talons", "2", "--deals", "2", "--own-worlds", "2", *FEW]
    yield from _stages(case, *few, "--fast")
    yield [case.name, case.at_lead, "--contract", case.told, *few, "--plot", str(folder / "a.png"), *case.flags]


def _bid(case: Case, folder: Path) -> Iterator[list[str]]:
    yield from _stages(case, "--talons", "2", "--limit", "2000", *FEW)
    plot = ["--plot", str(folder / "a.png"), "--limit", "2000"]
    yield [case.name, case.at_lead, "--contract", case.told, *plot, *FEW, *case.flags]


def _threshold(case: Case, folder: Path) -> Iterator[list[str]]:
    few = ["--hands", "1", "--seed", "1", "--workers", "1", "--limit", "500"]
    yield [case.name, *few, *case.flags]
    yield [case.name, *few, "--talons", "2", "--passed", "2", *case.flags]


def _worlds(case: Case, folder: Path) -> Iterator[list[str]]:
    yield [case.name, case.dealt, *case.flags]
    yield [case.name, case.at_lead, "--contract", case.told, *case.flags]
    yield [case.name, case.dealt, "--seat", str(case.seat), "--auction", "0 pass", *case.flags]


def _advise(case: Case, folder: Path) -> Iterator[list[str]]:
    first = [case.name, case.at_lead, "--contract", f"{case.told}, lead {case.seat}", "--seat", str(case.seat)]
    for objective in ("", "score", "make", "points", "tricks", "session"):
        yield [*first, "--objective", objective, *FEW, *case.flags]


def _equilibrium(case: Case, folder: Path) -> Iterator[list[str]]:
    yield [*_small(case), "--iterations", "1"]
    yield [*_small(case), "--clairvoyant", "0", "--iterations", "1"]


def _league(case: Case, folder: Path) -> Iterator[list[str]]:
    yield [*_small(case), "--iterations", "1"]
    yield [*_small(case), "--truths", "--contract", "1 by 0", "--iterations", "1"]


#: Keys of each kind of study.
SETTINGS: dict[str, Callable[[Case], dict[str, Any]]] = {
    "threshold": lambda case: {"hands": 1},
    "exact": lambda case: {"hand": case.dealt, "talons": 1, "worlds": 2, "bids": [100]},
    "match": lambda case: {"deals": 4, "contract": case.settled, "first": "random", "second": "pimc 2", "limit": 50},
    "solve": lambda case: {"file": "lines.jsonl"},
    "annotate": lambda case: {"folder": ".", "files": "*.rec"},
}


def _studies(case: Case, folder: Path) -> Iterator[list[str]]:
    """A definition of each kind, and the store that it would have."""
    (folder / "lines.jsonl").write_text(case.line + "\n")
    (folder / "one.rec").write_text(case.record)
    for kind in KINDS:
        settings, path = SETTINGS[kind](case), folder / f"{kind}.toml"
        game = [] if kind in ("solve", "annotate") else [f'game = "{case.name}"']
        options = [] if not game else ["[options]", *(f"{k} = {json.dumps(v)}" for k, v in case.options)]
        keys = [f"{key} = {json.dumps(value)}" for key, value in settings.items()]
        path.write_text("\n".join([f'kind = "{kind}"', *game, "seed = 1", *options, f"[{kind}]", *keys]) + "\n")
        yield [str(path), "--workers", "1"]


def _stores(case: Case, folder: Path, *more: str) -> Iterator[list[str]]:
    """The stores of those definitions that the game is for."""
    for definition, *few in _studies(case, folder):
        store = Path(definition).with_suffix(".duckdb")
        if not store.exists():
            CliRunner().invoke(app, ["study", "run", definition, *few])
        yield [str(store), *more]


def _recorded(case: Case, folder: Path, *more: tuple[str, ...]) -> Iterator[list[str]]:
    """The record of the deal in a file."""
    path = folder / "record.txt"
    path.write_text(case.record)
    yield from ([str(path), *words] for words in more or ((),))


#: What each command is called with: arguments after its name, several times.
COMMANDS: dict[tuple[str, ...], Callable[[Case, Path], Iterator[list[str]]]] = {
    ("manual",): lambda case, folder: iter([[], [case.name]]),
    ("games",): lambda case, folder: iter([[], [case.name]]),
    ("deal",): lambda case, folder: iter([[case.name, "--seed", "7", *case.flags]]),
    ("solve",): _solve,
    ("cards",): lambda case, folder: iter([_deal(case), _deal(case, "--play", case.play.split()[0])]),
    ("line",): lambda case, folder: iter([_deal(case)]),
    ("annotate",): _annotate,
    ("table",): lambda case, folder: iter([[case.deal.text]]),
    ("plans",): lambda case, folder: iter([[case.name, case.full, "--contract", case.settled, *case.flags]]),
    ("bid",): _bid,
    ("plan",): lambda case, folder: _stages(case, "--sampled", "--limit", "2000", *FEW),
    ("numbers",): _numbers,
    ("threshold",): _threshold,
    ("worlds",): _worlds,
    ("advise",): _advise,
    ("equilibrium",): _equilibrium,
    ("league",): _league,
    ("diagnose",): lambda case, folder: iter([[case.name, "--deals", "3", "--seed", "1", *case.flags]]),
    ("study", "run"): _studies,
    ("study", "kinds"): lambda case, folder: iter([[]]),
    ("study", "resume"): _stores,
    ("study", "status"): _stores,
    ("study", "export"): lambda case, folder: _stores(case, folder, "--to", str(folder / "a.csv"), "--force"),
    ("study", "show"): _stores,
    ("check",): _recorded,
    ("convert",): lambda case, folder: _recorded(case, folder, *((notation.value,) for notation in Notation)),
    ("bench",): lambda case, folder: iter([[case.name, "--quick", "--no-peers", "--limit", "1000"]]),
}


def test_every_command_has_a_row() -> None:
    assert set(COMMANDS) == {words for words, _ in commands()}
    assert set(SETTINGS) == set(KINDS)


@every_case
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_command(words: tuple[str, ...], case: Case, folders: Callable[[Case], Path]) -> None:
    for arguments in COMMANDS[words](case, folders(case)):
        ran = CliRunner().invoke(app, [*words, *arguments])
        said = f"trickwise {' '.join(words)} {arguments}:\n{ran.stderr}"
        if ran.exception is not None and not isinstance(ran.exception, SystemExit):
            raise AssertionError(said) from ran.exception
        assert ran.exit_code in (0, 2), said
        if ran.exit_code:
            check_refusal(ran.stderr.removeprefix("trickwise: "), said)
            assert ran.stderr.startswith("trickwise: "), said


def check_refusal(text: str, note: str) -> None:
    """One line for people, which says more than a word."""
    lines = text.strip().splitlines()
    assert len(lines) == 1, note
    assert len(lines[0].split()) > 3, note
    assert "Error" not in lines[0], note


# ---------------------------------------------------------------------- the library


def _asked(case: Case, ask: Callable[..., Any], **more: Any) -> Iterator[Callable[[], Any]]:
    """A verb asked about a hand: as dealt, with the talon, at the first lead, as a knowledge."""
    few = {"seed": 1, "worlds": 2, **more}
    stages = [(case.dealt, None), (case.dealt, case.settled), (case.full, case.settled), (case.at_lead, case.contract)]
    yield from (partial(ask, case.game, hand, contract, **few) for hand, contract in stages)
    yield partial(ask, case.known, **few)


def _kept(case: Case, folder: Path, ask: Callable[..., Any], *more: Any) -> Iterator[Callable[[], Any]]:
    """A verb asked about the stores of studies."""
    yield from (partial(ask, store, *more) for store, *_ in _stores(case, folder))


def _pbn(case: Case, folder: Path) -> Iterator[Callable[[], Any]]:
    yield lambda: tw.read_pbn(tw.write_pbn([Board(case.deal)]))


def _text(folder: Path) -> str:
    path = folder / "text.txt"
    path.write_text("no solution\n")
    return str(path)


#: How each verb is called, several times.
VERBS: dict[str, Callable[[Case, Path], Iterator[Callable[[], Any]]]] = {
    "advise": lambda case, folder: iter(
        partial(tw.advise, known, seed=1, worlds=2)
        for known in (case.known, case.game.knowledge(case.seat, case.dealt))
    ),
    "annotate": lambda case, folder: iter(
        partial(tw.annotate, case.deal, case.told, " ".join(case.play.split()[: case.game.seats]), seen=seen, worlds=2)
        for seen in (False, True)
    ),
    "bid": lambda case, folder: _asked(case, tw.bid, talons=2, limit=2000),
    "cards": lambda case, folder: iter([partial(tw.cards, case.deal, case.contract)]),
    "check": lambda case, folder: iter([lambda: tw.check(tw.read_record(case.record))]),
    "deal": lambda case, folder: iter([partial(tw.deal, case.name, seed=7, **dict(case.options))]),
    "diagnose": lambda case, folder: iter([partial(tw.diagnose, case.game, deals=3, seed=1)]),
    "equilibrium": lambda case, folder: iter([partial(tw.equilibrium, case.small, iterations=1)]),
    "game": lambda case, folder: iter([partial(tw.game, case.name, **dict(case.options))]),
    "knowledge": lambda case, folder: iter(
        [lambda: tw.knowledge(case.game, case.seat, case.dealt).probabilities(), case.known.explain]
    ),
    "league": lambda case, folder: iter([partial(tw.league, case.small, iterations=1)]),
    "line": lambda case, folder: iter([partial(tw.line, case.deal, case.contract)]),
    "numbers": lambda case, folder: _asked(case, tw.numbers, talons=2, deals=2, own_worlds=2, fast=True),
    "plan": lambda case, folder: _asked(case, tw.plan, exhaustive=False, limit=2000),
    "plans": lambda case, folder: iter([partial(tw.plans, case.game, case.full, case.settled)]),
    "read": lambda case, folder: iter([partial(tw.read, case.game, case.deal.text)]),
    "read_equilibrium": lambda case, folder: iter([partial(tw.read_equilibrium, _text(folder))]),
    "read_pbn": _pbn,
    "read_record": lambda case, folder: iter([partial(tw.read_record, case.record)]),
    "read_study": lambda case, folder: _kept(case, folder, tw.read_study, "select * from runs"),
    "report_study": lambda case, folder: _kept(case, folder, tw.report_study),
    "run_study": lambda case, folder: (partial(tw.run_study, path, workers=1) for path, *_ in _studies(case, folder)),
    "secured": lambda case, folder: iter([partial(tw.secured, case.small, 0, iterations=1)]),
    "solve": lambda case, folder: iter([partial(tw.solve, case.deal, contract) for contract in (None, case.contract)]),
    "table": lambda case, folder: iter([partial(tw.table, case.deal)]),
    "threshold": lambda case, folder: iter([partial(tw.threshold, case.game, hands=1, seed=1, limit=500)]),
    "truths": lambda case, folder: iter([partial(tw.truths, case.small, ["1 by 0"], iterations=1)]),
    "write_pbn": _pbn,
    "read_deals": lambda case, folder: iter([partial(tw.read_deals, case.record, case.game)]),
    "read_iss": lambda case, folder: iter([partial(tw.read_iss, case.record)]),
    "read_lin": lambda case, folder: iter([partial(tw.read_lin, case.record)]),
    "read_rbn": lambda case, folder: iter([partial(tw.read_rbn, case.record)]),
    "write_lin": lambda case, folder: iter([lambda: tw.write_lin([Board(case.deal, {"Dealer": "N"})])]),
}


def test_every_verb_has_a_row() -> None:
    assert set(VERBS) == {name for name in tw.__all__ if inspect.isfunction(getattr(tw, name))}


@every_case
@pytest.mark.parametrize("name", VERBS)
def test_verb(name: str, case: Case, folders: Callable[[Case], Path]) -> None:
    for call in VERBS[name](case, folders(case)):
        try:
            assert call() is not None
        except TrickwiseError as refused:
            check_refusal(str(refused), f"{name}, {case.id}: {refused}")


def test_numbers_of_a_game_known_to_nobody() -> None:
    """The plan for the bid is the best of all there are, and its chance is that of all worlds."""
    game = tw.game("toy")
    hand, talon = "AC KD JC", "QH JH JD"
    full = game.deck.hand(f"{hand} {talon}")
    unseen = frozenset(game.deck.cards) - full
    deals = [
        game.read(" | ".join([hand, *(game.deck.write(h) for h in (set(own), unseen - set(own))), f"talon: {talon}"]))
        for own in combinations(unseen, 3)
    ]
    chances = {}
    for bury in combinations(game.deck.sort(full), 3):
        plan = f"bury {game.deck.write(bury)}"
        chances[plan] = sum(tw.solve(deal, f"15 by 0, {plan}").made for deal in deals) / len(deals)
    assert 0 < max(chances.values()) < 1
    found = tw.numbers(game, f"{hand} {talon}", "15 by 0", seed=1, fast=True)
    assert chances[found.notes[-1].removeprefix("plan chosen for 15: ")] == max(chances.values())
    assert found.frame["p"].iloc[0] == max(chances.values())


def test_what_a_contract_lacks_is_said_where_there_are_no_plans() -> None:
    hand = Case("whist").dealt
    for verb in (tw.bid, partial(tw.numbers, seed=1)):
        with pytest.raises(TrickwiseError, match="no trump suit: write 'trump H'"):
            verb("whist", hand)
