"""The files of the cache: whose they are, what damages them, and who else writes at the same time."""

from __future__ import annotations

import errno
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from numba import int64, njit

from solver.kernels import _cache
from solver.kernels._cache import KernelCache, private_folder, read_whole, write_whole

pytestmark = pytest.mark.skipif(not hasattr(os, "getuid"), reason="no owners and modes in this sense")


def double(x):
    return x + x


def fresh(folder: Path):
    """The function as a new process has it: nothing compiled, the cache as it is on disk."""
    compiled = njit(nogil=True)(double)
    compiled._cache = KernelCache(double, folder)
    return compiled


def answer(folder: Path) -> tuple[int, int]:
    """What a new process answers, and how often it takes code from the cache."""
    compiled = fresh(folder)
    return compiled(21), sum(compiled.stats.cache_hits.values())


def give_away(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a file or folder another user's."""
    if os.getuid() == 0:
        os.chown(path, 54321, -1)
    else:
        other = os.getuid() + 1
        monkeypatch.setattr(os, "getuid", lambda: other)


@pytest.fixture(autouse=True)
def _say_anew() -> None:
    _cache._say.cache_clear()


# --------------------------------------------------------------------- damage


@pytest.mark.kernel
def test_no_damage_is_run(tmp_path: Path) -> None:
    assert answer(tmp_path) == (42, 0)
    assert answer(tmp_path) == (42, 1)
    (file,) = tmp_path.iterdir()
    whole, rng = file.read_bytes(), random.Random(1)
    for n in range(200):
        text = bytearray(whole)
        if n % 4 < 2:
            text[rng.randrange(len(text))] ^= 1 << rng.randrange(8)
        elif n % 4 == 2:
            text = text[: rng.randrange(len(text)) if n > 2 else 0]
        else:
            at = rng.randrange(len(text))
            text[at:at] = rng.randbytes(rng.randint(1, 9))
        file.write_bytes(text)
        with pytest.raises(ValueError, match="damaged"):
            read_whole(file)
        assert fresh(tmp_path)._cache.load_overload((int64,), fresh(tmp_path).targetctx) is None
        if n % 40 == 0:
            assert answer(tmp_path) == (42, 0)  # compiled again,
            assert answer(tmp_path) == (42, 1)  # and replaced
    assert [*tmp_path.iterdir()] == [file]


@pytest.mark.kernel
def test_code_of_another_function_is_not_run(tmp_path: Path) -> None:
    answer(tmp_path)
    (file,) = tmp_path.iterdir()
    kept = _cache.pickle.loads(read_whole(file))
    write_whole(file, _cache.dumps((("another",), kept[1])))
    assert answer(tmp_path) == (42, 0)
    assert answer(tmp_path) == (42, 1)
    write_whole(file, b"whole, and no pickle")
    assert answer(tmp_path) == (42, 0)
    fresh(tmp_path)._cache.flush()
    assert not [*tmp_path.iterdir()]


# --------------------------------------------------------------------- owners, modes, links


def test_only_files_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "code.nbc"
    write_whole(file, b"code")
    assert read_whole(file) == b"code"
    assert file.stat().st_mode & 0o777 == 0o600
    file.chmod(0o622)
    with pytest.raises(PermissionError, match="others may write to it"):
        read_whole(file)
    file.chmod(0o644)
    assert read_whole(file) == b"code"
    (tmp_path / "link.nbc").symlink_to(file)
    with pytest.raises(OSError, match=r".+"):
        read_whole(tmp_path / "link.nbc")
    give_away(file, monkeypatch)
    with pytest.raises(PermissionError, match="another user"):
        read_whole(file)


def test_writing_follows_no_link(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("mine")
    file = tmp_path / "code.nbc"
    file.symlink_to(other)
    write_whole(file, b"code")
    assert (read_whole(file), other.read_text(), file.is_symlink()) == (b"code", "mine", False)


@pytest.fixture
def no_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's cache folder cannot be made; gives the temporary folder."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TRICKWISE_CACHE_DIR", str(tmp_path / "file"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    return tmp_path / "tmp"


def test_the_temporary_folder_serves(no_cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = private_folder("abc")
    assert folder == no_cache / f"trickwise-{os.getuid()}" / "abc"
    assert {f.stat().st_mode & 0o777 for f in (folder, folder.parent)} == {0o700}
    assert private_folder("abc") == folder
    said = capsys.readouterr().err
    assert said.startswith("trickwise: cannot keep compiled code in ")
    assert said.endswith(f"; {folder} is used\n")
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize("where", ["the user's", "the kernels'"])
@pytest.mark.parametrize("how", ["stranger", "open", "readable", "link", "file"])
def test_a_planted_folder_is_not_used(no_cache: Path, monkeypatch: pytest.MonkeyPatch, where: str, how: str) -> None:
    planted = no_cache / f"trickwise-{os.getuid()}"
    if where == "the kernels'":
        planted.mkdir(mode=0o700)
        planted = planted / "abc"
    if how == "link":
        (no_cache / "elsewhere").mkdir(mode=0o700)
        planted.symlink_to(no_cache / "elsewhere")
    elif how == "file":
        planted.write_text("")
    else:
        planted.mkdir(mode=0o700)
        if how == "stranger":
            if os.getuid() != 0:
                pytest.skip("only root can give a folder away")
            give_away(planted, monkeypatch)
        else:
            planted.chmod(0o777 if how == "open" else 0o755)
    folder = private_folder("abc")
    assert folder is not None
    assert planted not in (folder, *folder.parents)
    assert folder.parent.parent == no_cache
    assert folder.stat().st_mode & 0o777 == folder.parent.stat().st_mode & 0o777 == 0o700
    assert private_folder("abc") != folder


def test_a_folder_named_by_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    base = tmp_path / "cache"
    base.mkdir()
    base.chmod(0o777)  # the user's choice; what is used in it is still the user's alone
    monkeypatch.setenv("TRICKWISE_CACHE_DIR", str(base))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert private_folder("abc") == base / "abc"
    assert (base / "abc").stat().st_mode & 0o777 == 0o700
    (base / "abc").chmod(0o755)
    assert private_folder("abc") == base / "abc"
    assert not capsys.readouterr().err
    (base / "abc").chmod(0o775)
    assert private_folder("abc") == tmp_path / f"trickwise-{os.getuid()}" / "abc"
    said = capsys.readouterr().err
    assert f"cannot keep compiled code in {base / 'abc'}: others may write to it" in said


# --------------------------------------------------------------------- no room, no right, no home


@pytest.mark.kernel
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES, errno.EROFS])
def test_without_room_or_right_work_goes_on(tmp_path: Path, monkeypatch, capsys, number: int) -> None:
    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "replace", refuse)
    assert answer(tmp_path) == (42, 0)
    assert answer(tmp_path) == (42, 0)
    assert not [*tmp_path.iterdir()]
    why = os.strerror(number)
    assert capsys.readouterr().err == (
        f"trickwise: cannot keep compiled code in {tmp_path}: {why}; this run goes on without\n"
    )


def test_nowhere_to_write(no_cache: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    no_cache.rmdir()
    no_cache.write_text("no folder")
    assert private_folder("abc") is None
    assert capsys.readouterr().err.endswith("; it is compiled anew in every run\n")


def test_without_a_home(tmp_path: Path) -> None:
    code = (
        "import pathlib\n"
        "def home(): raise RuntimeError('Could not determine home directory.')\n"
        "pathlib.Path.home = home\n"
        "from solver.kernels import _jit\n"
        "print(_jit.cache_dir)"
    )
    names = ("HOME", "TRICKWISE_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA")
    env = {k: v for k, v in os.environ.items() if k not in names} | {"TMPDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()).parent == tmp_path / f"trickwise-{os.getuid()}"
    assert len(done.stderr.splitlines()) == 1
    assert "Could not determine home directory" in done.stderr


# --------------------------------------------------------------------- two at once

#: Compiles a function for tuples of some lengths, as two games with different seats do, and tells answers and hits.
LENGTHS = """
import sys
from pathlib import Path
from numba import njit
from kernel import last
from solver.kernels._cache import KernelCache

one = njit(nogil=True)(last)
one._cache = KernelCache(last, Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
lengths = [int(n) for n in sys.argv[2:]]
print([one(tuple(range(n))) for n in lengths] == [10 * n + n - 1 for n in lengths], sum(one.stats.cache_hits.values()))
"""


@pytest.mark.kernel
def test_two_cold_processes_at_once(tmp_path: Path) -> None:
    (tmp_path / "kernel.py").write_text("def last(x):\n    return 10 * len(x) + x[-1]\n")
    (tmp_path / "cache").mkdir(mode=0o700)
    path = os.pathsep.join([str(tmp_path), str(Path(_cache.__file__).parents[2])])

    def start(lengths: range) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", LENGTHS, str(tmp_path / "cache"), *map(str, lengths)], text=True,
            env={**os.environ, "PYTHONPATH": path}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip

    def end(*processes: subprocess.Popen[str]) -> list[str]:
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("\n")
            process.stdin.flush()
        return [process.communicate(timeout=120)[0].strip() for process in processes]

    # Beside each other with different signatures, and one in common.
    assert set(end(start(range(1, 7)), start(range(6, 12)))) <= {"True 0", "True 1"}
    assert end(start(range(1, 12))) == ["True 11"]
    assert all(file.suffix == ".nbc" for file in (tmp_path / "cache").iterdir())


@pytest.mark.slow
def test_two_games_compiled_at_once(tmp_path: Path) -> None:
    """Whole commands about games of three and of four seats, each compiling into one empty folder, then from it."""
    asked = [
        ["solve", "kit", "o1 o2 t3 s4 | o3 t1 t2 s1 | o4 t4 s2 s3", "2 by 0", "--json"],
        ["solve", "bridge", "AS KH | QS JD | TS 9C | 8S 7D", "1 by 0, trump H", "--json"],
    ]

    def start(arguments: list[str], **more: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "solver.cli", *arguments]
        return subprocess.Popen(command, env={**os.environ, **more}, stdout=subprocess.PIPE, text=True)

    def answers(processes: list[subprocess.Popen[str]]) -> list[str]:
        return [process.communicate(timeout=500)[0] for process in processes]

    right = answers([start(arguments) for arguments in asked])
    cold = {"TRICKWISE_CACHE_DIR": str(tmp_path)}
    assert all(right)
    assert answers([start(arguments, **cold) for arguments in asked]) == right
    assert answers([start(arguments, **cold) for arguments in reversed(asked)]) == right[::-1]
