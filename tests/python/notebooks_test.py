"""The notebooks of docs/notebooks: each runs in a folder of its own, as its cells follow one another, and what it asserts holds.

They are Python files with cells (`# %%`), which editors run as they are; `jupytext --to ipynb FILE.py` makes a notebook."""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

if importlib.util.find_spec("hodge") is None or importlib.util.find_spec("numpy") is None:
    print("skipped: the package hodge, or NumPy, is not there")
    sys.exit(77)

FILES = sorted((pathlib.Path(__file__).resolve().parents[2] / "docs/notebooks").glob("*.py"))
SECONDS = 20  # of computing


def missing_modules(text):
    names = re.findall(r"^import (\w+)", text, re.M)
    return [name for name in names if importlib.util.find_spec(name) is None]


class Notebooks(unittest.TestCase):
    def test_all_are_there(self):
        self.assertEqual([file.stem for file in FILES], ["cavity", "control", "cylinder", "heated_box", "sweep", "which_solver"])

    def test_cells(self):
        """Text and code: a title first, and no text that is not a comment."""
        for file in FILES:
            before, *cells = re.split(r"^# %%", file.read_text(), flags=re.M)
            self.assertEqual(before, "", file)
            self.assertTrue(cells[0].startswith(" [markdown]\n# # "), file)
            for cell in cells:
                head, _, content = cell.partition("\n")
                self.assertIn(head, ("", " [markdown]"), file)
                self.assertTrue(content.strip(), file)
                if head:
                    self.assertTrue(all(line.startswith("# ") or not line for line in content.split("\n")), content)

    def run_one(self, name):
        file = next(file for file in FILES if file.stem == name)
        if missing := missing_modules(file.read_text()):
            self.skipTest(f"there is no {', '.join(missing)}")
        with tempfile.TemporaryDirectory() as folder:
            before = os.times()
            done = subprocess.run([sys.executable, str(file)], cwd=folder, text=True, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, env=os.environ | {"MPLBACKEND": "Agg", "OMP_NUM_THREADS": "1"})
            after = os.times()
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertLess(after.children_user - before.children_user, SECONDS)
        self.assertIn("assert", file.read_text())

    def test_cavity(self):
        self.run_one("cavity")

    def test_control(self):
        self.run_one("control")

    def test_cylinder(self):
        self.run_one("cylinder")

    def test_heated_box(self):
        self.run_one("heated_box")

    def test_sweep(self):
        self.run_one("sweep")

    def test_which_solver(self):
        self.run_one("which_solver")


if __name__ == "__main__":
    unittest.main()
