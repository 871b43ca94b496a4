#!/usr/bin/env python3
"""Plots what `hodge bench NAME --output DIR` has written: DIR/NAME.json becomes DIR/NAME.png.

    plot_bench.py [--overwrite] FILE.json...

A picture of an earlier call is drawn anew; another file of this name is replaced with --overwrite only.

Needs matplotlib. One function an experiment, plot_times for those that have none; each returns the
figure.
"""

import json
import math
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))  # python3 -I leaves it out
from plotting import outputs  # noqa: E402
from plotting.interpreter import need_for_plots  # noqa: E402

need_for_plots("plot_bench.py")

import matplotlib  # noqa: E402

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

PLACES = {"one_thread": "one core", "cpu": "CPU", "cuda": "GPU"}


def rows_of(data, table):
    return data["tables"].get(table, {}).get("rows", [])


def distinct(rows, key):
    return list(dict.fromkeys(row[key] for row in rows if row.get(key) is not None))


def new_figure(rows, columns, width, height):
    return plt.subplots(rows, columns, figsize=(width, height), squeeze=False, layout="constrained")


def title_of(data):
    devices = "; ".join(f"{d['name']}: {d['hardware']}" for d in data["devices"])
    return f"hodge {data['version']} bench {data['experiment']}, {data['precision']} precision\n{devices}"


def grouped_bars(axes, groups, series, value_of, label):
    """Horizontal bars: a group a line of `groups`, a colour a member of `series`."""
    thickness = 0.8 / max(len(series), 1)
    shown = []
    for i, member in enumerate(series):
        pairs = [(g, value_of(group, member)) for g, group in enumerate(groups)]
        pairs = [(g, value) for g, value in pairs if value is not None]
        shown += [value for _, value in pairs]
        axes.barh([g - 0.4 + (i + 0.5) * thickness for g, _ in pairs], [v for _, v in pairs],
                  height=thickness, label=PLACES.get(member, str(member)))
    axes.set_yticks(range(len(groups)), groups)
    axes.invert_yaxis()
    axes.set_xlabel(label)
    positive = [value for value in shown if value > 0]
    if positive and max(positive) > 30 * min(positive):
        axes.set_xscale("log")
        axes.set_xlim(left=10 ** math.floor(math.log10(min(positive) * 0.8)))
    axes.grid(axis="x", alpha=0.3)
    if len(series) > 1:
        axes.legend(fontsize="small", bbox_to_anchor=(1.01, 1), loc="upper left")


def pick(rows, key, **conditions):
    for row in rows:
        if all(row.get(name) == value for name, value in conditions.items()):
            return row.get(key)
    return None


def bars(axes, rows, group, series, key, label, title=None):
    """The values of `key`: a group of bars for each value of `group`, a colour for each of `series`."""
    grouped_bars(axes, distinct(rows, group), distinct(rows, series),
                 lambda g, s: pick(rows, key, **{group: g, series: s}), label)
    if title:
        axes.set_title(title)


def by_value(rows, key):
    """[(value, the rows that have it)]"""
    return [(value, [row for row in rows if row.get(key) == value]) for value in distinct(rows, key)]


def plot_spmv(data):
    rows = rows_of(data, "products")
    devices = by_value(rows, "device")
    figure, axes = new_figure(1, len(devices), 8 * len(devices), 2 + 0.75 * len(distinct(rows, "matrix")))
    for ax, (device, own) in zip(axes[0], devices):
        bars(ax, own, "matrix", "kernel", "share_of_copy", "least traffic / copy bandwidth",
             f"y = A x on {PLACES[device]}")
        ax.axvline(1.0, color="black", linewidth=0.8)
    return figure


def plot_sweep(ax, rows, matrix):
    own = [row for row in rows if row["matrix"] == matrix]
    plain = pick(own, "iterations", preconditioner="none")
    top = plain or max(row["iterations"] for row in own)
    for colour, (form, order) in enumerate((f, o) for f in ("factored", "truncated") for o in (1, 2)):
        chosen = [r for r in own if r.get("form") == form and r.get("order") == order
                  and r.get("alpha", 1.0) == 1.0]
        good = [(r["omega"], r["iterations"]) for r in chosen if r["converged"]]
        bad = [r["omega"] for r in chosen if not r["converged"]]
        ax.plot([o for o, _ in good], [i for _, i in good], "o-", color=f"C{colour}",
                label=f"order {order}, {form}")
        ax.plot(bad, [top * (1.04 + 0.03 * colour)] * len(bad), "x", color=f"C{colour}")
    ax.axhline(plain, color="black", linestyle="--", linewidth=1, label="cg alone")
    ax.set_xlabel("omega")
    ax.set_ylabel("iterations (x: failed)")
    ax.set_ylim(0, 1.25 * top)
    ax.set_title(matrix, fontsize="medium")
    ax.grid(alpha=0.3)
    ax.legend(fontsize="x-small")


def plot_alpha(ax, rows, matrix):
    own = [r for r in rows if r["matrix"] == matrix and r.get("form") == "truncated" and r["converged"]]
    for order in (1, 2):
        omegas = {r["omega"]: r["iterations"] for r in own if r["order"] == order and r["alpha"] == 1.0}
        if not omegas:
            continue
        best = min(omegas, key=omegas.get)
        line = sorted((r["alpha"], r["iterations"]) for r in own
                      if r["order"] == order and r["omega"] == best)
        ax.plot([a for a, _ in line], [i for _, i in line], "o-", label=f"order {order}, omega {best}")
    ax.set_xlabel("alpha (part of a row that is kept)")
    ax.set_ylabel("iterations")
    ax.set_ylim(bottom=0)
    ax.set_title(f"{matrix}, truncated", fontsize="medium")
    ax.grid(alpha=0.3)
    if ax.lines:
        ax.legend(fontsize="x-small")


def ssor_name(row):
    if row["preconditioner"] != "ssor_sai":
        return row["preconditioner"]
    return f"order {row['order']}, {row['form']}, omega {row['omega']}"


def plot_ssor_sai(data):
    sweep, build, solve = (rows_of(data, name) for name in ("sweep", "build", "solve"))
    matrices = distinct(sweep, "matrix")
    lines = len(matrices) + 2
    figure, axes = new_figure(lines, 2, 14, 4 * lines)
    for line, matrix in zip(axes, matrices):
        plot_sweep(line[0], sweep, matrix)
        plot_alpha(line[1], sweep, matrix)
    build = [dict(r, case=f"{r['matrix']}, order {r['order']}") for r in build]
    bars(axes[-2][0], build, "case", "where", "setup_ms", "setup, ms", "building the truncated product")
    bars(axes[-2][1], [r for r in build if r["where"] in PLACES], "case", "where", "setup_in_products",
         "setup / one SpMV", "the same in products with A")
    solve = [dict(r, case=f"{r['matrix']}, {PLACES[r['device']]}", who=ssor_name(r)) for r in solve
             if r["converged"]]
    for ax, key, label in ((axes[-1][0], "iterations", "iterations"), (axes[-1][1], "solve_ms", "solve, ms")):
        bars(ax, solve, "case", "who", key, label, "cg to 1e-8")
    return figure


def plot_gmres(data):
    rows = rows_of(data, "cycles")
    histories, differences = data["series"]["histories"], data["series"]["differences"]
    matrices = list(histories)
    columns = 3 if differences else 2
    figure, axes = new_figure(max(len(matrices), 1), columns, 6.5 * columns, 3.6 * max(len(matrices), 1))
    for line, matrix in zip(axes, matrices):
        own = [dict(r, cycle=f"m = {r['m']}") for r in rows if r["matrix"] == matrix]
        bars(line[0], own, "cycle", "where", "milliseconds_an_iteration", "ms an iteration",
             f"{matrix}: ten restarts")
        for device, residuals in histories[matrix].items():
            line[1].semilogy(residuals, label=PLACES[device], linestyle="-" if device == "cpu" else "--")
        line[1].set_xlabel("iteration (restart 32)")
        line[1].set_ylabel("|r| / |r0|")
        line[1].grid(alpha=0.3)
        line[1].legend(fontsize="small")
        if matrix in differences:
            plot_histogram(line[2], differences[matrix])
    return figure


def plot_histogram(ax, difference):
    decades = [difference["lowest_decade"] + i for i in range(len(difference["counts"]))]
    ax.bar([d + 0.5 for d in decades], difference["counts"], width=0.9)
    ax.set_yscale("symlog")
    ax.set_xlabel("log10 |x(CPU) - x(GPU)| / max |x|, after 100 iterations")
    ax.set_ylabel("unknowns")
    ax.set_title(f"{difference['equal']} unknowns are equal", fontsize="medium")


def plot_transpose(data):
    ways = {"explicit_ms": "build + 100 products", "atomic_csr_ms": "100 with atomics, CSR",
            "atomic_coo_ms": "100 with atomics, COO", "build_ms": "build alone"}
    rows = [dict(r, way=way, ms=r[key]) for r in rows_of(data, "products") for key, way in ways.items()]
    devices = by_value(rows, "device")
    figure, axes = new_figure(1, len(devices), 8 * len(devices), 2 + 0.7 * len(distinct(rows, "matrix")))
    for ax, (device, own) in zip(axes[0], devices):
        bars(ax, own, "matrix", "way", "ms", "ms", f"y = A^T x on {PLACES[device]}")
    return figure


def plot_gauss(data):
    rows, batches = rows_of(data, "dense"), rows_of(data, "batched")
    figure, axes = new_figure(1, 3, 19, 5)
    for device, on_device in by_value(rows, "device"):
        for who, own in by_value(on_device, "by"):
            style = dict(marker="o", linestyle="-" if who == "hodge" else "--",
                         label=f"{who}, {PLACES[device]}")
            axes[0][0].loglog([r["n"] for r in own], [r["milliseconds"] for r in own], **style)
            axes[0][1].loglog([r["n"] for r in own], [r["scaled_residual"] for r in own], **style)
    axes[0][0].set_ylabel("ms")
    axes[0][1].set_ylabel("scaled residual")
    for device, own in by_value(batches, "device"):
        axes[0][2].semilogy([r["n"] for r in own], [r["nanoseconds_a_system"] for r in own], "o-",
                            label=PLACES[device])
    axes[0][2].set_ylabel("ns a system")
    axes[0][2].set_title("many small systems", fontsize="medium")
    for ax in axes[0]:
        ax.set_xlabel("n")
        ax.grid(alpha=0.3)
        if ax.lines:
            ax.legend(fontsize="small")
    return figure


def plot_poisson(data):
    rows = [dict(r, system=f"{r['grid']}, {r['sides']}") for r in rows_of(data, "solves")
            if r.get("converged", True)]
    devices = by_value(rows, "device")
    figure, axes = new_figure(len(devices), 2, 20, 6)
    for line, (device, own) in zip(axes, devices):
        for ax, key, label in ((line[0], "iterations", "iterations to 1e-8"),
                               (line[1], "solve_ms", "ms to 1e-8")):
            bars(ax, own, "system", "preconditioner", key, label, f"cg on Poisson systems, {PLACES[device]}")
    return figure


STEP_PARTS = ("assembly", "transport", "pressure", "diagnostics", "other")


def plot_step(data):
    rows = [dict(r, flow=f"{r['case']} {r['grid']} {r['scheme']}, {PLACES[r['device']]}")
            for r in rows_of(data, "steps")]
    flows = distinct(rows, "flow")
    figure, axes = new_figure(1, 2, 18, 2 + 0.5 * len(flows))
    grouped_bars(axes[0][0], flows, [None],
                 lambda f, _: pick(rows, "million_cell_steps_per_second", flow=f),
                 "million cell-steps/s")
    start = [0.0] * len(rows)
    for part in STEP_PARTS:
        width = [100 * row[f"{part}_ms"] / row["ms_a_step"] for row in rows]
        axes[0][1].barh(range(len(rows)), width, left=start, label=part)
        start = [a + b for a, b in zip(start, width)]
    axes[0][1].set_yticks(range(len(rows)), flows)
    axes[0][1].invert_yaxis()
    axes[0][1].set_xlabel("% of a step")
    axes[0][1].legend(fontsize="small", bbox_to_anchor=(1.01, 1), loc="upper left")
    return figure


def plot_accuracy(data):
    """A curve for each scheme: its three step sizes."""
    rows = [dict(r, of=f"{r['case']}, {PLACES[r['device']]}") for r in rows_of(data, "runs")]
    flows = by_value(rows, "of")
    figure, axes = new_figure(1, max(len(flows), 1), 8 * max(len(flows), 1), 6)
    for ax, (flow, own) in zip(axes[0], flows):
        grids = distinct(own, "grid")
        for colour, scheme in enumerate(distinct(own, "scheme")):
            for grid, line in zip(grids, ("o--", "s-", "^:", "d-.")):
                points = [(r["seconds"], r["error"]) for r in own if r["scheme"] == scheme and r["grid"] == grid]
                ax.loglog(*zip(*points), line, color=f"C{colour}", label=f"{scheme}, {grid}") if points else None
        ax.set_title(flow, fontsize="medium")
        ax.set_xlabel("s")
        ax.set_ylabel("error")
        ax.grid(alpha=0.3)
        ax.legend(fontsize="x-small")
    return figure


def plot_krylov(data):
    rows = [dict(r, of=f"{r['method']}, {r['preconditioner']}, {PLACES[r['device']]}")
            for r in rows_of(data, "iterations")]
    grids = by_value(rows, "grid")
    figure, axes = new_figure(len(grids), 2, 18, 4 * len(grids))
    for line, (grid, own) in zip(axes, grids):
        for ax, key, label in ((line[0], "ms_an_iteration", "ms an iteration"),
                               (line[1], "share_of_copy", "counted bytes / copy bandwidth")):
            bars(ax, own, "of", "by", key, label, grid)
    return figure


def plot_times(data):
    """The first time of each table: a group of bars for each row, a colour for each device."""
    tables = [t for t in data["tables"].values() if t["rows"] and t["keys"] and t["times"]]
    longest = max((len(t["rows"]) for t in tables), default=0)
    figure, axes = new_figure(1, max(len(tables), 1), 9 * max(len(tables), 1), 2 + 0.4 * longest)
    for ax, table in zip(axes[0], tables):
        names = [key for key in table["keys"] if key != "device"]
        rows = [dict(r, of=", ".join(str(r[key]) for key in names if key in r),
                     device=r.get("device", "")) for r in table["rows"]]
        time = table["times"][0]
        heading = next(column["heading"] for column in table["columns"] if column["key"] == time)
        bars(ax, rows, "of", "device", time, heading, table["title"])
    return figure


PLOTS = {"step": plot_step, "accuracy": plot_accuracy, "krylov": plot_krylov, "spmv": plot_spmv,
         "poisson": plot_poisson, "ssor_sai": plot_ssor_sai, "gmres": plot_gmres,
         "transpose": plot_transpose, "gauss": plot_gauss}


def picture_of(file):
    return os.path.splitext(file)[0] + ".png"


def main():
    overwrite, files = outputs.take_overwrite(sys.argv[1:])
    if not files or files[0].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    refusal = outputs.refusal([picture_of(file) for file in files], files, overwrite, draws_anew=True)
    if refusal:
        print(f"plot_bench.py: {refusal}", file=sys.stderr)
        return 2
    for file in files:
        with open(file, encoding="utf-8") as stream:
            data = json.load(stream)
        figure = PLOTS.get(data["experiment"], plot_times)(data)
        figure.suptitle(title_of(data), fontsize="medium")
        picture = picture_of(file)
        figure.savefig(picture, dpi=110, metadata=outputs.MARK)
        plt.close(figure)
        print(picture)
    return 0


if __name__ == "__main__":
    sys.exit(main())
