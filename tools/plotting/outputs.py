"""What the scripts write. One rule for all: a file that exists is not replaced without --overwrite, and one that the script
reads never, by whatever path or link.

Pictures that these scripts have drawn bear a mark. Where a script names its pictures itself, beside its data, it draws such
a picture anew.
"""

import glob
import os
import re

MARK = {"Software": "hodge"}  # of a PNG file, for savefig(metadata=...)


def is_marked(path):
    with open(path, "rb") as file:
        return b"Software\0hodge" in file.read(4096)


def pages(folder, name):
    """The pages of a picture NAME.png that are there: itself, NAME-2.png, ..."""
    stem, ending = os.path.splitext(os.path.join(folder, name))
    further = glob.glob(glob.escape(stem) + "-*" + ending)
    return [path for path in [stem + ending, *further]
            if os.path.lexists(path) and re.fullmatch(r"(-\d+)?", path[len(stem):-len(ending)])]


def below(folder):
    """The files of a folder and of those in it."""
    return [os.path.join(where, name) for where, _, names in os.walk(folder) for name in names]


def refusal(paths, inputs, overwrite, draws_anew=False):
    """Why these files may not be written, in a line, or an empty text."""
    def identity(path):
        state = os.stat(path)
        return state.st_dev, state.st_ino

    read = {identity(path) for path in inputs if os.path.exists(path)}
    for path in filter(os.path.lexists, paths):
        if os.path.exists(path) and identity(path) in read:
            return f"{path}: is an input, expected another file to write to"
        if os.path.isdir(path):
            return f"{path}: is a directory, expected a file to write to"
        if not overwrite and not (draws_anew and os.path.isfile(path) and is_marked(path)):
            return f"{path}: is there already: give another name, or --overwrite"
    return ""


def take_overwrite(words):
    """Whether --overwrite stands in a command line, and the line without it."""
    return "--overwrite" in words, [word for word in words if word != "--overwrite"]
