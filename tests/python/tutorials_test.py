"""Tutorials and the gallery do what they say: files and commands are taken from the documents themselves.

In configs/tutorials/*.md a ```yaml block whose first line is `# NAME.yaml` is a file, ```sh blocks are typed in their order in a
folder that has the checkout's tools/, and every line of a ```text block is printed by the sh block before it; `...` stands
for any text.
"""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("HODGE_PROGRAM", ROOT / "build/bin/hodge"))
sys.path.insert(0, str(ROOT / "tools"))

from plotting import markdown  # noqa: E402

TUTORIALS = sorted((ROOT / "configs/tutorials").glob("*.md"))
GALLERY = ROOT / "GALLERY.md"
HAS_PLOTS = all(importlib.util.find_spec(name) for name in ("matplotlib", "numpy", "vtkmodules"))
LARGEST_GALLERY = 1_000_000  # bytes


def typed(commands, folder):
    path = f"{PROGRAM.parent}:{os.environ['PATH']}"
    return subprocess.run(["bash", "-e", "-o", "pipefail", "-c", commands], cwd=folder, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env={**os.environ, "PATH": path, "OMP_NUM_THREADS": "2"})


def pattern(line):
    return ".*".join(re.escape(part) for part in line.split("..."))


@unittest.skipUnless(HAS_PLOTS, "python3-matplotlib, python3-vtk9 are not installed")
class Tutorials(unittest.TestCase):
    def follow(self, document, needs=""):
        known = typed("hodge --help; hodge schema", ROOT).stdout
        if needs not in known:
            self.skipTest(f"this program has no {needs}")
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "tools").symlink_to(ROOT / "tools")
            printed = ""
            for language, content in markdown.blocks(document.read_text()):
                if language == "yaml" and markdown.file_name(content):
                    (folder / markdown.file_name(content)).write_text(content)
                elif language == "sh":
                    result = typed(content, folder)
                    printed = result.stdout
                    self.assertEqual(result.returncode, 0, f"{content}\n{printed}")
                elif language == "text":
                    for line in content.splitlines():
                        self.assertRegex(printed, re.compile(f"^{pattern(line)}$", re.M))

    def test_there_are_three(self):
        self.assertEqual([file.stem for file in TUTORIALS], ["channel", "heated_box", "sweep"])

    def test_channel(self):
        self.follow(ROOT / "configs/tutorials/channel.md")

    def test_heated_box(self):
        self.follow(ROOT / "configs/tutorials/heated_box.md")

    def test_sweep(self):
        self.follow(ROOT / "configs/tutorials/sweep.md", needs="sweep")


class Gallery(unittest.TestCase):
    def setUp(self):
        sys.path.insert(0, str(ROOT / "tools"))
        import gallery

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
