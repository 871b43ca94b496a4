#!/usr/bin/env python3
"""Prints the own columns of cases/reference/clever_busse1974.csv and rayleigh_benard_growth.csv.

Convection of air (Pr = 0.71) between rigid walls at fixed temperatures, with k H = 3.117, in units of H and kappa / H:

    u . grad w = Pr laplace(w) + Ra Pr dT/dx,   w = -laplace(psi),   u = dpsi/dy, v = -dpsi/dx
    u . grad T' = laplace(T') + v,              T = 1 - y + T'

psi is a series of sin(n k x), T' of cos(n k x), both by Chebyshev collocation along y; Newton's method. The residual is
quadratic, so that central differences of any width give its exact Jacobian.
"""
import numpy as np
import scipy.linalg
from scipy.optimize import brentq

PR, K = 0.71, 3.117


def differentiation(n):
    """By values at y_j = (1 + cos(pi j / n)) / 2 (L. N. Trefethen, Spectral Methods in MATLAB, 2000)."""
    x = np.cos(np.pi * np.arange(n + 1) / n)
    c = np.r_[2, np.ones(n - 1), 2] * (-1) ** np.arange(n + 1)
    d = np.outer(c, 1 / c) / (x[:, None] - x[None, :] + np.eye(n + 1))
    d -= np.diag(d.sum(axis=1))
    return (1 + x) / 2, 2 * d


class Rolls:
    def __init__(self, points, modes):
        self.n, self.m = points, modes
        self.y, self.d = differentiation(points)
        self.k_psi, self.k_t = K * np.arange(1, modes + 1), K * np.arange(modes + 1)
        size = 3 * modes + 2  # free of aliasing
        x = (np.arange(size) + 0.5) * np.pi / K / size
        self.sin, self.cos = np.sin(np.outer(x, self.k_t)), np.cos(np.outer(x, self.k_t))
        self.to_sin, self.to_cos = 2 / size * self.sin[:, 1:].T, 2 / size * self.cos.T
        self.to_cos[0] /= 2

    def split(self, state):
        cut = (self.n + 1) * self.m
        return state[:cut].reshape(self.n + 1, self.m), state[cut:].reshape(self.n + 1, self.m + 1)

    def residual(self, state, ra):
        d, sin, cos = self.d, self.sin, self.cos
        psi, t = self.split(state)
        laplace = lambda a, k: d @ d @ a - a * k**2
        w = -laplace(psi, self.k_psi)
        u, v = (d @ psi) @ sin[:, 1:].T, -(psi * self.k_psi) @ cos[:, 1:].T
        w_transport = u * ((w * self.k_psi) @ cos[:, 1:].T) + v * ((d @ w) @ sin[:, 1:].T)
        t_transport = u * (-(t * self.k_t) @ sin.T) + v * ((d @ t) @ cos.T)
        r_w = (PR * laplace(w, self.k_psi) - ra * PR * (t * self.k_t)[:, 1:] - w_transport @ self.to_sin.T) / (ra * PR)
        r_t = laplace(t, self.k_t) - t_transport @ self.to_cos.T
        r_t[:, 1:] -= psi * self.k_psi
        r_t[[0, -1]], r_w[[0, -1]], r_w[[1, -2]] = t[[0, -1]], psi[[0, -1]], (d @ psi)[[0, -1]]
        return np.r_[r_w.ravel(), r_t.ravel()]

    def solve(self, state, ra):
        for _ in range(30):
            columns = [(self.residual(state + e, ra) - self.residual(state - e, ra)) / 2 for e in np.eye(len(state))]
            change = np.linalg.solve(np.array(columns).T, -self.residual(state, ra))
            state = state + change
            if np.abs(change).max() < 1e-9 * np.abs(state).max():
                return state
        raise RuntimeError(f"no steady rolls at Ra = {ra}")

    def start(self):
        y, psi, t = self.y, np.zeros((self.n + 1, self.m)), np.zeros((self.n + 1, self.m + 1))
        psi[:, 0], t[:, 1] = -48 * (y * (1 - y)) ** 2, 0.15 * np.sin(np.pi * y)
        t[:, 0] = -0.06 * np.sin(2 * np.pi * y)
        return np.r_[psi.ravel(), t.ravel()]

    def nusselt(self, state):
        return 1 - (self.d @ self.split(state)[1])[-1, 0]


def growth_rate(ra, n=40):
    """Largest s of s (D^2 - k^2) v = Pr (D^2 - k^2)^2 v - Ra Pr k^2 T', s T' = (D^2 - k^2) T' + v."""
    _, d = differentiation(n)
    one, zero = np.eye(n + 1), np.zeros((n + 1, n + 1))
    laplace = d @ d - K * K * one
    a = np.block([[PR * laplace @ laplace, -ra * PR * K * K * one], [one, laplace]])
    b = np.block([[laplace, zero], [zero, one]])
    for row, condition in [(0, one[0]), (n, one[n]), (1, d[0]), (n - 1, d[n])]:
        a[row], b[row] = np.r_[condition, zero[0]], 0
    for i in (0, n):
        a[n + 1 + i], b[n + 1 + i] = np.r_[zero[0], one[i]], 0
    s = scipy.linalg.eig(a, b, right=False)
    return max(s[np.isfinite(s) & (abs(s) < 1e6)].real)


rolls = Rolls(32, 13)
state = rolls.start()
for ra in (2500, 2000, 3000, 5000, 10000):
    state = rolls.solve(state, ra)
    print(f"Ra {ra}: Nu_own {rolls.nusselt(state):.6f}")
for ra in (1650, 1765):
    print(f"Ra {ra}: growth {growth_rate(ra):.6f}")
print(f"no growth at Ra = {brentq(growth_rate, 1650, 1765, xtol=1e-8):.5f}")
