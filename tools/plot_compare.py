#!/usr/bin/env python3
"""Plots a comparison of solvers: DIR/compare.csv becomes DIR/compare.png.

    plot_compare.py [--overwrite] DIR...

A picture of an earlier call is drawn anew; another file of this name is replaced with --overwrite only.

Needs matplotlib. A row of panels for each kind of system: iterations and milliseconds against the step, the mean time
of a solve to its tolerance, and with DIR/compare_history.csv the residual histories of the last compared step. Curves
are those of the fastest solvers and of the configured solver (drawn thick); bars are those of all solvers that never
failed.
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))  # python3 -I leaves it out
from plotting import outputs  # noqa: E402
from plotting.interpreter import need_for_plots  # noqa: E402

need_for_plots("plot_compare.py")

import matplotlib  # noqa: E402

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

from plotting import comparisons  # noqa: E402


def path_in(folder):
    return os.path.join(folder, "compare.png")


def plot(folder):
    picture = comparisons.picture_of(folder)
    if picture is None:
        print(f"plot_compare.py: {folder} has no compare.csv with rows", file=sys.stderr)
        return 1
    path = path_in(folder)
    picture.savefig(path, dpi=100, metadata=outputs.MARK)
    plt.close(picture)
    print(path)
    return 0


def main():
    overwrite, folders = outputs.take_overwrite(sys.argv[1:])
    if not folders or folders[0].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    refusal = outputs.refusal(map(path_in, folders), [], overwrite, draws_anew=True)
    if refusal:
        print(f"plot_compare.py: {refusal}", file=sys.stderr)
        return 2
    return max(plot(folder) for folder in folders)


if __name__ == "__main__":
    sys.exit(main())
