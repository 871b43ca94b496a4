"""hodge from Python: incompressible flow on Cartesian grids, on the CPU and on the GPU.

    import hodge
    run = hodge.Run("cavity.yaml", set={"parameters.reynolds": 400}, output=False)
    for step in run:
        print(step, run.time, run.pressure.max())

Run drives a simulation; open reads the files of one; solve solves linear systems; sweep, compare, cases and schema are the
commands of the program, which comes along as the command `hodge`."""

import os as _os
import pathlib as _pathlib

# Read when the libraries are loaded. Threads that wait give their core away soon, as in the program.
if not {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY"} & set(_os.environ):
    _os.environ["GOMP_SPINCOUNT"] = "1000"
_here = _pathlib.Path(__file__).resolve().parent
for _module in (_here / "lib/hodge/libhodge_mpi.so", _here.parents[1] / "lib/hodge/libhodge_mpi.so"):
    if _module.exists():
        _os.environ.setdefault("HODGE_MPI_MODULE", str(_module))

from ._hodge import __version__, has_cuda  # noqa: E402
from .errors import ConfigError, DeviceError, Error, IoError, MemoryError, NumericalError, ShapeError  # noqa: E402
from .folder import Folder, Table, open  # noqa: E402
from .linear import solve  # noqa: E402
from .program import cases, compare, program, schema, sweep  # noqa: E402
from .run import Run  # noqa: E402

__all__ = ["ConfigError", "DeviceError", "Error", "Folder", "IoError", "MemoryError", "NumericalError", "Run", "ShapeError",
           "Table", "__version__", "cases", "compare", "has_cuda", "open", "program", "schema", "solve", "sweep"]
