"""The page: controls at the left, the picture, the curves at the right. All that it shows follows the run."""

import asyncio
import os

from trame.app import get_server
from trame.ui.vuetify3 import VAppLayout
from trame.widgets import html, vtk
from trame.widgets import vuetify3 as v

from .. import errors
from .curves import GrowingTable, drawn
from .guard import Guard
from .scene import BODIES, Scene, quantities

SECONDS = 1.0  # between two looks at the files


class Page:
    def __init__(self, folder):
        self._folder = folder
        self._tables = {name: GrowingTable(folder.path / f"{name}.csv") for name in ("history", "forces")}
        self._times, self._listed, self._shown = [], None, None
        self._scene = Scene()
        self._server = get_server("hodge view", client_type="vue3")
        self._state, self._control = self._server.state, self._server.controller
        self._guard = Guard()
        self._state.trame__title = f"hodge: {folder.path.resolve().name}"
        self._state.update({
            "frame": 0, "frames": 0, "follow": True, "time": "", "status": "", "error": "",
            "quantity": None, "quantities": [], "dims": 2,
            "is_fixed": False, "low": "", "high": "", "range": "",
            "plane_x": False, "plane_y": True, "plane_z": True, "at_x": 0.5, "at_y": 0.5, "at_z": 0.5, "surface": "",
            "history": [], "history_names": [], "forces": [], "forces_names": [], "curves": "",
        })
        self._build()
        self._state.change("frame")(self._on_frame)
        self._state.change("follow", "quantity", "is_fixed", "low", "high", "surface",
                           *(f"{what}_{axis}" for what in ("plane", "at") for axis in "xyz"))(self._on_picture)
        self._state.change("history", "forces")(self._on_curves)

    def serve(self, port):
        """Until Ctrl-C."""
        os.environ["WSLINK_READY_MSG"] = ""

        @self._control.add("on_server_bind")
        def protect(server):
            self._guard.protect(server.app)

        @self._control.add("on_server_ready")
        def ready(**_):
            print(f"{self._guard.address(self._server.port)}\n(of this machine alone; from another one: ssh -L "
                  f"{self._server.port}:127.0.0.1:{self._server.port} MACHINE; Ctrl-C ends)", flush=True)
            asyncio.get_running_loop().create_task(self._follow())

        self._look()
        self._server.start(host="127.0.0.1", port=port, timeout=0, open_browser=False, show_connection_info=False)

    # ---- the files

    async def _follow(self):
        while True:
            await asyncio.sleep(SECONDS)
            with self._state:
                self._look()

    def _look(self):
        """What is new in the files comes into the page."""
        state = self._state
        try:
            self._look_at_frames()
        except (errors.Error, OSError, ValueError) as error:
            state.error = str(error)
        new = [table.update() for table in self._tables.values()]
        for name, wished in (("history", "kinetic_energy"), ("forces", "_drag")):
            columns = self._tables[name].numeric()
            if columns and columns != state[f"{name}_names"]:
                state[f"{name}_names"] = columns
                first = [c for c in columns if c.endswith(wished) and not c.endswith("_control_drag")]
                state[name] = state[name] or first or columns[:1]
        if any(new):
            self._draw_curves()
        state.status = self._status()

    def _status(self):
        history = self._tables["history"]
        at = f"step {history['step'][-1]:.0f}, t = {history['t'][-1]:.6g}" if len(history) else "no step yet"
        if self._folder.is_running:
            return f"{at}; running"
        summary = self._folder.summary
        return f"{at}; " + (f"ended: {summary['end']}" if summary else "interrupted")

    def _look_at_frames(self):
        listed = self._folder.state_of_frames()
        if listed == self._listed:
            return
        self._times = self._folder.times.tolist()
        self._listed = listed
        state = self._state
        state.frames = len(self._times)
        if self._times and (state.follow or state.frame >= len(self._times)):
            state.frame = len(self._times) - 1
            self._show()

    # ---- the picture

    def _on_frame(self, frame, **_):
        if self._times and frame != self._shown:
            self._state.follow = frame == len(self._times) - 1
            self._show()

    def _on_picture(self, follow, **_):
        if follow and self._times and self._state.frame != len(self._times) - 1:
            self._state.frame = len(self._times) - 1
        self._show()

    def _show(self):
        """Draws what the controls say, and says why where it cannot."""
        if not self._times:
            return
        state = self._state
        try:
            self._draw_frame(min(int(state.frame), len(self._times) - 1))
            state.error = ""
        except (errors.Error, OSError, ValueError) as error:
            state.error = str(error)

    def _draw_frame(self, number):
        state = self._state
        components = self._folder.fields(number)
        known = quantities(components)
        if list(known) != state.quantities:
            state.quantities = list(known)
        if state.quantity not in known:
            state.quantity = next((name for name in known if name.startswith("velocity")), next(iter(known)))
        quantity = known[state.quantity]
        _, edges, arrays = self._folder.read(number, {quantity[0]} | set(components) & set(BODIES))
        state.dims = 3 if len(edges[2]) > 1 else 2
        planes = {axis: at[0] + (at[-1] - at[0]) * float(state[f"at_{axis}"])
                  for axis, at in zip("xyz", edges) if state[f"plane_{axis}"]}
        limits = (_number(state.low, "least"), _number(state.high, "largest")) if state.is_fixed else None
        if limits and not limits[0] < limits[1]:
            raise ValueError(f"colours from {limits[0]} to {limits[1]}: expected two numbers that increase")
        surface = _number(state.surface, "surface") if state.surface not in ("", None) else None
        low, high = self._scene.show(edges, arrays, quantity, planes, surface, limits)
        if not state.is_fixed:
            state.low, state.high = f"{low:.6g}", f"{high:.6g}"
        state.time = f"t = {self._times[number]:.6g}, frame {number} of 0 to {len(self._times) - 1}"
        self._shown = number
        if self._control.draw.exists():
            self._control.draw()

    def _look_from(self, direction):
        self._scene.look(direction)
        self._control.draw()

    # ---- the curves

    def _on_curves(self, **_):
        self._draw_curves()

    def _draw_curves(self):
        state = self._state
        state.curves = drawn([(self._tables[name], [c for c in state[name] or [] if c in self._tables[name].columns])
                              for name in ("history", "forces")])

    # ---- what the user sees

    def _build(self):
        with VAppLayout(self._server), v.VMain():
            with html.Div(style="display: flex; height: 100vh; overflow: hidden"):
                with html.Div(style="width: 270px; padding: 12px; overflow-y: auto", classes="controls"):
                    self._build_controls()
                with html.Div(style="flex: 1; min-width: 300px; display: flex; flex-direction: column"):
                    html.Div("{{ error }}", v_if=("error",), style="color: #b00020; padding: 6px", classes="error")
                    with html.Div(style="flex: 1; min-height: 0"):
                        view = vtk.VtkRemoteView(self._scene.plotter.render_window, ref="picture")
                        self._control.draw = view.update
                    with html.Div(style="padding: 4px 16px"):
                        v.VSlider(v_model=("frame",), min=0, max=("Math.max(frames - 1, 0)",), step=1, hide_details=True,
                                  density="compact", label="time", classes="time")
                html.Div(v_html=("curves",), style="width: 430px; overflow-y: auto; padding: 8px", classes="curves")

    def _build_controls(self):
        small = {"density": "compact", "hide_details": True, "variant": "outlined", "classes": "my-2"}
        html.Div(self._folder.path.resolve().name, style="font-weight: bold; overflow-wrap: anywhere")
        html.Div("{{ status }}", classes="status")
        html.Div("{{ time }}", classes="shown")
        v.VCheckbox(v_model=("follow",), label="follow the run", **small)
        v.VSelect(v_model=("quantity",), items=("quantities",), label="field", **{**small, "classes": "my-2 field"})
        v.VCheckbox(v_model=("is_fixed",), label="colours stay", **small)
        with html.Div(style="display: flex; gap: 6px", v_if=("is_fixed",)):
            v.VTextField(v_model_lazy=("low",), label="least", **small)
            v.VTextField(v_model_lazy=("high",), label="largest", **small)
        html.Div("colours from {{ low }} to {{ high }}", v_if=("!is_fixed",))
        with html.Div(v_if=("dims === 3",)):
            for axis in "xyz":
                with html.Div(style="display: flex; align-items: center"):
                    v.VCheckbox(v_model=(f"plane_{axis}",), label=axis, density="compact", hide_details=True,
                                classes=f"plane_{axis}")
                    v.VSlider(v_model=(f"at_{axis}",), min=0, max=1, step=0.005, hide_details=True, density="compact",
                              disabled=(f"!plane_{axis}",), style="flex: 1")
            v.VTextField(v_model_lazy=("surface",), label="surface of the value", clearable=True, **small)
        with html.Div(style="display: flex; gap: 4px", classes="my-2"):
            for direction in ("xy", "xz", "yz", "iso"):
                v.VBtn(direction, size="x-small", click=(self._look_from, f"['{direction}']"),
                       v_if=("dims === 3 || " + ("true" if direction == "xy" else "false"),))
        for name in ("history", "forces"):
            v.VSelect(v_model=(name,), items=(f"{name}_names",), label=f"{name}.csv", multiple=True, chips=True,
                      v_if=(f"{name}_names.length",), **{**small, "classes": f"my-2 {name}"})


def _number(text, what):
    try:
        return float(text)
    except (TypeError, ValueError):
        raise ValueError(f"{what}: '{text}', expected a number") from None
