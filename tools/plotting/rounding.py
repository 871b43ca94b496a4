"""Fields that are zero, or constant, to rounding: measured by what the run itself knows, never by an absolute number.

A field is zero to rounding where its largest value is at most 1e-12 of what it could be in this run:

    velocity                  U: largest speed of the run (history.csv, frame), at least that of a fluid at rest
    pressure                  density U max(U, viscosity / L), and what its solver leaves: 1e-8 of that, or its tolerance
    vorticity, strain rate    U / h, and its square for q_criterion
    Reynolds stress           1e-12 U^2, since its fluctuations are U at most
    scalar c                  C: largest abs(c) of the run
    flux of c                 1e-4 U C

L is the longest side of the box, h the smallest cell. The speed of a fluid at rest is viscosity / L, or where
config.yaml has no viscosity L / (end time): the fluid would cross the box once in the run.
"""

import math
import os
import re

import numpy

from plotting import labels
from plotting.csv_columns import read_columns

LEVEL = 1e-12
LEFT_BY_SOLVER = 1e-8  # of the pressure; looser tolerances hide no data


def number_in(text, key):
    found = re.search(rf"\b{key}:\s*([-+.\deE]+)", text)
    return float(found[1]) if found else 0.0


def pressure_tolerance(config):
    """Of a resolved configuration; 0 where it has none."""
    found = re.search(r"^solvers:.*?^  pressure:.*?\btolerance:\s*([-+.\deE]+)", config, re.DOTALL | re.MULTILINE)
    return float(found[1]) if found else 0.0


def numbers_in(text, key):
    found = re.search(rf"\b{key}:\s*\[([^\]]*)\]", text)
    return [float(number) for number in found[1].split(",")] if found else []


def largest(*columns):
    return max((abs(v) for column in columns for v in column if isinstance(v, float) and math.isfinite(v)), default=0.0)


def text_of(path):
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as stream:
        return stream.read()


class Scales:
    """The largest values that the fields and columns of a run could have."""

    def __init__(self, run, sides=(), cell=0.0, speed=0.0, history=None):
        """Of a frame that is at hand: the sides of the box, the smallest cell and the largest speed in it; `history`
        are columns in place of those of history.csv."""
        config = text_of(os.path.join(run, "config.yaml"))
        path = os.path.join(run, "history.csv")
        if history is None:
            history = read_columns(path) if os.path.exists(path) else {}
        self.sides, self.cell = list(sides), cell
        if not sides:
            box = list(zip(*(numbers_in(config, key) for key in ("lower", "upper", "cells"))))
            self.sides = [upper - lower for lower, upper, _ in box]
            self.cell = min(((upper - lower) / cells for lower, upper, cells in box), default=0.0)
        self.length, self.volume = max(self.sides, default=0.0), math.prod(self.sides)
        self.density, viscosity = number_in(config, "density") or 1.0, number_in(config, "viscosity")
        self.left_by_solver = max(LEVEL, min(pressure_tolerance(config), LEFT_BY_SOLVER)) / LEVEL
        self.rest = 0.0
        if viscosity and self.length:
            self.rest = viscosity / self.length
        elif number_in(config, "end") > 0:
            self.rest = self.length / number_in(config, "end")
        self.speed = max(largest(history.get("max_speed", [])), self.rest, speed)
        self.scalars = {name[:-len("_maximum")]: largest(history[name], history.get(name[:-len("maximum")] + "minimum", []))
                        for name in history if name.endswith("_maximum")}

    @classmethod
    def of_frame(cls, run, frame):
        edges = frame.edges[:frame.dim]
        speed = float(numpy.nanmax(numpy.abs(frame.fields["velocity"]))) if "velocity" in frame.fields else 0.0
        return cls(run, [float(e[-1] - e[0]) for e in edges], min(float(numpy.diff(e).min()) for e in edges), speed)

    def of(self, name):
        """The scale of a field or of a column of points; 0 where the run does not know one."""
        for statistic in ("mean_", "rms_"):
            name = name.removeprefix(statistic)
        rate = self.speed / self.cell if self.cell else 0.0
        if name.startswith("flux_"):
            return 1e-4 * self.speed * self.scalars.get(name.removeprefix("flux_"), 0.0)
        pressure = self.density * self.speed * max(self.speed, self.rest) * self.left_by_solver
        scales = {"pressure": pressure, "strain_rate": rate,
                  "q_criterion": rate**2, "reynolds_stress": LEVEL * self.speed**2}
        scales.update(dict.fromkeys(("velocity", "speed", "u", "v", "w"), self.speed))
        scales.update(dict.fromkeys(("vorticity", "vorticity_x", "vorticity_y", "vorticity_z"), rate))
        return scales.get(name, self.scalars.get(name, 0.0))

    def of_covariance(self, column):
        """Of a column u_v_covariance or u_<scalar>_covariance."""
        first, second = column.removesuffix("_covariance").split("_", 1)
        return self.of("reynolds_stress") if second in ("u", "v", "w") else 1e-4 * self.of(first) * self.of(second)

    def of_statistic(self, column):
        """Of a column of profiles.csv."""
        return self.of_covariance(column) if column.endswith("_covariance") else self.of(column.rsplit("_", 1)[0])

    def of_quantity(self, name):
        """Of a column of history.csv, or <point>_<field> of probes.csv."""
        return self.of_history(name) or self.of(self.field_of(name))

    def field_of(self, column):
        """The field of a column <point>_<field>; both may have `_` in their names."""
        known = sorted([*labels.UNITS, *self.scalars], key=len, reverse=True)
        return next((field for field in known if column.endswith("_" + field)), column.rsplit("_", 1)[-1])

    def of_history(self, name):
        """The scale of a column of history.csv; 0 where the run does not know one."""
        for ending, factor in (("_integral", self.volume), ("_minimum", 1.0), ("_maximum", 1.0)):
            if name.endswith(ending):
                return self.scalars.get(name.removesuffix(ending), 0.0) * factor
        if name.startswith("flow_rate_"):
            return self.speed * self.length ** (len(self.sides) - 1)
        energy = LEVEL * self.volume * self.speed**2
        return {"max_speed": self.speed, "kinetic_energy": energy,
                "enstrophy": energy / self.cell**2 if self.cell else 0.0}.get(name, 0.0)


def digits_of(values):
    """The relative difference that is rounding: of single precision two units of the last digit."""
    return 2 * float(numpy.finfo(numpy.float32).eps) if values.dtype == numpy.float32 else LEVEL


def note(values, scale, digits=LEVEL):
    """What to say in place of values that are noise: that they are zero or constant; empty for data."""
    values = numpy.asarray(values, dtype=float)
    values = values[numpy.isfinite(values)]
    if values.size == 0:
        return ""
    low, high = float(values.min()), float(values.max())
    size = max(-low, high)
    if size == 0:
        return "zero everywhere"
    if size <= LEVEL * scale:
        return f"zero to rounding (max {size:.1g})"
    if high == low:
        return f"{low:.6g} everywhere"
    if high - low <= digits * size:
        return f"{0.5 * (low + high):.6g} to rounding (\u00b1 {0.5 * (high - low):.1g})"
    return ""
