"""Plots: how often each bid makes, with its interval; how near to an equilibrium learning has come.

Backgrounds are transparent and colours of middle brightness, so that a plot can be read on a white and on a dark page.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt

from solver.bidding.of_game import bidding_class

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from solver.deals.estimate import Estimate
    from solver.hidden.equilibrium import Equilibrium
    from solver.hidden.league import League, Truths
    from solver.seat.numbers import Numbers
    from solver.thresholds.threshold import Thresholds

__all__ = [
    "convergence", "league_dots", "save_convergence", "save_curve", "save_league", "save_numbers", "save_threshold",
    "save_truths", "side_by_side", "success_curve", "threshold_curve", "truth_bars",
]  # fmt: skip

_INK = "#808080"  # 4:1 and better against white and against black
_LINE = "#2f8fd0"
_COLOURS = (_LINE, "#d9822b", "#3a9d5d", "#b05fb5")

#: Numbers that are compared with the truth.
_NUMBERS = {"double_dummy": "double dummy", "blind_lead": "blind lead", "self_play": "self-play",
            "guaranteed": "guaranteed"}  # fmt: skip

#: NashConv below this is rounding.
_NOTHING = 1e-9


def _legend(ax: Axes, title: str | None = None) -> None:
    """Name the curves."""
    legend = ax.legend(frameon=False, title=title)
    for text in [*legend.get_texts(), legend.get_title()]:
        text.set_color(_INK)


def _frame(ax: Axes) -> None:
    """Dress axes for any background."""
    ax.figure.patch.set_alpha(0)
    ax.patch.set_alpha(0)
    ax.tick_params(colors=_INK)
    for side, spine in ax.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(_INK)
    for text in (ax.xaxis.label, ax.yaxis.label, ax.title):
        text.set_color(_INK)
    ax.grid(True, color=_INK, alpha=0.25, linewidth=0.6)


def _save(draw: Callable[[Any], Axes], found: Any, path: str) -> None:
    """Draw an answer into a file, its format by the ending."""
    plt.switch_backend("agg")
    draw(found)  # on a new figure, which is then the current one
    figure = plt.gcf()
    figure.savefig(path, transparent=True, dpi=150)
    plt.close(figure)


def success_curve(estimate: Estimate, ax: Axes | None = None, *, label: str | None = None) -> Axes:
    """Plot how often each bid makes, with the interval as a band.

    Parameters
    ----------
    estimate
        From `solver.bid`.
    ax
        Where to draw; a new figure when None. Several curves may share axes.
    label
        Name of the curve in the legend; the hand when None.

    Returns
    -------
    Axes
        For further changes, or ``ax.figure.savefig(…)``.
    """
    if ax is None:
        _, ax = plt.subplots(figsize=(7, 4), layout="constrained")
    first = not ax.lines
    frame = estimate.frame
    bids: list[Any] = frame["label" if "label" in frame else "bid"].tolist()
    numeric = all(isinstance(b, int | float) for b in bids)
    x: list[Any] = bids if numeric else list(range(len(bids)))
    p, low, high = (100 * frame[name].astype(float) for name in ("p", "low", "high"))
    colour = _LINE if first else None
    (curve,) = ax.plot(x, p, color=colour, marker="o", markersize=4, linewidth=1.8, label=label or estimate.hand)
    ax.fill_between(
        x, low, high, color=curve.get_color(), alpha=0.25, linewidth=0, label="95 % interval" if first else None
    )
    if first:
        if not numeric:
            ax.set_xticks(x, [str(b).replace(" (", "\n(") for b in bids])
        elif len(x) <= 6:
            ax.set_xticks(x)
        ax.set_ylim(-2, 102)
        ax.set_xlabel(f"{bidding_class(estimate.game).rung_word} ({estimate.unit})")
        ax.set_ylabel("worlds in which it makes (%)")
        ax.set_title(f"{estimate.game}, {estimate.method}: n = {estimate.n}, seed {estimate.seed}", fontsize=10)
        _frame(ax)
    _legend(ax)
    return ax


def threshold_curve(found: Thresholds, ax: Axes | None = None, *, value: str = "p") -> Axes:
    """Plot success, or the gain over passing, by the first feature of a study, with 95 % bands and the hands of a bin.

    Parameters
    ----------
    found
        From `solver.threshold`, by one feature, or by two: then there is a curve for each value of the second at the
        middle one of the bids, else one for each bid.
    ax
        Where to draw; a new figure when None.
    value
        ``"p"`` for the chance, ``"gain"`` for the gain.

    Returns
    -------
    Axes
        For further changes, or ``ax.figure.savefig(…)``.
    """
    if ax is None:
        _, ax = plt.subplots(figsize=(7, 4), layout="constrained")
    frame, first = found.frame, found.by[0]
    bids = sorted(frame["bid"].unique())
    if len(found.by) > 1 or (value == "gain" and bidding_class(found.game).tiered):
        bids = [bids[len(bids) // 2]]
    ends, times = (("low", "high"), 100) if value == "p" else (("gain_low", "gain_high"), 1)
    for bid in bids:
        some = frame[frame["bid"] == bid]
        for key, part in some.groupby(list(found.by[1:])) if len(found.by) > 1 else [((), some)]:
            label = ", ".join(f"{name} {v}" for name, v in zip(found.by[1:], key, strict=True)) or f"{bid}"
            x = part[first].astype(float)
            (curve,) = ax.plot(x, times * part[value], marker="o", markersize=4, linewidth=1.8, label=label)
            low, high = (times * part[name].astype(float) for name in ends)
            ax.fill_between(x, low, high, color=curve.get_color(), alpha=0.2, linewidth=0)
    n = frame[frame["bid"] == bids[0]].groupby(first)["n"].sum()
    ax.set_xticks(n.index.astype(float), [f"{x}\nn={k}" for x, k in n.items()])
    ax.set_xlabel(f"{first} (n: hands)")
    if value == "p":
        ax.set_ylim(-2, 102)
        ax.set_ylabel("mean chance of the bid (%)")
    else:
        ax.axhline(0, color=_INK, linewidth=0.8)
        ax.set_ylabel("mean gain over passing")
    ax.set_title(f"{found.game}, {found.method}, seed {found.seed}", fontsize=10)
    _frame(ax)
    title = f"at {bids[0]}" if len(found.by) > 1 else bidding_class(found.game).rung_word
    _legend(ax, title)
    return ax


def save_threshold(found: Thresholds, path: str) -> None:
    """Draw `threshold_curve` into a file, its format by the ending."""
    _save(threshold_curve, found, path)


def side_by_side(found: Numbers, ax: Axes | None = None) -> Axes:
    """Plot the numbers of `solver.numbers`, each with its interval.

    Parameters
    ----------
    found
        From `solver.numbers`.
    ax
        Where to draw; a new figure when None.

    Returns
    -------
    Axes
    """
    if ax is None:
        _, ax = plt.subplots(figsize=(7, 2.6), layout="constrained")
    frame = found.frame.iloc[::-1]
    p, low, high = (100 * frame[name].to_numpy(float) for name in ("p", "low", "high"))
    ax.errorbar(p, range(len(p)), xerr=[p - low, high - p], fmt="o", color=_LINE, capsize=4, linewidth=1.8)
    for y, value in enumerate(p):
        ax.annotate(f"{value:.1f}", (value, y), textcoords="offset points", xytext=(0, 7), ha="center", color=_INK)
    ax.set_yticks(range(len(p)), frame["number"].tolist())
    ax.set_ylim(-0.6, len(p) - 0.2)
    ax.set_xlim(-2, 102)
    ax.set_xlabel(f"chance of {found.bid} {found.unit} (%), with 95 % intervals")
    ax.set_title(f"{found.game}: {found.hand}, seed {found.seed}", fontsize=10)
    _frame(ax)
    return ax


def save_numbers(found: Numbers, path: str) -> None:
    """Draw `side_by_side` into a file, its format by the ending."""
    _save(side_by_side, found, path)


def save_curve(estimate: Estimate, path: str) -> None:
    """Draw `success_curve` into a file, its format by the ending."""
    _save(success_curve, estimate, path)


def convergence(found: Equilibrium, ax: Axes | None = None, *, label: str | None = None) -> Axes:
    """Plot NashConv by iteration, both on logarithmic scales.

    Parameters
    ----------
    found
        From `solver.equilibrium`. A NashConv of 0, which such a scale lacks, is left out where others are above it.
    ax
        Where to draw; a new figure when None. Several curves may share axes.
    label
        Name of the curve in the legend; the method when None.

    Returns
    -------
    Axes
    """
    if ax is None:
        _, ax = plt.subplots(figsize=(7, 4), layout="constrained")
    first = not ax.lines
    above = found.convergence[found.convergence["nashconv"] > 0]
    shown = above if len(above) else found.convergence
    ax.plot(
        shown["iterations"], shown["nashconv"], color=_LINE if first else f"C{len(ax.lines)}", marker="o",
        markersize=4, linewidth=1.8, label=label or found.method,
    )  # fmt: skip
    if len(above):
        ax.set_xscale("log")
        ax.set_yscale("log")
    if first:
        ax.set_xlabel("iterations")
        ax.set_ylabel(f"NashConv ({found.unit})")
        ax.set_title(found.heading[0].partition(":")[0], fontsize=10)
        _frame(ax)
        ax.tick_params(which="minor", colors=_INK)
    _legend(ax)
    return ax


def save_convergence(found: Equilibrium, path: str) -> None:
    """Draw `convergence` into a file, its format by the ending."""
    _save(convergence, found, path)


def league_dots(found: League, ax: Axes | None = None) -> Axes:
    """Plot NashConv by way to play, on a logarithmic scale.

    Parameters
    ----------
    found
        From `solver.league`. A NashConv of 0, which such a scale lacks, is told at the edge.
    ax
        Where to draw; a new figure when None.

    Returns
    -------
    Axes
    """
    if ax is None:
        _, ax = plt.subplots(figsize=(7, 3.4), layout="constrained")
    frame = found.frame.iloc[::-1]
    x = frame["nashconv"].to_numpy(float)
    some = x > _NOTHING
    ax.set_xscale("log")
    ax.plot(x[some], some.nonzero()[0], "o", color=_LINE, markersize=7)
    for y, value in enumerate(x):
        if value > _NOTHING:
            place: dict[str, Any] = {"xy": (value, y), "xytext": (0, 7), "ha": "center"}
        else:
            place = {"xy": (0, y), "xytext": (4, -3), "ha": "left", "xycoords": ax.get_yaxis_transform()}
        ax.annotate(f"{value:.2g}" if value > _NOTHING else "0", textcoords="offset points", color=_INK, **place)
    ax.set_yticks(range(len(x)), frame["policy"].tolist())
    ax.set_ylim(-0.6, len(x) - 0.2)
    ax.margins(x=0.08)
    ax.set_xlabel(f"NashConv ({found.unit})")
    ax.set_title(found.heading[0].partition(":")[0], fontsize=10)
    _frame(ax)
    ax.tick_params(which="minor", colors=_INK)
    return ax


def truth_bars(found: Truths, ax: Axes | None = None) -> Axes:
    """Plot how far the usual numbers for contracts are from the truth, in points of a percent chance.

    Parameters
    ----------
    found
        From `solver.truths`. What was left out of it is left out here.
    ax
        Where to draw; a new figure when None.

    Returns
    -------
    Axes
    """
    if ax is None:
        _, ax = plt.subplots(figsize=(9, 4), layout="constrained")
    errors = found.errors.dropna(axis=1, how="all")
    names = [name for name in _NUMBERS if name in errors]
    width = 0.8 / len(names)
    for i, (name, colour) in enumerate(zip(names, _COLOURS, strict=False)):
        x = [at + width * (i - (len(names) - 1) / 2) for at in range(len(errors))]
        ax.bar(x, errors[name], width, color=colour, label=_NUMBERS[name])
    ax.axhline(0, color=_INK, linewidth=1)
    labels = [f"{text}\n{truth:.1f} %" for text, truth in zip(errors["contract"], errors["truth"], strict=True)]
    ax.set_xticks(range(len(errors)), labels)
    ax.set_xlabel("contract, and its chance at the equilibrium (truth)")
    ax.set_ylabel("number minus truth (percentage points)")
    ax.set_title(found.heading[0].partition(":")[0], fontsize=10)
    _frame(ax)
    ax.grid(False, axis="x")
    ax.set_axisbelow(True)
    _legend(ax)
    return ax


def save_league(found: League, path: str) -> None:
    """Draw `league_dots` into a file, its format by the ending."""
    _save(league_dots, found, path)


def save_truths(found: Truths, path: str) -> None:
    """Draw `truth_bars` into a file, its format by the ending."""
    _save(truth_bars, found, path)
