"""Pictures of values at points and along lines: probes, lines, averages, profiles."""

import glob
import os

from plotting import labels, layout, rounding
from plotting.csv_columns import read_columns
from plotting.curves import draw_lines, dress, field_title, is_noise, keep_flat

MOST_TIMES = 6
PLACE = ("name", "t", "s", "x", "y", "z", "from", "to")
COVARIANCE = "_covariance"
BUDGET = "k_"


def stem(path):
    return os.path.splitext(os.path.basename(path))[0]


def probes(options, choice):
    folder = glob.escape(options.run)
    made = []
    for path in sorted(glob.glob(os.path.join(folder, "probes*.csv"))):
        made += at_points(path, options, choice)
    for path in sorted(glob.glob(os.path.join(folder, "lines", "*.csv"))):
        made += along_line(path, options, choice)
    return made


def at_points(path, options, choice):
    columns = read_columns(path)
    scales = rounding.Scales(options.run)
    names = {name: scales.field_of(name) for name in columns if name not in ("step", "t")}
    chosen = choice.of(os.path.basename(path), names)
    fields = choice.of(os.path.basename(path), dict.fromkeys(names.values()))
    groups = {}
    for name, field in names.items():
        if name in chosen or field in fields:
            groups.setdefault(field, {})[name] = columns[name]

    def picture():
        pages = layout.panel_pages(list(groups.items()), options.size)
        for _, panels in pages:
            for ax, (field, curves) in panels:
                draw_lines(ax, field, columns["t"], curves, unit=labels.unit(field), scale=scales.of(field))
        return [figure for figure, _ in pages]

    return [(f"{stem(path)}.png", picture)] if groups else []


def along_line(path, options, choice):
    columns = read_columns(path)
    scales = rounding.Scales(options.run)
    fields = choice.of(f"lines/{os.path.basename(path)}", [name for name in columns if name not in PLACE])
    times = sorted(set(columns.get("t", [])))
    shown = times if len(times) <= MOST_TIMES else [times[round(k * (len(times) - 1) / (MOST_TIMES - 1))]
                                                    for k in range(MOST_TIMES)]

    def picture():
        pages = layout.panel_pages(fields, options.size)
        for figure, panels in pages:
            for ax, field in panels:
                draw_at_times(ax, columns, field, shown, scales.of(field))
            if len(shown) < len(times):
                figure.suptitle(f"{len(shown)} of {len(times)} times", fontsize="medium")
        return [figure for figure, _ in pages]

    return [(f"lines_{stem(path)}.png", picture)] if fields else []


def draw_at_times(ax, columns, field, times, scale):
    curves = {time: ([], []) for time in times}
    for time, s, value in zip(columns["t"], columns["s"], columns[field]):
        if time in curves:
            curves[time][0].append(s)
            curves[time][1].append(value)
    series = [values for _, values in curves.values()]
    if not is_noise(ax, columns["s"], series, scale):
        for time, (s, values) in curves.items():
            ax.plot(s, values, linewidth=1, label=f"t = {time:.4g}")
        keep_flat(ax, series)
    dress(ax, field_title(field), "distance along the line [L]", always_legend=True)


def span(columns, row):
    return f"means with the rms of the fluctuations, from t = {columns['from'][row]:.6g} to {columns['to'][row]:.6g}"


def averages(options, choice):
    """Of averages.csv, and of averages.2.csv, ... of restarts with other probes."""
    paths = sorted(glob.glob(os.path.join(glob.escape(options.run), "averages*.csv")))
    return [picture for path in paths for picture in averages_of(path, options, choice)]


def averages_of(path, options, choice):
    """Means with the rms of the fluctuations: a band along a line, a bar at a point; and covariances."""
    columns, name = read_columns(path), stem(path)
    scales = rounding.Scales(options.run)
    means = [column.removesuffix("_mean") for column in columns if column.endswith("_mean")]
    fields = choice.of(f"{name}.csv", means + [column for column in columns if column.endswith(COVARIANCE)])
    rows = {}
    for k, place in enumerate(columns.get("name", [])):
        rows.setdefault(place, []).append(k)
    points = [place for place in rows if len(rows[place]) == 1]

    def picture(own, names=None):
        pages = layout.panel_pages(fields, options.size)
        for figure, panels in pages:
            for ax, field in panels:
                draw_average(ax, columns, field, own, names, scales)
            figure.suptitle(span(columns, own[0]))
        return [figure for figure, _ in pages]

    made = []
    if points and fields:
        made.append((f"{name}.png", lambda: picture([rows[place][0] for place in points], points)))
    for place in rows:
        if place not in points and fields:
            made.append((f"{name}_{place}.png", lambda place=place: picture(rows[place])))
    return made


def draw_average(ax, columns, field, rows, points, scales):
    if field.endswith(COVARIANCE):
        (label, unit), scale = labels.covariance(field), scales.of_covariance(field)
        mean, rms = [columns[field][k] for k in rows], [0.0] * len(rows)
        title = labels.with_unit(label, unit)
    else:
        title, scale = field_title(field), scales.of(field)
        mean, rms = ([columns[field + ending][k] for k in rows] for ending in ("_mean", "_rms"))
    if not is_noise(ax, [columns["s"][k] for k in rows], [mean, rms], scale):
        if points:
            ax.errorbar(range(len(points)), mean, yerr=rms if any(rms) else None, fmt="o", capsize=4)
        else:
            draw_band(ax, [columns["s"][k] for k in rows], mean, rms)
        keep_flat(ax, [[m - r for m, r in zip(mean, rms)], [m + r for m, r in zip(mean, rms)]])
    if points:
        ax.set_xticks(range(len(points)), points, rotation=30 if len(points) > 4 else 0)
        ax.set_xlim(-0.5, len(points) - 0.5)
    dress(ax, title, "" if points else "distance along the line [L]")


def draw_band(ax, s, mean, rms):
    ax.plot(s, mean, linewidth=1, label="mean")
    if any(rms):
        ax.fill_between(s, [m - r for m, r in zip(mean, rms)], [m + r for m, r in zip(mean, rms)], alpha=0.25,
                        label="mean \u00b1 rms")


def profile_panels(names):
    """[(title, [columns])]: velocities share panels of means, rms, and stresses; every other field has its own."""
    panels = {}
    for name in names:
        if name.startswith(BUDGET):
            title, unit = "budget of the energy of fluctuations", "L\u00b2/T\u00b3"
        elif name.endswith(COVARIANCE):
            second = name.removesuffix(COVARIANCE).split("_", 1)[1]
            title, unit = ("Reynolds stresses", "L\u00b2/T\u00b2") if second in ("u", "v", "w") else (
                f"turbulent flux of {second}", labels.unit(f"flux_{second}"))
        else:
            field, kind = name.rsplit("_", 1)
            which = "velocity" if field in ("u", "v", "w") else field
            title, unit = {"mean": f"mean {which}", "rms": f"rms of the fluctuations of {which}"}[kind], labels.unit(which)
        panels.setdefault(labels.with_unit(title, unit), []).append(name)
    return list(panels.items())


def profiles(options, choice):
    """Of profiles.csv, and of profiles.2.csv, ... of restarts with other statistics."""
    paths = sorted(glob.glob(os.path.join(glob.escape(options.run), "profiles*.csv")))
    return [picture for path in paths for picture in profiles_of(path, options, choice)]


def profiles_of(path, options, choice):
    """Statistics along an axis, which is the first column."""
    columns, name = read_columns(path), stem(path)
    scales = rounding.Scales(options.run)
    axis = next(iter(columns), "")
    known = [name for name in columns if name.endswith(("_mean", "_rms", COVARIANCE))
             or name.startswith(BUDGET) and not name.endswith(("_plus", "_error"))]
    panels = profile_panels(choice.of(f"{name}.csv", known))

    def picture():
        pages = layout.panel_pages(panels, options.size)
        for figure, shown in pages:
            for ax, (title, names) in shown:
                draw_profiles(ax, columns, axis, title, names, scales)
            figure.suptitle(f"statistics along {axis}, averaged over time and the other axes")
        return [figure for figure, _ in pages]

    return [(f"{name}.png", picture)] if panels else []


def draw_profiles(ax, columns, axis, title, names, scales):
    series = [columns[name] for name in names]
    if not is_noise(ax, columns[axis], series, max(map(scales.of_statistic, names))):
        for name in names:
            ax.plot(columns[axis], columns[name], linewidth=1, label=curve_label(name))
        keep_flat(ax, series)
    dress(ax, title, f"{axis} [L]", always_legend=True)


def curve_label(name):
    if name.startswith(BUDGET):
        return name.removeprefix(BUDGET).replace("_", " ")
    return labels.covariance(name)[0] if name.endswith(COVARIANCE) else name.rsplit("_", 1)[0]
