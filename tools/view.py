#!/usr/bin/env pvpython
"""Opens a run of hodge in ParaView's Python with a view to begin with.

    pvpython tools/view.py RUN [--field NAME] [--time T] [--picture FILE.png] [--movie FILE.avi] [--state FILE.pvsm]

2D: the field as colours, streamlines if the frames have a velocity. 3D: the outline of the box, the middle planes in
colours, and a surface of constant vorticity if the frames have one. Solids are grey. Without --picture, --movie and
--state a window opens (the mouse turns the view, q closes it); `paraview --state=FILE.pvsm` opens the same view in
ParaView.
"""

import argparse
import glob
import os
import sys

try:
    from paraview import simple
except ImportError:
    print("view.py: this needs ParaView's Python: pvpython tools/view.py RUN (Debian: paraview python3-paraview)",
          file=sys.stderr)
    sys.exit(4)

WIDTH, LARGEST_HEIGHT, SMALLEST_HEIGHT = 1280, 1000, 420


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", metavar="RUN", help="the directory of a run, or its .pvd")
    parser.add_argument("--field", help="the field in colours; default: a scalar, else vorticity (2D), velocity (3D)")
    parser.add_argument("--time", type=float, help="the time shown; default: the last one")
    parser.add_argument("--picture", metavar="FILE.png", help="write a picture instead of opening a window")
    parser.add_argument("--movie", metavar="FILE", help="write all frames: .avi, or .png for numbered pictures")
    parser.add_argument("--state", metavar="FILE.pvsm", help="write a state for ParaView")
    return parser.parse_args()


def fail(message):
    print("view.py: " + message, file=sys.stderr)
    sys.exit(2)


def open_run(run):
    files = [run] if run.endswith(".pvd") else sorted(glob.glob(os.path.join(glob.escape(run), "*.pvd")))
    if not files or not os.path.exists(files[0]):
        fail(f"{run} holds no .pvd, expected the directory of a run")
    reader = simple.PVDReader(FileName=os.path.abspath(files[0]))
    reader.UpdatePipeline()
    return reader


def show_time(reader, wanted):
    """Goes to the time nearest to the wanted one; returns it."""
    times = list(reader.TimestepValues)
    time = times[-1] if wanted is None else min(times, key=lambda t: abs(t - wanted))
    simple.GetAnimationScene().AnimationTime = time
    simple.UpdatePipeline(time=time, proxy=reader)
    return time


def default_field(names, is_flat):
    own = ("velocity", "pressure", "vorticity", "solid")
    scalars = [name for name in names if name not in own and not name.startswith("mean_")]
    order = scalars + (["vorticity", "velocity"] if is_flat else ["velocity", "vorticity"]) + list(names)
    return next(name for name in order if name in names)


def components(source, name):
    return source.CellData[name].GetNumberOfComponents()


def value_range(source, name):
    count = components(source, name)
    return source.CellData[name].GetRange(0 if count == 1 else -1)


def colour(display, source, name):
    """Signed fields around zero in blue and red, the others from dark to light."""
    count = components(source, name)
    simple.ColorBy(display, ("CELLS", name) if count == 1 else ("CELLS", name, "Magnitude"))
    low, high = value_range(source, name)
    table = simple.GetColorTransferFunction(name)
    if count == 1 and low < 0 < high and name in ("vorticity", "pressure", "mean_pressure"):
        bound = 0.35 * max(-low, high)  # the largest values are in corners; with their range the rest would be pale
        table.ApplyPreset("Cool to Warm", True)
        table.RescaleTransferFunction(-bound, bound)
    else:
        table.ApplyPreset("Viridis (matplotlib)", True)
        table.RescaleTransferFunction(low, high if high > low else low + 1)
    display.SetScalarBarVisibility(simple.GetActiveView(), True)
    bar = simple.GetScalarBar(table, simple.GetActiveView())
    bar.Title, bar.ComponentTitle = name, ""
    bar.TitleColor = bar.LabelColor = [0.1, 0.1, 0.1]
    bar.WindowLocation, bar.Position, bar.ScalarBarLength = "Any Location", [0.9, 0.2], 0.6
    bar.RangeLabelFormat = bar.LabelFormat = "%-#.3g"
    bar.AutomaticLabelFormat = 0


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


def streamlines(source, bounds, view):
    """Streamlines from points on a diagonal, drawn a little above the coloured plane."""
    points = simple.CellDatatoPointData(Input=source)
    tracer = simple.StreamTracer(Input=points, SeedType="Line")
    tracer.Vectors = ["POINTS", "velocity"]
    x0, x1, y0, y1, z0, z1 = bounds
    tracer.SeedType.Point1, tracer.SeedType.Point2 = [x0, y0, z0], [x1, y1, z1]
    tracer.SeedType.Resolution = 40
    tracer.MaximumStreamlineLength = 4 * (x1 - x0 + y1 - y0)
    display = simple.Show(tracer, view)
    display.ColorArrayName = ["POINTS", ""]
    display.AmbientColor = display.DiffuseColor = [1, 1, 1]
    display.LineWidth, display.Opacity = 1.2, 0.7
    display.Position = [0, 0, 1e-3 * (x1 - x0)]


def show_flat(reader, fluid, names, field, view):
    bounds = reader.GetDataInformation().GetBounds()
    display = simple.Show(fluid, view)
    display.Ambient, display.Diffuse = 1, 0  # colours as in the bar, without lighting
    colour(display, reader, field)
    if "velocity" in names:
        streamlines(fluid, bounds, view)
    width, height = bounds[1] - bounds[0], bounds[3] - bounds[2]
    pixels = min(max(0.8 * WIDTH * height / width + 80, SMALLEST_HEIGHT), LARGEST_HEIGHT)
    view.ViewSize = [WIDTH, int(pixels)]
    view.InteractionMode = "2D"
    view.CameraParallelProjection = 1
    simple.ResetCamera(view)
    # Room on the right for the bar, above for the time.
    view.CameraParallelScale = 0.5 * max(1.12 * height, 1.3 * width * pixels / WIDTH)
    middle = [0.5 * (bounds[0] + bounds[1]) + 0.1 * width, 0.5 * (bounds[2] + bounds[3])]
    view.CameraFocalPoint = middle + [0]
    view.CameraPosition = middle + [10 * width]


def show_space(reader, fluid, names, field, view):
    bounds = reader.GetDataInformation().GetBounds()
    middle = [0.5 * (bounds[2 * d] + bounds[2 * d + 1]) for d in range(3)]
    outline = grey(simple.Outline(Input=reader), view)
    outline.LineWidth = 1.5
    for normal in ([0, 0, 1], [0, 1, 0]):
        plane = simple.Slice(Input=fluid, SliceType="Plane")
        plane.SliceType.Origin, plane.SliceType.Normal = middle, normal
        display = simple.Show(plane, view)
        display.Ambient, display.Diffuse = 1, 0
        colour(display, reader, field)
    if "vorticity" in names and value_range(reader, "vorticity")[1] > 0:
        vortices(fluid, value_range(reader, "vorticity")[1], view)
    camera = simple.GetActiveCamera()
    camera.SetPosition(middle[0] - 1.1, middle[1] + 0.8, middle[2] + 1.6)
    camera.SetFocalPoint(*middle)
    camera.SetViewUp(0, 1, 0)
    simple.ResetCamera(view)
    camera.Zoom(1.15)


def vortices(fluid, largest, view):
    """The surface on which |vorticity| is a quarter of its largest value."""
    points = simple.CellDatatoPointData(Input=fluid)
    size = simple.Calculator(Input=points, ResultArrayName="vorticity_size", Function="mag(vorticity)")
    surface = simple.Contour(Input=size, ContourBy=["POINTS", "vorticity_size"], Isosurfaces=[0.25 * largest])
    display = simple.Show(surface, view)
    display.ColorArrayName = ["POINTS", ""]
    display.AmbientColor = display.DiffuseColor = [0.85, 0.65, 0.2]
    display.Opacity = 0.45


def label_time(reader, view):
    label = simple.AnnotateTimeFilter(Input=reader, Format="t = {time:.4g}")
    display = simple.Show(label, view)
    display.Color = [0.1, 0.1, 0.1]
    display.WindowLocation = "Upper Left Corner"


def make_view():
    view = simple.GetActiveViewOrCreate("RenderView")
    view.ViewSize = [WIDTH, 800]
    view.UseColorPaletteForBackground = 0
    view.Background = [1, 1, 1]
    view.OrientationAxesVisibility = 0
    return view


def main():
    options = arguments()
    reader = open_run(options.run)
    show_time(reader, options.time)
    names = [reader.CellData[k].GetName() for k in range(len(reader.CellData))]
    bounds = reader.GetDataInformation().GetBounds()
    is_flat = bounds[5] - bounds[4] == 0
    field = options.field or default_field(names, is_flat)
    if field not in names:
        fail(f"the frames have no field {field}, known: {', '.join(names)}")
    view = make_view()
    fluid = without_solids(reader, names)
    (show_flat if is_flat else show_space)(reader, fluid, names, field, view)
    show_solids(reader, names, view)
    label_time(reader, view)
    simple.Render(view)
    if options.state:
        simple.SaveState(options.state)
    if options.picture:
        simple.SaveScreenshot(options.picture, view, ImageResolution=list(view.ViewSize))
    if options.movie:
        simple.SaveAnimation(options.movie, view, ImageResolution=list(view.ViewSize), FrameRate=10)
    if not (options.picture or options.movie or options.state):
        simple.Interact(view)


main()
