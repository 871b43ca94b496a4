#!/usr/bin/env python3
"""Prints column graded10 of cases/reference/smith_hutton1982.csv: the steady scalar at the outlet for rho / Gamma = 10.

Finite volumes with central values on 2 n x n cells that shrink towards the origin, where the lower side changes from a
given value to no flux and the solution goes like the square root of the distance: edges at s |s|^(power - 1), s even.
Fluxes are differences of the streamfunction -(1 - x^2)(1 - y^2). The last line extrapolates with second order.
"""
import numpy as np
import scipy.sparse as sparse
from scipy.interpolate import CubicSpline
from scipy.sparse.linalg import spsolve

OUTSIDE = 1 - np.tanh(10)


def psi(x, y):
    return -(1 - x[:, None] ** 2) * (1 - y[None, :] ** 2)


class System:
    def __init__(self, nx, ny):
        self.row = np.arange(nx * ny).reshape(nx, ny)
        self.b = np.zeros((nx, ny))
        self.entries = []

    def add(self, rows, columns, values):
        shape = np.broadcast_shapes(rows.shape, np.shape(values))
        self.entries.append([np.broadcast_to(a, shape).ravel() for a in (rows, columns, values)])

    def faces(self, below, above, flux, conductance, weight):
        """Flux and conduction between neighbours; the value at their side is weight * below + (1 - weight) * above."""
        for sign, rows in ((1, below), (-1, above)):
            self.add(rows, below, sign * (flux * weight + conductance))
            self.add(rows, above, sign * (flux * (1 - weight) - conductance))

    def value(self, cells, conductance, value):
        self.add(self.row[cells], self.row[cells], conductance)
        self.b[cells] += conductance * value

    def solve(self):
        rows, columns, values = (np.concatenate(parts) for parts in zip(*self.entries))
        matrix = sparse.csc_matrix((values, (rows, columns)), shape=(self.b.size, self.b.size))
        return spsolve(matrix, self.b.ravel()).reshape(self.b.shape)


def outlet(n, power, diffusivity=0.1):
    s = np.linspace(-1, 1, 2 * n + 1)
    xe, ye = np.sign(s) * np.abs(s) ** power, np.linspace(0, 1, n + 1) ** power
    x, y, hx, hy = (xe[1:] + xe[:-1]) / 2, (ye[1:] + ye[:-1]) / 2, np.diff(xe), np.diff(ye)
    system = System(2 * n, n)
    row, dx, dy = system.row, np.diff(x)[:, None], np.diff(y)[None, :]
    system.faces(row[:-1], row[1:], np.diff(psi(xe[1:-1], ye), axis=1), diffusivity * hy / dx,
                 (x[1:] - xe[1:-1])[:, None] / dx)
    system.faces(row[:, :-1], row[:, 1:], -np.diff(psi(xe, ye[1:-1]), axis=0), diffusivity * hx[:, None] / dy,
                 (y[1:] - ye[1:-1])[None, :] / dy)
    system.value(np.s_[0, :], 2 * diffusivity * hy / hx[0], OUTSIDE)
    system.value(np.s_[-1, :], 2 * diffusivity * hy / hx[-1], OUTSIDE)
    system.value(np.s_[:, -1], 2 * diffusivity * hx / hy[-1], OUTSIDE)
    upward = -np.diff(psi(xe, ye[:1])[:, 0])
    inlet, out = np.s_[:n, 0], np.s_[n:, 0]
    given = 1 + np.tanh(10 * (2 * x[:n] + 1))
    system.value(inlet, 2 * diffusivity * hx[:n] / hy[0], given)
    system.b[inlet] += upward[:n] * given
    near = y[1] ** 2 / (y[1] ** 2 - y[0] ** 2)  # of the even parabola through two cells
    system.add(row[out], row[out], -upward[n:] * near)
    system.add(row[out], row[n:, 1], -upward[n:] * (1 - near))
    c = system.solve()
    return CubicSpline(x[n:], near * c[n:, 0] + (1 - near) * c[n:, 1])(np.arange(1, 10) / 10)


np.set_printoptions(precision=6, floatmode="fixed", linewidth=120)
for power in (3, 4):
    coarse, medium, fine = (outlet(n, power) for n in (75, 150, 300))
    print(f"power {power}, orders", np.log2((medium - coarse) / (fine - medium)))
    print(fine + (fine - medium) / 3)
