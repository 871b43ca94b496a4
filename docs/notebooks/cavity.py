# %% [markdown]
# # A lid-driven cavity
# A box of fluid whose upper side moves. The run is compared with the values that Ghia, Ghia and Shin published in 1982.

# %%
import hodge
import matplotlib.pyplot as plt
import numpy

run = hodge.Run(
    {
        "case": "lid_driven_cavity",
        "parameters": {"reynolds": 100},
        "grid": {"cells": [48, 48]},
        "time": {"end": 30, "step": {"cfl": 2, "max": 0.05}, "steady": {"tolerance": 1e-4}},
        "device": "cpu",
    },
    output=False,
)
run.run()
print(f"{run.ended} at t = {run.time:.2f} after {run.iteration} steps")

# %% [markdown]
# The velocity along the vertical line through the middle. `run.at` interpolates between cells.

# %%
y = numpy.array([0.0547, 0.1719, 0.2813, 0.4531, 0.6172, 0.7344, 0.8516, 0.9531])
published = numpy.array([-0.03717, -0.10150, -0.15662, -0.21090, -0.13641, 0.00332, 0.23151, 0.68717])
u = run.at([[0.5, one] for one in y], ["velocity"])[:, 0]
print(f"largest difference {abs(u - published).max():.4f}, of a lid speed of 1")
assert abs(u - published).max() < 0.01

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
fine = numpy.linspace(0.02, 0.98, 60)
left.plot(run.at([[0.5, one] for one in fine], ["velocity"])[:, 0], fine, label="hodge, 48 x 48 cells")
left.plot(published, y, "o", label="Ghia et al. 1982")
left.set(xlabel="u", ylabel="y")
left.legend()
x, y = run.centres
right.streamplot(x, y, *(component.T for component in run.velocity_at_cells))
right.set(aspect="equal", xlabel="x", ylabel="y")
