"""Pictures of surfaces/*.csv at the last time: curves along sides of the box; of bodies the outline and the curves around it.
NAME.means.csv has means and rms over time of what NAME.csv has."""

import glob
import json
import math
import os

from plotting import labels, layout, rounding
from plotting.csv_columns import read_columns
from plotting.curves import dress

MEANS = ".means"
PLACE = ("t", "from", "to", "x", "y", "z", "area", "normal_x", "normal_y", "normal_z")


def surfaces(options, choice):
    made = []
    for path in sorted(glob.glob(os.path.join(glob.escape(options.run), "surfaces", "*.csv"))):
        made += of_surface(path, options, choice)
    return made


def summary_of(run):
    path = os.path.join(run, "summary.json")
    if not os.path.isfile(path):
        return {}
    with open(path, encoding="utf-8") as stream:
        return json.load(stream).get("forces", {})


def last_rows(columns):
    time = max(columns["t"], default=0)
    rows = [k for k, t in enumerate(columns["t"]) if t == time]
    return time, {name: [values[k] for k in rows] for name, values in columns.items()}


def of_surface(path, options, choice):
    name = os.path.splitext(os.path.basename(path))[0]
    columns = read_columns(path)
    fields = choice.of(f"surfaces/{name}.csv", [field for field in columns if field not in PLACE])
    if not fields or not columns.get("t"):
        return []
    time, rows = last_rows(columns)
    surface = name.removesuffix(MEANS)
    when = f"over t = {rows['from'][0]:.4g} to {rows['to'][0]:.4g}" if surface != name else f"at t = {time:.4g}"
    body = summary_of(options.run).get("bodies", {}).get(surface)

    def picture():
        draw = around_body if body else along_side
        figures = draw(rows, fields, options, body)
        figures[0].suptitle(f"{surface} {when}", fontsize="medium")
        return figures

    return [(f"surface_{name.replace('.', '_')}.png", picture)]


def along_side(rows, fields, options, _):
    """Against the longest of x, y, z; in 3D a point for each face."""
    axis = max("xyz", key=lambda d: max(rows[d]) - min(rows[d]))
    others = [d for d in "xyz" if d != axis and max(rows[d]) > min(rows[d])]
    order = sorted(range(len(rows["t"])), key=lambda k: rows[axis][k])
    scales = rounding.Scales(options.run)
    pages = layout.panel_pages(fields, options.size)
    for _, panels in pages:
        for ax, field in panels:
            draw_curve(ax, [rows[axis][k] for k in order], [rows[field][k] for k in order], "." if others else "-")
            note = rounding.note(rows[field], scales.of(field))
            dress(ax, f"{field}; {note}" if note else field, f"{axis} [L]", unit_of(field))
    return [figure for figure, _ in pages]


def around_body(rows, fields, options, body):
    """The outline, then each field, or its coefficient, against the angle around the centroid."""
    reference = summary_of(options.run).get("reference")
    x, y = body["centroid"][:2]
    angles = [math.degrees(math.atan2(b - y, a - x)) % 360 for a, b in zip(rows["x"], rows["y"])]
    order = sorted(range(len(angles)), key=angles.__getitem__)
    pages = layout.panel_pages(["outline"] + fields, options.size)
    for _, panels in pages:
        for ax, field in panels:
            if field == "outline":
                draw_outline(ax, rows)
                continue
            scale, label = coefficient_of(field, reference)
            draw_curve(ax, [angles[k] for k in order], [scale * rows[field][k] for k in order], ".-")
            dress(ax, label or field, "angle from +x around the centroid [degrees]", "" if label else unit_of(field))
    return [figure for figure, _ in pages]


def coefficient_of(field, reference):
    """(factor, name) of the coefficient of a field; (1, "") where it has none."""
    if not reference or not is_stress(field):
        return 1.0, ""
    scale = 2 / (reference["density"] * reference["speed"] ** 2)
    statistic, of = split_statistic(field)
    if of == "pressure":
        return scale, f"{statistic}Cp = 2 p / (rho U\u00b2)"
    return scale, f"{statistic}Cf along {of[-1]} = 2 {of} / (rho U\u00b2)"


def split_statistic(field):
    """mean_pressure: ("mean ", "pressure")."""
    for statistic in ("mean", "rms"):
        if field.startswith(statistic + "_"):
            return statistic + " ", field[len(statistic) + 1 :]
    return "", field


def is_stress(field):
    of = split_statistic(field)[1]
    return of == "pressure" or of.startswith("friction_")


def draw_curve(ax, x, y, style):
    ax.plot(x, y, style, linewidth=1, markersize=3)


def draw_outline(ax, rows):
    """Each face, or patch of a sharp body, is a line across its normal."""
    for x, y, length, normal_x, normal_y in zip(*(rows[name] for name in ("x", "y", "area", "normal_x", "normal_y"))):
        along = (0.5 * length * normal_y, -0.5 * length * normal_x)
        ax.plot((x - along[0], x + along[0]), (y - along[1], y + along[1]), color="k", linewidth=1)
    ax.set_aspect("equal")
    dress(ax, "outline", "x [L]", "y [L]")


def unit_of(field):
    if is_stress(field):
        return f"[{labels.UNITS['pressure']}]"
    return ""
