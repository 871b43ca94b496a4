"""README.md, tutorials and the gallery do what they say: files and commands are taken from the documents themselves."""

import pathlib
import re
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import documents  # noqa: E402
from documents import ROOT, typed  # noqa: E402

TUTORIALS = sorted((ROOT / "configs/tutorials").glob("*.md"))
LARGEST_GALLERY = 1_000_000  # bytes


@unittest.skipIf(documents.missing("matplotlib", "numpy", "vtkmodules"), "python3-matplotlib, python3-vtk9 are not installed")
class Tutorials(unittest.TestCase):
    def follow(self, name):
        with tempfile.TemporaryDirectory() as folder:
            documents.prepare(pathlib.Path(folder))
            documents.follow(self, (ROOT / "configs/tutorials" / name).read_text(), pathlib.Path(folder))

    def test_there_are_six(self):
        self.assertEqual([file.stem for file in TUTORIALS],
                         ["channel", "cylinder", "heated_box", "heated_cylinder", "sweep", "turbulent_channel"])

    def test_channel(self):
        self.follow("channel.md")

    def test_cylinder(self):
        self.follow("cylinder.md")

    def test_heated_box(self):
        self.follow("heated_box.md")

    def test_heated_cylinder(self):
        self.follow("heated_cylinder.md")

    def test_sweep(self):
        self.follow("sweep.md")

    def test_turbulent_channel(self):
        self.follow("turbulent_channel.md")


class Readme(unittest.TestCase):
    text = (ROOT / "README.md").read_text()

    def test_it_has_at_most_a_thousand_words(self):
        self.assertLessEqual(len(self.text.split()), 1000)

    def test_its_commands_of_the_program_work_in_their_order(self):
        commands = re.findall(r"^    (hodge [^#\n]+?)(?:  +#.*)?$", self.text, re.M)
        self.assertGreaterEqual(len(commands), 6)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            documents.prepare(folder)
            for command in commands:
                short = " --steps 2" if command.startswith("hodge compare") else ""
                result = typed(command + short, folder)
                self.assertEqual(result.returncode, 0, f"{command}\n{result.stdout}")


class Gallery(unittest.TestCase):
    def setUp(self):
        import gallery  # documents puts tools/ on the path

        self.entries = gallery.entries()

    def test_every_picture_is_there_and_small_and_every_file_is_a_picture_of_it(self):
        files = {file.stem: file for file in (ROOT / "configs/gallery").iterdir()}
        self.assertEqual(sorted(files), sorted(self.entries))
        for file in files.values():
            self.assertEqual(file.read_bytes()[1:4], b"PNG", file)
        self.assertLess(sum(file.stat().st_size for file in files.values()), LARGEST_GALLERY)

    def test_the_runs_are_accepted_and_the_picture_is_copied_to_its_place(self):
        for name, commands in self.entries.items():
            run, plot, copy = commands.replace("\\\n", " ").splitlines()
            checked = typed(run + " --dry-run", ROOT)
            self.assertEqual(checked.returncode, 0, checked.stdout)
            self.assertTrue(plot.startswith(f"tools/plot.py output/gallery/{name} "), plot)
            self.assertTrue(copy.endswith(f" configs/gallery/{name}.png"), copy)


if __name__ == "__main__":
    unittest.main()
