# %% [markdown]
# # A sweep of a parameter
# The same file for several values. Each run is a process of its own; what has ended is not run again when the cell is repeated.

# %%
import pathlib

import hodge
import matplotlib.pyplot as plt
import numpy

pathlib.Path("cavity.yaml").write_text("""
case: lid_driven_cavity
parameters: {reynolds: 100}
grid: {cells: [32, 32]}
time: {end: 40, step: {cfl: 2, max: 0.05}, steady: {tolerance: 1.0e-4}}
device: cpu
""")
table = hodge.sweep("cavity.yaml", {"parameters.reynolds": [50, 100, 200, 400]}, output="sweep")
print(list(table))

for reynolds, energy, steps in zip(table["reynolds"], table["kinetic_energy"], table["steps"]):
    print(f"Re = {reynolds:.0f}: kinetic energy {energy:.4f} after {steps:.0f} steps")
assert (numpy.diff(table["kinetic_energy"]) > 0).all()  # the eddy is faster with less friction

# %% [markdown]
# Every run has its folder. `hodge.open` reads histories and frames.

# %%
last = hodge.open(f"sweep/{table['run'][-1]}")
frame = last.frame(-1)
print(last.summary["message"], frame["velocity"].shape)

# %%
plt.figure(figsize=(5, 3), layout="constrained")
plt.plot(table["reynolds"], table["kinetic_energy"], "o-")
plt.xlabel("Reynolds number")
plt.ylabel("kinetic energy")
