#!/usr/bin/env python3
"""Plots the curves that `hodge validate NAME --output DIR` writes: DIR/NAME/curves.csv becomes DIR/NAME/NAME.png.

    plot_validation.py [--overwrite] DIR/NAME/curves.csv...

Pictures of an earlier call are drawn anew; other files of these names are replaced with --overwrite only.

Needs matplotlib. Further pages are DIR/NAME/NAME-2.png, ... One panel per figure: measured curves as lines, published curves as points, expected slopes dotted.
"""

import csv
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))  # python3 -I leaves it out
from plotting.interpreter import need_for_plots  # noqa: E402

need_for_plots("plot_validation.py")

from plotting import layout, outputs  # noqa: E402

STYLES = {"measured": {"linestyle": "-", "marker": None}, "published": {"linestyle": "", "marker": "o", "fillstyle": "none"},
          "slope": {"linestyle": ":", "color": "black", "linewidth": 1}}


def read_figures(file):
    """{figure: {"labels": (x, y), "log": bool, "curves": {(name, kind): ([x], [y])}}}, in the file's order."""
    figures = {}
    with open(file, encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            figure = figures.setdefault(row["figure"], {"labels": (row["x_label"], row["y_label"]),
                                                        "log": row["scale"] == "log", "curves": {}})
            x, y = figure["curves"].setdefault((row["curve"], row["kind"]), ([], []))
            x.append(float(row["x"]))
            y.append(float(row["y"]))
    return figures


def draw(ax, title, figure):
    for (name, kind), (x, y) in figure["curves"].items():
        style = dict(STYLES[kind])
        if figure["log"] and kind == "measured" or len(x) == 1:
            style["marker"] = style["marker"] or "."
        ax.plot(x, y, label=name, markersize=5, **style)
    if figure["log"]:
        ax.set_xscale("log")
        ax.set_yscale("log")
        sizes = sorted({x for curve, _ in figure["curves"].values() for x in curve})
        ax.set_xticks(sizes, [f"{size:g}" for size in sizes])
        ax.minorticks_off()
    ax.set_title(title, fontsize="medium")
    ax.set_xlabel(figure["labels"][0])
    ax.set_ylabel(figure["labels"][1])
    ax.grid(alpha=0.3)
    ax.legend(fontsize="x-small")


def pages_of(file, size=None):
    """The figures of a curves.csv as panels of pictures; none where there are none."""
    pages = layout.panel_pages(list(read_figures(file).items()), size, 6, 0.7)
    for _, panels in pages:
        for ax, (title, figure) in panels:
            draw(ax, title, figure)
    return [picture for picture, _ in pages]


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
        pictures = pages_of(file)
        for picture in pictures:
            picture.suptitle(f"hodge validate {name}")
        layout.save_pages(pictures, folder, name + ".png", 100)
    return 0


if __name__ == "__main__":
    sys.exit(main())
