"""From which hand on a bid is right: many hands drawn and estimated, in tables by what players count, and as rules.

`threshold` draws hands, estimates each as `solver.bidding.bid.bid` does, tabulates success and gain over passing
by features of the hand, and looks for the short rule that comes closest to the estimates. Hands are drawn independently
and their number is fixed, so the interval of a bin is that of a mean over hands, whatever else was drawn for each.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from solver.bidding.of_game import bidding_of
from solver.bidding.passing import Passing
from solver.deals.estimate import Estimate, plain_rows
from solver.deals.halving import Round
from solver.deals.success import Progress, progress_bar
from solver.deals.versions import versions
from solver.games import Game, as_game
from solver.model.checks import checks_numbers, excerpt
from solver.model.errors import NotationError, UnsupportedError
from solver.stats.rates import mean, wilson
from solver.thresholds.checkpoint import Checkpoint, Row, read_checkpoint
from solver.thresholds.features import Feature, feature_names, features_of
from solver.thresholds.hand_rows import Study, check_bids, gain_column, study_hand, study_of
from solver.thresholds.rules_of_thumb import FOLDS, MOST, Thumb, find_thumb, lost

__all__ = ["FEWEST", "Thresholds", "read_threshold", "study_hand", "study_of", "threshold", "thresholds_of"]

#: Hands below which no rule is looked for.
FEWEST = 10
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")


@dataclass(frozen=True)
class Thresholds(Estimate):
    """A study of hands.

    `frame` has a row for each bin of the features in `by` and each bid: the features (the lower end of a bin), `bid`
    (in Sheepshead a tier), `n` hands, `p` with `low` to `high`, the mean chance that the bid is made, `gain` with
    `gain_low` to `gain_high`, the mean gain over passing, and `right`, the share of hands that gain.

    Parameters
    ----------
    by
        Features of the table.
    hands
        A row a hand, see `solver.thresholds.hand_rows.study_hand`.
    decision
        Rules of thumb: for each bid (none in Sheepshead, where it is to pick or to pass) and group of places the
        `rule`, `n` hands, the share in which bidding is `right` and in which the rule `follows`, `error` with its
        interval, the share of hands in which rules found without the hand decide otherwise than its estimate, and
        `lost`, the mean score that this costs.
    error
        The same for each bid over all places, with what `always` and `never` bidding would lose.
    """

    by: tuple[str, ...] = ()
    hands: pd.DataFrame = field(default_factory=pd.DataFrame, repr=False, compare=False)
    decision: pd.DataFrame = field(default_factory=pd.DataFrame, repr=False, compare=False)
    error: pd.DataFrame = field(default_factory=pd.DataFrame, repr=False, compare=False)

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules as sentences."""
        return tuple(self.decision["rule"]) if len(self.decision) else ()

    def __str__(self) -> str:
        with pd.option_context("display.float_format", "{:.3f}".format):
            tables = [t.to_string(index=False) for t in (self.frame, self.decision, self.error) if len(t)]
        return "\n".join([*self.heading, *tables, *self.notes])

    def _repr_html_(self) -> str:
        tables = [t.to_html(index=False, float_format="{:.3f}".format)
                  for t in (self.frame, self.decision, self.error) if len(t)]  # fmt: skip
        return f"<p>{'<br>'.join(self.heading)}</p>{''.join(tables)}<p>{'<br>'.join(self.notes)}</p>"

    def to_json(self) -> dict[str, Any]:
        """Return plain values for `json.dumps`."""
        found = super().to_json()
        rows = found.pop("rows")
        more = {name: plain_rows(getattr(self, name)) for name in ("decision", "error", "hands")}
        return {**found, "by": list(self.by), **more, "rows": rows}


@checks_numbers
def threshold(
    game: Game | str,
    by: str | Sequence[str] | None = None,
    *,
    hands: int = 100,
    seed: int = 0,
    bids: Sequence[int] | None = None,
    position: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    passing: Passing | None = None,
    talons: int | None = None,
    rounds: Sequence[Round] | None = None,
    passed: int | None = None,
    limit: int | None = None,
    workers: int | None = None,
    progress: Progress = None,
    **options: Any,
) -> Thresholds:
    """Study from which hand on a bid is right.

    Parameters
    ----------
    game
        Kit, Sheepshead, Thousand of three seats, or 3 of Spades, or its name with `options`.
    by
        Features of the table, ``"trumps, queens"``; the usual ones of the game when None, see
        `solver.thresholds.features`.
    hands
        How many to draw, each independent of the others. Hand i is the same whatever their number and the position.
        0 reads what `checkpoint` has.
    seed
        Of all that is drawn.
    bids
        Bids, or tiers, of the table.
    position
        How many seats speak (kit: play) before the hand's; drawn uniformly when None. In Sheepshead all of them have
        passed; in Thousand and 3 of Spades nobody has spoken.
    checkpoint
        File that takes each hand when it is finished. Where it exists already its hands are not searched again.
    passing
        What passing brings; the usual model of the game when None.
    talons, rounds, passed, limit
        How each hand is estimated, as for `solver.bidding.bid.bid`; light settings when None.
    workers
        Threads, None for all cores; numbers do not depend on it.
    progress
        True for a bar, or a function of (done, total) hands.
    **options
        Options of the game, when it is named by text.

    Returns
    -------
    Thresholds
        After an interrupt of the hands that were finished, marked as partial.

    Raises
    ------
    NotationError
        For features or bids that are none, and for a file that is damaged or of another study.
    UnsupportedError
        For games and options in which no bid is set against passing.
    """
    one = as_game(game, options)
    if hands == 0:
        if checkpoint is None:
            raise UnsupportedError("hands is 0, which reads a checkpoint: name one")
        return read_threshold(checkpoint, by, bids=bids, passing=passing, game=one)
    names, amounts = feature_names(one, by), check_bids(one, bids)
    study = study_of(
        one, seed=seed, position=position, passing=passing, talons=talons, rounds=rounds, passed=passed, limit=limit
    )
    tell, note = progress_bar(progress), ""
    with Checkpoint(study, checkpoint) as kept:
        try:
            for number in [i for i in range(hands) if i not in kept.rows]:
                kept.add(study_hand(study, number, workers=workers))
                if tell is not None:
                    tell(sum(i < hands for i in kept.rows), hands)
        except KeyboardInterrupt:
            done = sum(i < hands for i in kept.rows)
            again = "name a checkpoint to be able to go on"
            if checkpoint is not None:
                again = f"asked again with the checkpoint {os.fspath(checkpoint)} it goes on from there"
            note = f"stopped after {done} of {hands} hands: {again}"
            if not done:
                raise KeyboardInterrupt(note) from None
    rows = [row for number, row in sorted(kept.rows.items()) if number < hands]
    return _tabulate(study, rows, names, amounts, versions(), stopped=note)


def thresholds_of(
    study: Study, rows: Sequence[Row], by: str | Sequence[str] | None = None, *, bids: Sequence[int] | None = None,
    made_by: dict[str, str] | None = None, stopped: str = "",
) -> Thresholds:  # fmt: skip
    """Make the tables of a study from the rows of its finished hands, without a search.

    Parameters
    ----------
    study
        What the rows are of.
    rows
        From `study_hand`, at least one, by rising number.
    by, bids
        As for `threshold`.
    made_by
        Versions of the programs that made the rows; those of now when None.
    stopped
        Why hands are missing, for the notes; the answer is then marked as partial.

    Raises
    ------
    NotationError
        For features or bids that are none, and where there is no row.
    """
    names, amounts = feature_names(study.game, by), check_bids(study.game, bids)
    if not rows:
        raise NotationError("no hand is finished, so there is nothing to tabulate")
    return _tabulate(study, rows, names, amounts, versions() if made_by is None else made_by, stopped=stopped)


def read_threshold(
    path: str | os.PathLike[str], by: str | Sequence[str] | None = None, *, bids: Sequence[int] | None = None,
    passing: Passing | None = None, game: Game | None = None,
) -> Thresholds:  # fmt: skip
    """Make the tables of a study from its file, without a search.

    Parameters
    ----------
    path
        A checkpoint, whole or not.
    by, bids
        As for `threshold`.
    passing
        Not used for numbers; the model of a study that was not made with the usual one.
    game
        The game that is expected, with its options; any when None.

    Raises
    ------
    NotationError
        For a file that is none, damaged, or of another game, and for features or bids that are none.
    """
    found = read_checkpoint(path)
    study = Study.from_json(found.definition, passing)
    if game is not None and game != study.game:
        raise NotationError(f"{os.fspath(path)} holds a study of {excerpt(study.game)}, not of {excerpt(game)}")
    if not found.rows:
        raise NotationError(f"{os.fspath(path)} has no finished hand")
    names, amounts = feature_names(study.game, by), check_bids(study.game, bids)
    words = str(found.definition["passing"])
    return _tabulate(study, list(found.rows.values()), names, amounts, found.versions, words=words)


# ---------------------------------------------------------------------- tables


def _tabulate(
    study: Study, rows: Sequence[Row], by: tuple[str, ...], bids: tuple[int, ...], made_by: dict[str, str], *,
    stopped: str = "", words: str = "",
) -> Thresholds:  # fmt: skip
    """The answer from finished hands."""
    game = study.game
    hands = pd.DataFrame(rows)
    text = [c for c in hands if c == "hand"]
    hands = hands.astype({c: float for c in hands if c not in text and hands[c].dtype == object})
    decision, error = _decisions(study, hands, bids)
    summary = {"score": float(hands["score"].mean())}
    if "gain" in hands:
        summary |= {"pass_score": float(hands["pass_score"].mean()),
                    "clear": float(((hands["gain_low"] > 0) | (hands["gain_high"] < 0)).mean())}  # fmt: skip
    place = "" if study.position is None else f", {_where(game, (study.position,))}"
    question = f"{bidding_of(game).asked}, by {', '.join(by)}{place}"
    return Thresholds(
        game.name, game.option_values(), question, "", "", f"double dummy, {len(hands)} hands drawn", study.seed,
        len(hands), game.unit, _frame(game, hands, by, bids), summary, bool(stopped), made_by,
        tuple(_notes(study, hands, by, words or study.passing.words, len(decision) > 0, stopped)), by, hands, decision,
        error,
    )  # fmt: skip


def _frame(game: Game, hands: pd.DataFrame, by: tuple[str, ...], bids: tuple[int, ...]) -> pd.DataFrame:
    """A row for each bin and bid."""
    steps = {one.name: one.step for one in features_of(game)}
    keys = [(hands[name] // steps[name] * steps[name]).rename(name) for name in by]
    labels = bidding_of(game).labels(game.contract("by 0"))
    out = []
    for key, part in hands.groupby(keys, sort=True):
        for bid in bids:
            p = part[f"p_{bid}"].dropna() if f"p_{bid}" in part else pd.Series(dtype=float)
            gains = part[gain_column(game, bid)].dropna() if gain_column(game, bid) in part else p.iloc[:0]
            low, high = wilson(float(p.sum()), len(p))
            gain = mean(gains.to_numpy(float))
            out.append({
                **dict(zip(by, key, strict=True)), "bid": bid, "label": labels.get(bid), "n": len(p),
                "p": float(p.mean()), "low": low, "high": high, "gain": gain.value, "gain_low": gain.low,
                "gain_high": gain.high, "right": float((gains > 0).mean()),
            })  # fmt: skip
    return pd.DataFrame(out).dropna(axis="columns", how="all")


def _decisions(study: Study, hands: pd.DataFrame, bids: tuple[int, ...]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Rules for each bid, and what they lose."""
    game, of = study.game, bidding_of(study.game)
    known = [one for one in features_of(game) if one.least]
    rows, errors = [], []
    for bid in bids if not of.tiered else (0,):
        column = gain_column(game, bid)
        some = hands[hands[column].notna()] if column in hands else hands.iloc[:0]
        if len(some) < FEWEST:
            continue
        gains, places = some[column].to_numpy(float), some["position"].to_numpy(np.int64)
        found = find_thumb(
            {f.name: some[f.name].to_numpy(np.int64) for f in known}, gains, places, known, _splits(study)
        )
        head = {} if of.tiered else {"bid": bid}
        for group, rule in zip(found.form.groups, found.rules, strict=True):
            where = "" if len(found.form.groups) == 1 else _where(game, group)
            here = np.isin(places, group)
            rows.append({**head, "rule": rule.said(of.verb(bid), known, where),
                         **_missed(found, gains, here)})  # fmt: skip
        everywhere = np.ones(len(gains), np.bool_)
        none = float(lost(gains, ~everywhere).mean())
        errors.append({**head, **_missed(found, gains, everywhere), "always": float(lost(gains, everywhere).mean()),
                       "never": none})  # fmt: skip
    return pd.DataFrame(rows), pd.DataFrame(errors)


def _missed(found: Thumb, gains: NDArray[np.float64], here: NDArray[np.bool_]) -> dict[str, Any]:
    """How often rules found without a hand are wrong about it, and what that costs."""
    own, follows = gains[here], found.follows[here]
    wrong = follows != (own > 0)
    low, high = wilson(float(wrong.sum()), len(own))
    cost = mean(lost(own, follows))
    return {
        "n": len(own), "right": float((own > 0).mean()) if len(own) else float("nan"),
        "follows": float(follows.mean()) if len(own) else float("nan"),
        "error": float(wrong.mean()) if len(own) else float("nan"), "error_low": low, "error_high": high,
        "lost": cost.value, "lost_low": max(cost.low, 0.0) if len(own) > 1 else cost.low, "lost_high": cost.high,
    }  # fmt: skip


def _splits(study: Study) -> list[tuple[tuple[int, ...], ...]]:
    """Ways to group the places that may have rules of their own."""
    places = study.positions
    if len(places) < 2:
        return [(places,)]
    return list(dict.fromkeys([(places,), *bidding_of(study.game).groupings(places)]))


def _where(game: Game, group: Sequence[int]) -> str:
    """Places in words."""
    last = game.seats - 1

    def name(place: int) -> str:
        return "last" if place == last else _ORDINALS[place] if place < len(_ORDINALS) else f"number {place + 1}"

    if words := bidding_of(game).place_words(group):
        return words
    names = [name(p) for p in group]
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return f"from the {listed} seat{'s' * (len(names) > 1)}"


def _notes(
    study: Study, hands: pd.DataFrame, by: tuple[str, ...], passing: str, ruled: bool, stopped: str
) -> Iterator[str]:
    """What was done, for people."""
    game, of = study.game, bidding_of(study.game)
    known: dict[str, Feature] = {one.name: one for one in features_of(game)}
    for name in by:
        wide = f", in bins of {known[name].step} from the number shown" * (known[name].step > 1)
        yield f"{name}: {known[name].words}{wide}"
    yield ("p: mean chance of the bid over the n hands of a bin, double dummy (all cards seen by all, perfect play); "
           "low to high: 95 %, Wilson's interval with hands as the unit, which are independent and fixed in number; "
           "gain: Student's interval over hands")  # fmt: skip
    if not game.has_auction:
        yield "gain: of an even bet of one point that so many tricks are reached; right: share of hands that gain"
    else:
        yield "gain: expected score above that of passing; right: share of hands that gain"
        steps = " - ".join(f"{r.plans if r.plans < 1000 else 'all'} in {r.worlds}" for r in study.rounds)
        talons = f"{study.talons} {game.talon_label}s, " * (study.talons is not None)
        limit = f", at most {study.limit:,} nodes a search" * (study.limit > 0)
        yield f"each hand: {talons}plans by halving {steps} worlds, passing in {study.passed} worlds{limit}"
        yield f"passing: {passing}"
        if not of.heard(1):
            yield "nobody has spoken before: the position changes no number"
    if study.position is None:
        yield f"position drawn from {', '.join(map(str, study.positions))}" + (
            ", all seats before have passed" if of.heard(1) else ""
        )
    if not ruled:
        yield f"no rule is looked for: it takes {FEWEST} hands that may bid"
    if ruled:
        yield (f"rule: of all conjunctions of up to {MOST} conditions the one that loses least, as plain as one "
               "standard error allows; error: share of hands decided otherwise than by their estimate (gain above 0), "
               f"lost: mean score that this costs, both by rules found without the hand ({FOLDS}-fold "
               "cross-validation), against an estimate that is itself uncertain")  # fmt: skip
    if "gain" in hands:
        clear = ((hands["gain_low"] > 0) | (hands["gain_high"] < 0)).mean()
        yield f"the interval of a hand's own gain leaves 0 out in {clear:.0%} of hands"
    if len(hands) and int(hands["number"].max()) >= len(hands):
        yield f"{len(hands)} hands with numbers up to {int(hands['number'].max())}: some in between are missing"
    if stopped:
        yield stopped
