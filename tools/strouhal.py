#!/usr/bin/env python3
"""Prints the frequency of a signal of a run, such as a lift coefficient, with its uncertainty, and the Strouhal number.

    strouhal.py RUN [--column NAME] [--from T] [--to T] [--length L] [--speed U]

RUN is the directory of a run, whose forces.csv is read, or a CSV file with a column t (history.csv, probes.csv). Without
--column it is the first column that ends with _lift. Without --from the second half of the record is used, so that the
start does not count. The Strouhal number is f L / U; length and speed are those of the section `forces` in the run's
config.yaml unless they are given. Steps may have any sizes.

plotting/frequency.py tells how the frequency and its uncertainty, an interval of 95 %, are found.

Exit code 3: the record has no frequency to tell, being shorter than four periods, growing or decaying by more than a fifth
from end to end, or not periodic (the wave and its harmonic explain less than half of the variance).

Needs NumPy (Debian: python3-numpy).
"""

import argparse
import csv
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))  # python3 -I leaves it out

from plotting.interpreter import need  # noqa: E402

need("strouhal.py", ["numpy"], "python3-numpy", "numpy")

import numpy  # noqa: E402

from plotting.frequency import NoFrequency, frequency  # noqa: E402


def read_record(path, column, start, end):
    """(name of the column, times, values) of the rows from start to end; without a start of the second half."""
    with open(path, encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    names = list(rows[0]) if rows else []
    if "t" not in names:
        raise ValueError(f"{path} has no column t with rows below it")
    column = column or next((name for name in names if name.endswith("_lift")), "")
    if column not in names:
        raise ValueError(f"{path} has no column {column or 'that ends with _lift: --column NAME'}; columns: {', '.join(names)}")
    rows = [row for row in rows if row["t"] and row[column]]
    t = numpy.array([float(row["t"]) for row in rows])
    q = numpy.array([float(row[column]) for row in rows])
    if len(t) == 0 or not numpy.all(numpy.isfinite(q)) or not numpy.all(numpy.diff(t) > 0):
        raise ValueError(f"{path}: times that increase and finite values of {column} are expected")
    end = t[-1] if end is None else end
    start = 0.5 * (t[0] + end) if start is None else start
    inside = (t >= start) & (t <= end)
    return column, t[inside], q[inside]


def scale_of(run, name):
    """`length` or `speed` of the section `forces` in the resolved configuration of the run; None where it has none."""
    path = os.path.join(run, "config.yaml")
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as stream:
        section = re.search(r"^forces:\n((?:[ \t].*\n?)+)", stream.read(), re.M)
    found = section and re.search(rf"^\s*{name}: *(\S+)", section[1], re.M)
    return float(found[1]) if found else None


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", metavar="RUN", help="the directory of a run, or a CSV file with a column t")
    parser.add_argument("--column", metavar="NAME", help="default: the first one that ends with _lift")
    parser.add_argument("--from", dest="start", metavar="T", type=float, help="default: half of the last time")
    parser.add_argument("--to", dest="end", metavar="T", type=float, help="default: the last time")
    parser.add_argument("--length", metavar="L", type=float, help="default: length of the section forces")
    parser.add_argument("--speed", metavar="U", type=float, help="default: speed of the section forces")
    return parser.parse_args()


def main():
    options = arguments()
    is_run = os.path.isdir(options.run)
    run = options.run if is_run else os.path.dirname(options.run)
    try:
        path = os.path.join(run, "forces.csv") if is_run else options.run
        name, t, q = read_record(path, options.column, options.start, options.end)
        length = options.length or scale_of(run, "length")
        speed = options.speed or scale_of(run, "speed")
        found = frequency(t, q)
    except NoFrequency as error:
        print(f"strouhal.py: {path}: {name}: {error}", file=sys.stderr)
        return 3
    except (OSError, ValueError) as error:
        print(f"strouhal.py: {error}", file=sys.stderr)
        return 2
    print(f"{name}: {found['periods']:.1f} periods from t = {t[0]:.6g} to {t[-1]:.6g}, mean {found['mean']:.4g}, "
          f"amplitude {found['amplitude']:.4g}, rms {found['rms']:.4g}")
    print(f"frequency {found['frequency']:.6g} +- {found['uncertainty']:.2g}")
    if length and speed:
        scale = length / speed
        print(f"Strouhal number {scale * found['frequency']:.6g} +- {scale * found['uncertainty']:.2g} "
              f"(length {length:.6g}, speed {speed:.6g})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
