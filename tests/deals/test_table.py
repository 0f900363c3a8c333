"""The double-dummy table of a bridge deal."""

from __future__ import annotations

import pytest

import solver as tw
from solver.deals.doubledummy import solve
from solver.deals.table import STRAINS
from solver.games import game
from solver.model.deal import Deal
from solver.model.errors import UnsupportedError

BRIDGE = game("bridge")
DEAL = BRIDGE.read("N:AT7654.5.A732.T9 K92.KJ9632.KQJ.A Q.Q87.T9654.8763 J83.AT4.8.KQJ542")


def ending(seed: int, size: int) -> Deal:
    """A deal of fewer cards."""
    return Deal(BRIDGE, tuple(frozenset(sorted(h)[:size]) for h in BRIDGE.deal(seed=seed).hands))


@pytest.mark.kernel
def test_every_cell_is_what_solve_says() -> None:
    for seed in range(8):
        deal = ending(seed, 7)
        found = tw.table(deal, workers=1)
        for strain in STRAINS:
            trump = "no trump" if strain == "NT" else f"trump {strain}"
            for seat in range(4):
                assert found.tricks(seat, strain) == solve(deal, f"by {seat}, {trump}").points, (seed, seat, strain)


@pytest.mark.kernel
def test_a_whole_deal_in_rows_and_as_a_square() -> None:
    found = tw.table(DEAL)
    assert list(found.frame.columns) == ["strain", "seat", "declarer", "tricks"]
    assert len(found.frame) == 20
    assert found.pivot.loc["North"].tolist() == found.pivot.loc["South"].tolist() == [1, 5, 1, 5, 1]
    assert found.pivot.loc["East"].tolist() == found.pivot.loc["West"].tolist() == [8, 4, 9, 8, 11]
    assert str(found).splitlines() == [
        "bridge: tricks of each declarer by strain (double dummy)",
        "         C   D   H   S  NT",
        "North    1   5   1   5   1",
        "East     8   4   9   8  11",
        "South    1   5   1   5   1",
        "West     8   4   9   8  11",
    ]
    assert found.nodes > 0


@pytest.mark.kernel
def test_the_same_whatever_the_threads() -> None:
    one, two = (tw.table(ending(3, 9), workers=w) for w in (1, 3))
    assert one == two
    assert one.frame.equals(two.frame)


@pytest.mark.kernel
def test_turning_the_table_turns_the_rows() -> None:
    deal = ending(5, 8)
    turned = Deal(BRIDGE, (deal.hands[3], *deal.hands[:3]))
    found, other = tw.table(deal), tw.table(turned)
    for strain in STRAINS:
        for seat in range(4):
            assert other.tricks((seat + 1) % 4, strain) == found.tricks(seat, strain)


@pytest.mark.kernel
def test_an_interrupt_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("solver.deals.table._near", stop)
    with pytest.raises(KeyboardInterrupt):
        tw.table(ending(1, 5))


def test_bridge_only() -> None:
    with pytest.raises(UnsupportedError, match="for bridge, not for whist"):
        tw.table(game("whist").deal(seed=1))
