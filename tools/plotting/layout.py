"""Where panels stand in a picture, in inches; what does not fit on one picture goes to the next page.

A picture is at most LARGEST inches wide and high (1980 pixels with the 110 dpi of plot.py), unless a single block of
panels is larger.
"""

import math
import os

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

from plotting import outputs  # noqa: E402

LARGEST = 18.0
# Around a panel: the labels of its axes, its title. Beside a line of panels: the bar of colours with its labels.
LEFT, BOTTOM, TOP, RIGHT = 0.72, 0.55, 0.26, 1.0
HEADING, TITLE, EDGE = 0.42, 0.4, 0.1  # above a block; above all; around all
BAR, BAR_GAP = 0.14, 0.1
LARGEST_AREA, SMALLEST_AREA = 22.0, 7.0  # of a panel, where no size is asked for
LONGEST_LINE = 6.0  # of panels beside each other, width / height
HIGHEST_LINE = 0.25  # height of a short line / width of the longest
BEST_SHAPE = 1.8  # width / height of a picture


def chunks(items, count):
    """The items in as few lists of at most `count` as possible, which are about equally long."""
    pages = math.ceil(len(items) / count)
    ends = [round(k * len(items) / pages) for k in range(pages + 1)]
    return [items[begin:end] for begin, end in zip(ends, ends[1:])]


def lines_of(shapes):
    """Panels (width / height) in lines of one height: long ones get a line of their own."""
    lines = []
    for k, shape in enumerate(shapes):
        if lines and sum(shapes[j] for j in lines[-1]) + shape <= LONGEST_LINE:
            lines[-1].append(k)
        else:
            lines.append([k])
    return lines


class Block:
    """The panels of one field, which share one scale: a heading above, a bar of colours beside every line of panels.

    `panels` are (x, y, width, height), x and y from the upper left corner down; `bars` are (x, y, height).
    """

    def __init__(self, shapes, size):
        """`shapes` are width / height of the panels, `size` the width of the widest or 2/3 of the height."""
        self.top = TOP if len(shapes) > 1 else 0.0  # a single panel has the heading as its title
        self.panels, self.bars = [None] * len(shapes), []
        short = min(range(len(shapes)), key=lambda k: shapes[k])
        long = [k for k in range(len(shapes)) if k != short]
        is_long = len(long) == 2 and sum(shapes) > LONGEST_LINE and 3 * min(shapes[k] for k in long) > max(shapes)
        if is_long and 2 * shapes[short] < max(shapes):
            self._beside(shapes, size, long, short)
        else:
            self._lines(shapes, min(size / max(shapes), 1.5 * size))
        self.width = max(x for x, _, _ in self.bars) - BAR_GAP + RIGHT
        self.height = max(y + height for _, y, _, height in self.panels) + BOTTOM

    def _lines(self, shapes, least):
        lines, y = lines_of(shapes), HEADING
        sums = [sum(shapes[k] for k in line) for line in lines]
        for line, total in zip(lines, sums):
            # A short line may be higher than those of long panels, or a cross-section of a long box would be tiny.
            height = max(least, min(HIGHEST_LINE * max(sums), max(sums) / total) * least)
            x, y = 0.0, y + self.top
            for k in line:
                self.panels[k] = (x + LEFT, y, height * shapes[k], height)
                x += LEFT + height * shapes[k]
            self.bars.append((x + BAR_GAP, y, height))
            y += height + BOTTOM

    def _beside(self, shapes, size, long, short):
        """Two long panels, and beside them one that is as high as both."""
        y = HEADING + self.top
        for k in long:
            self.panels[k] = (LEFT, y, size, size / shapes[k])
            y += size / shapes[k] + BOTTOM + self.top
        top, height = HEADING + self.top, y - BOTTOM - self.top - HEADING - self.top
        self.panels[short] = (size + 2 * LEFT, top, height * shapes[short], height)
        self.bars.append((size + 2 * LEFT + height * shapes[short] + BAR_GAP, top, height))


def size_of(block, count, columns):
    """(width, height) of a picture of `count` equal blocks."""
    lines = math.ceil(count / columns)
    return columns * block.width + 2 * EDGE, lines * block.height + TITLE + 2 * EDGE


def misshape(block, count, columns):
    """How far the picture is from the best shape, and how much of it is empty."""
    width, height = size_of(block, count, columns)
    return abs(math.log(width / height / BEST_SHAPE)) + (-count % columns) / count


def fitted(shapes, count, size, area):
    """(block, columns): the largest blocks that fit, or those of the size that is asked for; None if none does."""
    wide = max(1.0, max(shapes))
    areas = [a for a in (area * 0.96**k for k in range(200)) if a > SMALLEST_AREA]
    blocks = [Block(shapes, tried) for tried in ([size] if size else [math.sqrt(a * wide) for a in areas])]
    # The best shape in a smaller size rather than another shape in a larger one.
    for least in range(count):
        for block in blocks:
            columns = sorted(range(1, count + 1), key=lambda tried: misshape(block, count, tried))[least]
            if max(size_of(block, count, columns)) <= LARGEST:
                return block, columns
    return None


def block_pages(items, shapes, size=None, area=LARGEST_AREA):
    """[(items of a page, block, columns)]: every item gets a block of panels of these shapes."""
    for pages in range(1, len(items) + 1):
        count = math.ceil(len(items) / pages)
        found = fitted(shapes, count, size, area)
        if found:
            return [(chunk, *found) for chunk in chunks(items, count)]
    return [([item], Block(shapes, size or math.sqrt(SMALLEST_AREA * max(1.0, max(shapes)))), 1) for item in items]


class Sheet:
    """A figure on which places are in inches from the upper left corner."""

    def __init__(self, block, columns, count):
        self.block, self.columns = block, min(columns, count)
        self.width, self.height = size_of(block, count, self.columns)
        self.figure = plt.figure(figsize=(self.width, self.height))

    def corner(self, number):
        """The upper left corner of a block."""
        line, column = divmod(number, self.columns)
        return EDGE + column * self.block.width, EDGE + TITLE + line * self.block.height

    def axes(self, x, y, width, height):
        return self.figure.add_axes((x / self.width, 1 - (y + height) / self.height, width / self.width,
                                     height / self.height))

    def text(self, x, y, text, **style):
        self.figure.text(x / self.width, 1 - y / self.height, text, va="top", **style)


def panel_pages(items, size=None, usual=5.0, aspect=0.62):
    """[(figure, [(axes, item)])] of panels of curves, up to three in a line; aspect is height / width of a panel."""
    if not items:
        return []
    pages, width = [], size or usual
    columns = max(1, min(3, len(items), int(LARGEST / width)))
    lines = max(1, int(LARGEST / (aspect * width)))
    for chunk in chunks(items, columns * lines):
        used = min(columns, len(chunk))
        rows = math.ceil(len(chunk) / used)
        figure, axes = plt.subplots(rows, used, figsize=(width * used, aspect * width * rows), squeeze=False,
                                    layout="constrained")
        for ax in axes.flat[len(chunk):]:
            ax.axis("off")
        pages.append((figure, list(zip(axes.flat, chunk))))
    return pages


def save_pages(figures, folder, name, dpi):
    """Writes NAME.png, NAME-2.png, ...; removes pages of an earlier picture beyond the last; returns what it wrote."""
    os.makedirs(folder, exist_ok=True)
    stem, ending = os.path.splitext(os.path.join(folder, name))
    paths = []
    for figure in figures:
        paths.append(f"{stem}-{len(paths) + 1}{ending}" if paths else stem + ending)
        if len(figures) > 1:
            figure.text(0.995, 0.998, f"page {len(paths)} of {len(figures)}", ha="right", va="top", fontsize="small")
        figure.savefig(paths[-1], dpi=dpi, metadata=outputs.MARK)
        plt.close(figure)
        print(paths[-1], flush=True)
    further = len(paths) + 1
    while os.path.exists(f"{stem}-{further}{ending}"):
        os.remove(f"{stem}-{further}{ending}")
        further += 1
    return paths
