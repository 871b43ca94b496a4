"""The files of a run, finished or not, as arrays."""

from __future__ import annotations

import csv
import fcntl
import json
import os
import pathlib
import xml.etree.ElementTree
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy

from . import _hodge, errors

if TYPE_CHECKING:
    import pandas
    import xarray


class Table(dict[str, numpy.ndarray]):
    """Columns by name, {name: array}; a number that is not there is NaN, a column with words holds texts."""

    @classmethod
    def read(cls, path: str | os.PathLike) -> Table:
        try:
            with open_file(path) as file:
                names, *rows = list(csv.reader(file)) or [[]]
        except OSError as error:
            raise errors.IoError(f"{path} cannot be read: {error.strerror}") from None
        rows = [row for row in rows if len(row) == len(names)]  # the last one may be under way
        return cls({name: _column([row[k] for row in rows]) for k, name in enumerate(names)})

    def pandas(self) -> pandas.DataFrame:
        """A pandas.DataFrame."""
        import pandas
        return pandas.DataFrame(self)

    def xarray(self) -> xarray.Dataset:
        """An xarray.Dataset along `t`, or along rows where there is no column of that name."""
        import xarray
        index = "t" if "t" in self else "row"
        columns = {name: (index, values) for name, values in self.items() if name != index}
        return xarray.Dataset(columns, coords={"t": self["t"]} if index == "t" else None)


def open_file(path):
    return pathlib.Path(path).open(newline="", encoding="utf-8")


def _column(cells):
    try:
        return numpy.array([float(cell) if cell else numpy.nan for cell in cells])
    except ValueError:
        return numpy.array(cells, dtype=object)


class Folder:
    """The directory of a run, as it is at the moment of each question: a run may be writing there."""

    def __init__(self, path: str | os.PathLike):
        self.path = pathlib.Path(path)
        if not (self.path / "config.yaml").exists():
            raise errors.IoError(f"{path} is no directory of a run: there is no config.yaml")

    def __repr__(self):
        return f"hodge.open({str(self.path)!r})"

    @property
    def history(self) -> Table:
        """history.csv: a row for each step."""
        return Table.read(self.path / "history.csv")

    @property
    def forces(self) -> Table:
        """forces.csv: forces and coefficients after each step; empty without bodies."""
        return self._table("forces.csv")

    @property
    def comparison(self) -> Table:
        """compare.csv: a row for each solve of a comparison; empty without one."""
        return self._table("compare.csv")

    @property
    def probes(self) -> dict[str, Table]:
        """{name: table} of the files of probes: probes.csv, probes.2.csv ..., lines/NAME.csv."""
        files = sorted([*self.path.glob("probes*.csv"), *self.path.glob("lines/*.csv")])
        return {str(file.relative_to(self.path).with_suffix("")): Table.read(file) for file in files}

    @property
    def summary(self) -> dict[str, Any] | None:
        """summary.json as a dict; None while the run goes on."""
        file = self.path / "summary.json"
        return json.loads(file.read_text(encoding="utf-8")) if file.exists() else None

    @property
    def is_running(self) -> bool:
        """Whether a process writes there now. False, too, on a disk without locks."""
        try:
            with (self.path / ".lock").open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)  # for a moment; a run that starts tries again
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False

    @property
    def times(self) -> numpy.ndarray:
        """The times of the frames."""
        return numpy.array([frame[0] for frame in self._frames()])

    def frame(self, number: int = -1, fields: Iterable[str] | None = None) -> xarray.Dataset:
        """A frame by its number, from 0, or -1 for the last: an xarray.Dataset with coordinates x, y, z at cell centres and
        t, or without xarray a dict {name: array} with `x`, `y`, `z`, `t` beside the fields. A field is indexed [x, y] or
        [x, y, z], a vector [component, x, y, z] with the components x, y, z, a tensor [pair, x, y, z] with xx, yy, zz, xy,
        yz, xz; in 2D without those of z. fields: names of those that are read; default: all."""
        known = self.fields(number)
        for name in fields or ():
            if name not in known:
                raise errors.ConfigError(f"frame {number} has no field '{name}', known fields: {', '.join(known)}")
        return _dataset(*self.read(number, fields))

    def fields(self, number: int = -1) -> dict[str, int]:
        """{name: components} of the fields of a frame."""
        return _hodge.fields_of_frame(*self._place(number))

    def read(self, number: int = -1, fields: Iterable[str] | None = None
             ) -> tuple[float | None, list[numpy.ndarray], dict[str, tuple[int, numpy.ndarray]]]:
        """(t, [edges of the cells along x, y, z], {name: (components, values)}) of a frame, x fastest, the components of a
        cell next to each other; a 2D box has one edge along z."""
        path, at = self._place(number)
        return _hodge.read_frame(path, fields if fields is None else set(fields), at)

    def _place(self, number):
        """The file of a frame, and its number in it."""
        frames = self._frames()
        try:
            return frames[number][1:]
        except IndexError:
            raise errors.ConfigError(f"frame {number}: {self.path} has {len(frames)} frames") from None

    def frames(self) -> Iterator[xarray.Dataset]:
        """All of them, one after the other: xarray.concat(folder.frames(), "t") is one Dataset of all times."""
        return (self.frame(number) for number in range(len(self._frames())))

    def _table(self, name):
        return Table.read(self.path / name) if (self.path / name).exists() else Table()

    def _collection(self):
        """The .pvd or .vtkhdf of the run; None before its first frame."""
        collections = [*self.path.glob("*.pvd"), *self.path.glob("*.vtkhdf")]
        config = (self.path / "config.yaml").read_text(encoding="utf-8")
        return next((file for file in collections if f'name: "{file.stem}"' in config), next(iter(collections), None))

    def state_of_frames(self):
        """Something that differs when there are other frames: cheap to ask for."""
        collection = self._collection()
        if collection is None:
            return None
        state = collection.stat()
        return state.st_mtime_ns, state.st_size, state.st_ino

    def _frames(self):
        collection = self._collection()
        if collection is None:
            return []
        if collection.suffix == ".vtkhdf":
            return [(time, str(collection), number) for number, time in enumerate(_hodge.times_in_file(str(collection)))]
        sets = xml.etree.ElementTree.parse(collection).getroot().iter("DataSet")
        return [(float(one.get("timestep")), str(self.path / one.get("file")), 0) for one in sets]


# What the components of vectors and of symmetric tensors are called, by their number.
_COMPONENTS = {3: ("component", ("x", "y", "z")), 6: ("pair", ("xx", "yy", "zz", "xy", "yz", "xz"))}


def _dataset(time, edges, arrays):
    axes = {name: 0.5 * (at[1:] + at[:-1]) for name, at in zip("xyz", edges) if len(at) > 1}
    coordinates = {**axes, "t": time}
    fields, kinds = {}, {}
    for name, (count, values) in arrays.items():
        values = values.reshape([count, *map(len, axes.values())], order="F")
        kind, labels = _COMPONENTS.get(count, (f"component_of_{count}", range(count)))
        kept = [k for k, label in enumerate(labels) if "z" in axes or "z" not in str(label)]  # in 2D without those of z
        fields[name], kinds[name] = (values[0], ()) if count == 1 else (values[kept], (kind,))
        if count > 1:
            coordinates[kind] = [labels[k] for k in kept]
    try:
        import xarray
    except ImportError:
        return {**axes, "t": time, **fields}
    return xarray.Dataset({name: ([*kinds[name], *axes], values) for name, values in fields.items()}, coords=coordinates)


def open(path: str | os.PathLike) -> Folder:
    """The directory of a run, finished or not: `history`, `forces`, `probes`, `comparison`, `summary`, `times`,
    `frame(number)`. Raises IoError where there is none."""
    return Folder(path)
