# %% [markdown]
# # A cylinder: forces and their spectrum
# The flow past a cylinder in a channel at Re = 100 sheds vortices. The lift then swings at one frequency, which the spectrum
# shows. The benchmark 2D-2 of Schäfer and Turek (1996) gives a Strouhal number of 0.295 to 0.305 and a largest drag
# coefficient of 3.22 to 3.24.

# %%
import hodge
import matplotlib.pyplot as plt
import numpy

speed, diameter = 1.0, 0.1
run = hodge.Run(
    {
        "case": "custom",
        "grid": {"cells": [88, 33], "upper": [1.1, 0.41]},
        "fluid": {"viscosity": 0.001},
        "boundaries": {
            "x_lower": {"kind": "inflow", "velocity": ["6*y*(0.41 - y)/0.41^2", 0]},
            "x_upper": "outflow",
            "y_lower": "wall",
            "y_upper": "wall",
        },
        "solids": {"rod": {"cylinder": {"centre": [0.2, 0.2], "radius": 0.05}}},
        "forces": {"speed": speed, "length": diameter},
        "time": {"end": 7, "step": {"size": 0.005}},
        "device": "cpu",
    },
    output=False,
)

# %% [markdown]
# `run.forces` is the present row of `forces.csv`: forces on each body, and their coefficients. It is read after every second step.

# %%
t, drag, lift = [], [], []


def record(run):
    t.append(run.time)
    drag.append(run.forces["rod_drag"])
    lift.append(run.forces["rod_lift"])


run.every(2, record)
run.run()
print(sorted(run.forces))

# %% [markdown]
# The spectrum of the lift from t = 4 on, with a window. Zeros behind the samples make its peak easier to read.

# %%
t, drag, lift = map(numpy.array, (t, drag, lift))
later = t > 4
samples = (lift[later] - lift[later].mean()) * numpy.hanning(later.sum())
power = abs(numpy.fft.rfft(samples, 16 * len(samples))) ** 2
frequency = numpy.fft.rfftfreq(16 * len(samples), t[1] - t[0])
strouhal = frequency[power.argmax()] * diameter / speed
print(f"Strouhal number {strouhal:.3f}, mean drag {drag[later].mean():.2f}, largest lift {lift[later].max():.2f}")
assert 0.27 < strouhal < 0.33 and 3.0 < drag[later].mean() < 3.8  # eight cells a diameter

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3), layout="constrained")
left.plot(t, drag, label="drag")
left.plot(t, lift, label="lift")
left.set(xlabel="t", ylabel="coefficient", ylim=(-2, 5))
left.legend()
right.plot(frequency * diameter / speed, power / power.max())
right.set(xlabel="Strouhal number", xlim=(0, 1), ylabel="power of the lift")
