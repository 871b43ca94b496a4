#!/usr/bin/env python3
"""Makes cases/reference/robertson.csv: Robertson's kinetics by SciPy's Radau IIA of order 5.

    robertson.py > cases/reference/robertson.csv
"""
import numpy as np
import scipy
from scipy.integrate import solve_ivp

K1, K2, K3 = 0.04, 3e7, 1e4
TIMES = [4e-3, 0.04, 0.4, 4, 40, 400, 4000, 1e4]


def rates(_, y):
    a, b, c = y
    return [-K1 * a + K3 * b * c, K1 * a - K3 * b * c - K2 * b * b, K2 * b * b]


def jacobian(_, y):
    _, b, c = y
    return [[-K1, K3 * c, K3 * b], [K1, -K3 * c - 2 * K2 * b, -K3 * b], [0, 2 * K2 * b, 0]]




def exact_at_times(rtol):
    """Ends a run at every time: no interpolation between steps."""
    y, t, rows = np.array([1.0, 0.0, 0.0]), 0.0, []
    for end in TIMES:
        run = solve_ivp(rates, (t, end), y, "Radau", jac=jacobian, rtol=rtol, atol=rtol * 1e-8)
        assert run.success, run.message
        y, t = run.y[:, -1], end
        rows.append(y)
    return np.array(rows)


fine, coarse = exact_at_times(3e-13), exact_at_times(3e-12)
error = np.max(np.abs(coarse / fine - 1))
print("# Robertson's kinetics, a -> b (k1), b + b -> b + c (k2), b + c -> a + c (k3): k1 = 0.04, k2 = 3e7, k3 = 1e4,")
print("# a = 1, b = c = 0 at t = 0. Problem: H. H. Robertson, in Numerical Analysis: An Introduction (J. Walsh, ed.), 1966.")
print(f"# Made by tools/reference/robertson.py: SciPy {scipy.__version__}, Radau IIA of order 5, rtol = 3e-13, atol = 3e-21;")
print(f"# with ten times the tolerances no value changes by more than {error:.0e} of itself.")
print("# E. Hairer & G. Wanner, Solving Ordinary Differential Equations II, 1996, print for t = 40: 0.7158, 9.185e-6, 0.2842.")
print("t,a,b,c")
for t, row in zip(TIMES, fine):
    print(f"{t:g}," + ",".join(f"{value:.12g}" for value in row))
