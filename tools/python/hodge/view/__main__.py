"""python -m hodge.view RUN [--port N]: prints the address of a page that shows the run. Ctrl-C ends it.

Exit code: 0, 2 (wrong arguments, no run), 4 (packages or a renderer are missing, or the port is taken)."""

import argparse
import os
import sys

NEEDED = "pyvista, trame, trame-vuetify and trame-vtk"


def fail(message, code):
    print(f"hodge view: {message}", file=sys.stderr)
    sys.exit(code)


def arguments():
    parser = argparse.ArgumentParser(prog="hodge view", description="Shows a run in the browser, also while it goes on.")
    parser.add_argument("run", metavar="RUN", help="the directory of a run")
    parser.add_argument("--port", type=int, default=0, help="of 127.0.0.1; default: a free one")
    return parser.parse_args()


def main():
    options = arguments()
    from .. import errors
    from ..folder import Folder
    try:
        folder = Folder(options.run)
    except errors.IoError as error:
        fail(str(error), 2)
    if not 0 <= options.port < 65536:
        fail(f"--port {options.port}: expected a number from 0 to 65535", 2)
    sys.argv[1:] = []  # trame reads it, too
    for name in [name for name in os.environ if name.startswith(("TRAME_", "WSLINK_"))]:
        del os.environ[name]  # they may name another address
    try:
        from .page import Page
        from .scene import can_draw
    except ImportError as error:
        fail(f"{error}; the view needs {NEEDED}: pip install 'hodge[view]'", 4)
    if not can_draw():
        fail("VTK finds nothing to draw with, expected a display, or the library EGL or OSMesa: "
             "apt-get install libegl1 (or libosmesa6)", 4)
    try:
        Page(folder).serve(options.port)
    except OSError as error:
        fail(f"127.0.0.1:{options.port}: {error.strerror or error}", 4)


if __name__ == "__main__":
    main()
