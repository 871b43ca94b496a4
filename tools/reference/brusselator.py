#!/usr/bin/env python3
"""Makes cases/reference/brusselator.csv: differences of second order in space, SciPy's Radau IIA of order 5 in time.

    brusselator.py > cases/reference/brusselator.csv            (a minute)
"""
import numpy as np
import scipy
import scipy.sparse as sp
from scipy.integrate import solve_ivp

A, B, ALPHA, PULSE, START = 1.0, 3.4, 0.1, 5.0, 1.1
TIMES = [1.0, 1.5, 11.5]
CELLS = 32
SAMPLES = 4  # of the cells along each axis, evenly spread


def solve(n, rtol):
    """u and v at the centres of n x n periodic cells of the unit square; y runs along axis 0."""
    centres = (np.arange(n) + 0.5) / n
    x, y = np.meshgrid(centres, centres)
    line = sp.diags([np.full(n, -2.0), np.ones(n - 1), np.ones(n - 1), [1.0], [1.0]], [0, 1, -1, n - 1, 1 - n]) * n * n
    one = sp.identity(n)
    laplacian = (sp.kron(one, line) + sp.kron(line, one)).tocsr() * ALPHA
    disc = ((x - 0.3) ** 2 + (y - 0.6) ** 2 <= 0.01).ravel() * PULSE

    def rates(source):
        def f(_, w):
            u, v = np.split(w, 2)
            return np.r_[A + u * u * v - (B + 1) * u + laplacian @ u + source, B * u - u * u * v + laplacian @ v]
        return f

    def jacobian(_, w):
        u, v = np.split(w, 2)
        return sp.bmat([[laplacian + sp.diags(2 * u * v - B - 1), sp.diags(u * u)],
                        [sp.diags(B - 2 * u * v), laplacian - sp.diags(u * u)]]).tocsc()

    w, t, values = np.r_[(22 * y * (1 - y) ** 1.5).ravel(), (27 * x * (1 - x) ** 1.5).ravel()], 0.0, []
    for end in sorted(TIMES + [START]):  # the source is switched on between two runs
        run = solve_ivp(rates(0.0 if t < START else disc), (t, end), w, "Radau", jac=jacobian, rtol=rtol, atol=rtol)
        assert run.success, run.message
        w, t = run.y[:, -1], end
        if end in TIMES:
            values.append(w.reshape(2, n, n))
    cells = (2 * np.arange(SAMPLES) + 1) * n // (2 * SAMPLES)
    return [(n, t, centres[i], centres[j], *value[:, j, i]) for t, value in zip(TIMES, values) for j in cells for i in cells]


fine = solve(CELLS, 1e-9)
error = np.max(np.abs(np.array(fine) - np.array(solve(CELLS, 1e-8))))
print("# The Brusselator on the periodic unit square, u_t = A + u^2 v - (B + 1) u + alpha lap u + f, v_t = B u - u^2 v + alpha lap v,")
print("# A = 1, B = 3.4, alpha = 0.1; f = 5 where (x - 0.3)^2 + (y - 0.6)^2 <= 0.1^2 and t >= 1.1, else 0;")
print("# u = 22 y (1 - y)^(3/2), v = 27 x (1 - x)^(3/2) at t = 0.")
print("# Problem: E. Hairer & G. Wanner, Solving Ordinary Differential Equations II, 1996, Sec. IV.10 (BRUSS-2D).")
print("# Here space is discrete: u, v at the centres of cells x cells squares, lap by the five-point formula.")
print(f"# Made by tools/reference/brusselator.py: SciPy {scipy.__version__}, Radau IIA of order 5, tolerances 1e-9, started anew at t = 1.1;")
print(f"# with tolerances of 1e-8 no value changes by more than {error:.0e}.")
print("cells,t,x,y,u,v")
for row in fine:
    print("{},{:g},{:.7g},{:.7g},{:.8f},{:.8f}".format(*row))
