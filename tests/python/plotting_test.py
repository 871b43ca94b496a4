"""The scripts of tools/ that draw: plot.py, plot_compare.py, view.py and what they share in tools/plotting. What stands in
their pictures: pictures_test.py.

Run by ctest with /usr/bin/python3; HODGE_PROGRAM is the program, HODGE_MPIEXEC starts it as several processes. What needs a module that is missing is skipped.
Over 400 lines: the scripts share the runs that they draw.
"""

import ast
import csv
import graphlib
import importlib.util
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = ROOT / "tools"
PROGRAM = os.environ.get("HODGE_PROGRAM", str(ROOT / "build/bin/hodge"))
sys.path.insert(0, str(TOOLS))

from plotting import camera, movie  # noqa: E402
from plotting.colours import colour_range  # noqa: E402

HAS_PLOTS = all(importlib.util.find_spec(name) for name in ("matplotlib", "numpy", "vtkmodules"))
needs_plots = unittest.skipUnless(HAS_PLOTS, "python3-matplotlib, python3-vtk9 are not installed")
# ParaView's modules need libraries that VTK's own Python package conflicts with: pvpython where it is.
PVPYTHON = shutil.which("pvpython")
needs_view = unittest.skipUnless(PVPYTHON and (os.environ.get("DISPLAY") or shutil.which("xvfb-run")),
                                 "pvpython is not on PATH, or neither a display nor xvfb is here")
MPIEXEC = os.environ.get("HODGE_MPIEXEC")


def call(*words, folder=None, **environment):
    return subprocess.run([str(word) for word in words], cwd=folder, env={**os.environ, **environment},
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)


class InFolder(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)

    def run_hodge(self, *words):
        result = call(PROGRAM, *words, folder=self.folder, OMP_NUM_THREADS="1")
        self.assertEqual(result.returncode, 0, result.stderr)

    def channel_with_a_body(self, *words):
        (self.folder / "a.yaml").write_text(
            "case: custom\ngrid: {cells: [16, 8], lower: [0, 0], upper: [2, 1]}\nfluid: {viscosity: 0.1}\n"
            "force: [1, 0]\nboundaries: {x_lower: periodic, x_upper: periodic}\n"
            "solids: [{name: ball, sphere: {centre: [1, 0.5], radius: 0.2}}]\n"
            "time: {end: 0.2, step: {size: 0.05}}\noutput: {frames: {every: 0.1}}\ndevice: cpu\n")
        self.run_hodge("run", "a.yaml", "--quiet", *words)


class Scripts(unittest.TestCase):
    def test_every_script_with_an_interpreter_in_its_first_line_can_be_executed(self):
        for file in list(TOOLS.glob("*.py")) + list(TOOLS.glob("*.sh")) + list(TOOLS.glob("reference/*.py")):
            if file.read_text().startswith("#!"):
                self.assertTrue(os.access(file, os.X_OK), file)

    def test_modules_that_scripts_share_import_no_script_and_none_in_a_circle(self):
        imported = {}
        for path in (TOOLS / "plotting").glob("*.py"):
            names = imported.setdefault(path.stem, set())
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    names |= {alias.name.removeprefix("plotting.") for alias in node.names}
                elif isinstance(node, ast.ImportFrom):
                    names |= ({alias.name for alias in node.names} if node.module == "plotting"
                              else {(node.module or "").removeprefix("plotting.")})
            self.assertFalse(names & {script.stem for script in TOOLS.glob("*.py")}, path.name)
        graph = {module: names & imported.keys() for module, names in imported.items()}
        list(graphlib.TopologicalSorter(graph).static_order())  # CycleError


class Colours(unittest.TestCase):
    def test_a_pressure_of_one_sign_uses_all_colours(self):
        self.assertEqual(colour_range("pressure", 0.0, 2.0), (0.0, 2.0, False))
        self.assertEqual(colour_range("pressure", -0.1, 2.0), (-0.1, 2.0, False))
        self.assertEqual(colour_range("pressure", -2.0, 0.1), (-2.0, 0.1, False))

    def test_zero_is_in_the_middle_of_two_signs(self):
        self.assertEqual(colour_range("vorticity", -1.0, 2.0), (-2.0, 2.0, True))
        self.assertEqual(colour_range("temperature", -1.0, 2.0), (-1.0, 2.0, False))

    def test_a_constant_field_has_a_range(self):
        self.assertEqual(colour_range("pressure", 0.0, 0.0), (0.0, 1.0, False))


class Camera(unittest.TestCase):
    # Where a corner is in the picture, as a share of its half height and half width.
    def projected(self, corner, bounds, towards, distance, angle, aspect):
        backward = camera.unit(towards)
        right = camera.unit(camera.cross([0, 1, 0], backward))
        up = camera.cross(backward, right)
        middle = [0.5 * (bounds[2 * d] + bounds[2 * d + 1]) for d in range(3)]
        place = [p - m - distance * b for p, m, b in zip(corner, middle, backward)]
        depth = -camera.dot(place, backward)
        self.assertGreater(depth, 0)
        slope = math.tan(math.radians(0.5 * angle)) * depth
        return abs(camera.dot(place, right)) / (slope * aspect), abs(camera.dot(place, up)) / slope

    def test_sees_all_corners_of_long_flat_and_equal_boxes(self):
        towards, angle, aspect = [-1.1, 0.8, 1.6], 30, 1.6
        for bounds in ([0, 1] * 3, [-5, 12, -5, 5, -5, 5], [0, 1, 0, 1, 0, 20], [0, 1e-3, 0, 5e-3, 0, 1e-3]):
            distance = camera.distance_to_see(bounds, towards, [0, 1, 0], angle, aspect, 0.76, 0.88)
            places = [self.projected([bounds[2 * d + (k >> d & 1)] for d in range(3)], bounds, towards, distance,
                                     angle, aspect) for k in range(8)]
            self.assertLessEqual(max(x for x, _ in places), 0.76 + 1e-9)
            self.assertLessEqual(max(y for _, y in places), 0.88 + 1e-9)
            self.assertTrue(any(x > 0.759 or y > 0.879 for x, y in places), "it stands nearer where it can")


class Movies(InFolder):
    def test_a_name_that_nothing_can_write_is_refused(self):
        self.assertIn("unknown ending", movie.wrong_name("a.xyz"))
        self.assertIn("no such folder", movie.wrong_name(str(self.folder / "none/a.avi")))
        self.assertEqual(movie.wrong_name(str(self.folder / "a.mp4")), "")

    def test_mp4_without_ffmpeg_is_refused(self):
        path = os.environ["PATH"]
        self.addCleanup(os.environ.__setitem__, "PATH", path)
        os.environ["PATH"] = str(self.folder)
        self.assertIn("needs ffmpeg", movie.lacks_ffmpeg("a.mp4"))
        self.assertEqual(movie.lacks_ffmpeg("a.avi"), "")

    def test_a_movie_that_was_not_written_is_noticed(self):
        file = self.folder / "a.avi"
        file.write_text("an older one")
        self.assertFalse(movie.write(str(file), 10, lambda path: None))
        self.assertFalse(movie.write(str(file), 10, lambda path: pathlib.Path(path).touch()))
        self.assertTrue(movie.write(str(file), 10, lambda path: pathlib.Path(path).write_text("film")))

    def test_numbered_pictures_count_as_a_movie(self):
        def save(path):
            pathlib.Path(path.replace(".png", ".0000.png")).write_text("picture")

        self.assertTrue(movie.write(str(self.folder / "a.png"), 10, save))

    def test_ffmpeg_gets_the_pictures(self):
        ffmpeg = self.folder / "ffmpeg"
        ffmpeg.write_text('#!/bin/sh\nfor file; do :; done\necho "$*" > "$file"\n')
        ffmpeg.chmod(0o755)
        path = os.environ["PATH"]
        self.addCleanup(os.environ.__setitem__, "PATH", path)
        os.environ["PATH"] = f"{self.folder}:{path}"
        self.assertTrue(movie.write(str(self.folder / "a.mp4"), 12, lambda path: None))
        self.assertIn("-framerate 12 -i", (self.folder / "a.mp4").read_text())


@unittest.skipUnless(importlib.util.find_spec("numpy"), "python3-numpy is not installed")
class ViewWithoutDisplay(InFolder):
    """view.py with modules in place of ParaView's: it must not come to ask these to draw."""

    def setUp(self):
        super().setUp()
        for name, text in {"paraview/__init__.py": "", "paraview/simple.py": "", "paraview/servermanager.py": "",
                           "vtkmodules/__init__.py": "", "vtkmodules/numpy_interface/__init__.py": "",
                           "vtkmodules/numpy_interface/dataset_adapter.py": "",
                           "vtkmodules/vtkRenderingCore.py": "class vtkRenderWindow:\n"
                           "    def GetClassName(self): return 'vtkXOpenGLRenderWindow'\n"}.items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(text)

    def view(self, *words, **environment):
        return call(sys.executable, TOOLS / "view.py", self.folder, *words, PYTHONPATH=str(self.folder), DISPLAY="",
                    **environment)

    def test_says_so_instead_of_dying(self):
        result = self.view("--picture", "a.png", HODGE_VIRTUAL_DISPLAY="1")
        self.assertEqual(result.returncode, 4)
        self.assertEqual(result.stderr.count("\n"), 1)
        self.assertIn("there is no display", result.stderr)
        self.assertIn("xvfb", result.stderr)

    def test_a_window_is_refused(self):
        result = self.view()
        self.assertEqual(result.returncode, 4)
        self.assertIn("--picture FILE.png", result.stderr)

    def test_pictures_go_to_a_virtual_display(self):
        xvfb = self.folder / "xvfb-run"
        xvfb.write_text('#!/bin/sh\necho "$HODGE_VIRTUAL_DISPLAY $*"\n')
        xvfb.chmod(0o755)
        result = self.view("--picture", "a.png", PATH=f"{self.folder}:{os.environ['PATH']}")
        self.assertRegex(result.stdout, r"^1 -a -s -screen .* .*python.* .*/view.py .* --picture a.png\n$")

    def test_files_that_exist_are_kept(self):
        (self.folder / "a.pvd").write_text("frames")
        os.link(self.folder / "a.pvd", self.folder / "link.png")
        (self.folder / "a.0001.png").write_text("precious")
        for words, said in ((["--picture", self.folder / "a.0001.png"], "is there already"),
                            (["--movie", self.folder / "a.png"], "a.0001.png: is there already"),
                            (["--state", self.folder / "a.pvd", "--overwrite"], "is an input"),
                            (["--picture", self.folder / "link.png", "--overwrite"], "is an input")):
            result = self.view(*words)
            self.assertEqual(result.returncode, 2)
            self.assertIn(said, result.stderr)

    def test_names_of_movies_are_judged_first(self):
        self.assertEqual(self.view("--movie", "a.xyz").returncode, 2)


@needs_view
class View(InFolder):
    def test_draws_pictures_and_movies_in_two_dimensions(self):
        self.channel_with_a_body("--set", "output.fields=[velocity, pressure]")
        result = call(TOOLS / "view.py", "output/a", "--picture", "a.png", "--movie", "a.avi", folder=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual((self.folder / "a.png").read_bytes()[1:4], b"PNG")
        self.assertGreater((self.folder / "a.avi").stat().st_size, 0)

    def test_and_in_three(self):
        self.run_hodge("run", ROOT / "configs/lid_driven_cavity_3d.yaml", "--quiet", "--output", "c", "--set",
                       "grid.cells=[8, 8, 8]", "--set", "time.steps=2")
        result = call(TOOLS / "view.py", "c", "--picture", "a.png", folder=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual((self.folder / "a.png").read_bytes()[1:4], b"PNG")


@needs_plots
class Interpreter(InFolder):
    def test_a_python_without_the_modules_hands_over_to_the_system_s(self):
        made = call("/usr/bin/python3", "-m", "venv", "--without-pip", self.folder / "venv")
        self.assertEqual(made.returncode, 0, made.stderr)
        self.channel_with_a_body()
        result = call(self.folder / "venv/bin/python3", TOOLS / "plot.py", "output/a", folder=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("output/a/plots/fields.png", result.stdout)

    def test_the_hint_names_the_python_that_sees_the_packages(self):
        text = ("import sys; sys.path.insert(0, sys.argv[1]); from plotting import interpreter as i\n"
                "i.SYSTEM = '/bin/false'; i.need('plot.py', ['no_such_module'], 'python3-none', 'none')")
        result = call(sys.executable, "-c", text, TOOLS)
        self.assertEqual(result.returncode, 4)
        self.assertIn(f"neither {sys.executable} nor /bin/false has all of no_such_module", result.stderr)
        self.assertIn("install for /bin/false: python3-none", result.stderr)
        self.assertIn("by the pip of this environment: none", result.stderr)


class Tags(InFolder):
    def test_appended_data_of_frames_are_found_by_an_xml_parser_that_waits(self):
        """By the one of this Python, with the pieces of text that VTK gives to it, whatever stands before."""
        import xml.parsers.expat

        self.channel_with_a_body()
        frame = next((self.folder / "output/a/frames").glob("*.vti")).read_bytes()
        pattern = b"<AppendedData"
        tags = frame.index(pattern)
        head = frame.index(b"    <FieldData>")
        for more in range(0, 9000, 7):
            text = frame[:head] + more * b" " + frame[head:]
            seen = []
            parser = xml.parsers.expat.ParserCreate()
            parser.StartElementHandler = lambda name, attributes: seen.append((name, attributes))
            begin = tags + more + len(pattern)
            for block in range(0, begin, 4096):
                parser.Parse(text[block:min(block + 4096, begin)], False)
            for piece in (text[begin:text.index(b">", begin)], b"/", b">", b"\n</VTKFile>\n"):
                parser.Parse(piece, False)
            self.assertEqual(seen[-1], ("AppendedData", {"encoding": "raw"}), more)


def as_earlier_versions_wrote(folder):
    """Appended data with their encoding in the tag, and nothing declared."""
    for path in [path for kind in ("*.vti", "*.vtr") for path in folder.rglob(kind)]:
        content = path.read_bytes()
        content = re.sub(rb"<!-- hodge frame.*\n<!DOCTYPE .*\n", b"", content, count=1)
        path.write_bytes(content.replace(b"<AppendedData>", b'<AppendedData encoding="raw">', 1))


@needs_plots
class Frames(InFolder):
    def test_those_of_earlier_versions_hold_the_same_as_inline_texts(self):
        import plotting.frames as frames

        for words in ([], ["--set", "grid.stretching={y: {kind: tanh, strength: 1.5}}"], ["--set", "output.encoding=inline"]):
            self.channel_with_a_body("--overwrite", *words)
            as_earlier_versions_wrote(self.folder / "output/a/frames")
            for time, path in frames.collection(str(self.folder / "output/a")):
                read = []
                for waits in (False, True):
                    with unittest.mock.patch.object(frames, "parser_waits", lambda: waits):
                        read.append(frames.Frame(path, time))
                self.assertEqual(list(read[0].fields), list(read[1].fields))
                for name, values in read[0].fields.items():
                    self.assertTrue((values == read[1].fields[name]).all(), name)
                for d in range(3):
                    self.assertTrue((read[0].edges[d] == read[1].edges[d]).all())

    def refusal(self):
        result = call(sys.executable, TOOLS / "plot.py", "output/a", folder=self.folder, HODGE_PROGRAM=PROGRAM)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        return result.stderr

    def test_damaged_ones_are_refused_before_vtk_reads_them(self):
        self.channel_with_a_body()
        path = sorted((self.folder / "output/a/frames").glob("*.vti"))[-1]
        whole = path.read_bytes()
        for seal in (True, False):
            if not seal:
                as_earlier_versions_wrote(self.folder / "output/a/frames")
                whole = path.read_bytes()
            for damaged in (whole[:-1000], whole[:300], whole.replace(b'NumberOfComponents="3"', b'NumberOfComponents="9"'),
                            whole.replace(b'TimeValue', b'TimeVulae') if seal else b""):
                path.write_bytes(damaged)
                self.assertIn(path.name, self.refusal())
        path.write_bytes(whole.replace(b'"TimeValue"', b'"OtherName"'))
        self.assertEqual(call(sys.executable, TOOLS / "plot.py", "output/a", folder=self.folder, HODGE_PROGRAM=PROGRAM)
                         .returncode, 0)

    def test_those_of_regions_are_not_those_of_the_run(self):
        from plotting.frames import collection

        self.channel_with_a_body("--set", "output.regions={Area: {lower: [0, 0], upper: [1, 1], every: 0.1}}")
        self.assertTrue((self.folder / "output/a/Area.pvd").exists())
        for _, path in collection(str(self.folder / "output/a")):
            self.assertRegex(path, r"/a_\d+\.vti$")

    def test_one_of_another_time_or_a_damaged_collection_is_refused(self):
        self.channel_with_a_body()
        frames = sorted((self.folder / "output/a/frames").glob("*.vti"))
        shutil.copyfile(frames[0], frames[-1])
        self.assertIn("has t = 0.0, the collection says 0.2", self.refusal())
        (self.folder / "output/a/a.pvd").write_text("<VTKFile><Collection>")
        self.assertIn("a.pvd is no collection of frames", self.refusal())

    @unittest.skipUnless(MPIEXEC, "built without MPI")
    def test_pieces_are_the_frame_of_one_process(self):
        import plotting.frames as frames
        from plotting.inline_frame import inline_run

        several = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMP_NUM_THREADS": "1",
                   "OMPI_MCA_rmaps_base_oversubscribe": "true", "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
                   "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}
        for words in ([], ["--set", "grid.stretching={y: {kind: tanh, strength: 1.5}}"]):
            self.channel_with_a_body("--overwrite", *words)
            result = call(MPIEXEC, "-n", "2", PROGRAM, "run", "a.yaml", "--quiet", "--overwrite", "--output", "pieces",
                          "--set", "output.pieces=always", *words, folder=self.folder, **several)
            self.assertEqual(result.returncode, 0, result.stderr)
            made = self.folder / ("inline" + str(len(words)))
            made.mkdir()
            as_earlier_versions_wrote(self.folder / "pieces/frames")
            pvd = inline_run(str(self.folder / "pieces/a.pvd"), str(made))
            self.assertEqual(pvd, str(made / "a.pvd"))
            alone = frames.collection(str(self.folder / "output/a"))
            for number, (time, path) in enumerate(alone):
                whole = frames.Frame(path, time)
                for folder in (self.folder / "pieces", made):
                    of_pieces = frames.collection(str(folder))
                    self.assertEqual(len(of_pieces), len(alone))
                    self.assertIn(pathlib.Path(of_pieces[number][1]).suffix, (".pvti", ".pvtr"))
                    pieces = frames.Frame(of_pieces[number][1], time)
                    self.assertEqual((pieces.dim, list(pieces.fields)), (2, list(whole.fields)))
                    for name, values in whole.fields.items():
                        self.assertTrue((values == pieces.fields[name]).all(), name)
                    for d in range(3):
                        self.assertTrue((whole.edges[d] == pieces.edges[d]).all())


@needs_plots
class Plots(InFolder):
    def frame(self, **fields):
        import numpy

        edges = [numpy.linspace(0, 4, 41), numpy.linspace(0, 2, 21), numpy.array([0.0])]
        return types.SimpleNamespace(dim=2, time=0.0, edges=edges, fields=fields,
                                     centres=lambda d: 0.5 * (edges[d][1:] + edges[d][:-1]))

    def scales(self):
        from plotting import rounding

        return rounding.Scales(str(self.folder))

    def test_streamlines_do_not_cross_a_body_that_the_frame_does_not_name(self):
        import numpy
        import plotting.fields

        velocity = numpy.zeros((1, 20, 40, 3))
        velocity[..., 0] = 1.0
        velocity[0, 5:15, 10:20] = 0.0  # x from 1 to 2, y from 0.5 to 1.5
        picture = plotting.fields.streamlines_picture(self.frame(velocity=velocity), self.scales(), 6)
        lines = next(c for c in picture.axes[0].collections if type(c).__name__ == "LineCollection")
        points = numpy.concatenate(lines.get_segments())
        self.assertGreater(len(points), 100)
        inside = (abs(points[:, 0] - 1.5) < 0.42) & (abs(points[:, 1] - 1) < 0.42)
        self.assertEqual(inside.sum(), 0)

    def test_averages_become_pictures_of_points_and_of_every_line(self):
        (self.folder / "averages.csv").write_text(
            "name,s,x,y,z,from,to,u_mean,u_rms\nwake,0,1,1,0,5,9,0.5,0.1\n"
            "across,0,1,0,0,5,9,0,0\nacross,1,1,1,0,5,9,1,0.2\nacross,2,1,2,0,5,9,0,0\n")
        result = call(sys.executable, TOOLS / "plot.py", ".", folder=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(sorted(file.name for file in (self.folder / "plots").iterdir()),
                         ["averages.png", "averages_across.png"])

    def test_pictures_of_others_are_replaced_where_that_is_asked_for_alone(self):
        (self.folder / "history.csv").write_text("step,t,dt,kinetic_energy\n1,0.1,0.1,2\n2,0.2,0.1,3\n")
        picture, elsewhere = self.folder / "plots/history.png", self.folder / "mine/history.png"
        for file, words in ((picture, []), (elsewhere, ["--output", "mine"])):
            file.parent.mkdir()
            file.write_text("precious")
            (file.parent / "history-2.png").write_text("precious")
            line = [sys.executable, TOOLS / "plot.py", ".", *words]
            refused = call(*line, folder=self.folder)
            self.assertEqual((refused.returncode, refused.stdout), (2, ""))
            self.assertRegex(refused.stderr, r"^plot.py: .*history.png: is there already: give another name, or "
                             r"--overwrite\n$")
            self.assertEqual(file.read_text(), "precious")
            self.assertEqual(call(*line, "--overwrite", folder=self.folder).returncode, 0)
            self.assertEqual(file.read_bytes()[1:4], b"PNG")
        # In its own place it draws its own picture anew.
        self.assertEqual(call(sys.executable, TOOLS / "plot.py", ".", folder=self.folder).returncode, 0)
        self.assertEqual(call(sys.executable, TOOLS / "plot.py", ".", "--output", "mine", folder=self.folder).returncode, 2)

    def test_a_picture_beside_its_data_replaces_none_of_others(self):
        (self.folder / "new.json").write_text(
            '{"experiment": "new", "version": "1", "precision": "double", "devices": [], "tables": {"sums": {"title": "Sums",'
            '"keys": ["n"], "times": ["ms"], "columns": [{"key": "n", "heading": "n"}, {"key": "ms", "heading": "time"}],'
            '"rows": [{"n": 10, "ms": 1.5}]}}}')
        line = [sys.executable, TOOLS / "plot_bench.py", "new.json"]
        (self.folder / "new.png").write_text("precious")
        self.assertEqual(call(*line, folder=self.folder).returncode, 2)
        (self.folder / "new.png").unlink()
        os.link(self.folder / "new.json", self.folder / "new.png")
        self.assertIn("is an input", call(*line, "--overwrite", folder=self.folder).stderr)
        (self.folder / "new.png").unlink()
        for _ in range(2):
            self.assertEqual(call(*line, folder=self.folder).returncode, 0)

    def test_labels_of_a_comparison_do_not_overlap(self):
        from plotting import comparisons

        with open(self.folder / "compare.csv", "w", newline="", encoding="utf-8") as stream:
            table = csv.writer(stream)
            table.writerow("step kind system method preconditioner configured status iterations seconds".split())
            for step in (1, 11, 21, 31):
                for k in range(60):
                    table.writerow([step, "pressure", "pressure", f"gmres({k})", "ssor_sai order 2 omega 1.3",
                                    "yes" if k == 0 else "no", "converged", 10 + k, 2e-4 * (1 + 0.01 * k)])
        picture = comparisons.picture_of(str(self.folder))
        picture.draw_without_rendering()
        for ax in picture.axes:
            for labels, side in ((ax.get_xticklabels(), "x"), (ax.get_yticklabels(), "y")):
                boxes = sorted((getattr(box, side + "0"), getattr(box, side + "1"))
                               for box in (text.get_window_extent() for text in labels if text.get_text()))
                for (_, end), (begin, _) in zip(boxes, boxes[1:]):
                    self.assertLess(end, begin + 0.5)


if __name__ == "__main__":
    unittest.main()
