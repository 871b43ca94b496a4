"""The picture of a comparison of solvers: compare.csv and compare_history.csv."""

import csv
import os

import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

MOST_CURVES = 7
DIRECT = "gauss"
BAR_HEIGHT = 0.19  # inches, for a bar with its label


def solver_name(row):
    return row["method"] if row["method"] == DIRECT else f"{row['method']} + {row['preconditioner']}"


def read_rows(folder, name):
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def read_solvers(rows):
    """{solver: {"by_step": {step: [iterations, seconds]}, "configured", "failed", "seconds", "solves"}} of one kind."""
    solvers = {}
    for row in rows:
        solver = solvers.setdefault(solver_name(row), {"by_step": {}, "configured": row["configured"] == "yes",
                                                       "failed": False, "seconds": 0.0, "solves": 0})
        if row["status"] != "converged":
            solver["failed"] = True
            continue
        sums = solver["by_step"].setdefault(int(row["step"]), [0, 0.0])
        sums[0] += int(row["iterations"])
        sums[1] += float(row["seconds"])
        solver["seconds"] += float(row["seconds"])
        solver["solves"] += 1
    return solvers


def chosen(solvers):
    """The fastest solvers that never failed, and the configured solver."""
    good = sorted((name for name, s in solvers.items() if not s["failed"]), key=lambda name: solvers[name]["seconds"])
    names = good[:MOST_CURVES]
    return names + [name for name, s in solvers.items() if s["configured"] and name not in names]


def said_of(solvers, names):
    """Which curves there are, where it is not all of them."""
    failed = sum(solver["failed"] for solver in solvers.values())
    text = f"{len(names)} of {len(solvers)} solvers: the fastest, and the configured one" if len(names) < len(
        solvers) else ""
    return text + (f" ({failed} failed)" if failed and text else "")


def plain_log_ticks(axis):
    """1, 2, 5, 10, ...: the labels of a logarithmic axis as short as they can be, and no more than fit."""
    low, high = sorted(axis.get_view_interval())
    subs = (1, 2, 5) if high < 100 * low else (1,)
    axis.set_major_locator(LogLocator(subs=subs, numticks=7))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(NullFormatter())


def against_step(ax, solvers, names, column, label):
    for name in names:
        steps = sorted(solvers[name]["by_step"])
        values = [solvers[name]["by_step"][step][column] for step in steps]
        if column == 1:
            values = [1e3 * value for value in values]
        ax.plot(steps, values, marker=".", linewidth=2.5 if solvers[name]["configured"] else 1, label=name)
    ax.set_xlabel("step")
    ax.set_ylabel(label)
    ax.set_yscale("log")
    ax.set_xscale("log")
    plain_log_ticks(ax.xaxis)
    plain_log_ticks(ax.yaxis)
    ax.grid(alpha=0.3)


def bars(ax, solvers):
    good = sorted((name for name, s in solvers.items() if not s["failed"] and s["solves"]),
                  key=lambda name: solvers[name]["seconds"], reverse=True)
    means = [1e3 * solvers[name]["seconds"] / solvers[name]["solves"] for name in good]
    colours = ["tab:orange" if solvers[name]["configured"] else "tab:blue" for name in good]
    ax.barh(good, means, color=colours)
    ax.set_xlabel("mean time to tolerance, ms (configured: orange)")
    ax.set_xscale("log")
    plain_log_ticks(ax.xaxis)
    ax.set_ylim(-0.6, len(good) - 0.4)
    ax.tick_params(axis="y", labelsize="x-small")
    ax.grid(axis="x", alpha=0.3)


def histories(ax, rows, systems, names):
    """Residuals of the last compared step, of the first system of this kind."""
    of_kind = [row for row in rows if row["system"] in systems]
    if not of_kind:
        ax.axis("off")
        return
    last = max(int(row["step"]) for row in of_kind)
    system = next(row["system"] for row in of_kind if int(row["step"]) == last)
    curves = {}
    for row in of_kind:
        if int(row["step"]) == last and row["system"] == system:
            curves.setdefault(solver_name(row), []).append(float(row["residual"]))
    for name in names:
        ax.plot(curves.get(name, []), label=name)
    ax.set_title(f"{system}, step {last}", fontsize="medium")
    ax.set_xlabel("iteration")
    ax.set_ylabel("norm(b - A x)")
    ax.set_yscale("log")
    ax.grid(alpha=0.3)


def picture_of(folder):
    """The figure of a comparison; None where there are no rows."""
    rows = read_rows(folder, "compare.csv")
    if not rows:
        return None
    history_rows = read_rows(folder, "compare_history.csv")
    kinds = list(dict.fromkeys(row["kind"] for row in rows))
    columns = 4 if history_rows else 3
    by_kind = [[row for row in rows if row["kind"] == kind] for kind in kinds]
    heights = [max(5, 1 + BAR_HEIGHT * len(read_solvers(of_kind))) for of_kind in by_kind]
    picture, axes = plt.subplots(len(kinds), columns, figsize=(5.5 * columns, sum(heights)), squeeze=False,
                                 layout="constrained", height_ratios=heights)
    for line, kind, of_kind in zip(axes, kinds, by_kind):
        solvers = read_solvers(of_kind)
        names = chosen(solvers)
        against_step(line[0], solvers, names, 0, f"{kind}: iterations of a step")
        against_step(line[1], solvers, names, 1, f"{kind}: ms of a step")
        line[0].legend(fontsize="x-small")
        line[0].set_title(said_of(solvers, names), fontsize="medium")
        bars(line[2], solvers)
        if history_rows:
            histories(line[3], history_rows, {row["system"] for row in of_kind}, names)
    return picture
