#!/usr/bin/env python3
"""Makes cases/reference/brusselator_line.csv: Chebyshev collocation in space, SciPy's Radau IIA of order 5 in time.

    brusselator_line.py > cases/reference/brusselator_line.csv
"""
import numpy as np
import scipy
from scipy.integrate import solve_ivp
from scipy.interpolate import BarycentricInterpolator

A, B, ALPHA = 1.0, 3.0, 0.02
TIMES = [1.0, 2.0, 5.0, 10.0]
POINTS = np.arange(1, 16) / 16


def second_derivative(n):
    """Of a polynomial by its values at x_j = (1 - cos(pi j / n)) / 2 (L. N. Trefethen, Spectral Methods in MATLAB, 2000)."""
    x = np.cos(np.pi * np.arange(n + 1) / n)
    c = np.r_[2, np.ones(n - 1), 2] * (-1) ** np.arange(n + 1)
    dx = x[:, None] - x[None, :] + np.eye(n + 1)
    d = np.outer(c, 1 / c) / dx
    d -= np.diag(d.sum(axis=1))
    return (1 - x) / 2, 4 * d @ d


def solve(n, rtol):
    x, d2 = second_derivative(n)
    inner = slice(1, n)
    rows, at_sides = d2[inner, inner], d2[inner][:, [0, n]]
    u_sides, v_sides = at_sides @ [A, A], at_sides @ [B / A, B / A]

    def rates(_, y):
        u, v = np.split(y, 2)
        return np.r_[A + u * u * v - (B + 1) * u + ALPHA * (rows @ u + u_sides), B * u - u * u * v + ALPHA * (rows @ v + v_sides)]

    def jacobian(_, y):
        u, v = np.split(y, 2)
        return np.block([[np.diag(2 * u * v - B - 1) + ALPHA * rows, np.diag(u * u)],
                         [np.diag(B - 2 * u * v), np.diag(-u * u) + ALPHA * rows]])

    y, t, values = np.r_[1 + np.sin(2 * np.pi * x[inner]), np.full(n - 1, 3.0)], 0.0, []
    for end in TIMES:
        run = solve_ivp(rates, (t, end), y, "Radau", jac=jacobian, rtol=rtol, atol=rtol)
        assert run.success, run.message
        y, t = run.y[:, -1], end
        u, v = np.split(y, 2)
        values.append([BarycentricInterpolator(x, np.r_[s, w, s])(POINTS) for w, s in ((u, A), (v, B / A))])
    return np.array(values)


fine = solve(96, 1e-11)
error = max(np.max(np.abs(other - fine)) for other in (solve(64, 1e-11), solve(96, 1e-10)))
print("# The Brusselator with diffusion on a line, u_t = A + u^2 v - (B + 1) u + alpha u_xx, v_t = B u - u^2 v + alpha v_xx, 0 < x < 1,")
print("# A = 1, B = 3, alpha = 1/50; u = 1 + sin(2 pi x), v = 3 at t = 0; u = 1, v = 3 at both ends.")
print("# Problem: E. Hairer & G. Wanner, Solving Ordinary Differential Equations II, 1996, Sec. IV.1.")
print(f"# Made by tools/reference/brusselator_line.py: Chebyshev collocation, 97 points; SciPy {scipy.__version__}, Radau IIA, tolerances 1e-11;")
print(f"# with 65 points or tolerances of 1e-10 no value changes by more than {error:.0e}.")
print("t,x,u,v")
for t, (u, v) in zip(TIMES, fine):
    for row in zip(POINTS, u, v):
        print(f"{t:g},{row[0]:.4f},{row[1]:.9f},{row[2]:.9f}")
