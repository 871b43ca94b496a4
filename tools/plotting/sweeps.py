"""sweep.png of a directory of `hodge sweep`: each quantity against the first swept key whose values are numbers."""

import math
import os

from plotting.tables import figure_of, read_columns

BEFORE_QUANTITIES = ("run", "status", "exit_code", "end", "steps", "t", "seconds", "from", "to", "message")
MOST_PANELS = 12


def is_numbers(column):
    return all(isinstance(value, float) and not math.isnan(value) for value in column)


def keys_and_quantities(columns):
    """The swept keys stand before `status`; a quantity is a column beside which its mean stands."""
    names = list(columns)
    keys = names[1:names.index("status")]
    quantities = [name for name in names if f"{name}_mean" in columns and name not in BEFORE_QUANTITIES]
    return keys, [name for name in quantities if any(isinstance(v, float) and math.isfinite(v) for v in columns[name])]


def curves(columns, x, others):
    """{label: rows in the order of x}: a curve for each combination of the other keys."""
    rows = {}
    for k in range(len(columns[x])):
        label = ", ".join(f"{key} = {columns[key][k]:g}" if isinstance(columns[key][k], float) else
                          f"{key} = {columns[key][k]}" for key in others)
        rows.setdefault(label, []).append(k)
    return {label: sorted(ks, key=lambda k: columns[x][k]) for label, ks in rows.items()}


def sweep(run, save):
    columns = read_columns(os.path.join(run, "sweep.csv"))
    if not columns:
        return
    keys, quantities = keys_and_quantities(columns)
    x = next((key for key in keys if is_numbers(columns[key])), None)
    if x is None or not quantities:
        return
    figure, axes = figure_of(min(len(quantities), MOST_PANELS))
    for ax, name in zip(axes, quantities):
        for label, rows in curves(columns, x, [key for key in keys if key != x]).items():
            at = [columns[x][k] for k in rows]
            line, = ax.plot(at, [columns[name][k] for k in rows], marker="o", markersize=4, linewidth=1,
                            label=f"{label} at the end".strip())
            ax.errorbar(at, [columns[f"{name}_mean"][k] for k in rows], yerr=[columns[f"{name}_rms"][k] for k in rows],
                        fmt="x", markersize=5, capsize=3, color=line.get_color(), label=f"{label} mean, rms".strip())
        ax.set_title(name, fontsize="medium")
        ax.set_xlabel(x)
        ax.grid(alpha=0.3)
        ax.legend(fontsize="x-small")
    save(figure, "sweep.png")
