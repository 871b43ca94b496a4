"""The package hodge (tools/python): what Python sees of a run is what the program computes, and what is wrong is said.

Over 400 lines: the promises of docs/PYTHON.md, which share one small cavity."""

import contextlib
import gc
import importlib.util
import io
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

try:
    import numpy
    import hodge
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from plotting import markdown  # noqa: E402

CAVITY = """case: lid_driven_cavity
parameters: {reynolds: 400}
grid: {cells: [16, 12]}
time: {end: 2, steps: 12, step: {cfl: 0.7, max: 0.1}}
output: {frames: {every: 0.25}, checkpoint: {every: 0.5}}
device: cpu
"""

# A channel with a body, a scalar and a jet in the lower side, in steps of one size.
CHANNEL = {
    "case": "custom",
    "parameters": {"jet": 0.0, "push": 0.1},
    "grid": {"cells": [24, 16], "lower": [0, 0], "upper": [3, 1]},
    "fluid": {"viscosity": 0.01},
    "force": ["push", 0],
    "scalars": {"heat": {"diffusivity": 0.01, "source": "push*x", "boundaries": {"x_lower": {"value": 0}, "y_lower": {"value": 0}}}},
    "boundaries": {
        "x_lower": {"kind": "inflow", "velocity": ["6*y*(1-y)", 0]},
        "x_upper": "outflow",
        "y_lower": {"kind": "inflow", "velocity": [0, "jet*(x > 1 && x < 1.5)"]},
    },
    "solids": {"post": {"box": {"lower": [0.5, 0.4], "upper": [0.75, 0.6]}}},
    "forces": {"speed": 1, "length": 0.2},
    "time": {"end": 10, "steps": 10, "step": {"size": 0.02}},
    "output": {"checkpoint": {"every": 0.06}},
    "device": "cpu",
}


def cavity(**options):
    options.setdefault("output", False)
    return hodge.Run("cavity.yaml", **options)


def changed(path, value):
    """CHANNEL with another value at a path."""
    copy = dict(CHANNEL)
    inner = copy
    *way, last = path.split(".")
    for key in way:
        inner[key] = dict(inner[key])
        inner = inner[key]
    inner[last] = value
    return copy


def state(run):
    return [numpy.array(values) for values in (*run.velocity, run.pressure)]


def resident_bytes():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class InFolder(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(place.name)
        pathlib.Path("cavity.yaml").write_text(CAVITY)

    def assert_same(self, left, right):
        for a, b in zip(left, right, strict=True):
            numpy.testing.assert_array_equal(a, b)

    def message(self, error, call, *words, **options):
        with self.assertRaises(error) as caught:
            call(*words, **options)
        return str(caught.exception)


class Fields(InFolder):
    def test_lie_where_the_run_has_them(self):
        run = cavity()
        x, y = run.velocity
        self.assertEqual([a.shape for a in (x, y, run.pressure)], [(17, 12), (16, 13), (16, 12)])
        self.assertEqual(x.strides[0], 8)
        self.assertFalse(x.flags.owndata)
        self.assertEqual(x.dtype, float)
        address = x.__array_interface__["data"]
        while run.step():
            self.assertEqual(run.velocity.x.__array_interface__["data"], address)
            numpy.testing.assert_array_equal(x, run.velocity.x)
            numpy.testing.assert_array_equal(run.velocity_at_cells, [(x[1:] + x[:-1]) / 2, (y[:, 1:] + y[:, :-1]) / 2])
        self.assertGreater(abs(x).max(), 0.1)
        self.assertLess(abs(x[0]).max() + abs(x[-1]).max() + abs(y[:, 0]).max(), 1e-12)  # walls, no ghosts

    def test_arrays_that_live_on_change_no_bits(self):
        kept, plain = cavity(), cavity()
        arrays = kept.velocity  # noqa: F841
        kept.run(), plain.run()
        self.assert_same(state(kept), state(plain))

    def test_cannot_be_written_to(self):
        run = cavity()
        for array in (*run.velocity, run.pressure):
            with self.assertRaisesRegex(ValueError, "read-only"):
                array[0, 0] = 1
            with self.assertRaises(ValueError):
                array.flags.writeable = True

    def test_outlive_the_run(self):
        run = cavity()
        run.step(3)
        pressure, copy = run.pressure, run.pressure.copy()
        run.close()
        del run
        gc.collect()
        numpy.testing.assert_array_equal(pressure, copy)

    def test_scalars_and_computed_fields(self):
        run = hodge.Run(CHANNEL, output=False)
        run.run()
        self.assertEqual(run["heat"].shape, (24, 16))
        self.assertFalse(run["heat"].flags.writeable)
        self.assertEqual(run["vorticity"].shape, (24, 16))
        self.assertEqual([len(at) for at in run.edges], [25, 17])
        points = [[0.1, 0.3], [2.9, 0.5]]
        values = run.at(points, ["velocity", "pressure"])
        self.assertEqual(values.shape, (2, 3))
        i = int(numpy.searchsorted(run.edges[0], 2.9)) - 1
        self.assertAlmostEqual(values[1, 0], run.velocity_at_cells[0, i, 8], delta=0.2)
        self.assertIn("post_pressure_x", run.forces)
        self.assertIn("post_drag", run.forces)

    def test_of_wrong_names_and_shapes_are_refused(self):
        run = cavity()
        self.assertIn("temperature", self.message(hodge.ConfigError, run.__getitem__, "temperature"))
        text = self.message(hodge.ShapeError, run.at, [[1, 2, 3]], ["pressure"])
        self.assertIn("(1, 3)", text)
        self.assertIn("(points, 2)", text)


class GpuFields(InFolder):
    def setUp(self):
        super().setUp()
        try:
            import cupy
            self.cupy, self.run_ = cupy, hodge.Run("cavity.yaml", output=False, device="cuda")
        except (ImportError, hodge.ConfigError, hodge.DeviceError) as error:
            self.skipTest(str(error))

    def test_reach_other_libraries_without_a_copy(self):
        run, cupy = self.run_, self.cupy
        run.step(2)
        field = run.velocity.x
        pointer, read_only = field.__cuda_array_interface__["data"]
        self.assertTrue(read_only)
        self.assertEqual(field.shape, (17, 12))
        arrays = [cupy.from_dlpack(field), cupy.asarray(field)]
        self.assertEqual([array.data.ptr for array in arrays], [pointer, pointer])
        self.assertEqual(run.velocity.x.__cuda_array_interface__["data"][0], pointer)
        before = cupy.asnumpy(arrays[0])
        run.step()
        for array in arrays:  # they show the new fields
            self.assertGreater(abs(cupy.asnumpy(array) - before).max(), 1e-6)
        if importlib.util.find_spec("torch"):
            import torch
            tensor = torch.from_dlpack(run.velocity.x)
            self.assertEqual(tensor.data_ptr(), pointer)
            self.assertEqual(tensor.device.type, "cuda")
            numpy.testing.assert_array_equal(tensor.cpu().numpy(), cupy.asnumpy(arrays[0]))

    def test_are_those_of_a_run_on_the_cpu(self):
        host = cavity()
        for run in (self.run_, host):
            run.step(5)
        for a, b in zip((*self.run_.velocity, self.run_.pressure), state(host)):
            numpy.testing.assert_allclose(self.cupy.asnumpy(self.cupy.from_dlpack(a)), b, atol=1e-6)

    def test_a_system_of_cupy_gives_an_x_of_cupy(self):
        from cupyx.scipy import sparse
        A = sparse.diags([-1.0, 2.1, -1.0], [-1, 0, 1], shape=(200, 200), format="csr")
        x, report = hodge.solve(A, self.cupy.ones(200), method="cg", device="cuda")
        self.assertIsInstance(x, self.cupy.ndarray)
        self.assertLess(float(abs(A @ x - 1).max()), 1e-6)


class Steps(InFolder):
    def test_are_those_of_the_program(self):
        subprocess.run([str(hodge.program()), "run", "cavity.yaml", "--quiet", "--output", "program"], check=True)
        with cavity(output="python") as run:
            self.assertEqual(list(run), list(range(1, 13)))
            self.assertEqual(run.ended, "steps")
            summary = run.run()
        self.assertEqual(summary["end"], "steps")
        program, python = hodge.open("program"), hodge.open("python")
        for name, column in program.history.items():
            if not name.endswith("seconds"):
                numpy.testing.assert_array_equal(column, python.history[name], name)
        self.assert_same(program.times, python.times)
        for frame in ("frames/" + path.name for path in pathlib.Path("program/frames").iterdir()):
            self.assertEqual(pathlib.Path("program", frame).read_bytes(), pathlib.Path("python", frame).read_bytes())

    def test_meet_a_time_and_call_back(self):
        run = cavity()
        seen = []
        run.every(3, lambda of: seen.append(of.iteration))
        run.until(0.33)
        self.assertEqual(run.time, 0.33)
        run.step(5)
        run.run()
        self.assertEqual(seen, [3, 6, 9, 12])
        self.assertEqual(run.step(), 0)
        self.assertEqual(len(run.history["t"]), 13)
        self.assertEqual(run.history["step"][-1], run.report["step"])

    def test_of_two_runs_take_turns(self):
        alone = cavity()
        alone.run()
        first, second = cavity(), cavity()
        while first.step() and second.step():
            pass
        self.assert_same(state(first), state(alone))
        self.assert_same(state(second), state(alone))
        runs = [cavity(), cavity()]
        threads = [threading.Thread(target=run.run) for run in runs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for run in runs:
            self.assert_same(state(run), state(alone))

    def test_leave_other_threads_of_python_alone(self):
        run = cavity(set={"grid.cells": [128, 128], "time.steps": 20})
        thread = threading.Thread(target=run.run)
        thread.start()
        turns = 0
        while thread.is_alive():
            turns += 1
            time.sleep(0.001)
        self.assertGreater(turns, 20)

    def test_many_need_no_more_memory(self):
        run = cavity(set={"grid.cells": [32, 32], "time.steps": 10000, "time.end": 1e6})
        run.step(2000)
        before = resident_bytes()
        columns = len(run.history)
        for _ in range(800):
            run.step(10)
            self.assertLess(run.velocity.x.max(), 2)
        self.assertEqual(run.iteration, 10000)
        # But for the rows of `history`, 8 bytes a number, whose memory grows by doubling.
        self.assertLess(resident_bytes() - before, 4e6 + 2 * 8 * columns * 10000)

    def test_runs_follow_each_other(self):
        def once():
            run = cavity()
            run.run()
            return state(run)
        first = once()
        for _ in range(20):
            again = once()
        self.assert_same(first, again)
        before = resident_bytes()
        for _ in range(40):
            once()
        gc.collect()
        self.assertLess(resident_bytes() - before, 3e6)


class Module(unittest.TestCase):
    def test_shows_its_entry_alone(self):
        """So that nothing in it is mixed with another libstdc++ of the process."""
        nm = shutil.which("nm")
        if nm is None:
            self.skipTest("no nm")
        shown = subprocess.run([nm, "-D", "--defined-only", hodge._hodge.__file__], capture_output=True, text=True, check=True).stdout
        self.assertEqual([line.split()[-1] for line in shown.splitlines()], ["PyInit__hodge"])


class Types(InFolder):
    def test_are_known_to_those_who_check_a_script(self):
        if not importlib.util.find_spec("mypy"):
            self.skipTest("no mypy")
        pathlib.Path("script.py").write_text(
            "import hodge\nrun = hodge.Run({'case': 'custom'}, set={'time.end': 1}, output=False)\n"
            "reveal_type(run.step(3))\nreveal_type(run.history['t'])\nreveal_type(run.velocity.x)\n"
            "run.until('end')\nrun.stepp()\nhodge.solve(1, 2, tolerance='small')\n")
        package = pathlib.Path(hodge.__file__).parents[1]
        said = subprocess.run([sys.executable, "-m", "mypy", "--follow-imports=silent", "script.py"], capture_output=True, text=True,
                              env=os.environ | {"MYPYPATH": str(package)}, check=False).stdout
        for line, part in ((3, '"int"'), (4, "ndarray"), (5, "GpuField"), (6, 'incompatible type "str"; expected "float"'),
                           (7, 'no attribute "stepp"'), (8, 'incompatible type "str"; expected "float"')):
            self.assertRegex(said, f"script.py:{line}: .*{re.escape(part)}")


class Errors(InFolder):
    def test_have_the_places_of_files_dicts_and_values(self):
        pathlib.Path("wrong.yaml").write_text("case: lid_driven_cavity\ngrid: {cels: [32, 32]}\ntime: {end: 1}\n")
        self.assertTrue(self.message(hodge.ConfigError, hodge.Run, "wrong.yaml").startswith("wrong.yaml:2:8: unknown key"))
        grid = {**CHANNEL, "grid": {"cells": [24, 0], "upper": [3, 1]}}
        self.assertTrue(self.message(hodge.ConfigError, hodge.Run, grid).startswith("grid.cells[1]: "))
        self.assertTrue(self.message(hodge.ConfigError, hodge.Run, changed("scalars.heat.sauce", 1))
                        .startswith("scalars.heat.sauce: unknown key 'sauce'"))
        self.assertIn("time.end", self.message(hodge.ConfigError, cavity, set={"time.end": -1}))
        self.assertIn("set", self.message(hodge.ConfigError, hodge.Run, {"case": {1, 2}}))
        self.assertIn("nowhere.yaml", self.message(hodge.Error, hodge.Run, "nowhere.yaml"))
        self.assertFalse(pathlib.Path("output").exists())
        self.assertTrue(issubclass(hodge.ConfigError, ValueError))
        self.assertEqual(hodge.ConfigError.exit_code, 2)

    def test_of_the_computation_end_the_run(self):
        run = cavity(set={"solvers.pressure": {"method": "cg", "max_iterations": 1, "tolerance": 1e-12}})
        self.assertTrue(self.message(hodge.NumericalError, run.step).startswith("stopped after step 0, t = 0: "))
        self.assertIn("has stopped", self.message(hodge.ConfigError, run.step))

    def test_of_a_closed_run_say_so(self):
        run = cavity(output="run")
        run.step(2)
        array = run.pressure
        run.close()
        run.close()
        for call in (run.step, run.run, lambda: run.time, lambda: run.pressure, lambda: run.set("force", [0, 0])):
            self.assertEqual(self.message(hodge.ConfigError, call), "the run is closed: make another hodge.Run")
        self.assertEqual(repr(run), "<hodge.Run, closed>")
        self.assertEqual(array.shape, (16, 12))
        self.assertEqual(hodge.open("run").summary["end"], "stopped")

    def test_a_folder_is_overwritten_when_asked_alone(self):
        cavity(output="run").run()
        self.assertIn("run", self.message(hodge.ConfigError, cavity, output="run"))
        cavity(output="run", overwrite=True).close()
        self.assertIn("config.yaml", self.message(hodge.IoError, hodge.open, "nowhere"))


class Ends(InFolder):
    def test_ctrl_c_leaves_a_checkpoint_from_which_the_run_goes_on(self):
        straight = cavity(set={"time.steps": 2000, "grid.cells": [48, 48], "time.end": 1e6})
        script = ("import hodge\n"
                  "run = hodge.Run('cavity.yaml', set={'time.steps': 2000, 'grid.cells': [48, 48], 'time.end': 1e6},\n"
                  "                output='run')\n"
                  "run.every(10, lambda run: print(run.iteration, flush=True))\n"
                  "try:\n    run.run()\n"
                  "except KeyboardInterrupt:\n"
                  "    print('interrupted', run.summary['end'])\n"
                  "    try:\n        run.step()\n"
                  "    except hodge.ConfigError as error:\n        print(error)\n")
        with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as child:
            self.assertEqual(child.stdout.readline(), "10\n")
            child.send_signal(signal.SIGINT)
            rest = child.stdout.read()
        self.assertIn("interrupted signal", rest)
        self.assertIn("the run has stopped: stopped by SIGINT", rest)
        self.assertEqual(child.returncode, 0)
        summary = hodge.open("run").summary
        self.assertEqual((summary["status"], summary["exit_code"]), ("interrupted", 130))
        again = cavity(set={"time.steps": 2000, "grid.cells": [48, 48], "time.end": 1e6}, output="run", restart="latest")
        self.assertEqual(again.iteration, summary["steps"])
        self.assertLess(again.iteration, 2000)
        again.step(5)
        straight.step(again.iteration)
        self.assert_same(state(again), state(straight))

    def test_ctrl_c_in_a_callback_ends_the_run_in_order_too(self):
        run = cavity(output="run")
        run.every(3, lambda run: signal.raise_signal(signal.SIGINT))
        with self.assertRaises(KeyboardInterrupt):
            run.step(10)
        self.assertEqual((run.summary["end"], run.summary["steps"]), ("signal", 3))

    def test_a_script_that_ends_closes_its_runs(self):
        script = "import hodge\nrun = hodge.Run('cavity.yaml', output='run')\nrun.step(3)\n"
        subprocess.run([sys.executable, "-c", script], check=True)
        self.assertEqual(hodge.open("run").summary["steps"], 3)

    def test_another_process_may_not_write_there(self):
        with cavity(output="run"):
            done = subprocess.run([str(hodge.program()), "run", "cavity.yaml", "--output", "run", "--overwrite"],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2, done.stderr)


class Control(InFolder):
    def test_what_is_set_is_what_a_file_says(self):
        def half(path, value, *, of=CHANNEL):
            run = hodge.Run(of, output=False)
            run.step(5)
            if path:
                run.set(path, value)
            run.run()
            return state(run) + [numpy.array(run["heat"])]
        t = "(t < 0.11)"
        plain = half("", "")
        for path, value, as_one in (
                ("parameters.jet", 0.5, changed("boundaries.y_lower.velocity",
                                                [0, f"(0*{t} + 0.5*(1-{t}))*(x > 1 && x < 1.5)"])),
                ("boundaries.y_lower.velocity", [0, "0.25*x"], changed("boundaries.y_lower.velocity",
                                                                     [0, f"jet*{t} + 0.25*x*(1-{t})"])),
                ("force", ["0.5", 0], changed("force", [f"push*{t} + 0.5*(1-{t})", 0])),
                ("scalars.heat.source", 2, changed("scalars.heat.source", f"push*x*{t} + 2*(1-{t})")),
                ("scalars.heat.boundaries.x_lower.value", 1, changed("scalars.heat.boundaries.x_lower.value", f"1-{t}"))):
            with self.subTest(path):
                found = half(path, value)
                self.assertGreater(max(abs(a - b).max() for a, b in zip(found, plain)), 1e-3)
                for a, b in zip(found, half("", "", of=as_one)):
                    numpy.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-7)

    def test_setting_the_same_changes_no_bits(self):
        plain, again = hodge.Run(CHANNEL, output=False), hodge.Run(CHANNEL, output=False)
        plain.run()
        while again.step(2):
            again.set("boundaries.x_lower.velocity", ["6*y*(1-y)", 0])
        self.assert_same(state(again), state(plain))

    def test_a_restart_goes_on_with_what_was_set(self):
        straight = hodge.Run(CHANNEL, output=False)
        first = hodge.Run(CHANNEL, output="run")
        for run in (straight, first):
            run.step(3)
            run.set("parameters.jet", 0.5)
            run.step(2)
        first.close()
        self.assertIn("jet: 0.5", hodge.open("run").path.joinpath("config.yaml").read_text())
        self.assertIn("parameters.jet=0.5 from t = 0.06 on", pathlib.Path("run/log.txt").read_text())
        again = hodge.Run("run/config.yaml", output="run", restart="latest")
        self.assertEqual(again.iteration, 5)
        again.run(), straight.run()
        self.assert_same(state(again), state(straight))
        self.assertIn("jet", self.message(hodge.ConfigError, hodge.Run, CHANNEL, output="run", restart="latest"))

    def test_arrays_that_do_not_fit_are_named_with_what_is_expected(self):
        class OnDevice:  # as a tensor on a GPU
            device = "cuda:0"

            def __array__(self, *_, **__):
                raise TypeError("cannot be converted")

        run = hodge.Run(CHANNEL, output=False)
        expected = "expected (points, 2) and float64"
        for points, found in (([[1, 2, 3]], "(1, 3) and type int64"), ([["a", "b"]], "type <U1"), (numpy.zeros((2, 2, 2)), "(2, 2, 2)"),
                              ([[1j, 0]], "type complex128"), ([], "(1, 0)")):
            message = self.message(hodge.ShapeError, run.at, points, ["pressure"])
            self.assertTrue(found in message and expected in message, message)
        for call in (lambda: run.at(OnDevice(), ["pressure"]), lambda: run.at([[1], [1, 2]], ["pressure"])):
            self.assertIn("expected an array of NumPy or CuPy", self.message(hodge.ShapeError, call))
        self.assertIn("on the device cuda:0", self.message(hodge.ShapeError, run.at, OnDevice(), ["pressure"]))
        self.assertIn("is a list of 3, expected a list of 2",
                      self.message(hodge.ConfigError, run.set, "boundaries.x_lower.velocity", numpy.zeros(3)))
        self.assertTrue((run.at([1, 0.5], "pressure") == run.at(numpy.array([[1, 0.5]]), ["pressure"])).all())

    def test_nothing_else_can_be_set(self):
        run = hodge.Run(CHANNEL, output=False)
        for path, value, text in (("fluid.viscosity", 1, "fluid.viscosity cannot change"),
                                  ("boundaries.x_upper", "wall", "boundaries.x_lower: the fluid reaches no open side"),
                                  ("boundaries.y_upper", "slip", "boundaries.y_upper.kind cannot change"),
                                  ("boundaries.y_lower.velocity", [0, "jet*"], "boundaries.y_lower.velocity"),
                                  ("grid.cells", [8, 8], "grid.cells"),
                                  ("grid.cels", [8, 8], "unknown key 'cels'"),
                                  ("time.end", 99, "time.end cannot change")):
            found = self.message(hodge.ConfigError, run.set, path, value)
            self.assertTrue(found.startswith(f"set {path}="), found)
            self.assertIn(text, found)
        viscous = hodge.Run({**CHANNEL, "fluid": {"viscosity": "push"}}, output=False)
        self.assertIn("fluid.viscosity cannot change", self.message(hodge.ConfigError, viscous.set, "parameters.push", 1))
        self.assertIn("parameters.reynolds cannot change", self.message(hodge.ConfigError, cavity().set, "parameters.reynolds", 1))
        plain = hodge.Run(CHANNEL, output=False)
        run.run(), plain.run()
        self.assert_same(state(run), state(plain))

    def test_scalars_of_any_case_can_be_set(self):
        """A source that is set from the start is that of the file."""
        dye = {"diffusivity": 0.01, "source": 0, "boundaries": {"y_upper": {"value": 1}}}
        run, other = (cavity(set={"scalars": {"dye": dye | {"source": source}}}) for source in (0, "2*x"))
        run.set("scalars.dye.source", "2*x")
        run.step(3)
        other.step(3)
        self.assertTrue((run["dye"] == other["dye"]).all())
        self.assertGreater(float(run["dye"][8, 2]), 0)


class Files(InFolder):
    def test_frames_are_the_fields(self):
        run = cavity(output="run", set={"output.precision": "double"})
        run.run()
        frame = hodge.open("run").frame(-1)
        numpy.testing.assert_array_equal(frame["velocity"], run.velocity_at_cells)
        numpy.testing.assert_array_equal(frame["x"], run.centres[0])
        self.assertEqual(float(frame["t"]), run.time)
        self.assertIn("frames", self.message(hodge.ConfigError, hodge.open("run").frame, 99))

    def test_frames_are_datasets_of_xarray(self):
        if not importlib.util.find_spec("xarray"):
            self.skipTest("no xarray")
        import xarray
        fields = ["velocity", "pressure", "vorticity", "mean_velocity", "reynolds_stress"]
        for output, cells, labels, pairs in (("plane", [16, 12], "xy", "xx xy yy"), ("space", [8, 6, 4], "xyz", "xx xy xz yy yz zz")):
            run = cavity(output=output, set={"grid.cells": cells, "output.fields": fields, "output.precision": "double",
                                             "output.format": "vtkhdf" if output == "space" else "xml"})
            run.run()
            folder = hodge.open(output)
            frame = folder.frame()
            self.assertEqual(set(frame.data_vars), set(fields))
            self.assertEqual(frame["pressure"].dims, tuple(labels))
            self.assertEqual(frame["mean_velocity"].dims, ("component", *labels))
            self.assertEqual("".join(frame["component"].values), labels)
            self.assertEqual(sorted(frame["pair"].values), pairs.split())
            numpy.testing.assert_array_equal(frame["velocity"].sel(component="y"), run.velocity_at_cells[1])
            numpy.testing.assert_array_equal(frame["x"], run.centres[0])
            self.assertEqual(float(frame["t"]), run.time)
            if output == "plane":  # beside the six of space
                whole = folder.read()[2]["reynolds_stress"][1].reshape([6, *cells], order="F")
                numpy.testing.assert_array_equal(frame["reynolds_stress"].sel(pair="xy"), whole[3])
            everything = xarray.concat(folder.frames(), "t")
            numpy.testing.assert_array_equal(everything["t"], folder.times)
            self.assertEqual(everything["pressure"].shape, (len(folder.times), *cells))
            history = run.history.xarray()
            self.assertEqual(history["kinetic_energy"].dims, ("t",))
            self.assertEqual(float(history["kinetic_energy"].sel(t=run.time)), run.history["kinetic_energy"][-1])

    def test_histories_are_frames_of_pandas(self):
        if not importlib.util.find_spec("pandas"):
            self.skipTest("no pandas")
        run = cavity(output="run")
        run.run()
        for history in (run.history, hodge.open("run").history):
            table = history.pandas()
            self.assertEqual((list(table.columns), len(table)), (list(history), 13))
            self.assertEqual(table["t"].iloc[-1], run.time)

    def test_commands(self):
        table = hodge.sweep("cavity.yaml", {"parameters.reynolds": [100, 200]}, set={"time.steps": 3}, output="sweep")
        self.assertEqual(list(table["reynolds"]), [100, 200])
        compared = hodge.compare("cavity.yaml", steps=2, output="compared")
        self.assertGreater(len(compared.comparison["method"]), 2)
        self.assertIn("custom", hodge.cases())
        self.assertIn("properties", str(hodge.schema("custom")))
        self.assertIn("lid_driven_cavity", self.message(hodge.ConfigError, hodge.schema, "lid_driven"))


class Solve(unittest.TestCase):
    def setUp(self):
        try:
            import scipy.sparse
        except ImportError:
            self.skipTest("no scipy")
        self.sparse = scipy.sparse
        line = scipy.sparse.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(20, 20))
        self.a = scipy.sparse.kronsum(line, line).tocsr()
        self.x = numpy.sin(numpy.arange(400.0))

    def test_a_system_by_named_and_chosen_methods(self):
        for options in ({}, {"method": "cg", "preconditioner": "ssor_sai", "order": 2, "omega": 1},
                        {"method": "gmres", "restart": 20}, {"method": "cg", "preconditioner": "multigrid"}):
            x, report = hodge.solve(self.a, self.a @ self.x, **options)
            self.assertTrue(report["converged"], report)
            numpy.testing.assert_allclose(x, self.x, atol=1e-5)
        guessed, report = hodge.solve(self.a.tocoo(), self.a @ self.x, self.x, method="cg")
        self.assertEqual(report["iterations"], 0)

    def test_what_does_not_fit_is_refused(self):
        b = numpy.ones(400)
        with self.assertRaisesRegex(hodge.ShapeError, r"b has shape \(3,\) and type float64, expected \(400,\)"):
            hodge.solve(self.a, numpy.ones(3))
        with self.assertRaisesRegex(hodge.ShapeError, "b has shape .* and type complex128, expected .* float64"):
            hodge.solve(self.a, b * 1j)
        with self.assertRaisesRegex(hodge.ShapeError, "ndarray"):
            hodge.solve(self.a.toarray(), b)
        with self.assertRaisesRegex(hodge.ShapeError, r"\(400, 20\)"):
            hodge.solve(self.a[:, :20], b)
        with self.assertRaisesRegex(hodge.ConfigError, "cgg"):
            hodge.solve(self.a, b, method="cgg")
        with self.assertRaisesRegex(hodge.ConfigError, "omega"):
            hodge.solve(self.a, b, method="gmres", preconditioner="jacobi", omega=1.2)
        x, report = hodge.solve(self.a, b, method="cg", preconditioner="none", max_iterations=2)
        self.assertFalse(report["converged"])
        self.assertIn("2 iterations", report["text"])


class Processes(InFolder):
    """One script by one process and by two."""

    script = """
import hashlib, json, sys
{first}
import hodge
run = hodge.Run({config!r}, output=sys.argv[1])
run.step(2)
run.set("parameters.jet", 0.5)
hodge.Run({config!r}, output=False).step()     # forgotten at once
errors = []
for call in (lambda: run.set("fluid.viscosity", 1), lambda: hodge.Run({{"case": "nonsense"}})):
    try:
        call()
    except hodge.ConfigError as error:
        errors.append(str(error))
for _ in run:
    pass
{last}
values = [run.time, run.iteration, run.velocity_at_cells.tolist(), run["heat"].tolist(), run.forces, errors,
          run.at([[1, 0.5]], ["pressure"]).tolist(), run.history["kinetic_energy"].tolist()]
summary = run.run()
print(hashlib.sha256(json.dumps(values).encode()).hexdigest(), flush=True)
"""

    def printed(self, output, processes=0, first="", last=""):
        mpiexec = os.environ.get("HODGE_MPIEXEC")
        if not mpiexec:
            self.skipTest("no mpirun")
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1",
                       "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
        config = {**CHANNEL, "time": {"end": 10, "steps": 4, "step": {"size": 0.02}}}
        script = self.script.format(config=config, first=first, last=last)
        launch = [mpiexec, "--oversubscribe", "-n", str(processes)] if processes else []
        done = subprocess.run([*launch, sys.executable, "-c", script, output], capture_output=True, text=True, env=environment,
                              timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return sorted(re.findall("[0-9a-f]{64}", done.stdout))  # lines of processes may run into each other

    def test_two_have_the_bits_of_one(self):
        one = self.printed("one")
        self.assertEqual(len(one), 1)
        self.assertEqual(self.printed("two", 2), one * 2)
        left, right = hodge.open("one"), hodge.open("two")
        numpy.testing.assert_array_equal(left.frame(-1)["velocity"], right.frame(-1)["velocity"])
        self.assertEqual(right.summary["end"], "steps")

    def test_two_have_the_bits_of_one_beside_mpi4py(self):
        """Which is imported before hodge, or when a run is there already, and used in between."""
        if not importlib.util.find_spec("mpi4py"):
            self.skipTest("no mpi4py")
        one = self.printed("one")
        load = "from mpi4py import MPI"
        use = "assert MPI.COMM_WORLD.Get_size() == 2 and MPI.COMM_WORLD.bcast(run.time) == run.time"
        self.assertEqual(self.printed("before", 2, first=load, last=use), one * 2)
        self.assertEqual(self.printed("behind", 2, last=f"{load}\n{use}"), one * 2)


class Page(InFolder):
    def test_does_what_it_says(self):
        """The blocks of docs/PYTHON.md, in one interpreter; a text block is what the block before it prints."""
        printed, names = io.StringIO(), {}
        for language, content in markdown.blocks((ROOT / "docs/PYTHON.md").read_text()):
            if language == "python":
                printed = io.StringIO()
                with contextlib.redirect_stdout(printed):
                    exec(content, names)
            else:
                expected = ".*".join(re.escape(part) for part in content.strip().split("..."))
                self.assertRegex(printed.getvalue().strip(), f"^{expected}$")
        self.assertLess(names["flow"].forces["block_drag"], 4.1)


if __name__ == "__main__":
    unittest.main()
