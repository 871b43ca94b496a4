#!/usr/bin/env python3
"""Makes the pictures of GALLERY.md, each by the commands that stand below it there.

    gallery.py [NAME...]

NAME is the name of a picture, configs/gallery/NAME.png; without names all are made, which takes some minutes on two
cores. Runs go to output/gallery/NAME of the checkout, which is where the commands are typed. `hodge` is taken from PATH,
else from build/bin.
"""

import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tools"))  # python3 -I leaves it out
from plotting import markdown  # noqa: E402


def entries():
    """{name: commands} of the sections of GALLERY.md."""
    with open(os.path.join(ROOT, "GALLERY.md"), encoding="utf-8") as stream:
        sections = re.split(r"^## ", stream.read(), flags=re.M)[1:]
    found = {}
    for section in sections:
        picture = re.search(r"\]\(configs/gallery/(\w+)\.png\)", section)
        found[picture[1]] = "".join(content for language, content in markdown.blocks(section) if language == "sh")
    return found


def make(name, commands):
    print(f"== {name}", flush=True)
    path = os.environ["PATH"] + ":" + os.path.join(ROOT, "build/bin")
    done = subprocess.run(["bash", "-e", "-c", commands], cwd=ROOT, env={**os.environ, "PATH": path}, check=False)
    return done.returncode == 0


def main():
    if any(word.startswith("-") for word in sys.argv[1:]):
        print(__doc__.strip())
        return 0 if sys.argv[1] in ("-h", "--help") else 2
    known = entries()
    unknown = [name for name in sys.argv[1:] if name not in known]
    if unknown:
        print(f"gallery.py: GALLERY.md has no picture {unknown[0]}, known: {', '.join(known)}", file=sys.stderr)
        return 2
    failed = [name for name in sys.argv[1:] or known if not make(name, known[name])]
    if failed:
        print(f"gallery.py: failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
