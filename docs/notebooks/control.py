# %% [markdown]
# # Control: jets that lower the drag
# A block stands on the floor of a channel. A slot before it takes in as much fluid as a slot behind it lets out, or the other way
# round. What strength of these jets lowers the drag at the least cost? The flow is an environment in the style of Gymnasium, so
# that a library for learning can drive it; here a short search does.

# %%
import hodge
import matplotlib.pyplot as plt
import numpy

CHANNEL = {
    "case": "custom",
    "parameters": {"jet": 0},
    "grid": {"cells": [64, 20], "upper": [4, 1]},
    "fluid": {"viscosity": 0.01},
    "boundaries": {
        "x_lower": {"kind": "inflow", "velocity": ["6*y*(1 - y)", 0]},
        "x_upper": "outflow",
        "y_lower": {"kind": "inflow", "velocity": [0, "jet*((x > 1.25 && x < 1.75) - (x > 0.5 && x < 1))"]},
    },
    "solids": {"block": {"box": {"lower": [1, 0], "upper": [1.25, 0.4]}}},
    "forces": {"speed": 1, "length": 0.4},
    "time": {"end": 1000, "step": {"size": 0.05}},
    "device": "cpu",
}


class Channel:
    """reset() and step(action) as gymnasium.Env has them. An action is the strength of the jets until the next decision."""

    sensors = [[0.6, 0.2], [1.5, 0.2], [1.5, 0.6], [2.5, 0.2]]
    interval, decisions, cost = 0.5, 12, 4

    def reset(self):
        self.run = hodge.Run(CHANNEL, output=False)
        self.run.until(4)
        self.taken = 0
        return self.observation(), {}

    def step(self, action):
        jet = float(numpy.clip(action, -1, 1))
        self.run.set("parameters.jet", jet)
        self.run.until(self.run.time + self.interval)
        self.taken += 1
        drag = self.run.forces["block_drag"]
        reward = -drag - self.cost * jet**2
        return self.observation(), reward, False, self.taken == self.decisions, {"drag": drag}

    def observation(self):
        return self.run.at(self.sensors, ["pressure"])[:, 0]


def episode(environment, policy):
    observation, _ = environment.reset()
    total, drags, ended = 0, [], False
    while not ended:
        observation, reward, _, ended, about = environment.step(policy(observation))
        total += reward
        drags.append(about["drag"])
    return total, drags


environment = Channel()
without, drags = episode(environment, lambda observation: 0)
print(f"without jets: reward {without:.1f}, drag {drags[-1]:.2f}")

# %% [markdown]
# A search that keeps what is better and halves its stride when neither side is: enough for one number.

# %%
best, strength, stride = without, 0.0, 0.4
while stride > 0.05:
    tried = {strength + change: episode(environment, lambda _, jet=strength + change: jet)[0] for change in (-stride, stride)}
    candidate = max(tried, key=tried.get)
    if tried[candidate] > best:
        best, strength = tried[candidate], candidate
    else:
        stride /= 2
_, with_jets = episode(environment, lambda _: strength)
print(f"with jets of {strength:+.2f}: reward {best:.1f}, drag {with_jets[-1]:.2f}")
assert best > without and with_jets[-1] < drags[-1]

# %%
plt.figure(figsize=(5, 3), layout="constrained")
plt.plot(drags, label="without jets")
plt.plot(with_jets, label=f"with jets of {strength:+.2f}")
plt.xlabel("decision")
plt.ylabel("drag coefficient")
plt.legend()
