"""Which .pvd in the directory of a run lists the frames of the whole box, or which .vtkhdf has them: regions have their own."""

import glob
import os

ENDINGS = (".pvd", ".vtkhdf")


def run_collection(run):
    """The path of the one that manifest.txt lists first, without a manifest the first one there; None where there is none."""
    try:
        with open(os.path.join(run, "manifest.txt"), encoding="utf-8") as manifest:
            names = [line.strip() for line in manifest]
    except OSError:
        names = []
    listed = [name for name in names if name.endswith(ENDINGS) and "/" not in name]
    path = os.path.join(run, listed[0]) if listed else ""
    if os.path.exists(path):
        return path
    found = [sorted(glob.glob(os.path.join(glob.escape(run), "*" + ending))) for ending in ENDINGS]
    return next((paths[0] for paths in found if paths), None)
