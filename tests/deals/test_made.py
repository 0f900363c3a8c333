"""Whether a contract makes: every command says the same, and so does the settlement of the deal played out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

import solver as tw
from every_game import CASES, Case, start
from solver.deals.plan_matrix import fixed_field
from solver.deals.search import MakeSearch
from solver.deals.success import Runner
from solver.formats.record import Record
from solver.games import game
from solver.games.base import Need
from solver.model.contract import Contract
from solver.model.deal import Deal
from solver.model.errors import NotationError, UnsupportedError
from solver.model.play import Position
from solver.worlds.knowledge import Knowledge
from solver.worlds.sample import Worlds
from solver.worlds.views import seen_by

#: Deals of each case and targets asked about in each; a target that a game does not have is passed over.
DEALS = {"bridge": 1, "whist": 1, "skat": 3, "sheepshead": 4}
TARGETS = {
    "kit": range(5), "bridge": (7, 9), "whist": (5, 8), "skat": (1, 31, 61, 90, 111, 120),
    "sheepshead": (1, 20, 31, 50, 61, 91, 120), "thousand": (100, 120, 150), "three_of_spades": (150, 200),
}  # fmt: skip

BURIED = (
    "7C 8C 9C 7S 8S 9S 7H | QC QS QH QD JC JS JH | JD TD KD 9D 8D 7D TC | KC TS KS 8H 9H TH KH | talon: AC AS AH AD"
)
WEAK = "31 by 0, alone, bury AC AS AH AD"


def asked(case: Case) -> Iterator[tuple[Deal, Contract]]:
    """Random deals and plans with several targets."""
    for seed in range(DEALS.get(case.name, 2)):
        deal, contract, _ = start(case, seed)
        targets = [None] if contract.kind == "null" else TARGETS.get(case.name, [contract.target])
        for target in targets:
            try:
                yield deal, case.game.check_contract(replace(contract, target=target or contract.target))
            except NotationError:
                continue


def played_out(deal: Deal, contract: Contract) -> tuple[Position, str]:
    """One optimal line to its end."""
    tricks = tw.line(deal, contract).tricks
    position, moves = deal.game.start(deal, contract), [move for trick in tricks for move in trick.moves]
    for move in moves:
        position = position.play(move)
    return position, " ".join(map(str, moves))


def as_bid(deal: Deal, contract: Contract) -> bool | None:
    """What `bid` says of the told plan in this one deal; None where the target is no rung of the ladder."""
    position = deal.game.start(deal, contract)
    seat = position.turn if contract.declarer is None else contract.declarer
    known = seen_by(Knowledge, Record(deal.game, deal.game.seats - 1, deal.hands, deal.talon, contract=contract), seat)
    owners = [
        next((s for s, h in enumerate(position.hands) if c in h), deal.game.seats) for c in known.situation.unseen
    ]
    field = fixed_field(Worlds(known, np.array([owners], np.int8), False))
    rungs = [rung.bid for rung in field.ladder]
    if contract.target not in rungs:
        return None
    with Runner(workers=1) as runner:
        found = field.search(runner, np.array([0]), 0, 1)
    assert found.low[0, 0] == found.high[0, 0]
    return bool(found.low[0, 0] > rungs.index(contract.target))


@pytest.mark.kernel
@pytest.mark.parametrize("case", CASES, ids=lambda c: c.id)
def test_every_command_agrees_with_the_settlement(case: Case) -> None:
    verdicts, rungs = [], 0
    for deal, contract in asked(case):
        note = f"{case.id}: {deal}, {contract}"
        answer = tw.solve(deal, contract)
        if answer.made is None:
            continue
        end, play = played_out(deal, contract)
        outcome = case.game.settle(end, contract)
        assert outcome.made is answer.made, f"{note}: {outcome.text}"
        judged = tw.annotate(deal, contract, play)
        assert set(judged.frame["makes"]) == {answer.made}, note
        if (bid := as_bid(deal, contract)) is not None:
            assert bid is answer.made, note
            rungs += 1
        verdicts.append(answer.made)
    assert verdicts
    assert rungs or case.name == "bridge"


def test_a_bury_counts_with_a_trick_only() -> None:
    """44 points lie in the bury, but the picker takes no trick (RULES.md 2.7)."""
    sheepshead = game("sheepshead", seats=4)
    deal = sheepshead.read(BURIED)
    assert sheepshead.need(sheepshead.contract(WEAK)) == Need("tricks", 1)
    answer = tw.solve(deal, WEAK)
    assert (answer.points, answer.made) == (44, False)
    end, play = played_out(deal, sheepshead.contract(WEAK))
    judged = tw.annotate(deal, WEAK, play)
    assert not judged.frame["makes"].any()
    outcome = sheepshead.settle(end, sheepshead.contract(WEAK))
    assert (outcome.made, outcome.scores[0]) == (False, -18)


def test_schwarz_is_every_trick() -> None:
    """As a house rule it may be every point."""
    for name, option, need in (
        ("sheepshead", {}, Need("tricks", 6)), ("sheepshead", {"schwarz": "points"}, Need("points", 109)),
        ("skat", {}, Need("tricks", 10)),
    ):  # fmt: skip
        some = game(name, **option)
        text = "120 by 0, trump H, bury AC 7D" if name == "skat" else "120 by 0, alone, bury AC 7H"
        assert some.need(some.contract(text)) == need
        assert {rung.bid: rung[2:] for rung in some.ladder(some.contract(text))}[120] == need


@pytest.mark.parametrize(
    "name, text, need",
    [
        ("skat", "null by 0", Need("tricks", 0)),
        ("skat", "hearts by 0, bury AC 7D", Need("points", 50)),
        ("thousand", "120 by 0, pass 9C to 1, 9D to 2", Need("points", 118)),
        ("kit", "2 by 0", Need("points", 2)),
        ("bridge", "3NT by S", Need("points", 9)),
        ("kit", "lead 1", None),
    ],
)
def test_what_a_contract_needs(name: str, text: str, need: Need | None) -> None:
    some = game(name)
    assert some.need(some.contract(text)) == need


@pytest.mark.kernel
def test_a_line_for_tricks_says_that_its_limit_was_met() -> None:
    sheepshead = game("sheepshead", seats=3)
    deal = sheepshead.deal(seed=5)
    plan = next(iter(sheepshead.plans(deal.hands[0] | deal.talon, sheepshead.contract("120 by 0"))))
    with pytest.raises(UnsupportedError, match="a limit of 3 positions was met"):
        tw.line(deal, plan, limit=3)
    position = sheepshead.start(deal, plan)
    with pytest.raises(UnsupportedError, match="a limit of 3 positions was met"):
        MakeSearch(sheepshead, plan, position, limit=3).by_tricks(position)
