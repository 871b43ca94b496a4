"""The parts of tools/plot.py: frames of fields, and tables of numbers."""

import os

# The threads of a BLAS that spins (BLIS) may wait for each other for ever on a busy machine.
for name in ("BLIS_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")
