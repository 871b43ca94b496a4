"""Pictures of tables: history, errors and forces here, the others by the modules of this folder."""

import glob
import math
import os
import sys

from plotting import comparisons, labels, layout, points, rounding, surfaces, sweeps, validations
from plotting.csv_columns import read_columns
from plotting.curves import draw_lines, finite

def is_error(name):
    return name.endswith(("_error_l2", "_error_max"))


def history(options, choice):
    columns = read_columns(os.path.join(options.run, "history.csv"))
    names = choice.of("history.csv", [name for name in columns if name not in ("step", "t")])
    scales = rounding.Scales(options.run)

    def picture():
        panels = [(title, unit, {name: columns[name] for name in names if belongs(name)}, log)
                  for title, unit, belongs, log in labels.HISTORY]
        pages = layout.panel_pages([panel for panel in panels if panel[2]], options.size)
        for _, panels in pages:
            for ax, (title, unit, curves, log) in panels:
                draw_lines(ax, title, columns["t"], curves, log, unit, max(map(scales.of_history, curves)))
        return [figure for figure, _ in pages]

    def errors():
        curves = {name: columns[name] for name in names if is_error(name)}
        rows = [k for k in range(len(columns["t"])) if any(not math.isnan(y[k]) for y in curves.values())]
        (figure, [(ax, _)]), = layout.panel_pages(["errors"], options.size, 7)
        draw_lines(ax, "errors against the exact solution", [columns["t"][k] for k in rows],
                   {name: [y[k] for k in rows] for name, y in curves.items()}, log=True)
        return [figure]

    made = [("history.png", picture)] if any(panel[2](name) for panel in labels.HISTORY for name in names) else []
    return made + ([("errors.png", errors)] if any(is_error(name) for name in names) else [])


def forces(options, choice):
    columns = read_columns(os.path.join(options.run, "forces.csv"))
    offered = [name for name in columns if name not in ("step", "t")]
    coefficients = [name for name in offered if name.endswith(("_drag", "_lift"))]
    names = choice.of("forces.csv", offered)
    # Beside coefficients the forces themselves would hide them; --fields may ask for them.
    if not options.fields and coefficients:
        names = coefficients
    panels = [("drag and lift coefficients", "", [name for name in names if name in coefficients]),
              ("forces on the solids", labels.FORCE, [name for name in names if name not in coefficients])]

    def picture():
        pages = layout.panel_pages([panel for panel in panels if panel[2]], options.size, 7)
        for _, shown in pages:
            for ax, (title, unit, curves) in shown:
                draw_forces(ax, title, unit, columns["t"], {name: columns[name] for name in curves})
        return [figure for figure, _ in pages]

    return [("forces.png", picture)] if names else []


def draw_forces(ax, title, unit, t, curves):
    """The range is that of later times: forces of an impulsive start are so large that they would hide the rest."""
    draw_lines(ax, title, t, curves, unit=unit)
    first = len(t) // 20
    later = finite([v for y in curves.values() for v in y[first:]])
    before = finite([v for y in curves.values() for v in y[:first]])
    if len(later) <= 50 or max(later) <= min(later):
        return
    room = 0.1 * (max(later) - min(later))
    bottom, top = min(later) - room, max(later) + room
    if before and (min(before) < bottom or max(before) > top):
        ax.set_ylim(bottom, top)
        ax.set_title(f"{title}; before t = {t[first]:.3g} also {min(before):.3g} to {max(before):.3g}",
                     fontsize="medium")


def validation(options, _):
    return [("validation.png", lambda: validations.pages_of(os.path.join(options.run, "curves.csv"), options.size))]


def comparison(options, _):
    picture = comparisons.picture_of(options.run)
    return [("compare.png", lambda: [picture])] if picture is not None else []


# What --fields does not choose from is drawn without it.
TABLES = {"history.csv": history, "forces.csv": forces, "averages*.csv": points.averages, "profiles*.csv": points.profiles,
          "sweep.csv": sweeps.sweep}
WITHOUT_FIELDS = {"curves.csv": validation, "compare.csv": comparison}


def pictures(options, choice):
    """[(file name, function that makes the figures)] of the tables of a run."""
    made = []
    for name, plan in {**TABLES, **({} if options.fields else WITHOUT_FIELDS)}.items():
        path = os.path.join(options.run, name)
        if not glob.glob(os.path.join(glob.escape(options.run), name)):
            continue
        try:
            made += plan(options, choice)
        except KeyError as error:
            print(f"plot.py: {path} has no column {error}: left out", file=sys.stderr)
    return made + points.probes(options, choice) + surfaces.surfaces(options, choice)
