"""Definitions of studies: what is read, every typo named with the nearest known key, and no traceback for any file."""

from __future__ import annotations

import json
import random
import string
from pathlib import Path

import pytest

import toykind
from solver.model.errors import NotationError, TrickwiseError, UnsupportedError
from solver.studies.definition import Definition, Key, definition_of, read_definition
from solver.studies.kinds import KINDS, kind_of, span
from solver.studies.work import work_chunk

GOOD = """
kind = "toy"
game = "thousand"
seed = 3

[options]
must_beat = false

[toy]
count = 5
odds = 1
numbers = [1, 2]
"""


def write(folder: Path, text: str | bytes) -> Path:
    file = folder / "study.toml"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return file


def test_read(tmp_path: Path) -> None:
    found = read_definition(write(tmp_path, GOOD))
    assert (found.kind, found.game, found.seed, found.chunk) == ("toy", "thousand", 3, toykind.KIND.chunk)
    assert found.options["must_beat"] is False
    assert len(found.options) > 5, "every option has its value"
    assert found.settings == {
        "count": 5, "milliseconds": 0, "odds": 1.0, "mode": "plain", "flag": False, "numbers": [1, 2], "words": [],
        "fail": -1, "crash": -1, "die": -1, "folder": "",
    }  # fmt: skip
    assert isinstance(found.settings["odds"], float)
    assert Definition.from_json(json.loads(json.dumps(found.to_json()))) == found


@pytest.mark.parametrize("name", sorted(set(KINDS)))
def test_every_kind_can_be_loaded(name: str) -> None:
    kind = kind_of(name)
    assert kind.name == name
    assert all(isinstance(key, Key) and (key.help or name == "toy") for key in kind.keys.values())


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("seed = 3", "sede = 3\nchnk = 2", "unknown keys: 'sede' (nearest: seed); 'chnk' (nearest: chunk)"),
        ("count", "cuont", "unknown key: 'toy.cuont' (nearest: count)"),
        ("must_beat", "must_bet", "unknown key: 'options.must_bet' (nearest: must_beat)"),
        ("[toy]", "[tyo]", "'tyo' (nearest: toy)"),
        ("count", "zzzzzz", "'toy.zzzzzz' (there are count, milliseconds"),
        ('"toy"', '"tou"', "kind is 'tou' (nearest: toy): expected one of 'threshold'"),
        ('kind = "toy"', "", "kind is missing"),
        ('"thousand"', '"thosand"', "game is 'thosand' (nearest: thousand): a study of kind 'toy' is of 'kit'"),
        ('"thousand"', '"bridge"', "game is 'bridge': a study of kind 'toy' is of 'kit', 'thousand'"),
        ("seed = 3", "", "seed is missing: expected a whole number from 0"),
        ("seed = 3", "seed = -3", "seed is -3: expected a whole number from 0"),
        ("seed = 3", "seed = true", "seed is True: expected a whole number"),
        ("seed = 3", "seed = 3\nchunk = 0", "chunk is 0: expected a whole number from 1"),
        ("count = 5", "count = 1.5", "toy.count is 1.5: expected a whole number from 0 to 10000"),
        ("count = 5", "count = 10001", "toy.count is 10001"),
        ("odds = 1", "odds = nan", "toy.odds is nan: expected a number from 0 to 1"),
        ("odds = 1", "odds = 0.25", "odds of 0.25 are refused"),
        ("odds = 1", 'mode = "plane"', "toy.mode is 'plane' (nearest: plain): expected one of 'plain', 'strange'"),
        ("[1, 2]", "[1, 10]", "toy.numbers is 10: expected a list of whole numbers from 0 to 9"),
        ("[1, 2]", "[1, 'x']", "toy.numbers is [1, 'x']: expected a list of whole numbers"),
        ("must_beat = false", "must_beat = 7", "thousand option must_beat is 7; it can be on, off"),
        ("must_beat = false", "must_beat = [1]", "options.must_beat is [1]: expected a text"),
        ("must_beat = false", "must_beat = 2020-01-01", "options.must_beat is 2020-01-01: expected a text"),
        ("[options]\nmust_beat = false", "options = 3", "options is 3: expected a table"),
        ("count = 5", "count 5", "is no TOML: Expected '=' after a key in a key/value pair (at line 10, column 7)"),
        ("count = 5", "count = 5\ncount = 6", "is no TOML: Cannot overwrite a value"),
        ("count = 5", "count = " + "9" * 5000, "is no TOML"),
        ("count = 5", "count = " + "[" * 3000, "nested too deeply"),
    ],
)
def test_errors(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in GOOD
    file = write(tmp_path, GOOD.replace(old, new))
    with pytest.raises(TrickwiseError) as wrong:
        read_definition(file)
    assert said in str(wrong.value)
    assert str(file) in str(wrong.value)
    assert "\n" not in str(wrong.value)


def test_no_text(tmp_path: Path) -> None:
    with pytest.raises(NotationError, match="no UTF-8 text: byte 4, in line 2"):
        read_definition(write(tmp_path, b"a\nb\xff"))
    with pytest.raises(NotationError, match="longer than 1,000,000 bytes"):
        read_definition(write(tmp_path, b"#" * 1_000_001))
    with pytest.raises(FileNotFoundError):
        read_definition(tmp_path / "nothing.toml")


@pytest.mark.parametrize("told", [{}, {"settings": {}}, {"kind": "toy", "settings": 3}, {"kind": 3, "settings": {}}])
def test_no_definition(told: dict) -> None:
    with pytest.raises(NotationError):
        Definition.from_json(told)


def test_inputs_name_their_own_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toykind.KIND, "games", (), raising=False)
    found = definition_of({"kind": "toy"})
    assert (found.game, found.options, found.seed) == ("", {}, 0)
    assert Definition.from_json(found.to_json()) == found
    with pytest.raises(NotationError, match="game is given, but what a study of kind 'toy' reads names its own"):
        definition_of({"kind": "toy", "game": "kit"})


def test_chunks() -> None:
    assert [span(c, 4, 10) for c in range(3)] == [(0, 4), (4, 8), (8, 10)]
    told = definition_of({"kind": "toy", "game": "kit", "seed": 1, "chunk": 4}).to_json()
    rows = [row for c in range(3) for row in work_chunk(told, c, 10, [])]
    assert rows == [row for c in range(10) for row in work_chunk({**told, "chunk": 1}, c, 10, [])]


@pytest.mark.parametrize(
    "row, said",
    [({"number": 1}, "differ in even, text, value"), ({"number": True, "value": 1.0, "even": None, "text": ""}, "True"),
     ({"number": 1, "value": "1", "even": None, "text": ""}, "column value of type DOUBLE has the value '1'")],
)  # fmt: skip
def test_rows_are_checked(monkeypatch: pytest.MonkeyPatch, row: dict, said: str) -> None:
    told = definition_of({"kind": "toy", "game": "kit", "seed": 1}).to_json()
    monkeypatch.setattr(toykind.KIND, "work", lambda *a: [row], raising=False)
    with pytest.raises(TypeError, match=said):
        work_chunk(told, 0, 10, [])


def mangled(rng: random.Random, text: str) -> bytes:
    """A file with a few random edits: of letters, words, lines and bytes."""
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(text) + 1)
        how = rng.randrange(6)
        if how == 0:
            text = text[:at] + rng.choice(string.printable + "é♠\0") + text[at:]
        elif how == 1:
            text = text[:at] + text[at + rng.randint(1, 5) :]
        elif how == 2:
            lines = text.split("\n")
            rng.shuffle(lines)
            text = "\n".join(lines)
        elif how == 3:
            new = rng.choice(
                ["-1", "true", "1e400", "[]", "{}", "''", "inf", "10" * 30, "[[1]]", "1979-05-27", "{a=1}"]
            )
            lines = text.split("\n")
            i = rng.randrange(len(lines))
            lines[i] = lines[i].partition("=")[0] + "= " + new
            text = "\n".join(lines)
        elif how == 4:
            lines = text.split("\n")
            lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))
            text = "\n".join(lines)
        else:
            words = text.split(" ")
            words[rng.randrange(len(words))] = rng.choice([*words, "kind", '"kit"', "[toy]", "options", "0"])
            text = " ".join(words)
    raw = text.encode()
    if rng.random() < 0.1:
        at = rng.randrange(len(raw) + 1)
        raw = raw[:at] + rng.randbytes(rng.randint(1, 4)) + raw[at:]
    return raw


def test_a_thousand_mangled_files(tmp_path: Path) -> None:
    rng, read, refused = random.Random(1), 0, list[str]()
    examples = sorted((Path(__file__).parents[2] / "data" / "studies").glob("*.toml"))
    texts = [GOOD, *(file.read_text(encoding="utf-8") for file in examples)]
    for i in range(1000):
        file = write(tmp_path, mangled(rng, texts[i % len(texts)]))
        try:
            found = read_definition(file)
        except (NotationError, UnsupportedError) as wrong:
            refused.append(str(wrong))
        else:
            read += 1
            assert Definition.from_json(json.loads(json.dumps(found.to_json()))) == found
    assert read > 10
    assert len(refused) > 500
    assert all(said.isprintable() for said in refused), "each is one line"
