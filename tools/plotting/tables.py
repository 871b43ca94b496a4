"""Pictures of tables: history, forces, averages, probes, sweep, validation, comparison."""

import csv
import glob
import math
import os
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

close = plt.close

# Panels of history.png: (title, whether a column of history.csv belongs to it, logarithmic).
PANELS = [
    ("kinetic energy", lambda name: name == "kinetic_energy", False),
    ("enstrophy", lambda name: name == "enstrophy", False),
    ("dissipation", lambda name: name == "dissipation", False),
    ("largest |div u|", lambda name: name == "max_divergence", True),
    ("largest change in time, |d/dt|", lambda name: name.startswith("max_d") and name.endswith("_dt"), True),
    ("step size", lambda name: name == "dt", False),
    ("CFL number", lambda name: name == "cfl", False),
    ("iterations per step", lambda name: name.endswith("_iterations"), False),
    ("seconds per step", lambda name: name.endswith("_seconds"), True),
    ("flow rates", lambda name: name.startswith("flow_rate_"), False),
    ("Nusselt numbers", lambda name: name.startswith("nusselt_"), False),
    ("integrals of scalars", lambda name: name.endswith("_integral"), False),
    ("ranges of scalars", lambda name: name.endswith(("_minimum", "_maximum")), False),
]


def is_error(name):
    return name.endswith(("_error_l2", "_error_max"))


def read_columns(path):
    """{name: [number or nan]} of a CSV file; text columns stay text."""
    with open(path, encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))

    def number(text):
        return float(text) if text else math.nan

    columns = {}
    for name in rows[0] if rows else []:
        try:
            columns[name] = [number(row[name]) for row in rows]
        except ValueError:
            columns[name] = [row[name] for row in rows]
    return columns


def figure_of(count, size=5.0, aspect=0.62):
    """(figure, axes) of `count` panels, up to three in a line; aspect is height / width of a panel."""
    columns = min(3, count)
    lines = math.ceil(count / columns)
    figure, axes = plt.subplots(lines, columns, figsize=(size * columns, aspect * size * lines), squeeze=False,
                                layout="constrained")
    for ax in axes.flat[count:]:
        ax.axis("off")
    return figure, list(axes.flat[:count])


def draw_lines(ax, title, x, curves, log=False, x_label="t"):
    marker = "." if len(x) < 3 else None
    for name, y in curves.items():
        shown = [v if v > 0 else math.nan for v in y] if log else y
        ax.plot(x, shown, label=name, linewidth=1, marker=marker)
    values = [v for y in curves.values() for v in y if not math.isnan(v)]
    if log and values and max(values) > 0:
        ax.set_yscale("log")
    ax.set_title(title, fontsize="medium")
    ax.set_xlabel(x_label)
    ax.grid(alpha=0.3)
    if len(curves) > 1:
        ax.legend(fontsize="x-small")


def history(run, save):
    columns = read_columns(os.path.join(run, "history.csv"))
    if not columns:
        return
    t = columns["t"]
    panels = [(title, {name: y for name, y in columns.items() if belongs(name)}, log)
              for title, belongs, log in PANELS]
    panels = [panel for panel in panels if panel[1]]
    figure, axes = figure_of(len(panels))
    for ax, (title, curves, log) in zip(axes, panels):
        draw_lines(ax, title, t, curves, log)
    save(figure, "history.png")
    errors = {name: y for name, y in columns.items() if is_error(name)}
    if errors:
        rows = [k for k in range(len(t)) if any(not math.isnan(y[k]) for y in errors.values())]
        figure, (ax,) = figure_of(1, 7)
        draw_lines(ax, "errors against the exact solution", [t[k] for k in rows],
                   {name: [y[k] for k in rows] for name, y in errors.items()}, log=True)
        save(figure, "errors.png")


def forces(run, save):
    columns = read_columns(os.path.join(run, "forces.csv"))
    if not columns:
        return
    coefficients = {name: y for name, y in columns.items() if name.endswith(("_drag", "_lift"))}
    curves = coefficients or {name: y for name, y in columns.items() if name not in ("step", "t")}
    figure, (ax,) = figure_of(1, 7)
    draw_lines(ax, "drag and lift coefficients" if coefficients else "forces on the solids", columns["t"], curves)
    # The range is that of later times: forces of an impulsive start are so large that they would hide the rest.
    later = sorted(v for y in curves.values() for v in y[len(y) // 20:] if not math.isnan(v))
    if len(later) > 50 and later[-1] > later[0]:
        room = 0.1 * (later[-1] - later[0])
        ax.set_ylim(later[0] - room, later[-1] + room)
    save(figure, "forces.png")


def probes(run, save):
    path = os.path.join(run, "probes.csv")
    if os.path.exists(path):
        columns = read_columns(path)
        groups = {}
        for name, values in columns.items():
            if name not in ("step", "t"):
                groups.setdefault(name.rsplit("_", 1)[-1], {})[name] = values
        if groups:
            figure, axes = figure_of(len(groups))
            for ax, (title, curves) in zip(axes, groups.items()):
                draw_lines(ax, title, columns["t"], curves)
            save(figure, "probes.png")
    for path in sorted(glob.glob(os.path.join(glob.escape(run), "lines", "*.csv"))):
        line(path, save)


def line(path, save):
    columns = read_columns(path)
    fields = [name for name in columns if name not in ("t", "s", "x", "y", "z")]
    if not fields:
        return
    times = sorted(set(columns["t"]))
    shown = times if len(times) <= 6 else [times[round(k * (len(times) - 1) / 5)] for k in range(6)]
    figure, axes = figure_of(len(fields))
    for ax, field in zip(axes, fields):
        for time in shown:
            rows = [k for k, t in enumerate(columns["t"]) if t == time]
            ax.plot([columns["s"][k] for k in rows], [columns[field][k] for k in rows], linewidth=1,
                    label=f"t = {time:.4g}")
        ax.set_title(field, fontsize="medium")
        ax.set_xlabel("distance along the line")
        ax.grid(alpha=0.3)
        ax.legend(fontsize="x-small")
    save(figure, f"lines_{os.path.splitext(os.path.basename(path))[0]}.png")


def averages(run, save):
    """Means with the rms of the fluctuations: a band along a line, a bar at a point."""
    columns = read_columns(os.path.join(run, "averages.csv"))
    fields = [name[: -len("_mean")] for name in columns if name.endswith("_mean")]
    places = list(dict.fromkeys(columns.get("name", [])))
    rows = {place: [k for k, name in enumerate(columns["name"]) if name == place] for place in places}
    points = [place for place in places if len(rows[place]) == 1]
    if points and fields:
        save(average_panels(columns, fields, [rows[place][0] for place in points], points), "averages.png")
    for place in places:
        if place not in points and fields:
            save(average_panels(columns, fields, rows[place]), f"averages_{place}.png")


def average_panels(columns, fields, rows, points=None):
    figure, axes = figure_of(len(fields))
    s = [columns["s"][k] for k in rows]
    for ax, field in zip(axes, fields):
        mean = [columns[field + "_mean"][k] for k in rows]
        rms = [columns[field + "_rms"][k] for k in rows]
        if points:
            ax.errorbar(range(len(points)), mean, yerr=rms, fmt="o", capsize=4)
            ax.set_xticks(range(len(points)), points, rotation=30 if len(points) > 4 else 0)
            ax.set_xlim(-0.5, len(points) - 0.5)
        else:
            ax.plot(s, mean, linewidth=1, label="mean")
            ax.fill_between(s, [m - r for m, r in zip(mean, rms)], [m + r for m, r in zip(mean, rms)], alpha=0.25,
                            label="mean \u00b1 rms")
            ax.set_xlabel("distance along the line")
            ax.legend(fontsize="x-small")
        ax.set_title(field, fontsize="medium")
        ax.grid(alpha=0.3)
    figure.suptitle(f"averages from t = {columns['from'][rows[0]]:.6g} to {columns['to'][rows[0]]:.6g}")
    return figure


def validation(run, save):
    import plot_validation  # not at the top: plot_validation imports this module

    picture = plot_validation.picture_of(os.path.join(run, "curves.csv"))
    if picture is not None:
        save(picture, "validation.png")


def comparison(run, save):
    """plot_compare.py writes compare.png into RUN, not into RUN/plots."""
    import plot_compare

    plot_compare.plot(run)


def sweep(run, save):
    import plotting.sweeps  # not at the top: plotting.sweeps imports this module

    plotting.sweeps.sweep(run, save)


TABLES = {"history.csv": history, "forces.csv": forces, "averages.csv": averages, "sweep.csv": sweep,
          "curves.csv": validation, "compare.csv": comparison}


def draw_all(options, save):
    for name, draw in TABLES.items():
        path = os.path.join(options.run, name)
        if not os.path.exists(path):
            continue
        try:
            draw(options.run, save)
        except KeyError as error:
            print(f"plot.py: {path} has no column {error}: left out", file=sys.stderr)
    probes(options.run, save)
