"""Follows a document as a reader would: files and commands are taken from its own text.

In a folder that has the checkout's tools/, configs/, tests/ and cases/, in the order of the document:

    ```yaml     whose first line is `# NAME.yaml` is a file
    ```sh       is typed
    ```python   is run; where a module that it imports is missing, this block and `sh` blocks behind it
                are skipped, and the test says so
    ```text     every line is printed by the block before it; `...` stands for any text
"""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("HODGE_PROGRAM", ROOT / "build/bin/hodge"))
sys.path.insert(0, str(ROOT / "tools"))

from plotting import markdown  # noqa: E402


def missing(*modules):
    return [name for name in modules if importlib.util.find_spec(name) is None]


def run(command, folder):
    path = f"{PROGRAM.parent}:{os.environ['PATH']}"
    return subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, env={**os.environ, "PATH": path, "OMP_NUM_THREADS": "2"})


def typed(commands, folder):
    return run(["bash", "-e", "-o", "pipefail", "-c", commands], folder)


def modules_of(script):
    lists = re.findall(r"^(?:import (.*)|from (\S+) import)", script, re.M)
    names = [name.strip().split(".")[0] for pair in lists for name in (pair[0] or pair[1]).split(",")]
    return ["vtkmodules" if name == "plotting" else name for name in names]


def pattern(line):
    return ".*".join(re.escape(part) for part in line.split("..."))


def prepare(folder):
    for name in ("tools", "configs", "tests", "cases"):
        (folder / name).symlink_to(ROOT / name)


def follow(test, text, folder):
    """The document or a part of it; a failure is one of `test`. Returns the modules that were missing."""
    printed, absent = "", []
    for language, content in markdown.blocks(text):
        if language == "yaml" and markdown.file_name(content):
            (folder / markdown.file_name(content)).write_text(content)
        elif language in ("sh", "python"):
            needed = modules_of(content) if language == "python" else ["vtkmodules"] if "plot.py" in content else []
            lacking = missing(*needed) + (absent if language == "sh" else [])  # it may need what was left out
            absent += [name for name in lacking if name not in absent]
            printed = None
            if not lacking:
                command = content if language == "sh" else [sys.executable, "-c", content]
                result = typed(command, folder) if language == "sh" else run(command, folder)
                printed = result.stdout
                test.assertEqual(result.returncode, 0, f"{content}\n{printed}")
        elif language == "text" and printed is not None:
            for line in content.splitlines():
                test.assertRegex(printed, re.compile(f"^{pattern(line)}$", re.M))
    return absent
