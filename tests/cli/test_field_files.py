"""Files as people have them, by every command that reads deals."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import solver as tw
from solver.formats.boards import format_of, read_deals
from solver.formats.pbn import load_pbn, read_pbn

from .test_cli import run, table  # noqa: F401  (run is a fixture)

CASES = Path(__file__).parents[1] / "data" / "cases"
PLAIN = "N:AKQ2.J98.T72.654 J43.AKQ2.J98.T72 T98.T76.AKQ3.J98 765.543.654.AKQ3"
FROM_SOUTH = "S:Q.Q87.T9654.8763 J83.AT4.8.KQJ542 AT7654.5.A732.T9 K92.KJ9632.KQJ.A"


def path(name: str) -> str:
    return str(CASES / name)


def cells(run, *args: str, text: bytes = b"") -> dict[tuple[str, str], list[int]]:  # noqa: F811
    """Tricks by board and declarer, in clubs, diamonds, hearts, spades and no trump."""
    found: dict[tuple[str, str], dict[str, int]] = {}
    for row in table(run("table", *args, "--json", text=text))["rows"]:
        found.setdefault((row.get("board", ""), row["declarer"]), {})[row["strain"]] = row["tricks"]
    return {key: [by[strain] for strain in ("C", "D", "H", "S", "NT")] for key, by in found.items()}


@pytest.mark.kernel
@pytest.mark.parametrize(
    "name, boards", [("min_two_notes.pbn", ["1"]), ("min_room_twice.pbn", ["1", "2"]), ("min_dup_after.pbn", ["1"]),
                     ("min_shared_deal.pbn", ["1"]), ("three_hands.pbn", [""])],
)  # fmt: skip
def test_tables(run, name: str, boards: list[str]) -> None:  # noqa: F811
    by_name, by_input = cells(run, path(name)), cells(run, "-", text=(CASES / name).read_bytes())
    assert by_name == by_input
    assert list(dict.fromkeys(board for board, _ in by_name)) == boards
    for board in boards:
        assert by_name[board, "North"] == by_name[board, "South"] == [5, 7, 5, 6, 5]
        assert by_name[board, "East"] == by_name[board, "West"] == [7, 5, 6, 5, 5]


@pytest.mark.kernel
def test_suits_with_their_letters(run) -> None:  # noqa: F811
    found = cells(run, path("ep15_suits.pbn"))
    assert (found["", "North"], found["", "East"]) == ([5, 8, 4, 6, 5], [7, 5, 9, 7, 7])


@pytest.mark.kernel
def test_by_the_byte_order_mark(run) -> None:  # noqa: F811
    raw = (CASES / "u16le.pbn").read_bytes()
    found = cells(run, "-", text=raw)
    assert found == cells(run, path("ep51_stats.pbn"))
    (board,) = load_pbn(raw)
    assert (board.name, board.deal.game) == ("1", tw.game("bridge", vulnerable="ns"))
    assert [str(move) for move in board.play] == ["AC", "6C", "8C", "5S"]


def test_text_between_boards_is_said(run) -> None:  # noqa: F811
    (board,) = read_pbn((CASES / "ep51_stats.pbn").read_text(encoding="utf-8"))
    assert board.remarks == ("line 9: 'Minimum     : 33.6' and 5 more such lines, no tags, passed over",)


def test_footnotes_and_tags_that_come_again() -> None:
    (board,) = load_pbn((CASES / "min_two_notes.pbn").read_bytes())
    assert board.footnotes == ("1:limited", "2:no major")
    assert "Note" not in board.tags
    (again,) = load_pbn((CASES / "min_dup_after.pbn").read_bytes())
    assert again.contract == again.deal.game.contract("1S by N")
    one, two = load_pbn((CASES / "min_room_twice.pbn").read_bytes())
    assert (one.tags["Room"], two.tags["Room"], one.line, two.line) == ("Open", "Open", 1, 6)


def test_vulnerability_stays_with_its_board() -> None:
    one, two = load_pbn((CASES / "min_vul_moves.pbn").read_bytes())
    assert [board.deal.game.options.vulnerable for board in (one, two)] == ["none", "all"]
    assert one.contract is not None
    assert two.contract is None


def test_another_result_of_a_deal() -> None:
    one, two = load_pbn((CASES / "min_shared_deal.pbn").read_bytes())
    assert one.deal == two.deal
    assert [board.tags["West"] for board in (one, two)] == ["A", "B"]
    assert [str(board.tags["Contract"]) for board in (one, two)] == ["1S", "1H"]
    assert [written.name for written in read_deals((CASES / "min_shared_deal.pbn").read_bytes()).deals] == ["1", "1.2"]


@pytest.mark.kernel
@pytest.mark.parametrize("contract, score", [("3NT by W", "+660"), ("4SX by S", "-1400"), ("6S by W", "-400")])
def test_vulnerable_scores(run, contract: str, score: str) -> None:  # noqa: F811
    ran = run("solve", "bridge", "-", contract, text=(CASES / "vul_all.pbn").read_bytes())
    assert (ran.code, score in ran.out.splitlines()[-1]) == (0, True), ran.out
    text = (CASES / "vul_all.pbn").read_text(encoding="utf-8")
    assert tw.read("bridge", text).game.options.vulnerable == "all"
    assert score in str(tw.solve(tw.read("bridge", text), contract))
    told = tw.read("bridge", text, vulnerable="ns")  # the option is the asker's own word
    assert told.game.options.vulnerable == "ns"


@pytest.mark.kernel
def test_the_option_goes_before_the_file(run) -> None:  # noqa: F811
    for value, score in (("none", "+460"), ("ns", "+460"), ("ew", "+660")):
        assert score in run("solve", "bridge", path("vul_all.pbn"), "-o", f"vulnerable={value}").out
        told = tw.read("bridge", (CASES / "vul_all.pbn").read_text(encoding="utf-8"), vulnerable=value)
        assert told.game.options.vulnerable == value
    log = (CASES / "iss.sgf").read_text(encoding="utf-8")
    assert tw.read("skat", log, skat_counts=False).game == tw.game("skat", skat_counts=False)


def test_any_file_is_read_by_the_library() -> None:
    for name, deal in (
        ("bbo.lin", "N:8732.AKQ4.53.965 654.JT765.AJ2.43 AKQJ.98.T6.AKT87 T9.32.KQ9874.QJ2"),
        ("rbn.txt", PLAIN), ("min_two_notes.pbn", PLAIN), ("min_shared_deal.pbn", PLAIN),
    ):  # fmt: skip
        text = (CASES / name).read_text(encoding="utf-8")
        assert tw.read("bridge", text).hands == tw.read("whist", text).hands == tw.read("bridge", deal).hands
    log = tw.read("skat", (CASES / "iss.sgf").read_text(encoding="utf-8"))
    assert log.text.endswith("| skat: 7C 7S")
    with pytest.raises(tw.UnsupportedError, match="skat log: its deals are of skat, not of bridge"):
        tw.read("bridge", (CASES / "iss.sgf").read_text(encoding="utf-8"))
    with pytest.raises(tw.NotationError, match="PBN: read 2 deals: expected one, there are 1, 2"):
        tw.read("bridge", (CASES / "min_vul_moves.pbn").read_text(encoding="utf-8"))
    with pytest.raises(tw.NotationError, match="PBN, line 3: a comment begins"):
        tw.read("bridge", (CASES / "unclosed_brace_eof.pbn").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "args",
    [
        ["solve", "bridge", "no.pbn"], ["table", "no/such.lin"], ["annotate", "skat", "no.sgf"], ["check", "no.rbn"],
        ["convert", "no.pbn", "lin"], ["bid", "kit", "no.txt"], ["annotate", "kit", "@1", "1 by 0", "no.txt"],
    ],
)  # fmt: skip
def test_a_file_that_does_not_exist(run, args: list[str]) -> None:  # noqa: F811
    ran = run(*args)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.splitlines()[-1].endswith(": No such file or directory")


@pytest.mark.kernel
def test_the_contract_of_the_file(run) -> None:  # noqa: F811
    ran = run("solve", "bridge", path("vul_all.pbn"))
    assert ran.out.splitlines()[-1] == "3NT by West: 11 tricks, 2 over, +660"


def test_a_comment_that_never_ends(run) -> None:  # noqa: F811
    for command in (["table"], ["solve", "bridge"], ["check"]):
        ran = run(*command, path("unclosed_brace_eof.pbn"))
        assert (ran.code, ran.out) == (2, "")
        assert ran.err == "trickwise: PBN, line 3: a comment begins with { here and never ends: close it with }\n"


@pytest.mark.kernel
def test_comments_hide_tags_in_every_command(run) -> None:  # noqa: F811
    for how in ([path("deal_in_comment.pbn")], ["-"]):
        text = (CASES / "deal_in_comment.pbn").read_bytes()
        assert "11 tricks" in run("solve", "bridge", *how, "3NT by W", text=text).out
    assert tw.read("bridge", text.decode()).hands == tw.read("bridge", FROM_SOUTH).hands


@pytest.mark.kernel
def test_play_by_columns(run) -> None:  # noqa: F811
    answer = table(run("annotate", "bridge", path("trick134.pbn"), "--json"))
    values = {row["card"]: row["value"] for row in answer["rows"]}
    assert answer["rows"][0]["value"] == 10
    assert (values["AC"], values["KS"]) == (11, 8)
    assert [row["loss"] for row in answer["rows"] if row["card"] == "KS"] == [3]
    assert "2NT by South: 8 tricks, made" in answer["settlement"]
    assert table(run("check", path("trick134.pbn"), "--json"))["ok"]


@pytest.mark.parametrize(
    "result, right", [("8", True), ("NS 8", True), ("EW 5 NS 8", True), ("EW 5", True), ("?", True), ("9", False),
                      ("EW 8", False)],
)  # fmt: skip
def test_the_result_of_a_board_is_checked(run, result: str, right: bool) -> None:  # noqa: F811
    text = (CASES / "trick134.pbn").read_text(encoding="utf-8")
    text = text.replace('[Contract "2NT"]', f'[Contract "2NT"]\n[Result "{result}"]')
    ran = run("check", "-", text=text)
    assert (ran.code, "of the side are written, but 8 are right" in ran.out) == (1 - right, not right)
    record = run("convert", "-", "record", text=text)
    assert run("check", "-", text=record.out).code == ran.code
    claimed = run("check", path("bbo.lin"))
    assert (claimed.code, "the written result is not checked" in claimed.out) == (0, True)


@pytest.mark.kernel
def test_whist_reads_bridge_deals(run) -> None:  # noqa: F811
    by_file = run("solve", "whist", path("deal_in_comment.pbn"), "7 by 0, trump H")
    by_text = run("solve", "whist", FROM_SOUTH, "7 by 0, trump H")
    assert by_file.code == by_text.code == 0
    assert by_file.out == by_text.out


@pytest.mark.kernel
def test_a_bad_board_is_named_and_the_others_answered(run) -> None:  # noqa: F811
    text = f'[Board "1"]\n[Deal "{PLAIN}"]\n\n[Board "2"]\n[Deal "N:AKQ"]\n\n[Board "3"]\n[Deal "{FROM_SOUTH}"]\n'
    ran = run("table", "-", "--csv", text=text)
    assert ran.code == 1
    assert {line.split(",")[0] for line in ran.out.splitlines()[1:]} == {"1", "3"}
    assert ran.err.count("PBN, line 5: read 1 hands") == 1
    several = run("solve", "bridge", "-", "3NT by W", text=text)
    assert (several.code, "--board" in several.err.splitlines()[-1]) == (2, True)
    chosen = run("solve", "bridge", "-", "3NT by W", "--board", "3", text=text)
    assert (chosen.code, "11 tricks" in chosen.out) == (1, True)
    missing = run("solve", "bridge", "-", "3NT by W", "--board", "9", text=text)
    assert (missing.code, "no board '9': there are 1, 3" in missing.err) == (2, True)


@pytest.mark.kernel
def test_boards_of_servers(run) -> None:  # noqa: F811
    right = cells(run, "N:8732.AKQ4.53.965 654.JT765.AJ2.43 AKQJ.98.T6.AKT87 T9.32.KQ9874.QJ2")
    found = cells(run, path("bbo.lin"))
    assert [found["1", seat] for seat in ("North", "East")] == [right["", seat] for seat in ("North", "East")]
    assert cells(run, path("rbn.txt"))["1", "North"] == [5, 7, 5, 6, 5]
    assert "nothing is wrong" in run("check", path("bbo.lin")).out
    back = run("convert", path("bbo.lin"), "pbn")
    assert cells(run, "-", text=back.out.encode()) == found
    again = run("convert", "-", "lin", text=back.out.encode())
    assert cells(run, "-", text=again.out.encode()) == found


@pytest.mark.kernel
def test_a_claim_beside_the_value(run) -> None:  # noqa: F811
    notes = table(run("annotate", "bridge", path("bbo.lin"), "--json"))["notes"]
    assert notes[-1] == "written in the file: 9 tricks of the side, 8 double dummy from here on"
    for other in (["2H by S"], ["", "DK"]):  # another contract, or other cards, than the claim's
        told = table(run("annotate", "bridge", path("bbo.lin"), *other, "--json"))["notes"]
        assert not any("written in the file" in note for note in told)


@pytest.mark.kernel
def test_the_skat_servers_log(run) -> None:  # noqa: F811
    answer = table(run("annotate", "skat", path("iss.sgf"), "--json"))
    assert [row["card"] for row in answer["rows"]] == ["7H", "TH", "AH"]
    assert "trump H, bury 7C 7S" in run("convert", path("iss.sgf"), "record").out
    assert run("solve", "skat", path("iss.sgf")).code == 0


def test_boards_are_written_in_other_notations(run) -> None:  # noqa: F811
    marks = run("convert", path("min_two_notes.pbn"), "lin")  # footnotes in the auction, its dealer named there alone
    assert (marks.code, marks.err) == (0, "LIN has no place for Note\n")
    assert marks.out.endswith("|mb|p|mb|p|mb|1D|mb|p|mb|1N|mb|p|mb|p|mb|p|\n")
    bare = run("convert", path("vul_all.pbn"), "lin")
    assert (bare.code, bare.err) == (0, "LIN has no place for Declarer, Contract\n")
    house = run("deal", "bridge", "--seed", "7").out
    written = run("convert", "-", "pbn", text=house)
    assert (written.code, read_pbn(written.out)[0].deal) == (0, tw.deal("bridge", seed=7))
    refused = run("convert", "-", "lin", text=house)
    assert (refused.code, "whose Dealer is ''" in refused.err) == (2, True)
    named = run("convert", "-", "lin", "--dealt-by", "East", text=house)
    (board,) = tw.read_lin(named.out)
    assert (board.deal, board.tags["Dealer"]) == (tw.deal("bridge", seed=7), "E")
    assert "--dealt-by is 'Q': expected N, E, S or W" in run("convert", "-", "lin", "--dealt-by", "Q", text=house).err
    two = f'[Board "1"]\n[Dealer "N"]\n[Deal "{PLAIN}"]\n\n[Board "2"]\n[Deal "{PLAIN}"]\n'
    some = run("convert", "-", "lin", text=two)
    assert (some.code, some.out.count("\n"), some.err.startswith("trickwise: board 2: ")) == (1, 1, True)
    assert run("convert", path("iss.sgf"), "pbn").err == "trickwise: skat log: its deals are of skat, not of bridge\n"


@pytest.mark.kernel
def test_what_cannot_be_read_of_a_board_costs_no_deal(run) -> None:  # noqa: F811
    for more in ('[Contract "8S"]\n[Declarer "N"]', '[Contract "1S"]\n[Declarer "N"]\n[Play "E"]\n- HX HA -'):
        text = f'[Board "4"]\n[Deal "{PLAIN}"]\n{more}\n\n[Board "5"]\n[Deal "{PLAIN}"]\n'
        assert {board for board, _ in cells(run, "-", text=text.encode())} == {"4", "5"}
        assert run("solve", "bridge", "-", "3NT by W", "--board", "4", text=text).code == 0
        for args in (["solve", "bridge", "-", "--board", "4"], ["annotate", "bridge", "-", "--board", "4"]):
            ran = run(*args, text=text)
            assert (ran.code, ran.err.count("\n"), ran.err[:23]) == (2, 1, "trickwise: PBN, line 1:")
        ran = run("check", "-", text=text)
        assert (ran.code, ran.err[:23], "nothing is wrong" in ran.out) == (1, "trickwise: PBN, line 1:", True)


def test_formats_are_told_apart() -> None:
    assert format_of(PLAIN) == format_of(f'{{ x }}\n[Deal "{PLAIN}"]') == "PBN"
    assert format_of("N:AKQ2.J98.T72.654:J43.AKQ2.J98.T72:T98.T76.AKQ3.J98") == "RBN"
    for aside in ("{ table?lin=st||md|3SAKQ,,| }", "game: 7", "H N:AKQ.J.T.9:", "(;GM[Skat] no)", "E:x:y"):
        assert format_of(f'{aside}\n[Deal "{PLAIN}"]\n\n{aside}') == "PBN"
    assert format_of("st||md|3SAKQJH98DT6CAKT87,,|") == "LIN"
    assert format_of("(;GM[Skat]PC[Net]") == "skat log"
    assert format_of("game: thousand\nhands: ?") == "record"
    assert format_of("AKQ | J98 | T72 | 654") == format_of("N: A K | E: Q | S: J | W: T") == "text"


def test_records_are_deals_too(run) -> None:  # noqa: F811
    record = "game: kit\nhands: o1 o2 t3 s4 | o3 t1 t2 s1 | o4 t4 s2 s3\ncontract: 2 by 0\nplay: t3 t1 t4"
    assert "takes 2 tricks" in run("solve", "kit", "-", text=record).out
    wrong = run("solve", "thousand", "-", text=record)
    assert (wrong.code, wrong.err) == (2, "trickwise: the record is of kit, not of thousand\n")
    assert run("solve", "skat", path("vul_all.pbn")).err == "trickwise: PBN: its deals are of bridge, not of skat\n"


def spoil(rng: random.Random, raw: bytes) -> bytes:
    """Bytes lost, changed, put in and put elsewhere."""
    spoiled = bytearray(raw)
    for _ in range(rng.randrange(1, 6)):
        at, how = rng.randrange(len(spoiled) or 1), rng.randrange(4)
        if how == 0:
            del spoiled[at : at + rng.randrange(1, 20)]
        elif how == 1:
            spoiled[at : at + 1] = bytes([rng.randrange(256)])
        elif how == 2:
            spoiled[at:at] = rng.choice([b"[", b'"', b"{", b"|", b"\n\n", b"-", b"\xff\xfe", b"\0", b"N:"])
        else:
            spoiled[at:at] = spoiled[rng.randrange(len(spoiled) or 1) :][:40]
    return bytes(spoiled)


FILES = sorted(p.name for p in CASES.glob("*") if p.suffix != ".md")


@pytest.mark.parametrize("name", FILES)
def test_mutated_files_end_in_deals_or_one_line(name: str) -> None:
    rng, raw = random.Random(name), (CASES / name).read_bytes()
    for _ in range(60):
        spoiled = spoil(rng, raw)
        try:
            found = read_deals(spoiled)
            messages = [str(wrong) for wrong in found.errors]
            messages += [str(written.wrong) for written in found.deals if written.wrong is not None]
            for written in found.deals:
                assert written.wrong is not None or written.record.text
        except ValueError as wrong:
            messages = [str(wrong)]
        assert all(message and "\n" not in message and len(message) < 500 for message in messages), spoiled


@pytest.mark.kernel
@pytest.mark.parametrize("name", FILES)
def test_mutated_files_end_every_command_in_an_answer_or_one_line(run, name: str) -> None:  # noqa: F811
    rng, raw = random.Random(f"{name} again"), (CASES / name).read_bytes()
    game = "skat" if name.endswith("sgf") else "bridge"
    commands = [
        ["check", "-"], ["convert", "-", "pbn"], ["convert", "-", "lin", "--dealt-by", "N"], ["convert", "-", "record"],
        ["convert", "-", "text"], ["solve", game, "-", "--limit", "9"], ["cards", game, "-", "--limit", "9"],
        ["line", game, "-", "--limit", "9"], ["annotate", game, "-", "--limit", "9"],
    ]  # fmt: skip
    for number in range(63):
        spoiled = spoil(rng, raw)
        ran = run(*commands[number % len(commands)], text=spoiled)
        assert ran.code in (0, 1, 2), spoiled
        if ran.code == 2:
            assert ran.out == ""
            assert [line[:11] for line in ran.err.splitlines()][-1:] == ["trickwise: "], spoiled
