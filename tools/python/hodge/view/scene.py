"""The picture of a frame: its cells in colours, in 3D on planes and on a surface of one value; bodies are grey."""

import subprocess
import sys

import numpy
import pyvista
import vtk

GREY = "#9a9a9a"
BODIES = ("open_fraction", "solid")  # of cells: the part that fluid has; 1 in bodies


def quantities(components):
    """{text: (array, component)} of {array: components}; component None: the length."""
    chosen = {}
    for name, count in components.items():
        if count == 1:
            chosen[name] = (name, 0)
        elif count == 3:
            chosen[f"{name}, length"] = (name, None)
            chosen |= {f"{name}, {axis}": (name, k) for k, axis in enumerate("xyz")}
    return chosen


# In a process of its own: VTK ends its process where it finds no library to draw with.
_DRAWS = """import vtk
vtk.vtkLogger.SetStderrVerbosity(vtk.vtkLogger.VERBOSITY_OFF)
window = vtk.vtkRenderWindow()
window.SetOffScreenRendering(1)
renderer = vtk.vtkRenderer()
renderer.SetBackground(1, 1, 1)
window.AddRenderer(renderer)
window.Render()
pixels = vtk.vtkUnsignedCharArray()
window.GetPixelData(0, 0, 0, 0, 1, pixels, 0)
assert pixels.GetValue(0) == 255
"""


def can_draw():
    """Whether VTK draws on this machine, with or without a display."""
    return subprocess.run([sys.executable, "-c", _DRAWS], stdin=subprocess.DEVNULL, capture_output=True).returncode == 0


class Scene:
    def __init__(self):
        vtk.vtkLogger.SetStderrVerbosity(vtk.vtkLogger.VERBOSITY_OFF)  # it tells that there is no display
        self.plotter = pyvista.Plotter(off_screen=True, window_size=(900, 700))
        self.plotter.set_background("white")
        self._extent = None

    def show(self, edges, arrays, quantity, planes, surface=None, limits=None):
        """edges: of the cells along x, y, z, one number along an axis without cells. arrays: {name: (components, values)}.
        planes: {axis: position}, of 3D alone. surface: a value of the quantity. limits: of the colours, None: those of the
        values. Returns the limits."""
        dims = 3 if len(edges[2]) > 1 else 2
        shape = [max(1, len(at) - 1) for at in edges]
        values = self._values(arrays, quantity, shape)
        body = self._body(arrays, shape)
        fluid = values if body is None else numpy.where(body > 0.5, numpy.nan, values)
        limits = limits or _limits(fluid)
        title = quantity[0] if quantity[1] is None or arrays[quantity[0]][0] == 1 else f"{quantity[0]}, {'xyz'[quantity[1]]}"
        meshes = {}
        if dims == 2:
            meshes["plane"] = _grid(edges, fluid)
        for axis, position in planes.items() if dims == 3 else ():
            meshes[f"plane {axis}"] = _plane(edges, fluid, "xyz".index(axis), position)
        if dims == 3 and surface is not None:
            meshes["surface"] = _contour(_grid(edges, values), surface)
        for name in ("plane", "plane x", "plane y", "plane z", "surface"):
            self._put(name, meshes.get(name), scalars="value", clim=limits, nan_color=GREY, cmap="viridis",
                      lighting=name == "surface")
        self._put("body", _surface_of(edges, body, "open_fraction" in arrays) if dims == 3 and body is not None else None,
                  color=GREY)
        self._bar(title, limits)
        self._place(edges, dims)
        return limits

    def _values(self, arrays, quantity, shape):
        name, component = quantity
        count, values = arrays[name]
        values = values.reshape(-1, count)
        one = numpy.sqrt((values**2).sum(axis=1)) if component is None else values[:, component]
        return one.reshape(shape, order="F")

    def _body(self, arrays, shape):
        for name in BODIES:
            if name in arrays:
                values = arrays[name][1].reshape(shape, order="F")
                return 1 - values if name == "open_fraction" else values
        return None

    def _put(self, name, mesh, **look):
        if mesh is None or mesh.n_cells == 0:
            self.plotter.remove_actor(name, reset_camera=False, render=False)
        else:
            self.plotter.add_mesh(mesh, name=name, show_scalar_bar=False, reset_camera=False, render=False, **look)

    def _bar(self, title, limits):
        for old in list(self.plotter.scalar_bars.keys()):
            self.plotter.remove_scalar_bar(old, render=False)
        mapper = next((actor.mapper for name, actor in self.plotter.actors.items()
                       if name.startswith(("plane", "surface"))), None)
        if mapper is not None:
            mapper.scalar_range = limits
            self.plotter.add_scalar_bar(title=title, mapper=mapper, color="black", vertical=True, position_x=0.87,
                                        position_y=0.15, height=0.7, width=0.08, title_font_size=16, label_font_size=14,
                                        fmt="%.3g", render=False)

    def _place(self, edges, dims):
        """The camera, once for each box; from then on it is the user's."""
        extent = [(at[0], at[-1]) for at in edges]
        if extent == self._extent:
            return
        self._extent = extent
        bounds = [end for ends in extent for end in ends]
        self.plotter.add_mesh(pyvista.Box(bounds).extract_all_edges(), name="box", color="black", line_width=1,
                              reset_camera=False, render=False)
        if dims == 2:
            self.plotter.enable_parallel_projection()
        else:
            self.plotter.add_axes(color="black")
        self.look("xy" if dims == 2 else "iso")

    def look(self, direction):
        """At the whole box from a direction: "xy", "xz", "yz", "iso"."""
        bounds = [end for ends in self._extent for end in ends]
        views = {"xy": self.plotter.view_xy, "xz": self.plotter.view_xz, "yz": self.plotter.view_yz,
                 "iso": self.plotter.view_isometric}
        views[direction](render=False, bounds=bounds)
        self.plotter.camera.zoom(0.85)
        self.plotter.camera.SetWindowCenter(0.13, 0)  # the bar of colours stands at the right


def _limits(values):
    finite = values[numpy.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    margin = 1e-9 * max(abs(low), abs(high), 1e-300)
    return (low, high) if high - low > margin else (low - max(abs(low), 1) / 2, high + max(abs(high), 1) / 2)


def _grid(edges, values):
    grid = pyvista.RectilinearGrid(*edges)
    grid.cell_data["value"] = values.ravel(order="F")
    return grid


def _plane(edges, values, axis, position):
    """The layer of cells that the position lies in, at its middle."""
    at = edges[axis]
    layer = int(numpy.clip(numpy.searchsorted(at, position, side="right") - 1, 0, len(at) - 2))
    plane = list(edges)
    plane[axis] = numpy.array([0.5 * (at[layer] + at[layer + 1])])
    return _grid(plane, numpy.take(values, [layer], axis=axis))


def _surface_of(edges, body, is_cut):
    """Of a body: whole cells, or where it cuts them."""
    if is_cut:
        return _contour(_grid(edges, body), 0.5)
    cells = _grid(edges, body).threshold(0.5, scalars="value")
    return cells.extract_surface(algorithm="dataset_surface") if cells.n_cells else None


def _contour(grid, value):
    points = grid.cell_data_to_point_data()
    low, high = points.get_data_range("value")
    return points.contour([value], scalars="value") if low < value < high else None
