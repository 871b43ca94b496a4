"""A random run: a problem, its schemes, solvers and output, as hodge reads them (JSON is YAML).

The same random numbers with another frame give the same problem in other coordinates or units.
"""
import random

from frames import Frame

IMPLICIT = ("bdf2", "backward_euler", "cn_ab2")


class Draw:
    """What is drawn of one seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def one_of(self, *choices):
        return self.random.choice(choices)

    def happens(self, probability):
        return self.random.random() < probability

    def number(self, low, high):
        return round(self.random.uniform(low, high), 3)


def kinds_of_sides(draw, dim):
    """For each axis: "periodic", "flow" (from the lower to the upper side) or "closed"."""
    kinds = ["periodic" if draw.happens(0.3) else "closed" for _ in range(dim)]
    if draw.happens(0.6):
        kinds[draw.random.randrange(dim)] = "flow"
    return kinds


def flow_sides(draw, frame, a):
    """Fluid comes in through the lower side; the upper one is open."""
    speed = draw.one_of("1", "1 + 0.2*sin(9*{t})", "1 + 0.1*cos({turn_x} + 2*{turn_y})")
    inflow = {"kind": "inflow", "velocity": frame.vector([speed if d == a else "0" for d in range(frame.dim)], "velocity")}
    entrance = {"kind": "pressure", "pressure": frame.formula(
        draw.one_of("0.5", "0.4 + 0.1*sin(7*{t})", "0.5*exp(-{t})"), "pressure")}
    exit_pressure = draw.one_of("0", "0.05*sin(11*{t})", "0.1*sin({turn_x})", "0.02*{t}")
    return (inflow if draw.happens(0.5) else entrance,
            {"kind": draw.one_of("outflow", "pressure"), "pressure": frame.formula(exit_pressure, "pressure")})


def closed_side(draw, frame, a):
    kind = draw.one_of("wall", "slip", "wall", "moving")
    speed = draw.one_of("1", "sin(4*{t})", "sin({turn_x})")
    if kind != "moving":
        return {"kind": kind}
    along = (a + 1) % frame.dim
    return {"kind": "wall", "velocity": frame.vector([speed if d == along else "0" for d in range(frame.dim)], "velocity")}


def boundaries(draw, frame, kinds):
    sides = {}
    for a, kind in enumerate(kinds):
        pair = flow_sides(draw, frame, a), (closed_side(draw, frame, a), closed_side(draw, frame, a))
        pair = {"flow": pair[0], "closed": pair[1], "periodic": ({"kind": "periodic"},) * 2}[kind]
        for is_upper in (False, True):
            sides[frame.side(a, is_upper)] = pair[is_upper]
    return sides


def initial_component(draw, kind):
    """Through an open side it flows from the start: whether fluid enters there is not left to rounding errors."""
    if kind == "flow":
        return draw.one_of("0.3", "0.4 + 0.1*sin({turn_y})")
    return draw.one_of("0", "0.3", "0.3*sin(2*{turn_y} + 0.4)*cos({turn_x} + 0.7)", "0.2*sin({turn_x} + 1.1)")


def force(draw, frame, kinds):
    if "periodic" in kinds and draw.happens(0.6):
        rates = [draw.one_of("1", "0.5 + 0.1*sin({t})", None) for _ in kinds]
        held = [text if kind == "periodic" else None for kind, text in zip(kinds, rates)]
        written = frame.vector([text or "0" for text in held], "flow_rate")
        return {"flow_rate": [text if held[a] else "free" for a, text in zip(frame.order, written)]}
    return frame.vector([draw.one_of("0", "0.1*sin({turn_y})", "0.2*cos(2*{t})") for _ in kinds], "acceleration")


def scalar_side(draw, frame, kind):
    """Which condition a side of this kind gets; None: none."""
    value = frame.formula(draw.one_of("1", "0.5 + 0.2*sin(4*{t})"), "one")
    condition = draw.one_of({"value": 0.3}, {"flux": frame.formula("0.1*cos({t})", "flux")},
                            {"convective": {"coefficient": frame.number(0.5, "transfer"), "value": 1}})
    given = draw.happens(0.4)
    if kind == "inflow":
        return {"value": value}
    if kind == "pressure":
        return {"value": value} if given else None
    return condition if given and kind in ("wall", "slip") else None


def scalars(draw, frame, sides, size, scheme):
    result = {}
    names = "abc"[:draw.one_of(0, 0, 1, 1, 2)]
    has_reactions = draw.happens(0.4) and scheme not in ("ab2", "cn_ab2")
    for name in names:
        scalar = {"diffusivity": frame.number(draw.one_of(0.01, 0.05), "diffusivity"),
                  "initial": frame.formula(draw.one_of("0.5", "{x} < %r ? 1 : 0" % (0.47 * size[0]),
                                                       "0.5 + 0.4*sin({turn_x})*cos(2*{turn_y})"), "one")}
        pull = [draw.one_of(0, 1.0) for _ in size]
        if draw.happens(0.3):
            scalar["buoyancy"] = frame.per_axis(
                [frame.number(frame.sign(a) * g, "acceleration") for a, g in enumerate(pull)])
        reaction = draw.one_of(f"-2*{name}", f"50*{name}*(1 - {name})", f"-{name}*{names[-1]}", f"-3*{name}*(1 + sin(5*{{t}}))")
        source = draw.one_of("0.1", "sin(3*{t} + {turn_x})")
        if has_reactions:
            scalar["reaction"] = frame.formula(reaction, "rate")
        elif draw.happens(0.3):
            scalar["source"] = frame.formula(source, "rate")
        conditions = {}
        for a in range(frame.dim):
            for is_upper in (False, True):
                side = frame.side(a, is_upper)
                if condition := scalar_side(draw, frame, sides[side]["kind"]):
                    conditions[side] = condition
        if conditions:
            scalar["boundaries"] = conditions
        result[name] = scalar
    return result


def solids(draw, frame, size):
    bodies = []
    for number in range(draw.one_of(0, 0, 0, 1, 1, 2)):
        centre = [draw.number(0.3 * length, 0.7 * length) + 0.00137 for length in size]
        radius = draw.number(0.12 * min(size), 0.25 * min(size)) + 0.00071
        shape, axis = draw.one_of("sphere", "cylinder", "box"), draw.random.randrange(3)
        lower, upper = frame.box([c - radius for c in centre], [c + radius for c in centre])
        round_body = {"centre": frame.point(centre), "radius": frame.number(radius, "length")}
        if shape == "sphere":
            body = {"sphere": round_body}
        elif shape == "cylinder":
            body = {"cylinder": {"axis": frame.axis(axis) if frame.dim == 3 else "z", **round_body}}
        else:
            body = {"box": {"lower": lower, "upper": upper}}
        bodies.append({"name": f"body{number}", **body})
    return bodies


def solvers(draw, scheme, has_solids, has_scalars, dim):
    pressure = draw.one_of(
        {}, {}, {}, {"method": "cg", "preconditioner": {"kind": "multigrid"}},
        {"method": "cg", "preconditioner": {"kind": "ssor_sai", "order": 2, "omega": 1.2}},
        {"method": "cg", "preconditioner": {"kind": "ssor_sai", "omega": "auto"}},
        {"method": "cg", "preconditioner": {"kind": "multigrid", "smoother": "ssor_sai", "cycle": "w", "coarsest_cells": 8}},
        {"method": "cg", "preconditioner": {"kind": "multigrid", "precision": "double", "smoother": "jacobi"}},
        {"method": "cg", "guess": "extrapolated", "preconditioner": {"kind": "multigrid", "smoothings": 2}},
        {"method": "cg", "guess": "projected", "preconditioner": {"kind": "jacobi"}},
        {"method": "cg", "preconditioner": {"kind": "direct"}}, {"method": "capacitance" if has_solids else "direct"},
        {"method": "cg", "stop": "divergence", "preconditioner": {"kind": "multigrid"}},
        {"method": "gmres", "preconditioner": {"kind": "ssor_sai", "form": "truncated"}},
        {"method": "gmres", "preconditioner": {"kind": "multigrid", "cycle": "f"}},
        {"method": "bicgstab", "fallback": ["gmres"], "preconditioner": {"kind": "neumann", "degree": 3}},
        {"method": "gauss"} if dim == 2 else {})
    transport = draw.one_of(
        {}, {}, {"method": "gmres", "restart": 8}, {"method": "bicg", "preconditioner": {"kind": "ssor_sai"}},
        {"method": "bicg", "transpose": "stored"}, {"method": "bicgstab", "preconditioner": {"kind": "multigrid"}},
        {"guess": "extrapolated", "refresh": "never"},
        {"preconditioner": {"kind": "ssor_sai", "form": "truncated", "alpha": 0.5}})
    scalar = draw.one_of({}, {}, {"method": "gmres", "preconditioner": {"kind": "ssor_sai", "order": 2}},
                         {"guess": "projected", "guess_vectors": 3},
                         {"method": "bicgstab", "preconditioner": {"kind": "multigrid"}},
                         {"refresh": "never", "preconditioner": {"kind": "multigrid"}},
                         {"method": "gmres", "preconditioner": {"kind": "ssor_sai", "form": "truncated", "alpha": 0.6}})
    result = {"pressure": pressure}
    if scheme in IMPLICIT:
        result["transport"] = transport
        if has_scalars:
            result["scalars"] = scalar
    return result


def output(draw, frame, has_solids, names, kinds):
    fields = ["velocity", "pressure", "vorticity", *(["solid"] if has_solids else []), *names]
    result = {"precision": "double" if draw.happens(0.7) else "single"}
    if draw.happens(0.5):
        result["frames"] = {"every": frame.number(0.01, "time")}
    if draw.happens(0.2):
        result["encoding"] = "inline"
    if draw.happens(0.3):
        fields += ["q_criterion", "strain_rate", "speed"]
    if draw.happens(0.35):
        fields += ["mean_velocity", "reynolds_stress", "mean_pressure", "rms_pressure"]
        result["statistics"] = {"start": 0}
        if kinds.count("periodic") == len(kinds) - 1:
            result["statistics"]["profile"] = frame.axis([kind != "periodic" for kind in kinds].index(True))
    if draw.happens(0.3):
        result["pieces"] = "always"
    if draw.happens(0.5):
        result["checkpoint"] = {"every": frame.number(0.008, "time"), "keep": 3}
    return {**result, "fields": fields}


def probes(draw, frame, size):
    near = [[draw.number(0.05 * length, 0.95 * length) for length in size] for _ in range(3)]
    averages = draw.happens(0.4)
    result = {"points": {f"point{i}": frame.point(at) for i, at in enumerate(near)},
              "lines": {"line": {"from": frame.point([0.1137 * length for length in size]),
                                 "to": frame.point([0.9041 * length for length in size]), "points": 9}}}
    return {**result, "averages": {"from": 0, "covariances": True}} if averages else result


def exact_solution(draw, frame):
    """Of no solution: the errors are whatever they are."""
    return {"velocity": frame.vector([draw.one_of("0", "sin({turn_x})*exp(-{t})", "0.3") for _ in frame.size], "velocity"),
            "pressure": frame.formula(draw.one_of("0", "cos({turn_x})*sin({turn_y})"), "pressure")}


def comparison(draw, scheme):
    """Of solvers; what it measures is no state of the problem, so relations add it where it has to agree. What is given up depends on the clock."""
    result = {"every": draw.one_of(1, 3), "give_up": "never", **draw.one_of({}, {"guesses": True}, {"histories": True})}
    if scheme in ("bdf2", "backward_euler") and draw.happens(0.5):
        result["transport"] = [{"method": "bicg"}, {"method": "gmres", "restart": 5}]
    return result


def carry_alone(frame, kinds, result):
    """The flow is given: without divergence, and without flow through closed sides."""
    along = {"periodic": "0.3 + 0.2*sin({turn_%s} + {t})", "flow": "1 + 0.2*sin(3*{t})", "closed": "0"}
    beside = ["xyz"[(a + 1) % frame.dim] for a in range(frame.dim)]
    texts = [along[kind] % axis if kind == "periodic" else along[kind] for kind, axis in zip(kinds, beside)]
    for key in ("fluid", "initial", "force", "forces", "solids", "exact"):
        result.pop(key, None)
    for a, kind in enumerate(kinds):
        if kind == "flow":
            entrance, exit_side = frame.side(a, False), frame.side(a, True)
            result["boundaries"][entrance], result["boundaries"][exit_side] = {"kind": "inflow"}, {"kind": "outflow"}
            for scalar in result["scalars"].values():
                conditions = scalar.setdefault("boundaries", {})
                conditions.pop(exit_side, None)
                conditions.setdefault(entrance, {"value": 0.7})
    for side in result["boundaries"].values():
        side.pop("velocity", None)
    for scalar in result["scalars"].values():
        scalar.pop("buoyancy", None)
    result["prescribed_velocity"] = frame.vector(texts, "velocity")
    result["convection"].pop("scheme")
    for system in ("pressure", "transport"):
        result["solvers"].pop(system, None)
    result["output"]["fields"] = ["velocity", *result["scalars"]]
    result["output"].pop("statistics", None)


def size_of(seed):
    return box_of(Draw(seed))[1]


def box_of(draw):
    dim = draw.one_of(2, 2, 3)
    if dim == 2:
        cells = [draw.one_of(16, 24, 32, 48, 49, 64), draw.random.randint(9, 40)]
    else:
        cells = [draw.one_of(16, 20, 32, 48), draw.random.randint(7, 16), draw.random.randint(7, 16)]
    return cells, [draw.one_of(1.0, 2.0, 3.5) for _ in cells]


def generate(seed, frame=None):
    """The configuration of a seed, as hodge reads it."""
    draw = Draw(seed)
    cells, size = box_of(draw)
    frame = frame or Frame(size)
    dim = len(cells)
    stretched = {frame.axis(a): {"kind": "tanh", "strength": draw.one_of(0.8, 1.5)} for a in range(dim) if draw.happens(0.25)}
    kinds = kinds_of_sides(draw, dim)
    sides = boundaries(draw, frame, kinds)
    bodies = solids(draw, frame, size)
    scheme = draw.one_of("bdf2", "bdf2", "rk3", "cn_ab2", "ab2", "backward_euler")
    carried = scalars(draw, frame, sides, size, scheme)
    step = {"max": frame.number(0.01, "time")} if draw.happens(0.7) else {"size": frame.number(0.004, "time")}
    if draw.happens(0.2):  # steps that grow and shrink with the speed
        step = {"cfl": draw.one_of(0.1, 0.2), "max": frame.number(0.03, "time")}
    result = {
        "case": "custom",
        "grid": {"cells": frame.per_axis(cells), "lower": [0.0] * dim,
                 "upper": [frame.number(v, "length") for v in frame.per_axis(size)], "stretching": stretched},
        "fluid": {"viscosity": frame.number(draw.one_of(0.01, 0.05, 0.002), "diffusivity"),
                  "density": frame.number(draw.one_of(1.0, 1.0, 2.5), "density")},
        "boundaries": sides,
        "initial": {"velocity": frame.vector([initial_component(draw, kind) for kind in kinds], "velocity")},
        "time": {"scheme": scheme, "end": frame.number(10.0, "time"), "steps": draw.one_of(3, 4, 5), "step": step},
        "convection": {"scheme": draw.one_of("central", "central", "upwind", "quick", "van_leer", "weno5"),
                       "scalars": draw.one_of("van_leer", "upwind", "central", "weno5")},
        "solvers": solvers(draw, scheme, bool(bodies), bool(carried), dim),
        "output": output(draw, frame, bool(bodies), list(carried), kinds),
    }
    given_force = force(draw, frame, kinds)
    given_probes = probes(draw, frame, size)
    exact = exact_solution(draw, frame) if draw.happens(0.2) else None
    if draw.happens(0.35):
        result["force"] = given_force
    if draw.happens(0.6):
        result["probes"] = given_probes
    if exact:
        result["exact"] = exact
    if carried:
        result["scalars"] = carried
    if bodies:
        result["solids"] = bodies
        if draw.happens(0.5):
            result["forces"] = {"speed": frame.number(1.0, "velocity"),
                                "length" if dim == 2 else "area": frame.number(1.0, "area")}
    if carried and draw.happens(0.25):
        carry_alone(frame, kinds, result)
    return result
