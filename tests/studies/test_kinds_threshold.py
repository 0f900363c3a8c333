"""Studies of kind `threshold`: the rows of `study_hand`, and the answer of `threshold` from them."""

from __future__ import annotations

import pandas as pd
import pytest

from chunked import study, told
from solver.model.errors import TrickwiseError
from solver.studies.definition import Definition, definition_of
from solver.studies.kinds import kind_of
from solver.thresholds.hand_rows import study_hand, study_of
from solver.thresholds.threshold import threshold

KIT = {"kind": "threshold", "game": "kit", "seed": 5, "threshold": {"hands": 14, "bids": [2]}}
THOUSAND = {
    "kind": "threshold", "game": "thousand", "seed": 2, "chunk": 1, "options": {"bid_cap": "flat120"},
    "threshold": {"hands": 2, "talons": 2, "rounds": ["4x1", "2 x 2"], "passed": 2},
}  # fmt: skip


def test_kit_is_the_answer_of_threshold() -> None:
    one, rows = study(KIT | {"chunk": 3})
    assert rows == study(KIT | {"chunk": 14})[1]
    assert [{k: v for k, v in row.items() if v is not None} for row in rows] == [
        study_hand(study_of("kit", seed=5), i) for i in range(14)
    ]
    report, direct = told(one, rows, 14), threshold("kit", hands=14, seed=5, bids=[2], workers=1)
    assert report.what.to_json() == direct.to_json()
    assert str(report.what) == str(direct)
    pd.testing.assert_frame_equal(report.tables[0][1], direct.frame)
    part = told(one, rows[:12], 14)
    # How far it is, is said once, by what reads the store: a study that goes on was not interrupted.
    assert not part.what.partial
    assert not any("so far" in line or "interrupted" in line for line in (*part.heading, *part.notes))
    assert not told(one, [], 14).tables


def test_thousand_has_a_place_for_every_bid() -> None:
    one, rows = study(THOUSAND)
    assert one.settings["rounds"] == ["4x1", "2x2"]
    plain = study_of("thousand", seed=2, talons=2, rounds=[(4, 1), (2, 2)], passed=2, options={"bid_cap": "flat120"})
    found = [{k: v for k, v in row.items() if v is not None} for row in rows]
    assert found == [{k: v for k, v in study_hand(plain, i).items() if v is not None} for i in range(2)]
    direct = threshold("thousand", hands=2, seed=2, talons=2, rounds=[(4, 1), (2, 2)], passed=2, workers=1,
                       bid_cap="flat120")  # fmt: skip
    # A store hands whole numbers with gaps back as floats.
    kind = kind_of("threshold")
    frame = pd.DataFrame(rows, columns=list(kind.columns(one))).sample(frac=1, random_state=1)
    report = kind.report(one, frame, 2)
    pd.testing.assert_frame_equal(report.what.frame, direct.frame)
    pd.testing.assert_frame_equal(report.what.hands, direct.hands, check_dtype=False)


@pytest.mark.parametrize("game", ["sheepshead", "three_of_spades", "thousand", "kit"])
def test_definitions_are_filled_and_read_back(game: str) -> None:
    one = definition_of({"kind": "threshold", "game": game, "seed": 1, "threshold": {"hands": 9}})
    assert Definition.from_json(one.to_json()) == one
    assert one.settings["bids"]
    assert one.settings["by"]
    kinds = set(kind_of("threshold").columns(one).values())
    assert kinds == {"BIGINT", "DOUBLE", "VARCHAR"}


@pytest.mark.parametrize(
    "more, said",
    [
        ({"rounds": ["90"]}, "PLANSxWORLDS"), ({"rounds": ["0x4"]}, "PLANSxWORLDS"), ({"by": ["trumps"]}, "trumps"),
        ({"bids": [107]}, "no bid 107"), ({"position": 5}, "position is 5"), ({"hands": 0}, "threshold.hands is 0"),
        ({"talons": 0}, "threshold.talons"), ({"hand": 3}, "nearest: hands"),
    ],
)  # fmt: skip
def test_what_is_wrong(more: dict[str, object], said: str) -> None:
    table = {"kind": "threshold", "game": "thousand", "seed": 1, "threshold": {"hands": 3, **more}}
    with pytest.raises(TrickwiseError, match=said) as wrong:
        definition_of(table)
    assert "\n" not in str(wrong.value)
