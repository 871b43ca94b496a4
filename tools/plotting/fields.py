"""Pictures of fields: colours, streamlines, and middle planes in 3D."""

import functools

import numpy
from matplotlib.ticker import MaxNLocator

from plotting import labels, layout, rounding
from plotting.colours import colour_range
from plotting.frames import Frame, collection

AXES = "xyz"
SMALL = 8  # points
LARGE_PANEL = 1.4  # of streamlines.png, times the width of a panel of fields.png


def scalar_values(name, values):
    """(label, values): magnitudes of vectors, other values unchanged (vorticity in 2D is one of these)."""
    if values.ndim == 3:
        return name, values
    return labels.magnitude(name), numpy.sqrt((values.astype(float) ** 2).sum(axis=-1))


def planes(frame):
    """[(title, horizontal axis, vertical axis, function that cuts [z, y, x] to [vertical, horizontal])]."""
    if frame.dim == 2:
        return [("", 0, 1, lambda v: v[0])]
    nz, ny, nx = next(iter(frame.fields.values())).shape[:3]
    at = [frame.centres(d)[n // 2] for d, n in enumerate((nx, ny, nz))]
    return [(f"z = {at[2]:.3g}", 0, 1, lambda v: v[nz // 2]), (f"y = {at[1]:.3g}", 0, 2, lambda v: v[:, ny // 2]),
            (f"x = {at[0]:.3g}", 1, 2, lambda v: v[:, :, nx // 2])]


def shape_of(frame, plane):
    """Width / height."""
    _, a, b, _ = plane
    return (frame.edges[a][-1] - frame.edges[a][0]) / (frame.edges[b][-1] - frame.edges[b][0])


def fill_from_beside(values, cells):
    """Gives cells whose centres are in a body, though a part of them is open, the mean of the known values beside them:
    their own are those that a scalar has beyond the surface."""
    padded = numpy.pad(values, 1, constant_values=numpy.nan)
    inner = tuple(slice(1, -1) for _ in values.shape)
    total, count = numpy.zeros(values.shape), numpy.zeros(values.shape)
    for axis in range(values.ndim):
        for step in (-1, 1):
            beside = numpy.roll(padded, step, axis)[inner]
            total += numpy.nan_to_num(beside)
            count += numpy.isfinite(beside)
    known = cells & (count > 0)
    values[known] = total[known] / count[known]


class Shown:
    """A field as it is drawn: its values in the planes, solids left out, and one scale of colours for all of them."""

    def __init__(self, frame, name, scales, bounds=None):
        """`bounds` of the colours, where other frames have the same scale; else those of this frame."""
        label, values = scalar_values(name, frame.fields[name])
        self.label = labels.with_unit(label, labels.unit(name))
        values = numpy.array(values, dtype=float)
        if "solid" in frame.fields and name not in labels.OF_BODIES:
            values[frame.fields["solid"] != 0] = numpy.nan
            if "open_fraction" in frame.fields:
                open_part = frame.fields["open_fraction"]
                values[open_part < 0.5] = numpy.nan
                fill_from_beside(values, (open_part > 0) & (open_part < 0.5))
        self.planes = [plane[3](values) for plane in planes(frame)]
        self.note = rounding.note(values, scales.of(name), rounding.digits_of(frame.fields[name]))
        seen = numpy.concatenate([plane[numpy.isfinite(plane)] for plane in self.planes])
        self.low, self.high = (float(seen.min()), float(seen.max())) if seen.size else (0.0, 0.0)
        self.bounds = tuple(map(float, numpy.percentile(seen, [0.5, 99.5]))) if seen.size else (0.0, 0.0)
        self.bottom, self.top, has_middle = colour_range(name, *(bounds or self.bounds))
        self.colours = {"cmap": "RdBu_r" if has_middle else "viridis", "vmin": self.bottom, "vmax": self.top}

    def extend(self):
        """Which ends of the bar get an arrow: those beyond which there are values."""
        return {(False, False): "neither", (True, False): "min", (False, True): "max",
                (True, True): "both"}[self.low < self.bottom, self.high > self.top]

    def limits(self):
        return self.note or labels.span(self.low, self.high)


def write_note(ax, text, width=6.0):
    """The words for values at rounding level, in the middle of a panel of this width in inches."""
    ax.text(0.5, 0.5, text.replace(" (", "\n(") if width < 2.4 else text, transform=ax.transAxes, ha="center",
            va="center", fontsize=SMALL if width > 1.3 else 6, color="0.2")


def ticks(room):
    return MaxNLocator(max(1, min(8, int(room))), steps=[1, 2, 2.5, 5, 10])


def level_of_bodies(frame):
    """A field that is 0 on the surfaces of bodies and negative in them: the field `signed_distance`, or the part of
    cells beyond one half that is open where sharp surfaces cut them; None where bodies are whole cells, or not known."""
    if "signed_distance" in frame.fields:
        return frame.fields["signed_distance"]
    open_part = frame.fields.get("open_fraction")
    if open_part is None or not ((open_part > 0) & (open_part < 1)).any():
        return None
    return open_part - 0.5


def draw_bodies(ax, frame, plane):
    """Bodies with their outlines, where the frame has them; else cells of bodies are left out."""
    _, a, b, take = plane
    level = level_of_bodies(frame)
    if level is None:
        return
    level = numpy.pad(take(level), 1, mode="edge")  # to the sides of the box
    x, y = (numpy.concatenate([frame.edges[d][:1], frame.centres(d), frame.edges[d][-1:]]) for d in (a, b))
    if level.min() < 0 < level.max():
        ax.contourf(x, y, level, levels=[level.min(), 0], colors=["0.6"])
        ax.contour(x, y, level, levels=[0], colors=["0.2"], linewidths=0.8)


def draw_plane(ax, frame, plane, values, shown, width, height):
    title, a, b, _ = plane
    image = None
    ax.set_facecolor("0.6")
    if shown.note:
        grey = numpy.where(numpy.isfinite(values), 0.9, numpy.nan)
        ax.pcolormesh(frame.edges[a], frame.edges[b], grey, cmap="gray", vmin=0, vmax=1, rasterized=True)
        write_note(ax, shown.note, width)
    else:
        image = ax.pcolormesh(frame.edges[a], frame.edges[b], values, shading="flat", rasterized=True, **shown.colours)
    draw_bodies(ax, frame, plane)
    ax.set_xlim(frame.edges[a][0], frame.edges[a][-1])
    ax.set_ylim(frame.edges[b][0], frame.edges[b][-1])
    ax.xaxis.set_major_locator(ticks(width / 0.6))
    ax.yaxis.set_major_locator(ticks(height / 0.4))
    ax.set_xlabel(AXES[a])
    ax.set_ylabel(AXES[b])
    if title:
        ax.set_title(title, fontsize="medium", pad=4)
    return image


def draw_block(sheet, number, frame, shown):
    """A field in its planes, with a bar as high as the panels beside every line of them; returns the panels."""
    left, top = sheet.corner(number)
    sheet.text(left + layout.LEFT, top, shown.label)
    sheet.text(left + layout.LEFT, top + 0.2, shown.limits(), fontsize=SMALL, color="0.35")
    panels, image = [], None
    for (x, y, width, height), plane, values in zip(sheet.block.panels, planes(frame), shown.planes):
        panels.append(sheet.axes(left + x, top + y, width, height))
        image = draw_plane(panels[-1], frame, plane, values, shown, width, height)
    for x, y, height in sheet.block.bars if image is not None else []:
        bar = sheet.axes(left + x, top + y, layout.BAR, height)
        sheet.figure.colorbar(image, cax=bar, extend=shown.extend(), extendfrac=min(0.05, 0.15 / height),
                              ticks=ticks(height / 0.4))
    return panels


def fields_pages(frame, names, scales, size=None, bounds=None):
    """The figures of all fields, a block of panels for each; `bounds` of their colours, by name."""
    figures = []
    for chunk, block, columns in layout.block_pages(names, [shape_of(frame, plane) for plane in planes(frame)], size):
        sheet = layout.Sheet(block, columns, len(chunk))
        for number, name in enumerate(chunk):
            draw_block(sheet, number, frame, Shown(frame, name, scales, (bounds or {}).get(name)))
        sheet.text(layout.EDGE + layout.LEFT, layout.EDGE, f"t = {frame.time:.6g}", fontsize="large")
        figures.append(sheet.figure)
    return figures


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
    ratio = 1 / shape_of(frame, planes(frame)[0])
    return 1.4 / ratio**0.5, max(1.4 * ratio**0.5, 0.4)


def streamlines_picture(frame, scales, size=None):
    shape = [shape_of(frame, planes(frame)[0])]
    (_, block, columns), = layout.block_pages(["velocity"], shape, LARGE_PANEL * size if size else None,
                                              LARGE_PANEL**2 * layout.LARGEST_AREA)
    sheet = layout.Sheet(block, columns, 1)
    shown = Shown(frame, "velocity", scales)
    ax, = draw_block(sheet, 0, frame, shown)
    moves = not shown.note.startswith("zero")
    if moves:
        draw_streamlines(ax, frame)
    title = "speed and streamlines" if moves else "speed (no streamlines: the fluid is at rest)"
    sheet.text(layout.EDGE + layout.LEFT, layout.EDGE, f"{title}, t = {frame.time:.6g}", fontsize="large")
    return sheet.figure


def draw_streamlines(ax, frame):
    velocity = frame.fields["velocity"][0]
    x, y, u = on_equal_points(frame, velocity[..., 0])
    v = on_equal_points(frame, velocity[..., 1])[2]
    u[on_equal_points(frame, at_rest(frame).astype(float))[2] > 0.5] = numpy.nan
    ax.streamplot(x, y, u, v, color="white", linewidth=0.6, arrowsize=0.7, density=line_density(frame))
    ax.set_xlim(frame.edges[0][0], frame.edges[0][-1])
    ax.set_ylim(frame.edges[1][0], frame.edges[1][-1])


def common_bounds(frames):
    """{name: bounds of the colours} of many (frame, names, scales), so that their pictures can be compared."""
    bounds = {}
    for frame, names, scales in frames:
        for name in names:
            low, high = Shown(frame, name, scales).bounds
            before = bounds.get(name, (low, high))
            bounds[name] = (min(low, before[0]), max(high, before[1]))
    return bounds


def chosen_frames(options, frames):
    if options.all:
        return frames
    if options.time is None:
        return frames[-1:]
    return [min(frames, key=lambda entry: abs(entry[0] - options.time))]


def pictures(options, choice):
    """[(file name, function that makes the figures)] of the chosen frames."""
    chosen = chosen_frames(options, collection(options.run))
    if not chosen:
        return []
    first = Frame(chosen[0][1], chosen[0][0])
    # A restart may write other fields: the last frame has them.
    last = Frame(chosen[-1][1], chosen[-1][0]) if len(chosen) > 1 else first
    names = choice.of("frames", list({**first.fields, **last.fields}))
    if not options.fields:
        names = [name for name in names if name not in labels.OF_BODIES]

    def read(entry):
        frame = first if entry is chosen[0] else Frame(entry[1], entry[0])
        return frame, [name for name in names if name in frame.fields], rounding.Scales.of_frame(options.run, frame)

    @functools.cache
    def bounds_of_all():
        return common_bounds(map(read, chosen)) if options.all else None

    def draw(entry):
        return fields_pages(*read(entry), options.size, bounds_of_all())

    made = [(f"fields_{index:06d}.png" if options.all else "fields.png", lambda entry=entry: draw(entry))
            for index, entry in enumerate(chosen)] if names else []
    if first.dim == 2 and "velocity" in names and not options.all:
        made.append(("streamlines.png",
                     lambda: [streamlines_picture(first, rounding.Scales.of_frame(options.run, first), options.size)]))
    return made
