#!/usr/bin/env python3
"""A yardstick of `hodge bench ssor_sai`: the truncated SSOR approximate inverse by SciPy, on one core.

    bench_scipy.py FOLDER ORDER OMEGA

FOLDER holds the CSR arrays of a symmetric matrix: offsets and columns (int32), values (float64).
With A = L + D + L^T and D' = D / omega (J.-Q. Gao & Z.-C. Wang, 2016):

    K = sqrt(2 - omega) D'^-1/2 [I - L D'^-1 (+ (L D'^-1)^2)],    P = K^T K on the pattern of A

Prints {"seconds": ..., "sum": ...} as JSON: the time from A to P, and the sum of P's entries.
"""

import json
import sys
import time

import numpy as np
import scipy.sparse as sp


def truncated_inverse(a, pattern, order, omega):
    diagonal = a.diagonal() / omega
    scaled = sp.tril(a, -1, format="csr") @ sp.diags(1.0 / diagonal)  # L D'^-1
    bracket = sp.identity(a.shape[0], format="csr") - scaled
    if order == 2:
        bracket = bracket + scaled @ scaled
    k = sp.diags(np.sqrt((2.0 - omega) / diagonal)) @ bracket
    return (k.T @ k).multiply(pattern).tocsr()


def main():
    folder, order, omega = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    offsets = np.fromfile(f"{folder}/offsets", dtype=np.int32)
    columns = np.fromfile(f"{folder}/columns", dtype=np.int32)
    values = np.fromfile(f"{folder}/values", dtype=np.float64)
    a = sp.csr_matrix((values, columns, offsets))
    pattern = sp.csr_matrix((np.ones_like(values), columns, offsets))
    start = time.perf_counter()
    product = truncated_inverse(a, pattern, order, omega)
    seconds = time.perf_counter() - start
    print(json.dumps({"seconds": seconds, "sum": float(product.sum())}))


if __name__ == "__main__":
    main()
