# %% [markdown]
# # A heated box
# Air in a square box between a hot and a cold side. De Vahl Davis (1983) gives a mean Nusselt number of 2.243 at a Rayleigh
# number of 1e4.

# %%
import hodge
import matplotlib.pyplot as plt

run = hodge.Run(
    {
        "case": "heated_cavity",
        "parameters": {"rayleigh": 1e4},
        "grid": {"cells": [32, 32]},
        "time": {"end": 400, "step": {"cfl": 2}, "steady": {"tolerance": 1e-5}},
        "device": "cpu",
    },
    output=False,
)
run.run()
print(f"{run.ended} after {run.iteration} steps")

# %% [markdown]
# `run.history` has the columns of `history.csv`. Here they have the Nusselt numbers of both sides after every step.

# %%
names = [name for name in run.history if "nusselt" in name]
for name in names:
    print(name, round(float(run.history[name][-1]), 3))
assert all(abs(abs(run.history[name][-1]) - 2.243) < 0.03 for name in names)

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
x, y = run.centres
left.contourf(x, y, run["temperature"].T, 20)
left.set(aspect="equal", title="temperature")
for name in names:
    right.plot(run.history["t"], run.history[name], label=name)
right.set(xlabel="t", ylim=(0, 4))
right.legend()
