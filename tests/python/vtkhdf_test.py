"""output.format: vtkhdf has the values of the frames in files of their own, for VTK from 9.3 on and for h5py, also while a run
goes on, after a kill and after a restart.

The program is needed; what VTK and h5py read is skipped where they are missing or too old."""

import importlib.util
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

try:
    import numpy
    import hodge
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

CHANNEL = """case: custom
grid: {cells: CELLS}
fluid: {viscosity: 0.01}
boundaries:
  x_lower: {kind: inflow, velocity: VELOCITY}
  x_upper: outflow
solids: {post: {box: {lower: LOWER, upper: UPPER}}}
time: {end: 1, step: {size: 0.01}}
output: {frames: {every: 0.1}, fields: [velocity, pressure, solid], checkpoint: {every: 0.25}, PRECISION}
device: cpu
"""
BOXES = {
    2: {"CELLS": "[24, 16]", "VELOCITY": "[1, 0]", "LOWER": "[0.25, 0.25]", "UPPER": "[0.5, 0.75]"},
    3: {"CELLS": "[12, 10, 8]", "VELOCITY": "[1, 0, 0]", "LOWER": "[0.25, 0.25, 0.25]", "UPPER": "[0.5, 0.75, 0.75]"},
}


ROOT = pathlib.Path(__file__).resolve().parents[2]
SYSTEM = "/usr/bin/python3"


def has_vtk():
    if importlib.util.find_spec("vtkmodules") is None:
        return False
    from vtkmodules.vtkCommonCore import vtkVersion
    return (vtkVersion.GetVTKMajorVersion(), vtkVersion.GetVTKMinorVersion()) >= (9, 3)


def by_vtk(path):
    """[(time, dimensions, {name: values})]"""
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOHDF import vtkHDFReader
    reader = vtkHDFReader()
    reader.SetFileName(str(path))
    reader.UpdateInformation()
    frames = []
    for step in range(reader.GetNumberOfSteps()):
        reader.SetStep(step)
        reader.Update()
        image = reader.GetOutput()
        cells = image.GetCellData()
        arrays = {cells.GetArrayName(k): vtk_to_numpy(cells.GetArray(k)).copy() for k in range(cells.GetNumberOfArrays())}
        frames.append((reader.GetTimeValue(), image.GetDimensions(), image.GetSpacing(), arrays))
    return frames


class Vtkhdf(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, dims, precision="precision: double"):
        text = CHANNEL.replace("PRECISION", precision)
        for word, value in BOXES[dims].items():
            text = text.replace(word, value)
        (self.folder / "channel.yaml").write_text(text)

    def hodge(self, *words, code=0):
        done = subprocess.run([str(hodge.program()), *words], cwd=self.folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr.strip()

    def run_both(self, *words):
        self.hodge("run", "channel.yaml", "--quiet", "--output", "xml", *words)
        self.hodge("run", "channel.yaml", "--quiet", "--output", "one", "--set", "output.format=vtkhdf", *words)
        return hodge.open(self.folder / "xml"), hodge.open(self.folder / "one")

    def assert_same(self, xml, one):
        self.assertEqual(xml.times.tolist(), one.times.tolist())
        for number in range(len(xml.times)):
            (t, edges, arrays), (t_one, edges_one, arrays_one) = xml.read(number), one.read(number)
            self.assertEqual(t, t_one)
            for at, at_one in zip(edges, edges_one):
                numpy.testing.assert_allclose(at, at_one, rtol=1e-14)
            self.assertEqual(set(arrays), set(arrays_one))
            for name, (components, values) in arrays.items():
                self.assertEqual(components, arrays_one[name][0])
                self.assertTrue((values == arrays_one[name][1]).all(), name)

    def test_it_has_the_values_of_files_of_their_own(self):
        for dims in (2, 3):
            for precision in ("precision: single", "precision: double"):
                with self.subTest(dims=dims, precision=precision):
                    self.write(dims, precision)
                    xml, one = self.run_both("--overwrite")
                    self.assert_same(xml, one)
                    self.assertFalse((self.folder / "one/frames").exists())
                    self.assertIn("11 whole", subprocess.run([str(hodge.program()), "verify", "one"], cwd=self.folder, text=True,
                                                             capture_output=True, check=True).stdout)

    @unittest.skipUnless(has_vtk(), "there is no VTK 9.3 or newer")
    def test_vtk_reads_it(self):
        for dims in (2, 3):
            self.write(dims)
            xml, one = self.run_both("--overwrite")
            frames = by_vtk(self.folder / "one/channel.vtkhdf")
            self.assertEqual([frame[0] for frame in frames], xml.times.tolist())
            for number, (_, dimensions, spacing, arrays) in enumerate(frames):
                _, edges, wanted = xml.read(number)
                self.assertEqual(list(dimensions), [len(at) for at in edges])
                self.assertAlmostEqual(spacing[0], edges[0][1] - edges[0][0])
                self.assertEqual(set(arrays), set(wanted))
                for name, (_, values) in wanted.items():
                    self.assertTrue((arrays[name].ravel() == values).all(), name)

    @unittest.skipUnless(importlib.util.find_spec("h5py"), "there is no h5py")
    def test_h5py_reads_it(self):
        import h5py
        self.write(3)
        _, one = self.run_both()
        with h5py.File(self.folder / "one/channel.vtkhdf") as file:
            pressure = file["VTKHDF/CellData/pressure"]
            self.assertEqual((pressure.shape, pressure.shuffle, pressure.fletcher32), ((11, 8, 10, 12), True, True))
            self.assertTrue((pressure[3].ravel() == one.read(3)[2]["pressure"][1]).all())
            self.assertEqual(file["hodge/step"][1], 10)

    def test_a_kill_leaves_a_whole_file_and_a_restart_goes_on(self):
        self.write(2)
        self.hodge("run", "channel.yaml", "--quiet", "--output", "straight", "--set", "output.format=vtkhdf", "--set", "time.end=20")
        process = subprocess.Popen([str(hodge.program()), "run", "channel.yaml", "--quiet", "--output", "one", "--set",
                                    "output.format=vtkhdf", "--set", "time.end=20"], cwd=self.folder)
        straight = hodge.open(self.folder / "straight")
        for _ in range(2):
            while process.poll() is None and not len(list((self.folder / "one/checkpoints").glob("*.h5"))):
                time.sleep(0.02)
            time.sleep(0.3)
            process.send_signal(signal.SIGKILL)
            process.wait()
            killed = hodge.open(self.folder / "one")
            count = len(killed.times)
            self.assertGreater(count, 2)
            self.assertEqual(killed.times.tolist(), straight.times[:count].tolist())
            self.assertTrue((killed.read(-1)[2]["velocity"][1] == straight.read(count - 1)[2]["velocity"][1]).all())
            if has_vtk():
                self.assertEqual(len(by_vtk(self.folder / "one/channel.vtkhdf")), count)
            process = subprocess.Popen([str(hodge.program()), "run", "channel.yaml", "--quiet", "--output", "one", "--set",
                                        "output.format=vtkhdf", "--set", "time.end=20", "--restart", "latest"], cwd=self.folder)
        self.assertEqual(process.wait(), 0)
        self.assert_same(straight, hodge.open(self.folder / "one"))

    def test_a_run_goes_on_in_its_format(self):
        self.write(2)
        self.run_both("--set", "time.steps=30")
        for output, other in (("xml", "vtkhdf"), ("one", "xml")):
            before = hodge.open(self.folder / output).times.tolist()
            config = (self.folder / output / "config.yaml").read_text()
            said = self.hodge("run", "channel.yaml", "--output", output, "--set", f"output.format={other}", "--restart", "latest", code=2)
            self.assertIn("goes on in its directory with the format that it began with", said)
            self.assertEqual(hodge.open(self.folder / output).times.tolist(), before)
            self.assertEqual((self.folder / output / "config.yaml").read_text(), config)

    def test_pictures_are_those_of_files_of_their_own(self):
        done = subprocess.run([SYSTEM, "-c", "import matplotlib, numpy, vtkmodules"], capture_output=True, check=False)
        if done.returncode != 0:
            self.skipTest("no matplotlib and VTK")
        for dims in (2, 3):
            self.write(dims, "precision: double")
            self.run_both("--overwrite", "--set", "time.steps=30")
            for output in ("xml", "one"):
                subprocess.run([SYSTEM, str(ROOT / "tools/plot.py"), output, "--fields", "velocity,pressure", "--time", "0.2"],
                               cwd=self.folder, check=True, capture_output=True)
            for name in ("fields.png", "streamlines.png")[:4 - dims]:
                xml, one = (pathlib.Path(self.folder, output, "plots", name).read_bytes() for output in ("xml", "one"))
                self.assertEqual(xml, one, name)

    def test_the_reader_of_pictures_reads_what_a_restart_with_another_precision_wrote(self):
        sys.path.insert(0, str(ROOT / "tools"))
        from plotting.one_file import OneFile
        self.write(2, "precision: single")
        self.run_both("--set", "time.steps=30")
        for output, way in (("xml", "xml"), ("one", "vtkhdf")):
            self.hodge("run", "channel.yaml", "--quiet", "--output", output, "--set", f"output.format={way}", "--set", "time.steps=60",
                       "--set", "output.precision=double", "--restart", "latest")
        self.assert_same(hodge.open(self.folder / "xml"), hodge.open(self.folder / "one"))
        path = self.folder / "one/channel.vtkhdf"
        frames = OneFile(path).frames()
        for number, (at, frame) in enumerate(frames):
            _, edges, fields = frame.read()
            t, wanted_edges, wanted = hodge.open(self.folder / "one").read(number)
            self.assertEqual((at, sorted(fields)), (t, sorted(wanted)))
            self.assertEqual([axis.tolist() for axis in edges], [axis.tolist() for axis in wanted_edges])
            for name, (_, values) in wanted.items():
                self.assertTrue((fields[name].ravel() == values).all(), name)
        content = bytearray(path.read_bytes())
        content[200] ^= 1
        path.write_bytes(content)
        with self.assertRaisesRegex(ValueError, "channel.vtkhdf is damaged: .* of frame 0 has changed"):
            frames[0][1].read()
        path.write_bytes(content[:-100])
        with self.assertRaisesRegex(ValueError, "channel.vtkhdf is damaged: .* cut off"):
            OneFile(path)

    def test_a_region_and_several_processes(self):
        self.write(3)
        region = "output.regions={wake: {lower: [0.5, 0, 0.5], upper: [1, 1, 0.5], every: 0.5}}"
        mpiexec = os.environ.get("HODGE_MPIEXEC")
        xml, one = self.run_both("--set", region)
        wake = by_vtk(self.folder / "one/wake.vtkhdf") if has_vtk() else []
        self.assertTrue((self.folder / "one/wake.vtkhdf").exists())
        self.assertTrue(all(frame[1][2] == 2 for frame in wake))  # one cell thick
        if mpiexec:
            subprocess.run([mpiexec, "-n", "2", "--oversubscribe", str(hodge.program()), "run", "channel.yaml", "--quiet", "--output",
                            "two", "--set", "output.format=vtkhdf"], cwd=self.folder, check=True,
                           env={**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
            self.assert_same(xml, hodge.open(self.folder / "two"))


if __name__ == "__main__":
    unittest.main()
