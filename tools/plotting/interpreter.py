"""The Python that a script runs in: one that has the modules which the script needs.

The modules are Debian packages, which the Python of a virtual environment, of conda or of pyenv does not see. A script
that misses a module is therefore started again by the system's Python, where that one has all of them.
"""

import importlib.util
import os
import shutil
import subprocess
import sys

SYSTEM = "/usr/bin/python3"


def missing(modules):
    return [name for name in modules if importlib.util.find_spec(name) is None]


def has(python, modules):
    call = [python, "-I", "-c", "import " + ", ".join(modules)]
    return subprocess.run(call, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL).returncode == 0


def start_again(python):
    flags = ["-I"] if sys.flags.isolated else []
    sys.stdout.flush()
    os.execv(python, [python, *flags, os.path.abspath(sys.argv[0]), *sys.argv[1:]])


def hint(script, absent, packages, pip):
    """What is missing where, and what to install for which Python."""
    is_system = sys.executable == SYSTEM or not os.path.exists(SYSTEM)
    here = f"{sys.executable} has no" if is_system else f"neither {sys.executable} nor {SYSTEM} has all of"
    text = f"{script}: {here} {', '.join(absent)}; install {'' if is_system else f'for {SYSTEM}: '}{packages}"
    if pip and not is_system:
        text += f"; or by the pip of this environment: {pip}"
    return text


def need(script, modules, packages, pip=""):
    """Returns where all modules are there; else goes on in the system's Python, or ends with exit code 4."""
    absent = missing(modules)
    if not absent:
        return
    if sys.executable != SYSTEM and os.path.exists(SYSTEM) and has(SYSTEM, modules):
        start_again(SYSTEM)
    print(hint(script, absent, packages, pip), file=sys.stderr)
    sys.exit(4)


def need_for_plots(script):
    need(script, ["matplotlib", "numpy"], "python3-matplotlib python3-numpy", "matplotlib numpy")


def need_paraview(script):
    """ParaView's modules: in this Python, by pvpython where it is on PATH, or in the system's Python."""
    if not missing(["paraview"]):
        return
    pvpython = shutil.which("pvpython")
    if pvpython and "pvpython" not in os.path.basename(os.readlink("/proc/self/exe")):
        start_again(pvpython)
    need(script, ["paraview"], "paraview python3-paraview (Debian), or put the folder of pvpython on PATH")
