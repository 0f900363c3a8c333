"""The file of a strategy: the same again, and one line for whatever is wrong with it."""

from __future__ import annotations

import io
import json
import os
import pickle
import random
import tracemalloc
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.games import game
from solver.hidden.equilibrium import Equilibrium, equilibrium, read_equilibrium
from solver.hidden.learner import METHODS
from solver.hidden.strategy_file import FORMAT, TABLE, read_arrays, write_arrays
from solver.model.errors import NotationError, TrickwiseError

STATE = ("now", "regret", "plan")
SETTLED = [
    ({"suits": 2, "ranks": 3}, "", "predictive"), ({"suits": 3, "ranks": 2}, "1 by 1, lead 2", "cfr+"),
    ({"suits": 1, "ranks": 6, "must_beat": True}, "side 0 1", "cfr"),
    ({"suits": 2, "ranks": 3, "trump": "t"}, "by 2, lead 1", "predictive"),
    ({"suits": 2, "ranks": 3, "seats": 2}, "2 by 0, trump o", "predictive"), ({"suits": 1, "ranks": 3}, "", "cfr"),
]  # fmt: skip


@cache
def solved() -> Equilibrium:
    return equilibrium(game("kit", suits=2, ranks=3), "1 by 1", iterations=7, nashconv=0)


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    path = tmp_path / "kit.npz"
    solved().save(path)
    return path


def same(a: Equilibrium, b: Equilibrium) -> bool:
    """Whether two are equal in all that they hold."""
    facts = ("game", "contract", "method", "iterations", "nashconv", "counts", "partial", "versions", "heading")
    return (
        all(getattr(a, name) == getattr(b, name) for name in facts)
        and a.frame.equals(b.frame)
        and a.convergence.equals(b.convergence)
        and all(_equal(getattr(a.strategy, name), getattr(b.strategy, name)) for name in TABLE)
        and a.strategy.alike == b.strategy.alike
        and a.state.keys() == b.state.keys()
        and all(_equal(a.state[name], b.state[name]) for name in a.state)
    )


def _equal(a: np.ndarray, b: np.ndarray) -> bool:
    return a.dtype == b.dtype and a.tobytes() == b.tobytes()


def refused(path: Path | str) -> str:
    """The line that says why a file is not read."""
    with pytest.raises(NotationError) as found:
        read_equilibrium(path, state=True)
    text = str(found.value)
    assert text.startswith(f"{path}: ")
    assert "\n" not in text
    assert len(text) < len(str(path)) + 300
    return text


# --------------------------------------------------------------------- the same again


@pytest.mark.parametrize("options, contract, method", SETTLED)
def test_what_is_read_is_what_was_saved(options: dict, contract: str, method: str, tmp_path: Path) -> None:
    found = equilibrium(game("kit", **options), contract, iterations=4, method=method)
    for path in (tmp_path / "a.npz", str(tmp_path / "b")):
        found.save(path)
        assert same(read_equilibrium(path, state=True), found)
        without = read_equilibrium(path)
        assert without.state == {}
        assert str(without) == str(found)
        assert json.dumps(without.to_json()) == json.dumps(found.to_json())
        read_equilibrium(path, state=True).save(path)
        assert same(read_equilibrium(path, state=True), found)
    assert sorted(os.listdir(tmp_path)) == ["a.npz", "b"]
    assert method in METHODS


def test_a_saved_strategy_is_asked_as_the_one_that_was_learned(kept: Path) -> None:
    again, one = read_equilibrium(kept).strategy, solved().strategy
    for hand, history in [("o1 o2", ""), ("o1 t2", "o3"), ("t3 o1", "t1 t2"), ("t2 o3", "t2 o1 t1")]:
        assert str(again.ask(hand, history)) == str(one.ask(hand, history))


def test_a_file_is_replaced(kept: Path) -> None:
    other = equilibrium(game("kit", suits=3, ranks=2), iterations=2)
    other.save(kept)
    assert same(read_equilibrium(kept, state=True), other)
    assert os.listdir(kept.parent) == ["kit.npz"]


# --------------------------------------------------------------------- what is damaged


def test_one_byte_changed_is_refused_or_does_no_harm(kept: Path, tmp_path: Path) -> None:
    whole, rng = kept.read_bytes(), random.Random(1)
    path = tmp_path / "changed"
    ends = [*range(60), *range(len(whole) - 100, len(whole))]  # local headers and directory are where zip is read from
    harmless = 0
    for at in [*rng.sample(range(len(whole)), 200), *rng.sample(ends, 60)]:
        byte = rng.choice([whole[at] ^ 1 << rng.randrange(8), rng.randrange(256)])
        path.write_bytes(whole[:at] + bytes([byte]) + whole[at + 1 :])
        try:
            found = read_equilibrium(path, state=True)
        except NotationError as error:
            assert str(error).startswith(f"{path}: ")  # noqa: PT017
            assert "\n" not in str(error)  # noqa: PT017
        else:
            assert same(found, solved())
            harmless += 1
    assert harmless < 100


def test_bytes_of_the_zip_directory_changed_in_all_ways(kept: Path, tmp_path: Path) -> None:
    """Another compression, encryption, sizes that are not true: each has an error of its own in zipfile."""
    whole = kept.read_bytes()
    path = tmp_path / "changed"
    begin = whole.rindex(b"PK\x01\x02")  # the last member in the directory
    for at in range(begin, len(whole)):
        for byte in (0, 1, 8, 12, 14, 255):
            path.write_bytes(whole[:at] + bytes([byte]) + whole[at + 1 :])
            try:
                found = read_equilibrium(path, state=True)
            except NotationError as error:
                assert "\n" not in str(error)  # noqa: PT017
            else:
                assert same(found, solved())


def test_a_file_cut_short_is_refused(kept: Path, tmp_path: Path) -> None:
    whole = kept.read_bytes()
    path = tmp_path / "short"
    for size in [*range(0, len(whole), len(whole) // 60), *range(len(whole) - 40, len(whole))]:
        path.write_bytes(whole[:size])
        assert "not a strategy file, or damaged" in refused(path)


def test_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "new.npz"
    write_arrays(path, {}, {})
    facts, _ = read_arrays(path, ())
    assert facts["format"] == FORMAT
    for version in (FORMAT + 1, 0, "1", None, [1]):
        np.savez(path, facts=np.array(json.dumps({"format": version})))
        assert f"format {version!r}, this version reads {FORMAT}: solve it anew" in refused(path)


class Trap:
    """What must not be made when a file is read."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os._exit, (3,)


def not_strategies(path: Path) -> dict[str, bytes]:
    """Files of other kinds."""
    out = {"empty": b"", "text": b"kit\n" * 50, "pickle": pickle.dumps(Trap()), "zip magic": b"PK\x03\x04" + bytes(60)}
    single, table, objects, plain = (io.BytesIO() for _ in range(4))
    np.save(single, np.arange(5))
    np.savez(table, a=np.arange(5), facts=np.array("[1, 2]"))
    np.savez(objects, facts=np.array([Trap()], dtype=object))
    with zipfile.ZipFile(plain, "w") as file:
        file.writestr("facts.npy", "{}")
        file.writestr("keys.npy", b"\x93NUMPY\x01\x00\x02\x00{(")
    return out | {
        "one array": single.getvalue(), "other arrays": table.getvalue(), "objects": objects.getvalue(),
        "zip": plain.getvalue(),
    }  # fmt: skip


@pytest.mark.parametrize("kind", not_strategies(Path()))
def test_files_of_other_kinds(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(not_strategies(path)[kind])
    assert "not a strategy file, or damaged" in refused(path)


def test_facts_and_tables_that_make_no_sense(kept: Path, tmp_path: Path) -> None:
    """Whole files that something else has written."""
    facts, arrays = read_arrays(kept, (*TABLE, *STATE))
    path = tmp_path / "other.npz"
    wrong_facts: list[dict[str, Any]] = [
        {"options": {"ranks": 0}}, {"options": {"deck": 5}}, {"options": []}, {"options": None},
        {"options": {"suits": 3, "ranks": 2, "seats": 4}}, {"contract": "9 by 0"}, {"contract": "3"}, {"contract": 7},
    ]  # fmt: skip
    for changed in wrong_facts:
        write_arrays(path, {**facts, **changed}, arrays)
        assert "damaged" in refused(path), changed
    keys, base, chance, weight = (arrays[name] for name in ("keys", "base", "chance", "weight"))
    wrong_arrays: list[dict[str, np.ndarray]] = [
        {"keys": keys[::-1]}, {"keys": keys[:-1]}, {"keys": keys.astype(np.int64)}, {"keys": keys.astype(">u8")},
        {"keys": np.array(3, np.uint64)}, {"base": base[:0]}, {"base": base + 1}, {"base": base[::-1]},
        {"base": np.array(3, np.int32)}, {"chance": chance * np.float32(1.1)}, {"chance": -chance},
        {"chance": np.full_like(chance, np.nan)}, {"chance": chance[:-1]}, {"chance": chance.astype(float)},
        {"worth": arrays["worth"][1:]}, {"weight": weight[1:]}, {"weight": weight.reshape(-1, 1)},
    ]  # fmt: skip
    for changed in wrong_arrays:
        write_arrays(path, facts, {**arrays, **changed})
        refused(path)
    for name in facts.keys() - {"kind", "versions", "format"}:
        write_arrays(path, {key: value for key, value in facts.items() if key != name}, arrays)
        assert name in refused(path)
    for name in arrays:
        write_arrays(path, facts, {key: value for key, value in arrays.items() if key != name})
        assert name in refused(path)


def written(path: Path, compression: int, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w", compression) as file:
        for name, raw in members.items():
            file.writestr(f"{name}.npy", raw)
    return path


def array_file(head: dict[str, Any], body: bytes) -> bytes:
    """Bytes of an array with a head that need not be true."""
    out = io.BytesIO()
    np.lib.format.write_array_header_1_0(out, head)
    return out.getvalue() + body


def test_a_small_file_is_never_a_large_array(kept: Path, tmp_path: Path) -> None:
    """What it unpacks to is refused by its heads, before any of it is in memory."""
    huge = 200_000_000
    bomb = written(tmp_path / "bomb", zipfile.ZIP_DEFLATED, facts=array_file(
        {"descr": f"<U{huge // 4}", "fortran_order": False, "shape": ()}, bytes(huge)))  # fmt: skip
    assert bomb.stat().st_size < huge // 500
    facts, arrays = read_arrays(kept, (*TABLE, *STATE))
    whole = {name: io.BytesIO() for name in (*arrays, "facts")}
    for name, array in {**arrays, "facts": np.array(json.dumps(facts))}.items():
        np.save(whole[name], array)
    kept_members = {name: out.getvalue() for name, out in whole.items()}
    said = [bomb]
    for number, (kind, shape) in enumerate([("<u8", (10**12,)), ("<u8", (10**6, 10**6)), ("<U1000000000", ()),
                                            ("<U0", (10**15,)), ("<u8", (-1,)), ("|O", (1,))]):  # fmt: skip
        head = array_file({"descr": kind, "fortran_order": False, "shape": shape}, bytes(64))
        said.append(written(tmp_path / f"said{number}", zipfile.ZIP_STORED, **{**kept_members, "keys": head}))
    assert same(read_equilibrium(written(tmp_path / "same", zipfile.ZIP_STORED, **kept_members), state=True), solved())
    tracemalloc.start()
    try:
        for path in said:
            assert "not a strategy file, or damaged" in refused(path)
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


# --------------------------------------------------------------------- places


def test_places_that_cannot_be_read(tmp_path: Path) -> None:
    for path, kind in [(tmp_path / "none", FileNotFoundError), (tmp_path, IsADirectoryError)]:
        with pytest.raises(kind) as found:
            read_equilibrium(path)
        assert not isinstance(found.value, TrickwiseError)
        with pytest.raises(kind):
            equilibrium(game("kit", suits=2, ranks=3), start=path)


def test_places_that_cannot_be_written(kept: Path) -> None:
    before = kept.read_bytes()
    for path, kind in [
        (kept / "below", NotADirectoryError),
        (kept.parent / "none" / "kit.npz", FileNotFoundError),
        (kept.parent, IsADirectoryError),
    ]:
        with pytest.raises(kind):
            solved().save(path)
    assert kept.read_bytes() == before
    assert os.listdir(kept.parent.parent).count(kept.parent.name) == 1
    assert os.listdir(kept.parent) == ["kit.npz"]
    assert not [name for name in os.listdir(kept.parent.parent) if name.endswith(".part")]


def test_a_link_beside_the_name_is_not_followed(kept: Path) -> None:
    mine, planted = kept.parent / "mine", kept.parent / f"kit.npz.{os.getpid()}.part"
    mine.write_text("not to be lost")
    planted.symlink_to(mine)
    solved().save(kept)
    assert mine.read_text() == "not to be lost"
    assert sorted(os.listdir(kept.parent)) == sorted(["kit.npz", "mine", planted.name])
    assert planted.is_symlink()
    assert not kept.is_symlink()


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt(), MemoryError()])
def test_a_file_is_unharmed_when_writing_fails(kept: Path, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    before = kept.read_bytes()

    def full(file: Any, **arrays: Any) -> None:
        file.write(b"the beginning")
        raise error

    monkeypatch.setattr(np, "savez", full)
    with pytest.raises(type(error)):
        solved().save(kept)
    assert kept.read_bytes() == before
    assert os.listdir(kept.parent) == ["kit.npz"]
