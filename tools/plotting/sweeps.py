"""sweep.png of a directory of `hodge sweep`: each quantity against the first swept key whose values are numbers, else
against the first key."""

import math
import os

from plotting import labels, layout, rounding
from plotting.csv_columns import read_columns
from plotting.curves import dress, finite, is_noise

BEFORE_QUANTITIES = ("run", "status", "exit_code", "end", "steps", "t", "seconds", "from", "to", "message")


def is_numbers(column):
    return all(isinstance(value, float) and not math.isnan(value) for value in column)


def keys_and_quantities(columns):
    """The swept keys stand before `status`; a quantity is a column beside which its mean stands."""
    names = list(columns)
    keys = names[1:names.index("status")]
    quantities = [name for name in names if f"{name}_mean" in columns and name not in BEFORE_QUANTITIES]
    return keys, [name for name in quantities if finite(columns[name])]


def text_of(value):
    return f"{value:g}" if isinstance(value, float) else str(value)


def curves(columns, x, others):
    """{label: rows in the order of x}: a curve for each combination of the other keys. Texts keep their order."""
    rows = {}
    for k in range(len(columns[x])):
        rows.setdefault(", ".join(f"{key} = {text_of(columns[key][k])}" for key in others), []).append(k)
    if not is_numbers(columns[x]):
        return rows
    return {label: sorted(ks, key=lambda k: columns[x][k]) for label, ks in rows.items()}


def sweep(options, choice):
    columns = read_columns(os.path.join(options.run, "sweep.csv"))
    if not columns:
        return []
    keys, quantities = keys_and_quantities(columns)
    quantities = choice.of("sweep.csv", quantities)
    if not keys or not quantities:
        return []
    x = next((key for key in keys if is_numbers(columns[key])), keys[0])
    missing = [run for run, status in zip(columns["run"], columns["status"]) if status != "completed"]

    # What is rounding is measured by all runs of the sweep, and by the configuration of the first.
    scales = rounding.Scales(os.path.join(options.run, str(columns["run"][0])), history=columns)

    def picture():
        pages = layout.panel_pages(quantities, options.size)
        for figure, panels in pages:
            for ax, name in panels:
                draw(ax, columns, name, x, keys, scales.of_quantity(name))
            if missing:
                figure.suptitle(f"{len(missing)} of {len(columns['run'])} runs are not completed", fontsize="medium")
        return [figure for figure, _ in pages]

    return [("sweep.png", picture)]


def draw(ax, columns, name, x, keys, scale):
    """Rows without the quantity, those of runs that failed, are left out."""
    dress(ax, labels.with_unit(name, labels.unit_of_column(name)), x)
    final, mean, rms = (columns[name + ending] for ending in ("", "_mean", "_rms"))
    if is_noise(ax, [], [final, mean, rms], scale):
        return
    place = (lambda k: columns[x][k]) if is_numbers(columns[x]) else (lambda k: text_of(columns[x][k]))
    for label, rows in curves(columns, x, [key for key in keys if key != x]).items():
        rows = [k for k in rows if len(finite([final[k], mean[k], rms[k]])) == 3]
        if rows:
            at = list(map(place, rows))
            line, = ax.plot(at, [final[k] for k in rows], marker="o", markersize=4, linewidth=1,
                            label=f"{label} at the end".strip())
            ax.errorbar(at, [mean[k] for k in rows], yerr=[rms[k] for k in rows], fmt="x", markersize=5, capsize=3,
                        color=line.get_color(), label=f"{label} mean, rms".strip())
    ax.legend(fontsize="x-small")
