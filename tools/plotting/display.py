"""Where ParaView may draw: it dies with a segmentation fault where it expects an X display and there is none."""

import ctypes
import ctypes.util
import os
import shutil
import sys


def needs_display():
    """Whether this ParaView draws through X alone; others draw without a display (EGL, OSMesa)."""
    from vtkmodules.vtkRenderingCore import vtkRenderWindow

    return vtkRenderWindow().GetClassName() == "vtkXOpenGLRenderWindow"


def has_display():
    """Whether the X display that DISPLAY names answers.

    The connection stays open: a virtual display starts anew when its only connection is closed, and refuses others
    meanwhile.
    """
    library = ctypes.util.find_library("X11")
    if not os.environ.get("DISPLAY") or library is None:
        return False
    x11 = ctypes.CDLL(library)
    x11.XOpenDisplay.restype = ctypes.c_void_p
    return bool(x11.XOpenDisplay(None))


def ensure_display(script, opens_window):
    """Returns where ParaView can draw. Pictures are drawn on a virtual display if need be: the script is started again
    under xvfb-run. Otherwise says what is missing, and ends with exit code 4."""
    if not needs_display() or has_display():
        return
    if opens_window:
        fail(f"{script}: there is no display to open a window on; --picture FILE.png writes a picture instead")
    if os.environ.get("HODGE_VIRTUAL_DISPLAY") or shutil.which("xvfb-run") is None:
        fail(f"{script}: there is no display, and this ParaView draws only on one; install xvfb (Debian), "
             "and the picture is drawn on a virtual display")
    os.environ["HODGE_VIRTUAL_DISPLAY"] = "1"
    # pvpython calls itself vtkpython, which is no program.
    python = sys.executable if os.path.exists(sys.executable or "") else os.readlink("/proc/self/exe")
    call = ["xvfb-run", "-a", "-s", "-screen 0 1600x1200x24", python, os.path.abspath(sys.argv[0])]
    sys.stdout.flush()
    os.execvp(call[0], call + sys.argv[1:])


def fail(message):
    print(message, file=sys.stderr)
    sys.exit(4)
