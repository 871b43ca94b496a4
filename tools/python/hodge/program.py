"""The program `hodge` that comes with the package, and what is asked of it."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import errors

if TYPE_CHECKING:
    from .folder import Folder, Table

_HERE = pathlib.Path(__file__).resolve().parent
_KINDS = {2: errors.ConfigError, 3: errors.NumericalError}


def program() -> pathlib.Path:
    """The path of the program: in the wheel, or in the build folder that this package lies in."""
    for path in (_HERE / "bin/hodge", _HERE.parents[1] / "bin/hodge"):
        if path.exists():
            return path
    raise errors.Error(f"there is no program bin/hodge in {_HERE}: install the package anew")


def main() -> None:
    """The command `hodge` of an environment that the package is installed in."""
    path = str(program())
    os.environ.setdefault("HODGE_PYTHON", sys.executable)  # for `hodge view`
    os.execv(path, [path, *sys.argv[1:]])


def _type(value):
    if hasattr(value, "tolist"):  # of NumPy
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"{type(value).__name__} has no place in a configuration")


def text_of(value):
    """JSON, which is YAML, of a value of a configuration."""
    try:
        return json.dumps(value, default=_type, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise errors.ConfigError(f"the configuration: {error}, expected numbers, texts, lists and dicts") from None


def assignments(values):
    """`--set` of a dict {"time.end": 5}."""
    return [f"{key}={text_of(value)}" for key, value in dict(values or {}).items()]


def ask(*words):
    """What the program prints. Raises the exception of its exit code with its message."""
    done = subprocess.run([str(program()), *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        lines = done.stderr.strip() or f"hodge {words[0]} ended with {done.returncode}"
        raise _KINDS.get(done.returncode, errors.Error)(lines)
    return done.stdout


def _options(set, device, output, overwrite):
    words = [word for one in assignments(set) for word in ("--set", one)]
    if device:
        words += ["--device", device]
    if output:
        words += ["--output", os.fspath(output)]
    return words + (["--overwrite"] if overwrite else [])


def sweep(file: str | os.PathLike, over: Mapping[str, Sequence], *, jobs: int = 1, set: Mapping[str, Any] | None = None,
          device: str = "", output: str | os.PathLike | None = None, overwrite: bool = False) -> Table:
    """Runs a file for every combination of the values in `over`, {"parameters.reynolds": [50, 100]}, each in a process of
    its own, and returns the table `sweep.csv` as columns. As `hodge sweep`: what is finished is not run again."""
    from .folder import Table
    words = ["sweep", os.fspath(file), "--jobs", jobs, "--quiet"]
    for key, values in over.items():
        words += ["--over", f"{key}={','.join(text_of(value) for value in values)}"]
    output = pathlib.Path(output or f"output/{pathlib.Path(file).stem}_sweep")
    ask(*words, *_options(set, device, output, overwrite))
    return Table.read(output / "sweep.csv")


def compare(file: str | os.PathLike, *, steps: int | None = None, set: Mapping[str, Any] | None = None, device: str = "",
            output: str | os.PathLike | None = None, overwrite: bool = False) -> Folder:
    """Solves the systems of a run by many solvers, as `hodge compare`, and returns the folder: its `comparison` is a row for
    each solve, its `summary` says how the run ended."""
    from .folder import open
    output = pathlib.Path(output or f"output/{pathlib.Path(file).stem}_compare")
    limit = ["--steps", steps] if steps else []
    ask("compare", os.fspath(file), *limit, *_options(set, device, output, overwrite))
    return open(output)


def cases() -> dict[str, str]:
    """{name: description} of the cases that a configuration may name."""
    lines = ask("cases").splitlines()
    return {name.split()[0]: text.strip() for name, text in zip(lines, lines[1:]) if name[:1].strip()}


def schema(case: str | None = None) -> dict[str, Any]:
    """The JSON schema of configurations, or of those of one case, as a dict."""
    return json.loads(ask("schema", *(["--case", case] if case else [])))
