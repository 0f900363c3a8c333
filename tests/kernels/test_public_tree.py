"""The tree of a kit with its hidden cards: against the twin, and with one of all names against all names."""

from __future__ import annotations

import itertools
import os

import numpy as np
import pytest

from hidden_kits import KITS, Case, evened, normal, random_chances, random_play
from naive import hidden as naive
from solver.games import Game, game
from solver.hidden import kit_tree as module
from solver.hidden.kit_tree import _check_size, check_kit, kit_tree, moves_estimate, payoffs
from solver.hidden.learner import METHODS, Learner
from solver.kernels import cfr
from solver.model.errors import NotationError, TrickwiseError, UnsupportedError

pytestmark = pytest.mark.kernel

each_kit = pytest.mark.parametrize("case", KITS, ids=str)
FINE = 1e-9
SMALL = bool(os.environ.get("TRICKWISE_SMALL"))
LARGER = [{"suits": 2, "ranks": 4, "seats": 2}, {"suits": 3, "ranks": 3, "trump": "s"}, {"suits": 3, "ranks": 3}]


# --------------------------------------------------------------------- what is in it


@each_kit
def test_sets_and_plays_of_the_twin(case: Case) -> None:
    sets = {knows: set(moves) for knows, moves in naive.choices(case.whole).items() if len(moves) > 1}
    assert sets == {knows: set(moves) for knows, moves in naive.choices(case.deals).items()}
    ends = sum(not node.after for deal in case.whole for node in naive.nodes(deal))
    for kit, actions in ((case.full, case.full_actions), (case.short, case.short_actions)):
        assert (kit.counts["deals"], kit.counts["plays"], kit.counts["information sets"]) == (
            len(case.deals), ends, len(sets)
        )  # fmt: skip
        assert kit.counts["information sets kept"] == len(kit.keys) == len({knows for knows, _ in actions})
        assert (kit.keys[1:] > kit.keys[:-1]).all()
        found: dict[naive.Knows, set[str]] = {}
        for knows, card in actions:
            found.setdefault(knows, set()).add(card)
        same = [knows for knows in sets if kit is case.full or case.canonical(knows, "o1")[0][2] == knows[2]]
        assert found == {knows: sets[knows] for knows in same}
    assert case.full.counts["plays kept"] == ends
    assert len(case.full.tree.member) == len(case.full.mirrored) == 0


@each_kit
def test_tree_is_the_twins(case: Case) -> None:
    """Every deal has the twin's moves in the twin's sets, and its payoffs."""
    tree = case.full.tree
    assert len({tuple(hands) for hands in case.full.dealt.tolist()}) == len(case.deals) == case.full.deals
    assert sorted(at for _, at in case.paths) == list(range(len(tree.action)))
    where = {int(action): s for s, action in enumerate(tree.base[:-1])}
    for node, at in case.paths:
        action = int(tree.action[at])
        assert tree.side[at] == tree.owner[where[action]] == node.seat
        assert {knows for knows, _ in case.full_actions[action : action + len(node.after)]} == {node.knows}
        assert tree.first[at + 1] - tree.first[at] == len(node.after)


@each_kit
def test_own_action_before(case: Case) -> None:
    """A set follows the action by which its seat came there, forced cards left out."""
    for kit, actions in ((case.full, case.full_actions), (case.short, case.short_actions)):
        known = set(actions)
        for s, before in enumerate(kit.tree.before):
            seat, dealt, played = actions[kit.tree.base[s]][0]
            own = [((seat, dealt, played[:i]), card) for i, card in enumerate(played) if card in dealt]
            own = [action for action in own if action in known]
            assert (before == -1) == (not own)
            assert before == -1 or actions[before] == own[-1]


@each_kit
def test_shape(case: Case) -> None:
    """What `solver.kernels.cfr` relies on."""
    for kit in (case.full, case.short):
        tree = kit.tree
        assert (np.diff(tree.first) >= 2).all()
        assert (np.diff(tree.base) >= 2).all()
        layer = np.searchsorted(tree.layer, np.arange(len(tree.action)), "right")
        parent = np.repeat(np.arange(len(tree.action)), np.diff(tree.first))
        inner = tree.child >= 0
        assert (layer[tree.child[inner]] > layer[parent[inner]]).all()
        for s, action in enumerate(tree.base[:-1]):
            here = tree.action == action
            assert len(set(layer[here])) == 1
            assert set(tree.side[here]) == {tree.owner[s]}
            assert (np.diff(tree.first)[here] == tree.base[s + 1] - action).all()
        assert (tree.before < tree.base[:-1]).all()
        assert set(range(len(tree.action))) <= set(tree.child[inner]) | set(tree.roots)


@each_kit
def test_mirrors(case: Case) -> None:
    """Mirrors of an action are those that differ by names which nobody has given yet, and no others."""
    tree = case.short.tree
    alike = [suit for suit in "ots"[: case.options["suits"]] if suit != case.trump]
    number = {action: a for a, action in enumerate(case.short_actions)}
    twin = dict(zip(tree.member.tolist(), tree.twin.tolist(), strict=True))
    for (knows, card), a in number.items():
        seat, dealt, played = knows
        late = [suit for suit in alike if suit not in {c[0] for c in played}]
        mirrors = []
        for order in itertools.permutations(late):
            names = {s: s for s in "ots"} | dict(zip(late, order, strict=True))
            named = (seat, frozenset(names[c[0]] + c[1:] for c in dealt), played)
            mirrors.append(number[named, names[card[0]] + card[1:]])
        assert (a in twin) == (len(late) > 1)
        assert twin.get(a, a) == min(mirrors)


def test_four_seats_of_one_card() -> None:
    """Nobody has a choice, there is nothing in the tree but its deals."""
    kit = kit_tree(game("kit", seats=4, suits=2, ranks=2))
    assert kit.counts == {
        "deals": 24, "information sets": 0, "information sets kept": 0, "plays": 24, "plays kept": 24,
        "positions kept": 0,
    }  # fmt: skip
    learner = Learner(kit.tree, "predictive")
    learner.learn()
    deals = naive.kit_deals([suit + rank for suit in "ot" for rank in "12"], 4, {"trump": None})
    assert learner.values(learner.mix()) == pytest.approx(naive.value(deals, naive.uniform(deals)))


# --------------------------------------------------------------------- one of all names


def _judged(tree: cfr.Tree, chances: np.ndarray) -> np.ndarray:
    """Values, best answers and worst cases of all sides."""
    learner = Learner(tree, "cfr")
    worst = [learner.worst(chances, side) for side in range(tree.pays.shape[1])]
    return np.array([learner.values(chances), learner.answers(chances), worst])


@each_kit
def test_one_of_all_names_is_worth_the_same(case: Case) -> None:
    rng = np.random.default_rng(1)
    for pure in (0.0, 0.3, 0.7) * 10:
        chances = random_chances(rng, case.short.tree, pure=pure)
        assert _judged(case.short.tree, chances) == pytest.approx(
            _judged(case.full.tree, case.spread(chances)), abs=FINE
        )


@each_kit
@pytest.mark.parametrize("method", METHODS)
def test_one_of_all_names_learns_the_same(case: Case, method: str) -> None:
    learns_the_same(case, method)


@pytest.mark.slow
@pytest.mark.parametrize("options", LARGER[: 1 if SMALL else None], ids=str)
def test_one_of_all_names_learns_the_same_in_larger_kits(options: dict) -> None:
    learns_the_same(Case(options, trump=options.get("trump")), "predictive")


def learns_the_same(case: Case, method: str) -> None:
    start = random_play(np.random.default_rng(2), case.short.tree)
    regret = case.spread(start.regret)
    short = Learner(case.short.tree, method, play=start)
    now = normal(case.full.tree, regret)
    full = Learner(case.full.tree, method, play=cfr.Play(now, regret, np.zeros(len(now)), np.zeros(1, np.int64)))
    for _ in range(6):
        short.learn()
        full.learn()
        assert full.mix() == pytest.approx(case.spread(short.mix()), abs=FINE)
        assert short.values(short.chances) == pytest.approx(full.values(full.chances), abs=FINE)
        assert short.answers(short.chances) == pytest.approx(full.answers(full.chances), abs=FINE)


# --------------------------------------------------------------------- trap: names that tell of hidden cards


@pytest.mark.parametrize("options", [{"suits": 3, "ranks": 2}, {"suits": 3, "ranks": 2, "must_beat": True}], ids=str)
def test_names_must_not_tell_of_hidden_cards(options: dict) -> None:
    """Naming each deal by the first of its namings lets a seat see hidden cards in a name, and promises too much.

    With all moves alike the play is the same in the wrong game and in ours, and so are the values of seats; but answers
    of the wrong game know more than they may.
    """
    case = Case(options)
    lists, _ = naive.as_lists(naive.leaky(case.deals, "ots"))
    wrong, ours, full = (Learner(tree, "cfr") for tree in (cfr.new_tree(**lists), case.short.tree, case.full.tree))
    assert wrong.values(wrong.chances) == pytest.approx(ours.values(ours.chances), abs=FINE)
    best = [naive.best_response(case.deals, naive.uniform(case.deals), seat) for seat in range(case.seats)]
    assert ours.answers(ours.chances) == pytest.approx(best, abs=FINE)
    assert full.answers(full.chances) == pytest.approx(best, abs=FINE)
    promised = wrong.answers(wrong.chances)
    assert (promised > np.array(best) - FINE).all()
    assert promised[1:].min() > max(best[1:]) + 0.03  # the seats that don't lead


# --------------------------------------------------------------------- refusals, size, payoffs


@pytest.mark.parametrize(
    "options",
    [
        {"suits": 2, "ranks": 3}, {"suits": 3, "ranks": 3}, {"suits": 3, "ranks": 3, "trump": "o"},
        {"suits": 3, "ranks": 3, "must_beat": True}, {"seats": 2, "suits": 2, "ranks": 4},
        {"seats": 4, "suits": 2, "ranks": 4}, {"suits": 1, "ranks": 9},
    ],
    ids=str,
)  # fmt: skip
def test_size_is_estimated(options: dict) -> None:
    """Forced moves count too: they take memory while the tree grows."""
    one = game("kit", **options)
    assert moves_estimate(one, one.contract()) == pytest.approx(_moves(one), rel=0.1)


def test_estimate_of_the_whole_kit() -> None:
    """Its tree has 13,584,808 moves, forced ones too; `test_whole_kit` counts them."""
    one = game("kit")
    found = moves_estimate(one, one.contract())
    assert found == moves_estimate(one, one.contract())
    assert found == pytest.approx(13_584_808, rel=0.15)


@pytest.mark.slow
@pytest.mark.skipif(SMALL, reason="seven seconds and a gigabyte")
def test_whole_kit() -> None:
    """Sizes of the whole kit, found by another programme too."""
    assert _moves(game("kit")) == 13_584_808
    counts = kit_tree(game("kit")).counts
    assert counts["deals"] == 34_650
    assert counts["information sets"] == 17_314_287
    assert 34_350_000 < counts["plays"] < 34_450_000
    assert counts["information sets kept"] == pytest.approx(2_890_000, rel=0.002)


def _moves(one: Game) -> int:
    """Moves of all plies but those of the last trick, as `solver.kernels.public_tree.measure` counts them."""
    total = 0

    def counted(*args: object) -> tuple[int, int, int]:
        nonlocal total
        edges, positions, branches = measure(*args)
        total += edges
        return edges, positions, branches

    measure = module._measure
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_measure", counted)
        kit_tree(one)
    return total


@pytest.mark.parametrize(
    "options, said",
    [
        ({"suits": 3, "ranks": 5}, "3 suits x 5 ranks for 3 seats"),
        ({"suits": 2, "ranks": 7, "seats": 2}, "2 suits x 7 ranks for 2 seats"),
        ({"suits": 2, "ranks": 8, "seats": 4}, "2 suits x 8 ranks for 4 seats"),
        ({"suits": 3, "ranks": 9}, "3 suits x 9 ranks for 3 seats"),
    ],
    ids=str,
)  # fmt: skip
def test_too_large(options: dict, said: str) -> None:
    with pytest.raises(UnsupportedError, match=said + r": its tree would take about [\d,.e+]+ GB, more than") as caught:
        kit_tree(game("kit", **options))
    assert "\n" not in str(caught.value)


def test_room() -> None:
    one = game("kit", suits=3, ranks=3)
    with pytest.raises(UnsupportedError, match=r"about 0\.1 GB, more than the 0\.01 GB allowed"):
        kit_tree(one, gigabytes=0.01)
    whole = game("kit")
    with pytest.raises(UnsupportedError, match=r"kit of 3 suits x 4 ranks for 3 seats: .* more than the 0\.5 GB"):
        kit_tree(whole, gigabytes=0.5)
    with pytest.raises(UnsupportedError, match="more than the nan GB"):
        kit_tree(one, gigabytes=float("nan"))
    large = game("kit", suits=3, ranks=5)
    with pytest.raises(UnsupportedError, match="15 cards are more than the 14 that a history has room for"):
        _check_size(large, large.contract(), 1e9, 1)


@pytest.mark.parametrize("name", ["skat", "sheepshead", "thousand", "whist"])
def test_other_games(name: str) -> None:
    with pytest.raises(UnsupportedError, match=f"{name}: only the kit and its variants") as caught:
        kit_tree(game(name))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("contract", ["by", "2 by", "5 by 0", "2 by 3", "2", "lead 3", "trump x", "call o1"])
def test_contracts_that_make_no_sense(contract: str) -> None:
    with pytest.raises(TrickwiseError) as caught:
        check_kit(game("kit"), contract)
    assert isinstance(caught.value, NotationError)
    assert "\n" not in str(caught.value)


TRICKS = np.array([[4, 0, 0], [1, 2, 1], [2, 0, 2], [0, 1, 3]], float)


@pytest.mark.parametrize(
    "contract, expected",
    [
        ("", TRICKS),
        ("lead 2", TRICKS),
        ("by 0", [[4, 0, 0], [1, 3, 3], [2, 2, 2], [0, 4, 4]]),
        ("by 2, lead 1", [[4, 4, 0], [3, 3, 1], [2, 2, 2], [1, 1, 3]]),
        ("2 by 0", [[1, 0, 0], [0, 1, 1], [1, 0, 0], [0, 1, 1]]),
        ("0 by 1", [[0, 1, 0], [0, 1, 0], [0, 1, 0], [0, 1, 0]]),
        ("side 0 2", [[4, 0, 4], [2, 2, 2], [4, 0, 4], [3, 1, 3]]),
    ],
)
def test_payoffs(contract: str, expected: object) -> None:
    read = check_kit(game("kit"), contract)[1]
    assert payoffs(read, TRICKS).tolist() == np.asarray(expected, float).tolist()


def test_evened() -> None:
    """The helper of these tests: means over mirrors stay chances."""
    tree = Case({"suits": 3, "ranks": 2}).short.tree
    chances = evened(tree, normal(tree, np.random.default_rng(4).random(tree.base[-1])))
    assert chances == pytest.approx(normal(tree, chances))
    assert evened(tree, chances)[tree.member] == pytest.approx(chances[tree.twin])


def test_moves_have_numbers_of_32_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_MOVES", 1000)
    with pytest.raises(UnsupportedError, match="more than 1,000 moves"):
        module.kit_tree(game("kit"))
