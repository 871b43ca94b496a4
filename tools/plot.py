#!/usr/bin/env python3
"""Makes pictures of the files in the directory of a run.

    plot.py RUN [--output DIR] [--overwrite] [--time T | --all] [--fields NAME,...] [--size INCHES] [--dpi N]

Written to RUN/plots, as far as RUN has the data; pictures of an earlier call are drawn anew there, other files that exist are
replaced with --overwrite only:

    fields.png        every field of the last frame, or of the frame nearest to --time; in 3D in the middle planes, which
                      share one scale of colours (with --all one picture per frame: fields_000000.png, ..., all with one scale)
    streamlines.png   2D: speed and streamlines
    history.png       energy, divergence, step size, iterations, integrals, ... against time
    forces.png        drag and lift, or the forces on the solids
    probes.png        values at points; lines_NAME.png along lines, at most at 6 times
    surface_NAME.png  sides and bodies of output.surfaces at the last time: of bodies the outline, and Cp and Cf against the angle
    averages.png      means at points with the rms of the fluctuations; averages_NAME.png along lines
    profiles.png      means, fluctuations, stresses and fluxes along the axis of profiles.csv
    errors.png        errors against the exact solution
    sweep.png         RUN is a folder of `hodge sweep`: quantities against the swept values
    validation.png    RUN is a folder of `hodge validate --output DIR`: the curves beside published values
    compare.png       the comparison of solvers, as plot_compare.py draws it

--fields chooses fields and columns, in every picture: NAME itself and the columns that begin with NAME_ (temperature also
temperature_maximum; velocity also u, v, w), but iterations and seconds of solvers only by their whole names. Pictures without
a chosen name are left out. Pictures are at most 18 inches wide and high, 1980 pixels with the usual --dpi; what does not fit
is on further pages, fields-2.png, ...

Colours leave out the 0.5 % smallest and largest values, where the bar has an arrow; the limits of all values stand above
the panel. Fields and curves that are zero or constant to rounding, measured by what the run knows, say so in words.

Needs matplotlib, NumPy and VTK's Python module: `tools/run.sh --plot ...` installs them
(Debian: python3-matplotlib python3-vtk9). In a virtual environment without them the script runs in /usr/bin/python3.
"""

import argparse
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))  # python3 -I leaves it out

from plotting.interpreter import need  # noqa: E402

need("plot.py", ["matplotlib", "numpy", "vtkmodules"],
     "python3-matplotlib python3-numpy python3-vtk9 (tools/run.sh --plot ... does)", "matplotlib numpy vtk")

import plotting.fields  # noqa: E402
import plotting.tables  # noqa: E402
from plotting import outputs  # noqa: E402
from plotting.choice import Choice  # noqa: E402
from plotting.layout import save_pages  # noqa: E402


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", metavar="RUN", help="the directory of a run")
    parser.add_argument("--output", metavar="DIR", help="folder of the pictures, default RUN/plots")
    parser.add_argument("--overwrite", action="store_true", help="replace files that exist")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--time", type=float, help="the frame nearest to this time; default: the last one")
    which.add_argument("--all", action="store_true", help="a picture of the fields for every frame")
    parser.add_argument("--fields", type=lambda text: text.split(","), help="only these fields and columns")
    parser.add_argument("--size", type=float, help="width of a panel, in inches; default: as large as fits")
    parser.add_argument("--dpi", type=int, default=110)
    return parser.parse_args()


def main():
    options = arguments()
    if not os.path.isdir(options.run):
        print(f"plot.py: {options.run}: no such directory, expected that of a run", file=sys.stderr)
        return 2
    folder = options.output or os.path.join(options.run, "plots")
    made = []
    try:
        choice = Choice(options.fields)
        pictures = plotting.fields.pictures(options, choice) + plotting.tables.pictures(options, choice)
        if choice.known:
            choice.check()
        there = [path for name, _ in pictures for path in outputs.pages(folder, name)]
        refusal = outputs.refusal(there, [], options.overwrite, draws_anew=not options.output)
        if refusal:
            raise ValueError(refusal)
        for name, draw in pictures:
            try:
                made += save_pages(draw(), folder, name, options.dpi)
            except KeyError as error:
                print(f"plot.py: {name}: there is no column {error}: left out", file=sys.stderr)
    except (OSError, ValueError) as error:
        print(f"plot.py: {error}", file=sys.stderr)
        return 2
    if not made:
        what = "nothing from which --fields could choose" if options.fields else "no frames and no tables"
        print(f"plot.py: {options.run} holds {what}, expected the directory of a run", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
