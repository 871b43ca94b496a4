"""Panels of curves: titles, labels with units, and words in place of values that are only rounding."""

import math

from plotting import labels, rounding


def finite(values):
    return [v for v in values if isinstance(v, float) and math.isfinite(v)]


def is_noise(ax, x, series, scale):
    """Whether all values are zero to rounding, measured by `scale`; then these words are in the panel, without an axis
    that would show them as data. `x` are the places of the values."""
    text = rounding.note([v for values in series for v in finite(values)], scale)
    if not text.startswith("zero to rounding"):
        return False
    ax.text(0.5, 0.5, text, transform=ax.transAxes, ha="center", va="center", fontsize="small", color="0.2")
    ax.set_yticks([])
    if len(set(x)) > 1:
        ax.set_xlim(min(x), max(x))
    return True


def keep_flat(ax, series):
    """Curves that are constant to rounding look like it, and the panel says so."""
    texts = [rounding.note(finite(values), 0.0) for values in series]
    if not texts or not all(texts) or not any("rounding" in text for text in texts):
        return
    values = [v for curve in series for v in finite(curve)]
    room = 0.05 * max(map(abs, values))
    ax.set_ylim(min(values) - room, max(values) + room)
    ax.text(0.5, 0.9, texts[0] if len(texts) == 1 else "each constant to rounding", transform=ax.transAxes, ha="center",
            fontsize="small", color="0.2")


def dress(ax, title, x_label, y_label="", always_legend=False):
    """Title, labels, and a legend where there are several curves, or where one needs its name."""
    ax.set_title(title, fontsize="medium")
    ax.set_xlabel(x_label)
    ax.set_ylabel(y_label)
    ax.grid(alpha=0.3)
    if len(ax.get_legend_handles_labels()[0]) > (0 if always_legend else 1):
        ax.legend(fontsize="x-small", loc="lower right" if ax.texts else "best")  # beside the words of keep_flat


def draw_lines(ax, title, x, curves, log=False, unit="", scale=0.0):
    """Curves {name: values} against time; of logarithmic ones the positive values."""
    series = list(curves.values())
    log = log and max((v for y in series for v in finite(y)), default=0) > 0
    if log or not is_noise(ax, x, series, scale):
        marker = "." if len(x) < 3 else None
        for name, y in curves.items():
            shown = [v if v > 0 else math.nan for v in y] if log else y
            ax.plot(x, shown, label=name, linewidth=1, marker=marker)
        if log:
            ax.set_yscale("log")
        else:
            keep_flat(ax, series)
    dress(ax, title, "t [T]", f"[{unit}]" if unit else "")


def field_title(name):
    return labels.with_unit(name, labels.unit(name))
