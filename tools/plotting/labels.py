"""Names and units of fields in pictures: L, T and M stand for length, time and mass, as in sim/OUTPUT.md."""

UNITS = {"velocity": "L/T", "speed": "L/T", "u": "L/T", "v": "L/T", "w": "L/T", "pressure": "M/(L T\u00b2)",
         "signed_distance": "L", "vorticity": "1/T", "vorticity_x": "1/T", "vorticity_y": "1/T", "vorticity_z": "1/T",
         "strain_rate": "1/T", "q_criterion": "1/T\u00b2", "reynolds_stress": "L\u00b2/T\u00b2"}
OF_BODIES = ("solid", "signed_distance", "open_fraction")  # do not change in time
FORCE, MOMENT = "M L/T\u00b2", "M L\u00b2/T\u00b2"
VECTORS = {"velocity": "speed"}


# Panels of history.png: (title, unit as in sim/OUTPUT.md, whether a column of history.csv belongs to it, logarithmic).
HISTORY = [
    ("kinetic energy", "L\u2075/T\u00b2", lambda name: name == "kinetic_energy", False),
    ("largest speed", "L/T", lambda name: name == "max_speed", False),
    ("enstrophy", "L\u00b3/T\u00b2", lambda name: name == "enstrophy", False),
    ("dissipation", "L\u2075/T\u00b3", lambda name: name == "dissipation", False),
    ("largest |div u|", "1/T", lambda name: name == "max_divergence", True),
    ("largest change in time, |d/dt|", "", lambda name: name.startswith("max_d") and name.endswith("_dt"), True),
    ("step size", "T", lambda name: name == "dt", False),
    ("CFL number", "", lambda name: name == "cfl", False),
    ("iterations per step", "", lambda name: name.endswith("_iterations"), False),
    ("seconds per step", "s", lambda name: name.endswith("_seconds"), True),
    ("flow rates", "L\u00b3/T", lambda name: name.startswith("flow_rate_"), False),
    ("flux spread over inflow sides", "L\u00b3/T", lambda name: name == "inflow_correction", False),
    ("pressure gradients", "M/(L\u00b2 T\u00b2)", lambda name: name.startswith("pressure_gradient_"), False),
    ("Nusselt numbers", "", lambda name: name.startswith("nusselt_"), False),
    ("integrals of scalars", "", lambda name: name.endswith("_integral"), False),
    ("ranges of scalars", "", lambda name: name.endswith(("_minimum", "_maximum")), False),
]


def unit(name):
    """The unit of a field or of a column of points and profiles; empty for scalars, whose units the case decides."""
    for statistic in ("mean_", "rms_"):
        name = name.removeprefix(statistic)
    if name.startswith("flux_"):
        return f"{name.removeprefix('flux_')} L/T"
    return UNITS.get(name, "")


def unit_of_column(name):
    """Of a column of history.csv, forces.csv or probes.csv, in a table of a sweep."""
    for _, text, belongs, _ in HISTORY:
        if belongs(name):
            return text
    if "_moment_" in name:
        return MOMENT
    if "_pressure_" in name or "_viscous_" in name or name[:-1].endswith("_control_"):
        return FORCE
    return next((UNITS[field] for field in sorted(UNITS, key=len, reverse=True) if name.endswith("_" + field)), "")


def with_unit(label, text):
    return f"{label} [{text}]" if text else label


def magnitude(name):
    """What the size of a vector or tensor is called."""
    return VECTORS.get(name, f"|{name}|")


def covariance(column):
    """(label, unit) of a column u_v_covariance: the mean of u' v'."""
    pair = column.removesuffix("_covariance")
    first, second = next(((known, pair[len(known) + 1:]) for known in ("u", "v", "w", "pressure")
                          if pair.startswith(known + "_")), (pair, ""))
    units = [UNITS.get(name, name) for name in (first, second)]
    text = "L\u00b2/T\u00b2" if units == ["L/T", "L/T"] else " ".join(units)
    return f"mean of {first}' {second}'", text


def span(low, high):
    """Two numbers with as many digits as it takes to see their difference."""
    def error(digits):
        return sum(abs(float(f"{value:.{digits}g}") - value) for value in (low, high))

    digits = next((n for n in range(3, 10) if error(n) <= 0.01 * (high - low)), 10)
    return f"from {low:.{digits}g} to {high:.{digits}g}"


def opening_field(names):
    """What view.py shows first: the velocity; without it the first of these that the frames have, else a scalar, else a
    mean or an rms."""
    usual = [name for name in ("velocity", "speed", "vorticity", "pressure") if name in names]
    scalars = [name for name in names if name not in OF_BODIES and not is_statistic(name)]
    rest = sorted(names, key=lambda name: (name in OF_BODIES, name == "reynolds_stress"))
    return (usual + scalars + rest)[0]


def is_statistic(name):
    return name == "reynolds_stress" or name.startswith(("mean_", "rms_", "flux_"))
