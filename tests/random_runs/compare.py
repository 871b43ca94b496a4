"""Compares the files of two runs."""
import collections
import csv
import math
import pathlib
import re
import subprocess
import sys

SAME_RUNS = pathlib.Path(__file__).resolve().parents[2] / ".ci" / "same_runs.py"
ROUNDING = 1e-6  # of the largest value of a kind, after a few steps whose systems are solved to 1e-11
# What counts as the largest value at least, where speeds are about 1: a pressure may be far below their energy.
LEAST = collections.defaultdict(lambda: 1e-4, pressure=1.0)
LEFT_BY_SOLVERS = 1.0  # what counts as the largest value of a column at least, with solvers at their default tolerances
WORK = re.compile(r"seconds$|iterations$|^bytes$|^share_of_copy$")


def same_end(one, other):
    if one.code == other.code:
        return ""
    return f"exit code {other.code} ({other.first_error()}), expected {one.code} ({one.first_error()})"


def same_files(one, other, with_frames=True):
    """Bit for bit, but the columns of cost; nothing to compare where there was no run."""
    if not one.folder.exists():
        return ""
    if not with_frames:  # in pieces, whose files depend on the number of processes
        for path in [*one.folder.glob("frames/*"), *one.folder.glob("*.pvd")]:
            path.unlink()
    found = subprocess.run([sys.executable, SAME_RUNS, one.folder, other.folder], capture_output=True, text=True)
    return found.stdout.strip() if found.returncode else ""


def table(path):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    return rows[0], rows[1:]


def tables(folder):
    return {path.relative_to(folder): path for path in sorted(folder.rglob("*.csv"))}


def matching_tables(one, other):
    """(name, (columns, rows), (columns, rows) of the other) of each table of one."""
    theirs = tables(other.folder)
    for name, path in tables(one.folder).items():
        if name not in theirs:
            raise AssertionError(f"{name} is not there")
        yield name, table(path), table(theirs[name])


def pairs_of_tables(one, other):
    """(name, columns, columns of the other, rows, rows of the other) of each table without a difference in its shape."""
    for name, (columns, rows), (their_columns, their_rows) in matching_tables(one, other):
        if len(rows) != len(their_rows):
            raise AssertionError(f"{name} has {len(their_rows)} rows, expected {len(rows)}")
        yield name, columns, their_columns, rows, their_rows


def number(text):
    """None: a name, or nothing."""
    try:
        return float(text)
    except ValueError:
        return None


def checked(comparison):
    def compare(one, other, *arguments):
        if one.code != 0 or not one.folder.exists():
            return ""
        try:
            comparison(one, other, *arguments)
        except AssertionError as error:
            return str(error)
        return ""
    return compare


@checked
def same_rest(whole, rest):
    """The rows of a run from a checkpoint on are the last ones of the whole run."""
    for name, (columns, rows), (_, last_rows) in matching_tables(whole, rest):
        kept = [i for i, column in enumerate(columns) if not WORK.search(column) or column.endswith("_iterations")]
        if not last_rows or len(last_rows) > len(rows):
            raise AssertionError(f"{name} has {len(last_rows)} rows of {len(rows)}")
        for row, last in zip(rows[-len(last_rows):], last_rows):
            for i in kept:
                # The row of the checkpoint itself tells of no step.
                if row[i] != last[i] and not (last is last_rows[0] and last[i] == ""):
                    raise AssertionError(f"{name}, step {row[0]}, {columns[i]}: {last[i]}, expected {row[i]}")


@checked
def same_up_to_units(one, other, has_powers_of_two):
    """Each column of numbers has one factor; the problems are such that all values are about 1 in the first units."""
    for name, columns, _, rows, their_rows in pairs_of_tables(one, other):
        for i, column in enumerate(columns):
            if WORK.search(column) or column == "max_divergence":
                continue
            pairs = [pair for row, theirs in zip(rows, their_rows) if None not in (pair := (number(row[i]), number(theirs[i])))]
            largest, theirs = max(pairs, key=lambda pair: abs(pair[0]), default=(0.0, 0.0))
            if abs(largest) < 1e-8:
                continue
            factor = abs(theirs / largest)
            if has_powers_of_two and theirs:
                factor = 2.0 ** round(math.log2(factor))
            for value, their_value in pairs:
                if not abs(their_value - factor * value) <= ROUNDING * factor * max(abs(largest), LEFT_BY_SOLVERS):
                    raise AssertionError(f"{name}, {column}: {their_value!r}, expected {factor!r} times {value!r}")


def quantity(column, frame):
    """What a column is in the coordinates of the problem, the kind of its values, and what they are divided by.

    None: it is not compared.
    """
    for a in range(frame.dim):
        if re.search(rf"(^|_){frame.component(a)}$", column):
            return column[:-1] + "uvw"[a], "velocity", frame.sign(a)
        if frame.dim == 3 and re.search(rf"(^|_)vorticity_{frame.axis(a)}$", column):
            return column[:-1] + "xyz"[a], "vorticity", frame.handedness() * frame.sign(a)
    if frame.dim == 2 and re.search(r"(^|_)vorticity(_z)?$", column):
        return column.removesuffix("_z"), "vorticity", frame.handedness()
    if column in ("kinetic_energy", "enstrophy", "dissipation") or re.search(r"^[abc]_integral$", column):
        return column, column, frame.depth
    if column in ("t", "dt", "cfl", "max_speed") or re.search(r"^[abc]_(minimum|maximum)$", column):
        return column, column, 1
    if found := re.search(r"(^|_)(pressure|[abc])$", column):
        return column, found.group(2), 1
    return None


@checked
def same_values(one, other, here, there):
    for name, columns, their_columns, rows, their_rows in pairs_of_tables(one, other):
        theirs = {q[0]: (i, q[2]) for i, c in enumerate(their_columns) if (q := quantity(c, there))}
        largest = {}
        found = [(i, *q) for i, c in enumerate(columns) if (q := quantity(c, here))]
        for i, _, kind, factor in found:
            values = [abs(float(row[i]) / factor) for row in rows if row[i]]
            largest[kind] = max([largest.get(kind, 0.0), *values])
        for i, what, kind, factor in found:
            if what not in theirs:
                raise AssertionError(f"{name} has no column for {what}")
            j, their_factor = theirs[what]
            for row, their_row in zip(rows, their_rows):
                if row[i] == their_row[j] == "":
                    continue
                value, their_value = float(row[i]) / factor, float(their_row[j]) / their_factor
                if not abs(value - their_value) <= ROUNDING * max(largest[kind], LEAST[kind]):
                    raise AssertionError(f"{name}, step {row[0]}, {what}: {their_value!r}, expected {value!r} "
                                         f"(largest {largest[kind]:.3g})")
