"""The curves of histories and forces as an SVG picture, of CSV files that grow."""

import csv
import io

import matplotlib
import numpy
from matplotlib.figure import Figure

MOST_POINTS = 1000  # of a curve: the least and the largest value of each interval are kept


class GrowingTable:
    """The numbers of a CSV file of which only what is new is read."""

    def __init__(self, path):
        self._path = path
        self._forget()

    def _forget(self):
        self.columns, self._rows, self._position = [], [], 0

    def update(self):
        """Whether there are new rows. A file that is shorter than before, as after a restart, is read anew."""
        try:
            with open(self._path, "rb") as file:
                if file.seek(0, 2) < self._position:
                    self._forget()
                file.seek(self._position)
                new = file.read()
        except FileNotFoundError:
            return False
        whole = new[:new.rfind(b"\n") + 1]
        self._position += len(whole)
        rows = list(csv.reader(io.StringIO(whole.decode("utf-8", "replace"))))
        if rows and not self.columns:
            self.columns, *rows = rows
        self._rows += [[_number(cell) for cell in row] for row in rows if len(row) == len(self.columns)]
        return bool(rows)

    def __getitem__(self, name):
        k = self.columns.index(name)
        return numpy.array([row[k] for row in self._rows])

    def __len__(self):
        return len(self._rows)

    def numeric(self):
        """The columns that a curve can show."""
        return [name for name in self.columns if name not in ("step", "t") and len(self) and
                numpy.isfinite(self[name]).any()]


def _number(cell):
    try:
        return float(cell)
    except ValueError:
        return numpy.nan


def thinned(t, values):
    """At most MOST_POINTS of them, which draw the same curve at the size of a screen."""
    interval = -(-2 * len(t) // MOST_POINTS)
    if interval <= 2:
        return t, values
    kept = set()
    for begin in range(0, len(t), interval):
        part = values[begin:begin + interval]
        if numpy.isfinite(part).any():
            kept |= {begin + int(numpy.nanargmin(part)), begin + int(numpy.nanargmax(part))}
    at = sorted(kept)
    return t[at], values[at]


def drawn(curves, width=4.2, height=2.3):
    """SVG: a diagram for each table, one above the other. curves: [(table, its columns)]; those without columns are left out."""
    shown = [(table, names) for table, names in curves if names and len(table)]
    if not shown:
        return ""
    with matplotlib.rc_context({"svg.fonttype": "none", "font.size": 8}):
        figure = Figure(figsize=(width, height * len(shown)), layout="constrained")
        for axes, (table, names) in zip(numpy.ravel(figure.subplots(len(shown))), shown):
            for name in names:
                axes.plot(*thinned(table["t"], table[name]), label=name, linewidth=1)
            axes.set_xlabel("t")
            axes.legend(frameon=False)
            axes.grid(alpha=0.3)
        text = io.StringIO()
        figure.savefig(text, format="svg", transparent=True)
    return text.getvalue()[text.getvalue().index("<svg"):]
