"""Is a written deal true to the rules?  Auction, plan, play and settlement of a record, replayed.

Each finding names the line, the rule that is broken, and what proves it.  A wrong sum is noted and the replay goes on;
at an illegal card it stops, since nothing after it can be judged.  Of hands that a record does not show only that is
used which later cards prove: a seat that plays a heart in trick 5 held it in trick 2, when it did not follow hearts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from solver.deals.legality import Finding
from solver.deals.replay import replay as follow_cards
from solver.formats.record import Record, WrittenResult
from solver.formats.record_read import read_record
from solver.games.auction import NO_DEAL, Result
from solver.model.contract import Contract, Outcome
from solver.model.errors import IllegalPlayError, NotationError, UnsupportedError
from solver.model.shown import Shown, counted

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["NO_DEAL", "Finding", "Report", "check"]

#: Columns of a table of findings.
COLUMNS = ("line", "rule", "trick", "seat", "card", "proof", "text")


@dataclass(frozen=True)
class Report(Shown):
    """What `check` found.

    Parameters
    ----------
    record
        The record as it was read.
    findings
        What is wrong, in the order of the deal.
    notes
        What was checked, and what could not be.
    outcome
        The settlement as computed; None where the deal was not played to its end, or is not known well enough.
    contract
        What was played for, as the auction and the plan say together.
    """

    record: Record
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    outcome: Outcome | None = field(default=None, compare=False)
    contract: Contract | None = None

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings

    @property
    def heading(self) -> str:
        """The verdict in one line."""
        count = len(self.findings)
        found = "nothing is wrong" if self.ok else f"{count} finding{'s' if count > 1 else ''}"
        view = "" if self.record.seat is None else f", as seat {self.record.seat} saw it"
        return f"{self.record.game.name}{view}: {found}"

    @property
    def lines(self) -> tuple[str, ...]:
        """The verdict, each finding, and the notes, a line each."""
        return (self.heading, *map(str, self.findings), *self.notes)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The findings as plain values."""
        return [{name: getattr(found, name) for name in COLUMNS} for found in self.findings]

    @property
    def frame(self) -> pd.DataFrame:
        """The findings as a table."""
        import pandas as pd

        return pd.DataFrame(self.rows, columns=list(COLUMNS)).astype(dict.fromkeys(("line", "trick", "seat"), "Int64"))

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def _repr_html_(self) -> str:
        foot = "<br>".join(self.notes)
        table = "" if self.ok else self.frame.to_html(index=False)
        return f"<p>{self.heading}</p>{table}<p>{foot}</p>"

    def to_json(self) -> dict[str, Any]:
        """Return plain values for `json.dumps`."""
        out = self.outcome
        ended = None if out is None else {
            "points": list(out.points), "tricks": list(out.tricks), "scores": list(out.scores), "made": out.made,
            "text": out.text,
        }  # fmt: skip
        game = self.record.game
        return {
            "game": game.name, "options": game.option_values(), "ok": self.ok, "outcome": ended, "rows": self.rows,
            "notes": list(self.notes),
        }  # fmt: skip


def check(record: Record | str) -> Report:
    """Replay a record and say what is wrong in it.

    Parameters
    ----------
    record
        From `read_record`, or its text.

    Returns
    -------
    Report

    Raises
    ------
    NotationError, UnsupportedError
        For a text that cannot be read as a record; what can be read but breaks a rule is a finding.
    """
    if isinstance(record, str):
        record = read_record(record)
    checker = _Checker(record)
    checker.run()
    return Report(record, tuple(checker.findings), tuple(checker.notes), checker.outcome, checker.contract)


class _Checker:
    """One record on its way through the rules."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.game = record.game
        self.findings: list[Finding] = []
        self.notes: list[str] = []
        self.outcome: Outcome | None = None
        self.contract = record.contract

    def find(self, key: str, rule: str, text: object, **more: Any) -> None:
        """Add a finding at the line of a key."""
        self.findings.append(Finding(self.record.lines.get(key), rule, str(text), **more))

    def plan_line(self) -> str:
        """The key under which the plan stands."""
        return next(
            (k for k in ("plan", "contract", "bury", "call", "pass", "trump") if k in self.record.lines), "plan"
        )

    def run(self) -> None:
        """Check everything that is written, in the order of the deal."""
        record = self.record
        agreed = self.auction() if record.calls else None
        if agreed is not None:
            self.agree(agreed)
        try:
            passes = self.contract.passes  # some may be unknown, which the game does not allow
            seen = replace(self.contract, passes=()) if "pass" in record.hidden else self.contract
            self.contract = replace(self.game.check_contract(seen), passes=passes)
        except (NotationError, IllegalPlayError) as wrong:
            self.find(self.plan_line(), "contract", wrong)
            self.notes.append("the play is not checked: the contract is none of this game")
            return
        if self.contract.surrender:
            self.surrender()
        elif agreed is not None and agreed.kind in NO_DEAL:
            self.redeal(agreed)
        else:
            self.play()
        if record.result is not None:
            self.compare(record.result)

    # ------------------------------------------------------------------ auction and contract

    def auction(self) -> Result | None:
        """Replay the calls; hands that are not known as dealt could be anything."""
        record, game = self.record, self.game
        every = frozenset(game.deck.cards)
        known = [h if h is not None and len(h) == game.hand_size else every for h in record.hands]
        try:
            auction = game.auction(dealer=record.dealer, hands=tuple(known))
        except UnsupportedError as none:
            self.find("auction", "auction", none)
            return None
        for number, call in enumerate(record.calls, 1):
            turn = auction.turn
            rule = "auction-over" if turn is None else "out-of-turn" if call.seat != turn else "call"
            try:
                auction = auction.call(call.word, call.seat)
            except IllegalPlayError as wrong:
                self.find("auction", rule, f"call {number}: {wrong}", seat=call.seat)
                self.notes.append(f"the auction is not followed beyond call {number}")
                return None
        if auction.result is None:
            if record.play or record.contract.declarer is not None:
                self.find("auction", "auction", f"the auction is not over: seat {auction.turn} is to call")
            else:
                self.notes.append(f"the auction is not over: seat {auction.turn} is to call")
        else:
            self.notes.append(f"auction: {auction.result.text}")
        return auction.result

    def agree(self, agreed: Result) -> None:
        """Compare the contract with the auction, and fill in what it leaves open."""
        contract, line = self.contract, "contract" if "contract" in self.record.lines else self.plan_line()
        if agreed.declarer is None and agreed.kind in self.game.clauses and not contract.kind:
            contract = replace(contract, kind=agreed.kind)
        if contract.declarer is None:
            contract = replace(contract, declarer=agreed.declarer)
        elif contract.declarer != agreed.declarer:
            self.find(
                line, "declarer", f"seat {contract.declarer} plays, but by the auction {agreed.text}",
                seat=contract.declarer,
            )  # fmt: skip
        if agreed.bid is not None and contract.target is None:
            contract = replace(contract, target=agreed.bid)
        elif agreed.bid is not None and contract.target is not None and contract.target != agreed.bid:
            if contract.target < agreed.bid:
                self.find(line, "bid", f"the contract is {contract.target}, lower than the bid of {agreed.bid}")
            elif not self.game.talon_size:
                self.find(
                    line, "bid", f"the contract is {contract.target}, but the bid is {agreed.bid}: no raise is open"
                )
        self.contract = contract

    def surrender(self) -> None:
        """Settle a deal that the declarer gave up."""
        settle = getattr(self.game, "surrender", None)
        if self.record.play:
            line = self.record.play[0].line
            text = f"seat {self.contract.declarer} gave up, so no card is played"
            self.findings.append(Finding(line, "surrender", text, trick=1))
        if settle is not None:
            try:
                self.outcome = settle(self.contract)
            except (NotationError, IllegalPlayError) as wrong:
                self.find(self.plan_line(), "surrender", wrong)

    def redeal(self, agreed: Result) -> None:
        """Nothing is played when the cards are dealt again."""
        if self.record.play:
            self.findings.append(
                Finding(self.record.play[0].line, "auction", f"cards are played, but {agreed.text}", 1)
            )

    # ------------------------------------------------------------------ play and result

    def play(self) -> None:
        """Check the plan and follow the cards."""
        record = self.record
        plan = self.contract
        planned = plan.bury or plan.passes or plan.called or plan.under or plan.taken or plan.kind or record.hidden
        if not record.play and not planned:
            return
        done = follow_cards(record, plan, record.lines.get(self.plan_line()))
        self.findings += done.findings
        self.notes += done.notes
        self.outcome = done.outcome

    def compare(self, written: WrittenResult) -> None:
        """Compare the written result with the one computed."""
        found = self.outcome
        if found is None:
            self.notes.append("the written result is not checked: the deal is not known to its end")
            return
        line = "result"
        for name in ("points", "tricks", "scores"):
            said, true = getattr(written, name), getattr(found, name)
            if said is not None and said != true:
                where = name if name in self.record.lines and line not in self.record.lines else line
                self.find(where, name, f"{name} {_row(said)} are written, but {_row(true)} are right: {found.text}")
        deal = self.record.deal
        if written.side is not None and deal is not None:
            true = sum(found.points[seat] for seat in self.game.start(deal, self.contract).side)
            if written.side != true:
                unit = self.game.unit_of(self.contract)
                text = f"{counted(written.side, unit)} of the side are written, but {true} are right: {found.text}"
                self.find(line, "side", text)
        if written.made is not None and found.made is not None and written.made != found.made:
            words = ("made", "failed") if written.made else ("failed", "made")
            self.find(line, "made", f"the contract is written as {words[0]}, but it is {words[1]}: {found.text}")


def _row(values: Iterable[int]) -> str:
    return " ".join(map(str, values))
