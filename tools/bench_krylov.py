#!/usr/bin/env python3
"""A yardstick of `hodge bench krylov`: iterations of CuPy or SciPy on the Poisson matrix of a box.

    bench_krylov.py cupy|scipy DEVICE cg|gmres NX NY NZ FEW MANY

7 points a row, Neumann sides, a random right side without a mean, no preconditioner, and a
tolerance of 0 so that every iteration is made; gmres restarts after 30. DEVICE is CuPy's number of
the GPU. Prints {"seconds": (t(MANY) - t(FEW)) / (MANY - FEW)} as JSON, each time the shortest of
three.
"""

import json
import sys
import time

import numpy as np

RESTART = 30


def libraries(name, device):
    """The array module, its sparse matrices, its solvers, and what waits for the device."""
    if name == "scipy":
        import scipy.sparse
        import scipy.sparse.linalg
        return np, scipy.sparse, scipy.sparse.linalg, lambda: None
    import cupy
    import cupyx.scipy.sparse
    import cupyx.scipy.sparse.linalg
    cupy.cuda.Device(device).use()
    return cupy, cupyx.scipy.sparse, cupyx.scipy.sparse.linalg, cupy.cuda.Device().synchronize


def poisson(xp, sparse, cells):
    """The matrix by its diagonals: 0 where a neighbour is beyond a side."""
    rows = int(np.prod(cells))
    index = xp.arange(rows)
    diagonal, bands, offsets, stride = xp.zeros(rows), [], [], 1
    for n in cells:
        has_upper = (index // stride % n + 1 < n).astype(xp.float64)
        diagonal[:] += has_upper
        diagonal[stride:] += has_upper[:-stride]
        # Entry j of the band at offset k is that of column j.
        lower, upper = -has_upper, xp.zeros(rows)
        upper[stride:] = -has_upper[:-stride]
        bands += [lower, upper]
        offsets += [-stride, stride]
        stride *= n
    matrix = sparse.dia_matrix((xp.stack([diagonal] + bands), [0] + offsets), shape=(rows, rows))
    matrix = matrix.tocsr()
    matrix.eliminate_zeros()
    return matrix


def run(library, solvers, method, a, b, iterations):
    if method == "cg":
        arguments = {"maxiter": iterations}
    else:  # SciPy counts restarts, CuPy iterations
        restarts = iterations // RESTART
        arguments = {"restart": RESTART, "maxiter": restarts if library == "scipy" else iterations}
    solve = getattr(solvers, method)
    try:
        return solve(a, b, rtol=0.0, atol=0.0, **arguments)
    except TypeError:  # older versions name it otherwise
        return solve(a, b, tol=0.0, atol=0.0, **arguments)


def main():
    if len(sys.argv) != 9:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    library, device, method = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    cells, few, many = [int(n) for n in sys.argv[4:7]], int(sys.argv[7]), int(sys.argv[8])
    xp, sparse, solvers, wait = libraries(library, device)
    a = poisson(xp, sparse, cells)
    b = xp.asarray(np.random.default_rng(0).standard_normal(a.shape[0]))
    b -= b.mean()
    seconds = {}
    for iterations in (few, many):
        times = []
        for _ in range(3):
            wait()
            start = time.perf_counter()
            run(library, solvers, method, a, b, iterations)
            wait()
            times.append(time.perf_counter() - start)
        seconds[iterations] = min(times)
    print(json.dumps({"seconds": (seconds[many] - seconds[few]) / (many - few)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
