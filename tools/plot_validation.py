#!/usr/bin/env python3
"""Plots the curves that `hodge validate NAME --output DIR` writes: DIR/NAME/curves.csv becomes DIR/NAME/NAME.png.

    plot_validation.py [--overwrite] DIR/NAME/curves.csv...

Pictures of an earlier call are drawn anew; other files of these names are replaced with --overwrite only.

Needs matplotlib. Further pages are DIR/NAME/NAME-2.png, ... One panel per figure: measured curves as lines, published curves as points, expected slopes dotted.
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))  # python3 -I leaves it out
from plotting.interpreter import need_for_plots  # noqa: E402

need_for_plots("plot_validation.py")

from plotting import layout, outputs, validations  # noqa: E402

def main():
    overwrite, files = outputs.take_overwrite(sys.argv[1:])
    if not files or files[0].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    folders = [os.path.dirname(os.path.abspath(file)) for file in files]
    there = [path for folder in folders for path in outputs.pages(folder, os.path.basename(folder) + ".png")]
    refusal = outputs.refusal(there, files, overwrite, draws_anew=True)
    if refusal:
        print(f"plot_validation.py: {refusal}", file=sys.stderr)
        return 2
    for file, folder in zip(files, folders):
        name = os.path.basename(folder)
        pictures = validations.pages_of(file)
        for picture in pictures:
            picture.suptitle(f"hodge validate {name}")
        layout.save_pages(pictures, folder, name + ".png", 100)
    return 0


if __name__ == "__main__":
    sys.exit(main())
