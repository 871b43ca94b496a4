"""Linear systems by the solvers of hodge."""

from __future__ import annotations

from typing import Any

import numpy

from . import _hodge, errors


def on_host(array, name):
    """As an array of NumPy; those of CuPy are copied, and what lies on another device is refused."""
    if hasattr(array, "get") and not isinstance(array, (numpy.ndarray, dict)):
        return array.get()
    try:
        return numpy.asarray(array)
    except (TypeError, ValueError) as error:  # a tensor on a GPU; lists that are no array
        device = getattr(array, "device", None)
        what = f"a {type(array).__name__}" + (f" on the device {device}" if device is not None else "")
        raise errors.ShapeError(f"{name}: {what}, expected an array of NumPy or CuPy ({error})") from None


def _checked(array, name, rows):
    array = on_host(array, name)
    if array.shape != (rows,) or array.dtype.kind not in "fiu":
        raise errors.ShapeError(f"{name} has shape {array.shape} and type {array.dtype}, "
                                f"expected ({rows},) and float64: as many values as A has rows")
    return numpy.ascontiguousarray(array, dtype=numpy.float64)


def solve(A: Any, b: Any, x0: Any = None, *, method: str = "", preconditioner: str = "", tolerance: float = 1e-8,
          absolute_tolerance: float = 0.0, max_iterations: int = 5000, null_space: str = "none", device: str = "auto",
          **options: Any) -> tuple[Any, dict[str, Any]]:
    """Solves A x = b. Returns x and the report, a dict.

    A: a sparse matrix of SciPy or CuPy, square, (n, n); b and x0, the starting guess: (n,). x is of NumPy, or of CuPy where b
    is; both travel over the host. method and preconditioner are names of `hodge solvers`, options theirs (restart=30,
    omega=1.2); without names they are chosen from the matrix. null_space="constant": A is singular by constants.

    A system that did not converge is a report, too: report["converged"] is False, report["text"] says why, and x is the last
    one. Raises ConfigError for a name or an option that is not known, ShapeError for sizes that do not fit."""
    if not hasattr(A, "tocsr"):
        raise errors.ShapeError(f"A is a {type(A).__name__}, expected a sparse matrix of SciPy or CuPy")
    if len(A.shape) != 2 or A.shape[0] != A.shape[1]:
        raise errors.ShapeError(f"A has shape {A.shape}, expected a square matrix")
    if A.dtype.kind not in "fiu":
        raise errors.ShapeError(f"A has type {A.dtype}, expected float64")
    csr = A.tocsr()
    if not getattr(csr, "has_canonical_format", True):
        csr = csr.copy()
        csr.sum_duplicates()
    rows = csr.shape[0]
    if csr.nnz >= 2**31:
        raise errors.ShapeError(f"A has {csr.nnz} entries, expected less than 2^31")
    right = _checked(b, "b", rows)
    x = numpy.zeros(rows) if x0 is None else _checked(x0, "x0", rows).copy()
    report = _hodge.solve(on_host(csr.indptr, "A").astype(numpy.int32), on_host(csr.indices, "A").astype(numpy.int32),
                          on_host(csr.data, "A").astype(numpy.float64), right, x, method, preconditioner, options, tolerance,
                          absolute_tolerance, max_iterations, null_space, device)
    if type(b).__module__.startswith("cupy"):
        import cupy
        return cupy.asarray(x), report
    return x, report
