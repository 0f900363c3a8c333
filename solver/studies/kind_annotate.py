"""Studies of kind `annotate`: a folder of records of played deals, every card judged double dummy.

A unit is a record, a row a card played. A record that breaks a rule, or does not know all cards, has one row that says
so, and the others go on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solver.model.checks import excerpt
from solver.model.errors import NotationError, TrickwiseError
from solver.studies.definition import REQUIRED, Definition, Key
from solver.studies.kinds import Item, Kind, Report, Row

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["KIND"]

_COLUMNS = {
    "record": "VARCHAR", "game": "VARCHAR", "unit": "VARCHAR", "number": "BIGINT", "trick": "BIGINT",
    "seat": "BIGINT", "card": "VARCHAR",
    "declare": "BOOLEAN", "value": "BIGINT", "best_value": "BIGINT", "loss": "BIGINT", "mistake": "BOOLEAN",
    "best": "VARCHAR", "makes": "BOOLEAN", "error": "VARCHAR",
}  # fmt: skip
_SEEN = {"seen_loss": "DOUBLE", "seen_low": "DOUBLE", "seen_high": "DOUBLE", "seen_best": "VARCHAR",
         "seen_in": "VARCHAR", "seen_worlds": "BIGINT"}  # fmt: skip


class Annotate(Kind):
    """Records from a folder."""

    name = "annotate"
    games: tuple[str, ...] = ()
    chunk = 4
    unit = "records"
    keys: Mapping[str, Key] = {
        "folder": Key(str, REQUIRED, help="folder of records, found from that of the study's file"),
        "files": Key(str, "*.txt", help="which files of the folder are records, with * and ?"),
        "limit": Key(int, 0, 0, None, help="most nodes of a search, 0 for no limit"),
        "seen": Key(bool, False, help="judge each card on what its seat could know, too"),
        "worlds": Key(int, 200, 1, 100_000, help="worlds drawn for that"),
    }

    def check(self, definition: Definition) -> Definition:
        """The folder is looked at when the study begins."""
        given = definition.settings
        if not given["folder"].strip():
            raise NotationError("annotate.folder is empty: expected a folder of records, '.' for the study's own")
        files = given["files"]
        if not files.strip() or "/" in files or "\\" in files:
            raise NotationError(f"annotate.files is {excerpt(files)}: expected names of one folder, as in '*.txt'")
        return definition

    def inputs(self, definition: Definition, base: Path) -> list[Item]:
        """Texts of the records, by name."""
        name, files = definition.settings["folder"], definition.settings["files"]
        folder = base / name
        if not folder.is_dir():
            raise NotationError(f"annotate.folder is {excerpt(name)}: there is no such folder beside the study's file")
        out = []
        for path in sorted(p for p in folder.iterdir() if fnmatchcase(p.name, files) and p.is_file()):
            try:
                out.append((path.name, path.read_bytes().decode("utf-8-sig")))
            except UnicodeDecodeError as wrong:
                raise NotationError(f"{path.name} in {name} is no UTF-8 text: byte {wrong.start + 1}") from None
        if not out:
            raise NotationError(f"{name} has no record: no file there is named {files}")
        return out

    def columns(self, definition: Definition) -> dict[str, str]:
        """Game, unit and card, `value` after it, `best_value` of the best card, `loss` between them; or `error`."""
        if not definition.settings["seen"]:
            return dict(_COLUMNS)
        *head, last = _COLUMNS.items()
        return dict([*head, *_SEEN.items(), last])

    def work(self, definition: Definition, first: int, last: int, items: Sequence[Item]) -> list[Row]:
        """Judge the cards of some records."""
        columns, rows = self.columns(definition), []
        for name, text in items:
            try:
                found = _judge(text, definition)
            except TrickwiseError as wrong:
                found = [{"error": " ".join(str(wrong).split())}]
            rows += [{**dict.fromkeys(columns), "record": name, **row} for row in found]
        return rows

    def report(self, definition: Definition, results: pd.DataFrame, n_units: int) -> Report:
        """Mistakes and what they cost, by game, seat and trick, and the records that are wrong."""
        wrong, played = results[results["error"].notna()], results[results["card"].notna()]
        heading = (f"{definition.settings['folder']}: {results['record'].nunique()} of {n_units} records, "
                   f"{len(played)} cards, double dummy",)  # fmt: skip
        numbers = {"cards": ("card", "size"), "mistakes": ("mistake", "sum"), "loss": ("loss", "sum")}
        if definition.settings["seen"]:
            numbers["seen_loss"] = ("seen_loss", "sum")
        tables = []
        plain = played.astype({"mistake": "int64", "loss": "int64", "seat": "int64", "trick": "int64"})
        # What is lost in one game and what in another cannot be added up, nor points and scores.
        alike = ["game", "unit"]
        if definition.settings["seen"] and len(plain):
            plain["seen_in"] = plain.groupby("record")["seen_in"].transform("first").fillna(plain["unit"])
            alike.append("seen_in")
        for by, title in (
            ("seat", "by seat"),
            ("trick", "by trick"),
            ("record", "by record, the dearest 20"),
        ):
            if len(played):
                table = plain.groupby([*alike, by], sort=True).agg(**numbers).reset_index()
                if by == "record":
                    table = table.sort_values(["game", "loss"], ascending=[True, False], kind="stable")
                    table = table.groupby("game", sort=False).head(20)
                tables.append((title, table))
        if len(wrong):
            tables.append(("records with errors, the first 20", wrong[["record", "error"]].head(20)))
        notes = ("loss: of the seat's side against the best card, all cards known; the seat could not see them",)
        return Report(heading, tuple(tables), notes)


def _judge(text: str, definition: Definition) -> list[dict[str, Any]]:
    """A row for each card of a record."""
    from solver.deals.check import check
    from solver.deals.estimate import plain_rows
    from solver.formats.record_read import read_record
    from solver.seat.annotate import annotate

    record, given = read_record(text), definition.settings
    checked = check(record)
    if not checked.ok:
        return [{"error": str(checked.findings[0])}]
    if record.deal is None or record.hidden:
        return [{"error": "not all cards and the whole plan are known: only a record of a whole deal can be judged"}]
    contract = checked.contract or record.contract
    moves = [one.move for trick in record.play for one in trick.cards]
    if not moves:
        return [{"error": "no card is played"}]
    play = " ".join(f"{move.card}{'!' if move.declare else ''}" for move in moves)
    found = annotate(
        record.deal, contract, play, limit=given["limit"], seen=given["seen"], worlds=given["worlds"],
        seed=definition.seed, workers=1,
    )  # fmt: skip
    misere = record.game.trick_rules(contract).misere
    about = {"game": record.game.called, "unit": found.unit}
    rows = []
    for number, row in enumerate(plain_rows(found.frame), 1):
        gains = not found.side or (row["seat"] in found.side) != misere  # whether more is better for the seat
        best = int(row["value"]) + int(row["loss"]) * (1 if gains else -1)
        rows.append({**about, "number": number, **row, "best_value": best})
    return rows


#: The kind.
KIND = Annotate()
