#!/usr/bin/env python3
"""Opens a run of hodge in ParaView's Python with a view to begin with.

    view.py RUN [--field NAME] [--time T] [--picture FILE.png] [--movie FILE.mp4] [--state FILE.pvsm] [--overwrite]

2D: the field as colours, streamlines if the frames have a velocity. 3D: the outline of the box and the middle planes in
colours; where the field is the velocity or the vorticity also a surface of constant vorticity, if the frames have one. What
lines and surfaces are stands in the picture. A field that is zero or constant to rounding is grey, and the picture says so.
Solids are grey. Without --picture, --movie and
--state a window opens (the mouse turns the view, q closes it); `paraview --state=FILE.pvsm` opens the same view in
ParaView.

Runs by pvpython, or by the system's Python, whichever has ParaView's modules. Pictures and movies need no display where
ParaView draws without one, or where xvfb is installed. Movies: .avi, .ogv and numbered .png by ParaView itself, .mp4,
.webm and others by ffmpeg.

Exit code: 0, 2 (wrong arguments, or no frames), 4 (ParaView, a display or ffmpeg is missing, or nothing was written).
"""

import argparse
import atexit
import math
import os
import sys
import tempfile
import xml.etree.ElementTree

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))  # python3 -I leaves it out
from plotting import camera, labels, movie, outputs  # noqa: E402
from plotting.collection import run_collection  # noqa: E402
from plotting.colours import colour_range  # noqa: E402
from plotting.display import ensure_display  # noqa: E402
from plotting.frame_check import check_frame  # noqa: E402
from plotting.inline_frame import inline_run, parser_waits, pieces_of  # noqa: E402
from plotting.interpreter import need_paraview  # noqa: E402

need_paraview("view.py")

import numpy  # noqa: E402
from plotting import rounding  # noqa: E402
from paraview import servermanager, simple  # noqa: E402
from vtkmodules.numpy_interface import dataset_adapter as dsa  # noqa: E402

WIDTH, LARGEST_HEIGHT, SMALLEST_WIDTH, SMALLEST_HEIGHT = 1280, 1000, 480, 420
# Pixels beside a plane box: left of it, on both sides together with the bar of colours, before the bar, above and below.
LEFT, BESIDE, BAR_GAP, ABOVE_AND_BELOW = 40, 200, 25, 110


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", metavar="RUN", help="the directory of a run, or its .pvd")
    parser.add_argument("--field", help="the field in colours; default: the velocity")
    parser.add_argument("--time", type=float, help="the time shown; default: the last one")
    parser.add_argument("--picture", metavar="FILE.png", help="write a picture instead of opening a window")
    parser.add_argument("--movie", metavar="FILE",
                        help="write all frames: .mp4 (by ffmpeg), .avi, or .png for numbered pictures")
    parser.add_argument("--state", metavar="FILE.pvsm", help="write a state for ParaView")
    parser.add_argument("--overwrite", action="store_true", help="replace files that exist")
    return parser.parse_args()


def fail(message, code=2):
    print("view.py: " + message, file=sys.stderr)
    sys.exit(code)


def check_frames(path, wanted, all_of_them):
    """Those that will be read: the first one, and the one that is shown, or all."""
    try:
        frames = [(float(entry.get("timestep")), os.path.join(os.path.dirname(path), entry.get("file")))
                  for entry in xml.etree.ElementTree.parse(path).iter("DataSet")]
        shown = frames[-1:] if wanted is None else [min(frames, key=lambda frame: abs(frame[0] - wanted))]
        for _, frame in frames if all_of_them else frames[:1] + shown:
            for file in pieces_of(frame) if check_frame(frame) else []:
                check_frame(file)
    except (OSError, ValueError, TypeError, xml.etree.ElementTree.ParseError) as error:
        fail(str(error))


def open_run(options):
    run = options.run
    file = run if run.endswith(".pvd") else run_collection(run)
    if file is None or not os.path.exists(file):
        fail(f"{run} holds no .pvd, expected the directory of a run")
    if file.endswith(".vtkhdf"):
        fail(f"{file} has all frames: ParaView 5.12 or newer opens it itself, `hodge view {run}` and tools/plot.py show it")
    path = os.path.abspath(file)
    check_frames(path, options.time, bool(options.movie))
    if parser_waits():
        folder = tempfile.TemporaryDirectory()
        atexit.register(folder.cleanup)
        readable = inline_run(path, folder.name)
        if options.state and readable != path:
            fail("this ParaView cannot read frames of earlier versions of hodge, so a state of this run would not open;"
                 " run it again", 4)
        path = readable
    reader = simple.PVDReader(FileName=path)
    reader.UpdatePipeline()
    return reader


def show_time(reader, wanted):
    """Goes to the time nearest to the wanted one; returns it."""
    times = list(reader.TimestepValues)
    time = times[-1] if wanted is None else min(times, key=lambda t: abs(t - wanted))
    simple.GetAnimationScene().AnimationTime = time
    simple.UpdatePipeline(time=time, proxy=reader)
    return time


def components(source, name):
    return source.CellData[name].GetNumberOfComponents()


def raw_values(source, name):
    parts = dsa.WrapDataObject(servermanager.Fetch(source)).CellData[name]
    return numpy.concatenate([numpy.asarray(part) for part in getattr(parts, "Arrays", [parts])])


def values(source, name):
    """The values in all cells; of vectors the magnitudes, in double precision."""
    parts = raw_values(source, name)
    return parts if parts.ndim == 1 else numpy.linalg.norm(parts.astype(float), axis=1)


def words_for_rounding(options, reader, fluid, names, field):
    """What to say of a field that is zero or constant to rounding, measured by what the run knows; empty for data."""
    information = reader.GetDataInformation()
    bounds, extent = information.GetBounds(), information.GetExtent()
    sides = [bounds[2 * d + 1] - bounds[2 * d] for d in range(3) if bounds[2 * d + 1] > bounds[2 * d]]
    cells = [extent[2 * d + 1] - extent[2 * d] for d in range(3) if bounds[2 * d + 1] > bounds[2 * d]]
    speed = float(values(fluid, "velocity").max()) if "velocity" in names else 0.0
    run = os.path.dirname(options.run) if options.run.endswith(".pvd") else options.run
    scales = rounding.Scales(run, sides, min(side / max(n, 1) for side, n in zip(sides, cells)), speed)
    return rounding.note(values(fluid, field), scales.of(field), rounding.digits_of(raw_values(fluid, field)))


def shown_range(source, name):
    """Without the largest and least values, which single cells at corners have: the rest would be pale."""
    return [float(value) for value in numpy.percentile(values(source, name), [0.5, 99.5])]


def label_of(source, name):
    """Name and unit, without what ParaView's texts do not print: the signs | of magnitudes, and raised letters."""
    label = labels.VECTORS.get(name, f"magnitude of {name}") if components(source, name) > 1 else name
    return labels.with_unit(label, labels.unit(name)).replace("\u00b2", "^2")


def number_format(low, high):
    """With as many digits as it takes to tell the labels of the bar apart."""
    size = max(abs(low), abs(high))
    digits = 3 if high <= low or size == 0 else max(3, 2 + math.ceil(math.log10(size / (high - low)) + 0.3))
    return f"%-#.{min(digits, 12)}g"


def colour(display, source, name, note, view, place=(0.9, 0.2, 0.6)):
    """Signed fields around zero in blue and red, the others from dark to light; without data grey. Returns the
    brightness of lines that are seen on it. The bar has its lower left corner and its height in shares of the picture."""
    if note:
        display.ColorArrayName = ["POINTS", ""]
        display.AmbientColor = display.DiffuseColor = [0.9, 0.9, 0.9]
        return 0.3
    count = components(source, name)
    low, high, has_middle = colour_range(name if count == 1 else "", *shown_range(source, name))
    simple.ColorBy(display, ("CELLS", name) if count == 1 else ("CELLS", name, "Magnitude"))
    table = simple.GetColorTransferFunction(name)
    table.ApplyPreset("Cool to Warm" if has_middle else "Viridis (matplotlib)", True)
    table.RescaleTransferFunction(low, high)
    display.SetScalarBarVisibility(view, True)
    bar = simple.GetScalarBar(table, view)
    bar.Title, bar.ComponentTitle = label_of(source, name), ""
    bar.TitleColor = bar.LabelColor = [0.1, 0.1, 0.1]
    bar.WindowLocation, bar.Position, bar.ScalarBarLength = "Any Location", place[:2], place[2]
    bar.RangeLabelFormat = bar.LabelFormat = number_format(low, high)
    bar.AutomaticLabelFormat = 0
    return 0.3 if has_middle else 1


def grey(source, view):
    display = simple.Show(source, view)
    display.ColorArrayName = ["POINTS", ""]
    display.AmbientColor = display.DiffuseColor = [0.45, 0.45, 0.45]
    return display


def without_solids(reader, names):
    if "solid" not in names:
        return reader
    fluid = simple.Threshold(Input=reader)
    fluid.Scalars = ["CELLS", "solid"]
    fluid.LowerThreshold, fluid.UpperThreshold = 0, 0
    return fluid


def show_solids(reader, names, view):
    if "solid" not in names:
        return
    solids = simple.Threshold(Input=reader)
    solids.Scalars = ["CELLS", "solid"]
    solids.LowerThreshold, solids.UpperThreshold = 1, 255
    grey(solids, view)


def streamlines(source, bounds, view, brightness):
    """Streamlines from points on a diagonal, drawn a little above the coloured plane.

    They stay in cells that move: frames without the field `solid` have a velocity of exactly 0 in solids.
    """
    speed = simple.Calculator(Input=source, AttributeType="Cell Data", ResultArrayName="speed", Function="mag(velocity)")
    moving = simple.Threshold(Input=speed)
    moving.Scalars = ["CELLS", "speed"]
    moving.LowerThreshold, moving.UpperThreshold = sys.float_info.min, sys.float_info.max
    points = simple.CellDatatoPointData(Input=moving)
    tracer = simple.StreamTracer(Input=points, SeedType="Line")
    tracer.Vectors = ["POINTS", "velocity"]
    x0, x1, y0, y1, z0, z1 = bounds
    tracer.SeedType.Point1, tracer.SeedType.Point2 = [x0, y0, z0], [x1, y1, z1]
    tracer.SeedType.Resolution = 40
    tracer.MaximumStreamlineLength = 1.5 * (x1 - x0 + y1 - y0)
    display = simple.Show(tracer, view)
    display.ColorArrayName = ["POINTS", ""]
    display.AmbientColor = display.DiffuseColor = [brightness] * 3
    display.LineWidth, display.Opacity = 1.2, 0.7
    display.Position = [0, 0, 1e-3 * (x1 - x0)]


def show_flat(reader, fluid, names, field, note, view):
    """Returns what the lines in the picture are."""
    bounds = reader.GetDataInformation().GetBounds()
    place = look_at_plane(bounds, view)
    plane = simple.Show(fluid, view)
    plane.SetRepresentationType("Surface")  # that of images would hide the streamlines
    plane.Ambient, plane.Diffuse = 1, 0  # colours as in the bar, without lighting
    brightness = colour(plane, fluid, field, note, view, place)
    has_lines = "velocity" in names and not (field == "velocity" and note) and values(fluid, "velocity").max() > 0
    if has_lines:
        streamlines(fluid, bounds, view, brightness)
    return "lines: streamlines of the velocity" if has_lines else ""


def look_at_plane(bounds, view):
    """The picture is as wide as the box with the bar beside it: a tall box gets a narrow picture. Returns the place of
    the bar, which is as high as the box, unless the box is very flat."""
    width, height = bounds[1] - bounds[0], bounds[3] - bounds[2]
    scale = min((LARGEST_HEIGHT - ABOVE_AND_BELOW) / height, (WIDTH - BESIDE) / width)  # pixels per length
    size = [max(SMALLEST_WIDTH, width * scale + BESIDE), max(SMALLEST_HEIGHT, height * scale + ABOVE_AND_BELOW)]
    view.ViewSize = [int(pixels) for pixels in size]
    view.InteractionMode = "2D"
    view.CameraParallelProjection = 1
    simple.ResetCamera(view)
    view.CameraParallelScale = 0.5 * size[1] / scale
    # Left of the middle by as much as the bar needs.
    middle = [bounds[0] + (0.5 * size[0] - LEFT) / scale, 0.5 * (bounds[2] + bounds[3])]
    view.CameraFocalPoint = middle + [0]
    view.CameraPosition = middle + [10 * width]
    share = max(0.4, height * scale / size[1])
    return [(LEFT + width * scale + BAR_GAP) / size[0], 0.5 - 0.5 * share, share]


def show_space(reader, fluid, names, field, note, view):
    """Returns what the surface in the picture is."""
    bounds = reader.GetDataInformation().GetBounds()
    middle = [0.5 * (bounds[2 * d] + bounds[2 * d + 1]) for d in range(3)]
    outline = grey(simple.Outline(Input=reader), view)
    outline.LineWidth = 1.5
    for normal in ([0, 0, 1], [0, 1, 0]):
        plane = simple.Slice(Input=fluid, SliceType="Plane")
        plane.SliceType.Origin, plane.SliceType.Normal = middle, normal
        shown = simple.Show(plane, view)
        shown.Ambient, shown.Diffuse = 1, 0
        colour(shown, fluid, field, note, view)
    place_camera(bounds, middle, view)
    if note or field not in ("velocity", "vorticity") or "vorticity" not in names:
        return ""
    size = 0.25 * float(values(fluid, "vorticity").max())
    vortices(fluid, size, view)
    return f"surface: magnitude of vorticity = {size:.3g}, a quarter of its largest value"


def place_camera(bounds, middle, view):
    """In front of the box, a little to the left and above; the box is left of the bar and below the time."""
    towards = camera.unit([-1.1, 0.8, 1.6])
    angle, (width, height) = view.CameraViewAngle, view.ViewSize
    distance = camera.distance_to_see(bounds, towards, [0, 1, 0], angle, width / height, 0.76, 0.88)
    view.CameraFocalPoint = middle
    view.CameraPosition = [m + distance * t for m, t in zip(middle, towards)]
    view.CameraViewUp = [0, 1, 0]


def vortices(fluid, value, view):
    """The surface on which |vorticity| has this value."""
    points = simple.CellDatatoPointData(Input=fluid)
    size = simple.Calculator(Input=points, ResultArrayName="vorticity_size", Function="mag(vorticity)")
    surface = simple.Contour(Input=size, ContourBy=["POINTS", "vorticity_size"], Isosurfaces=[value])
    display = simple.Show(surface, view)
    display.ColorArrayName = ["POINTS", ""]
    display.AmbientColor = display.DiffuseColor = [0.85, 0.65, 0.2]
    display.Opacity = 0.45


def label_time(reader, view):
    label = simple.AnnotateTimeFilter(Input=reader, Format="t = {time:.4g}")
    display = simple.Show(label, view)
    display.Color = [0.1, 0.1, 0.1]
    display.WindowLocation = "Upper Left Corner"


def write_words(text, view):
    """What is drawn, below the time."""
    label = simple.Text(Text=text)
    display = simple.Show(label, view)
    display.Color = [0.1, 0.1, 0.1]
    display.FontSize, display.Justification = 14, "Left"
    display.WindowLocation = "Lower Left Corner"


def make_view():
    view = simple.GetActiveViewOrCreate("RenderView")
    view.ViewSize = [WIDTH, 800]
    view.UseColorPaletteForBackground = 0
    view.Background = [1, 1, 1]
    view.OrientationAxesVisibility = 0
    return view


def check_movie(path):
    if movie.wrong_name(path):
        fail(movie.wrong_name(path))
    if movie.lacks_ffmpeg(path):
        fail(movie.lacks_ffmpeg(path), 4)


def check_files(options):
    """Ends where a file that would be replaced is there already, or belongs to the run."""
    files = [path for path in (options.state, options.picture) if path]
    run = os.path.dirname(options.run) or "." if options.run.endswith(".pvd") else options.run
    if options.movie:
        files += [options.movie, *movie.written(options.movie)]
    frames = [path for path in outputs.below(run) if path.endswith((".pvd", ".vti", ".vtr", ".pvti", ".pvtr", ".csv"))]
    refusal = outputs.refusal(files, frames, options.overwrite)
    if refusal:
        fail(refusal)


def write_files(options, view):
    size = list(view.ViewSize)
    for path in (options.state, options.picture):
        if path and os.path.exists(path):
            os.remove(path)
    if options.state:
        simple.SaveState(options.state)
    if options.picture:
        simple.SaveScreenshot(options.picture, view, ImageResolution=size)
    for path in (options.state, options.picture):
        if path and not os.path.exists(path):
            fail(f"{path} could not be written", 4)
    rate = 10

    def save(path):
        simple.SaveAnimation(path, view, ImageResolution=size, FrameRate=rate)

    if options.movie and not movie.write(options.movie, rate, save):
        fail(f"{options.movie} could not be written", 4)


def main():
    options = arguments()
    if options.movie:
        check_movie(options.movie)
    check_files(options)
    opens_window = not (options.picture or options.movie or options.state)
    ensure_display("view.py", opens_window)
    reader = open_run(options)
    show_time(reader, options.time)
    names = [reader.CellData[k].GetName() for k in range(len(reader.CellData))]
    bounds = reader.GetDataInformation().GetBounds()
    is_flat = bounds[5] - bounds[4] == 0
    field = options.field or labels.opening_field(names)
    if field not in names:
        fail(f"the frames have no field {field}, known: {', '.join(names)}")
    view = make_view()
    fluid = without_solids(reader, names)
    note = words_for_rounding(options, reader, fluid, names, field)
    drawn = (show_flat if is_flat else show_space)(reader, fluid, names, field, note, view)
    show_solids(reader, names, view)
    label_time(reader, view)
    shown = values(fluid, field)
    words = [f"{label_of(fluid, field)}: {note or labels.span(float(shown.min()), float(shown.max()))}", drawn]
    write_words("\n".join(filter(None, words)), view)
    simple.Render(view)
    write_files(options, view)
    if opens_window:
        simple.Interact(view)


main()
