#!/usr/bin/env python3
"""Yardsticks of `hodge bench` in Python, on Poisson matrices of boxes: 5 or 7 points a row.

    bench_yardsticks.py krylov cupy|scipy DEVICE cg|gmres FEW MANY NX NY NZ
    bench_yardsticks.py ssor_sai ORDER OMEGA NX NY NZ

krylov: Neumann sides, a random right side without a mean, no preconditioner, and a tolerance of 0
so that every iteration is made; gmres restarts after 30. DEVICE is CuPy's number of the GPU. Prints
{"seconds": (t(MANY) - t(FEW)) / (MANY - FEW)}, each time the shortest of three.

ssor_sai: u = 0 on all sides; the truncated SSOR approximate inverse by SciPy, on one core. With
A = L + D + L^T and D' = D / omega (J.-Q. Gao & Z.-C. Wang, 2016):

    K = sqrt(2 - omega) D'^-1/2 [I - L D'^-1 (+ (L D'^-1)^2)],    P = K^T K on the pattern of A

Prints {"seconds": ..., "sum": ...}: the time from A to P, and the sum of P's entries.
"""

import json
import sys
import time

import numpy as np

RESTART = 30


def poisson(xp, sparse, cells, wall):
    """The matrix by its diagonals: 0 where a neighbour is beyond a side, which gives `wall` to the
    diagonal."""
    rows = int(np.prod(cells))
    index = xp.arange(rows)
    diagonal, bands, offsets, stride = xp.zeros(rows), [], [], 1
    for n in cells:
        has_upper = (index // stride % n + 1 < n).astype(xp.float64)
        has_lower = xp.zeros(rows)
        has_lower[stride:] = has_upper[:-stride]
        if n > 1:
            diagonal += has_upper + has_lower + wall * (2 - has_upper - has_lower)
            # Entry j of the band at offset k is that of column j.
            bands += [-has_upper, -has_lower]
            offsets += [-stride, stride]
        stride *= n
    matrix = sparse.dia_matrix((xp.stack([diagonal] + bands), [0] + offsets), shape=(rows, rows))
    matrix = matrix.tocsr()
    matrix.eliminate_zeros()
    return matrix


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


def iterate(library, solvers, method, a, b, iterations):
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


def krylov(library, device, method, few, many, *cells):
    xp, sparse, solvers, wait = libraries(library, int(device))
    a = poisson(xp, sparse, [int(n) for n in cells], wall=0)
    b = xp.asarray(np.random.default_rng(0).standard_normal(a.shape[0]))
    b -= b.mean()

    def seconds(iterations):
        times = []
        for _ in range(3):
            wait()
            start = time.perf_counter()
            iterate(library, solvers, method, a, b, iterations)
            wait()
            times.append(time.perf_counter() - start)
        return min(times)

    few, many = int(few), int(many)
    return {"seconds": (seconds(many) - seconds(few)) / (many - few)}


def ssor_sai(order, omega, *cells):
    import scipy.sparse as sp
    omega = float(omega)
    a = poisson(np, sp, [int(n) for n in cells], wall=2)
    a.sort_indices()
    pattern = (a != 0).astype(np.float64)
    start = time.perf_counter()
    diagonal = a.diagonal() / omega
    scaled = sp.tril(a, -1, format="csr") @ sp.diags(1.0 / diagonal)  # L D'^-1
    bracket = sp.identity(a.shape[0], format="csr") - scaled
    if order == "2":
        bracket = bracket + scaled @ scaled
    k = sp.diags(np.sqrt((2.0 - omega) / diagonal)) @ bracket
    product = (k.T @ k).multiply(pattern).tocsr()
    return {"seconds": time.perf_counter() - start, "sum": float(product.sum())}


def main():
    if len(sys.argv) < 7 or sys.argv[1] not in ("krylov", "ssor_sai"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    print(json.dumps((krylov if sys.argv[1] == "krylov" else ssor_sai)(*sys.argv[2:])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
