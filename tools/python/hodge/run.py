"""A simulation that Python drives."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import signal
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy

from . import _hodge, errors, shared
from .folder import Folder, Table
from .linear import on_host
from .program import assignments, text_of

Array = numpy.ndarray | _hodge.GpuField


class Velocity2(NamedTuple):
    x: Array
    y: Array


class Velocity3(NamedTuple):
    x: Array
    y: Array
    z: Array


_open: weakref.WeakSet[Run] = weakref.WeakSet()


@atexit.register
def _close_all():
    for run in list(_open):
        with contextlib.suppress(Exception):
            run.close()


class Run:
    """A simulation, stepped from Python.

    config: a YAML file, or a dict of the same keys. set: {"time.end": 5}, values in place of the file's. device: auto, cpu,
    cuda or cuda:N, in place of the file's. output: the run directory, in place of the file's; False: no files at all.
    overwrite: an earlier run there is removed first. restart: a checkpoint, or "latest" of the run directory. quiet: nothing
    is printed; log.txt has the lines.

    With files, they are those of `hodge run`, from the moment the Run is made to run(), close(), Ctrl-C or the end of the
    `with` block. Several runs may be open at once; their steps take turns, also those of several threads. Under mpirun all
    processes run the same script and share each run: calls and properties are made by all of them.

    Fields are indexed [x, y] or [x, y, z], without ghost cells, in the units of the case. Raises ConfigError for wrong input,
    before any file is touched; MemoryError, DeviceError, IoError; NumericalError for an initial state that is none."""

    def __init__(self, config: str | os.PathLike | Mapping[str, Any], *, set: Mapping[str, Any] | None = None, device: str = "",
                 output: str | os.PathLike | bool | None = None, overwrite: bool = False, restart: str | os.PathLike = "",
                 quiet: bool = True):
        is_file = isinstance(config, (str, os.PathLike))
        file, text = (os.fspath(config), None) if is_file else ("run", text_of(config))
        directory = "" if output in (None, True, False) else os.fspath(output)
        if output is False and restart:
            raise errors.ConfigError("restart: a run without files has no checkpoint to go on from, expected output")
        self._is_shared = shared.count() > 1
        made = shared.SharedRun if self._is_shared else _hodge.Run
        self._run = made(file, text, assignments(set), device, output is not False, directory, overwrite,
                         os.fspath(restart), quiet)
        self._dimensions = len(self._run.edges())
        self._callbacks = []
        self._summary = None
        self._stopped = ""
        if not self._is_shared:
            _open.add(self)

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        with contextlib.suppress(Exception):
            if not self._is_shared:  # closing is collective, and no two processes forget a run at the same time
                self.close()

    def __repr__(self):
        if self.closed:
            return "<hodge.Run, closed>"
        return f"<hodge.Run {self._run.name}: step {self.iteration}, t = {self.time:.6g}>"

    # ---- steps

    def step(self, count: int = 1) -> int:
        """At most `count` steps, of the size that the configuration asks for. Returns how many were taken: fewer where the
        run ends. Raises NumericalError with the step and the time where one fails. Ctrl-C ends the run in order, with a
        last frame and a checkpoint where it has files, and raises KeyboardInterrupt."""
        return self._advance(count, float("inf"))

    def until(self, t: float) -> int:
        """Steps until `time` is t exactly, or the run ends. Returns how many were taken."""
        return self._advance(2**62, float(t))

    def __iter__(self) -> Iterator[int]:
        """After each step to the end its number."""
        while self.step():
            yield self.iteration

    def run(self) -> dict[str, Any]:
        """Steps to the end of the run and finishes its files. Returns `summary`, without files `report`."""
        while self.step(2**30):
            pass
        if self._run.has_files:
            return self._finish(0)
        return self.report

    def every(self, count: int, call: Callable[[Run], object]) -> None:
        """From now on call(run) after every `count` steps, within step(), until() and run()."""
        if count < 1:
            raise errors.ConfigError(f"every({count}): expected a number of steps > 0")
        self._callbacks.append((self.iteration, int(count), call))

    def _advance(self, count, limit):
        self._require_open()
        try:
            return self._take(count, limit)
        except KeyboardInterrupt:  # in a step, or in a callback
            if self._run.has_files:
                self._finish(signal.SIGINT)
            raise

    def _take(self, count, limit):
        taken = 0
        while taken < count:
            now = self.iteration
            due = min((n - (now - begin) % n for begin, n, _ in self._callbacks), default=count)
            wanted = min(count - taken, due)
            try:
                done = self._run.step(wanted, limit)
            except errors.Error as error:
                self._stopped = str(error)
                raise
            taken += done
            if done == due:
                for begin, n, call in self._callbacks:
                    if (self.iteration - begin) % n == 0:
                        call(self)
            if done < wanted:
                break
        return taken

    def _require_open(self):
        if self.closed:
            raise errors.ConfigError("the run is closed: make another hodge.Run")
        if self._stopped:
            raise errors.ConfigError(f"the run has stopped: {self._stopped}")

    # ---- the end

    def _finish(self, number):
        if self._summary is None:
            self._summary = json.loads(self._run.finish(int(number)))
            self._stopped = self._summary["message"] + '; Run(..., restart="latest") goes on'
        return self._summary

    def close(self) -> None:
        """Ends the run where it is, with a last frame and a checkpoint where it has files, and frees its memory once no
        array of it is alive. It cannot be used any more."""
        if self.closed:
            return
        _open.discard(self)
        try:
            if self._run.has_files and not self._stopped:
                self._finish(0)
        finally:
            self._run.close()

    @property
    def closed(self) -> bool:
        return not hasattr(self, "_run") or self._run.is_closed

    @property
    def ended(self) -> str | None:
        """Why there is no next step: "end_time", "steps", "steady"; None where there is one."""
        return self._run.ended

    # ---- what it is and what it did

    @property
    def time(self) -> float:
        """t, T."""
        return self._run.time

    @property
    def iteration(self) -> int:
        """The number of steps since t = 0."""
        return self._run.steps

    @property
    def device(self) -> str:
        """The name of the device."""
        return self._run.device

    @property
    def directory(self) -> str | None:
        """The run directory; None without files."""
        return self._run.directory if self._run.has_files else None

    @property
    def config(self) -> str:
        """The resolved configuration: YAML with every default."""
        return self._run.config

    @property
    def edges(self) -> tuple[numpy.ndarray, ...]:
        """The edges of the cells along each axis, (n + 1,) each, L."""
        return tuple(self._run.edges())

    @property
    def centres(self) -> tuple[numpy.ndarray, ...]:
        """The middles of the cells along each axis, (n,) each, L."""
        return tuple(0.5 * (at[1:] + at[:-1]) for at in self._run.edges())

    @property
    def report(self) -> dict[str, Any]:
        """The last step: {"step", "t", "dt", "solves": [{"system", "iterations", "residual", "seconds", ...}]}."""
        return {"step": self.iteration, "t": self.time, "dt": self._run.dt, "solves": self._run.solves()}

    @property
    def summary(self) -> dict[str, Any] | None:
        """summary.json as a dict, once the files are finished; before, and without files, None."""
        return self._summary

    @property
    def history(self) -> Table:
        """The columns of history.csv so far, a row for each step: {name: array}, with pandas() and xarray()."""
        if self._run.has_files:
            directory = self._run.directory
            return shared.together(lambda: Folder(directory).history)
        return Table(self._run.history())

    @property
    def forces(self) -> dict[str, float]:
        """The present row of forces.csv: forces on each body, M L / T^2, and coefficients; {} without bodies."""
        return self._run.forces()

    # ---- fields

    @property
    def velocity(self) -> Velocity2 | Velocity3:
        """The components on the faces of the cells, L/T: velocity.x of shape (nx + 1, ny[, nz]), velocity.y (nx, ny + 1[,
        nz]), ... Where they lie in the memory of the device, without a copy: NumPy arrays that cannot be written to, on a
        GPU objects with `__dlpack__`. They show the present fields also after later steps; each step then costs a copy of
        the fields more, as long as such an array is alive. Not under mpirun, where they lie in several processes."""
        if self._is_shared:
            raise errors.ConfigError("the velocity lies in the memory of several processes, expected velocity_at_cells")
        fields = self._run.fields()
        parts = [fields[f"velocity_{axis}"] for axis in "xyz"[:self._dimensions]]
        return (Velocity2 if self._dimensions == 2 else Velocity3)(*parts)

    @property
    def pressure(self) -> Array:
        """At cell centres, (nx, ny[, nz]), M / (L T^2), as `velocity` without a copy; under mpirun a copy."""
        return self["pressure"]

    @property
    def velocity_at_cells(self) -> numpy.ndarray:
        """At cell centres, a copy of shape (components, nx, ny[, nz]), L/T."""
        return self._run.at_cells("velocity")[:self._dimensions]

    def __getitem__(self, name: str) -> Array:
        """A scalar by its name, as `pressure` without a copy; or any field that `output.fields` may name ("vorticity",
        "speed"), a copy at cell centres, with components first. Under mpirun all are copies."""
        fields = {} if self._is_shared else self._run.fields()
        if name in fields:
            return fields[name]
        return self._run.at_cells(name)

    def at(self, points: Any, fields: str | Sequence[str]) -> numpy.ndarray:
        """The values of fields, or of one field by its name, at points, (points, columns): linear between cells."""
        points = numpy.atleast_2d(on_host(points, "points"))
        if points.ndim != 2 or points.shape[1] != self._dimensions or points.dtype.kind not in "fiu":
            raise errors.ShapeError(f"points have shape {points.shape} and type {points.dtype}, "
                                    f"expected (points, {self._dimensions}) and float64")
        fields = [fields] if isinstance(fields, str) else list(fields)
        return numpy.array(self._run.at_points(points.astype(float).tolist(), fields))

    # ---- control

    def set(self, path: str, value: Any) -> None:
        """Another formula from the next step on: set("boundaries.x_lower.velocity", ["4*y*(1-y)", 0]), set("force", [...]),
        set("scalars.heat.source", ...), set("scalars.heat.boundaries.y_lower.value", 2), or a parameter in these:
        set("parameters.jet", 0.3). Of the case custom, whose file has its formulas; anything else that would change is
        refused with ConfigError, and nothing is changed then. With files, config.yaml has the new formulas, and a restart
        goes on with them."""
        self._require_open()
        self._run.set([f"{path}={text_of(value)}"])
