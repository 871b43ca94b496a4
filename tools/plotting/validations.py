"""Pictures of the curves.csv of a validation: one panel per figure, measured curves as lines, published ones as points."""

import csv

from plotting import layout

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
