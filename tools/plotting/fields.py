"""Pictures of fields: colours, streamlines, and middle planes in 3D."""

import math

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy  # noqa: E402

from plotting.colours import colour_range  # noqa: E402
from plotting.frames import Frame, collection  # noqa: E402

AXES = "xyz"


def scalar_values(name, values):
    """(label, values): magnitudes of vectors, other values unchanged (vorticity in 2D is one of these)."""
    if values.ndim == 3:
        return name, values
    magnitude = numpy.sqrt((values.astype(float) ** 2).sum(axis=-1))
    return {"velocity": "speed", "mean_velocity": "mean speed"}.get(name, f"|{name}|"), magnitude


def planes(frame):
    """[(title, horizontal axis, vertical axis, function that cuts [z, y, x] to [vertical, horizontal])]."""
    if frame.dim == 2:
        return [("", 0, 1, lambda v: v[0])]
    nz, ny, nx = next(iter(frame.fields.values())).shape[:3]
    at = [frame.centres(d)[n // 2] for d, n in enumerate((nx, ny, nz))]
    return [(f"z = {at[2]:.3g}", 0, 1, lambda v: v[nz // 2]), (f"y = {at[1]:.3g}", 0, 2, lambda v: v[:, ny // 2]),
            (f"x = {at[0]:.3g}", 1, 2, lambda v: v[:, :, nx // 2])]


def colours(name, values):
    if not numpy.isfinite(values).any():
        return {"cmap": "viridis"}
    low, high, has_middle = colour_range(name, *numpy.nanpercentile(values, [0.5, 99.5]))
    return {"cmap": "RdBu_r" if has_middle else "viridis", "vmin": low, "vmax": high}


def draw_field(ax, frame, plane, name):
    _, a, b, cut = plane
    label, values = scalar_values(name, frame.fields[name])
    cut_values = numpy.array(cut(values), dtype=float)
    if "solid" in frame.fields and name != "solid":
        cut_values[cut(frame.fields["solid"]) != 0] = numpy.nan
    image = ax.pcolormesh(frame.edges[a], frame.edges[b], cut_values, shading="flat", rasterized=True,
                          **colours(name, cut_values))
    ax.set_facecolor("0.6")
    ax.set_aspect("equal")
    ax.set_xlabel(AXES[a])
    ax.set_ylabel(AXES[b])
    ax.set_title(f"{label} {plane[0]}".strip(), fontsize="medium")
    ax.figure.colorbar(image, ax=ax, shrink=0.85, extend="both")


def panel_grid(count, aspect, size, columns=None):
    """(figure, axes) of `count` panels; aspect is height / width of a panel. Flat panels are stacked in one column."""
    if columns is None:
        columns = 1 if aspect < 0.4 or count == 1 else min(count, 2 if aspect < 0.7 or count == 4 else 3)
    lines = math.ceil(count / columns)
    height = max(1.8, 0.95 * size * min(aspect, 2.0) + 1.2)
    figure, axes = plt.subplots(lines, columns, figsize=((size + 1.2) * columns, height * lines), squeeze=False,
                                layout="constrained")
    figure.get_layout_engine().set(h_pad=0.1, w_pad=0.08)
    for ax in axes.flat[count:]:
        ax.axis("off")
    return figure, list(axes.flat[:count])


def extent_ratio(frame, plane):
    _, a, b, _ = plane
    return (frame.edges[b][-1] - frame.edges[b][0]) / (frame.edges[a][-1] - frame.edges[a][0])


def fields_picture(frame, names, size):
    cuts = planes(frame)
    panels = [(name, plane) for name in names for plane in cuts]
    ratio = max(extent_ratio(frame, plane) for plane in cuts)
    figure, axes = panel_grid(len(panels), ratio, size, columns=3 if len(cuts) == 3 else None)
    for ax, (name, plane) in zip(axes, panels):
        draw_field(ax, frame, plane, name)
    figure.suptitle(f"t = {frame.time:.6g}")
    return figure


def on_equal_points(frame, values):
    """Values at cell centres, interpolated to equally spaced points: matplotlib draws streamlines only on these."""
    x, y = frame.centres(0), frame.centres(1)
    count = max(200, len(x))
    xi = numpy.linspace(x[0], x[-1], count)
    yi = numpy.linspace(y[0], y[-1], max(20, int(count * (y[-1] - y[0]) / (x[-1] - x[0]))))
    along_x = numpy.array([numpy.interp(xi, x, row) for row in values])
    return xi, yi, numpy.array([numpy.interp(yi, y, column) for column in along_x.T]).T


def at_rest(frame):
    """Which cells are solid. Frames without the field `solid` show it: in solids the velocity is exactly 0."""
    if "solid" in frame.fields:
        return frame.fields["solid"][0] != 0
    return (frame.fields["velocity"][0] == 0).all(axis=-1)


def line_density(frame):
    """Along x and y for matplotlib, so that lines are as far apart along both axes of long and of high boxes."""
    ratio = extent_ratio(frame, planes(frame)[0])
    return 1.4 / ratio**0.5, max(1.4 * ratio**0.5, 0.4)


def streamlines_picture(frame, size):
    velocity = frame.fields["velocity"][0]
    figure, (ax,) = panel_grid(1, extent_ratio(frame, planes(frame)[0]), 1.4 * size)
    draw_field(ax, frame, planes(frame)[0], "velocity")
    x, y, u = on_equal_points(frame, velocity[..., 0])
    v = on_equal_points(frame, velocity[..., 1])[2]
    u[on_equal_points(frame, at_rest(frame).astype(float))[2] > 0.5] = numpy.nan
    if numpy.nan_to_num(numpy.hypot(u, v)).max() > 0:
        ax.streamplot(x, y, u, v, color="white", linewidth=0.6, arrowsize=0.7, density=line_density(frame))
    ax.set_xlim(frame.edges[0][0], frame.edges[0][-1])
    ax.set_ylim(frame.edges[1][0], frame.edges[1][-1])
    ax.set_title(f"speed and streamlines, t = {frame.time:.6g}", fontsize="medium")
    return figure


def chosen_frames(options, frames):
    if options.all:
        return frames
    if options.time is None:
        return frames[-1:]
    return [min(frames, key=lambda entry: abs(entry[0] - options.time))]


def draw_all(options, save):
    frames = collection(options.run)
    for index, (time, path) in enumerate(chosen_frames(options, frames)):
        frame = Frame(path, time)
        unknown = [name for name in options.fields or [] if name not in frame.fields]
        if unknown:
            raise ValueError(f"the frames have no field {unknown[0]}, known: {', '.join(frame.fields)}")
        names = options.fields or [name for name in frame.fields if name != "solid"]
        save(fields_picture(frame, names, options.size), f"fields_{index:06d}.png" if options.all else "fields.png")
        if frame.dim == 2 and "velocity" in frame.fields and not options.all:
            save(streamlines_picture(frame, options.size), "streamlines.png")
