"""Plots: how often each bid makes, with its interval.

Backgrounds are transparent and colours of middle brightness, so that a plot can be read on a white and on a dark page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from solver.analysis.estimate import Estimate

__all__ = ["save_curve", "success_curve"]

_INK = "#808080"  # 4:1 and better against white and against black
_LINE = "#2f8fd0"

#: What a threshold is called, by game; the unit follows in brackets.
_THRESHOLDS = {"kit": "at least", "sheepshead": "settlement tier"}


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
        ax.set_xlabel(f"{_THRESHOLDS.get(estimate.game, 'bid')} ({estimate.unit})")
        ax.set_ylabel("worlds in which it makes (%)")
        ax.set_title(f"{estimate.game}, {estimate.method}: n = {estimate.n}, seed {estimate.seed}", fontsize=10)
        _frame(ax)
    legend = ax.legend(frameon=False)
    for text in legend.get_texts():
        text.set_color(_INK)
    return ax


def save_curve(estimate: Estimate, path: str) -> None:
    """Draw `success_curve` into a file, its format by the ending."""
    plt.switch_backend("agg")
    figure, ax = plt.subplots(figsize=(7, 4), layout="constrained")
    success_curve(estimate, ax)
    figure.savefig(path, transparent=True, dpi=150)
    plt.close(figure)
