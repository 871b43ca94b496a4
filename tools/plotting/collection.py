"""Which .pvd in the directory of a run lists the frames of the whole box: regions have collections of their own."""

import glob
import os


def run_collection(run):
    """The path of the .pvd that manifest.txt lists first, without a manifest the first one there; None where there is none."""
    try:
        with open(os.path.join(run, "manifest.txt"), encoding="utf-8") as manifest:
            names = [line.strip() for line in manifest]
    except OSError:
        names = []
    listed = [name for name in names if name.endswith(".pvd") and "/" not in name]
    path = os.path.join(run, listed[0]) if listed else ""
    if os.path.exists(path):
        return path
    found = sorted(glob.glob(os.path.join(glob.escape(run), "*.pvd")))
    return found[0] if found else None
