# %% [markdown]
# # Which solver
# `hodge.compare` runs a file, and at each step lets several solvers solve the very same systems from the same start.

# %%
import pathlib

import hodge
import numpy

pathlib.Path("cavity.yaml").write_text("""
case: lid_driven_cavity
parameters: {reynolds: 1000}
grid: {cells: [64, 64]}
time: {end: 1, step: {size: 0.02}}
device: cpu
""")
comparison = hodge.compare("cavity.yaml", steps=3, output="compared", overwrite=True).comparison
print(list(comparison))

# %% [markdown]
# A row is a solve. For the pressure: the median of iterations and seconds of each pair of method and preconditioner, and the
# ten fastest of them.

# %%
pressure = comparison["system"] == "pressure"
pairs = sorted({(m, p) for m, p in zip(comparison["method"][pressure], comparison["preconditioner"][pressure])})
rows = []
for method, preconditioner in pairs:
    own = pressure & (comparison["method"] == method) & (comparison["preconditioner"] == preconditioner)
    seconds = float(numpy.median(comparison["solve_seconds"][own].astype(float)))
    iterations = float(numpy.median(comparison["iterations"][own].astype(float)))
    rows.append((seconds, iterations, f"{method} with {preconditioner}"))
for seconds, iterations, name in sorted(rows)[:10]:
    print(f"{1e3 * seconds:8.2f} ms {iterations:6.0f} iterations  {name}")

# %% [markdown]
# The same solvers are there for your own matrices, of SciPy or CuPy. Here is the system of a Poisson equation.

# %%
import scipy.sparse

n = 64
line = scipy.sparse.diags([-1, 2, -1], [-1, 0, 1], shape=(n, n))
matrix = (scipy.sparse.kronsum(line, line)).tocsr()
right = numpy.ones(n * n)
for preconditioner in ("none", "jacobi", "ssor_sai", "multigrid"):
    x, report = hodge.solve(matrix, right, method="cg", preconditioner=preconditioner, tolerance=1e-10, device="cpu")
    print(f"{preconditioner:10} {report['iterations']:4} iterations")
    assert report["converged"] and numpy.linalg.norm(matrix @ x - right) < 1e-8 * numpy.linalg.norm(right)
