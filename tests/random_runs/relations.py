"""What has to be the same when a problem is computed in another way.

Each relation runs a configuration of generate.py in two ways and returns what differs, an empty text where nothing does. None:
the relation has nothing to say about this configuration.
"""
import copy
import math
import random

import compare
from frames import Frame
from generate import IMPLICIT, Draw, comparison, generate, size_of


def processes(run, seed):
    """Several processes leave the files of one, bit for bit."""
    draw = random.Random(seed)
    config = generate(seed)
    if draw.random() < 0.1:
        config["compare"] = comparison(Draw(seed), config["time"]["scheme"])
        if "prescribed_velocity" not in config:  # of the usual ones the truncated form of ssor_sai is not shared
            config["compare"]["pressure"] = [{"method": "cg", "preconditioner": {"kind": kind}} for kind in ("jacobi", "ssor_sai")]
    one, many = run("one", config), run("many", config, processes=draw.choice([2, 3, 4, 6]))
    if is_refused(many):
        return None
    return compare.same_end(one, many) or compare.same_files(one, many, with_frames="pieces" not in config["output"])


def restart(run, seed):
    """A run that goes on from a checkpoint, by another number of processes, leaves the files of a run without a stop."""
    draw = random.Random(seed)
    config = generate(seed)
    if "checkpoint" not in config["output"]:
        return None
    whole = run("whole", config)
    checkpoints = whole.checkpoints()
    if whole.code != 0 or len(checkpoints) < 2:
        return None
    rest = run("rest", config, processes=draw.choice([1, 2, 3]), restart=checkpoints[0])
    if is_refused(rest):
        return None
    return compare.same_end(whole, rest) or compare.same_rest(whole, rest)


def threads(run, seed):
    """The number of threads changes no bit."""
    config = generate(seed)
    one, three = run("one", config), run("three", config, threads=3)
    return compare.same_end(one, three) or compare.same_files(one, three)


def units(run, seed):
    """In other units every number is the first one times its unit: a power of two with units that are powers of two."""
    draw = random.Random(seed)
    has_powers_of_two = draw.random() < 0.3
    length, time, mass = (2.0 ** draw.randint(-12, 12) if has_powers_of_two else 10 ** draw.uniform(-9, 9) for _ in range(3))
    pair = []
    for name, frame in ("plain", Frame(size_of(seed))), ("scaled", Frame(size_of(seed), length=length, time=time, mass=mass)):
        pair.append(run(name, in_no_units(generate(seed, frame))))
    return compare.same_end(*pair) or compare.same_up_to_units(*pair, has_powers_of_two)


def axes(run, seed):
    """The same in coordinates whose axes have another order and other directions."""
    draw = random.Random(seed)
    size = size_of(seed)
    order = list(range(len(size)))
    draw.shuffle(order)
    turned = [a for a in order if draw.random() < 0.5]
    here, there = Frame(size), Frame(size, order, turned)
    one, other = (run(name, tightly_solved(generate(seed, frame))) for name, frame in (("plain", here), ("turned", there)))
    return compare.same_end(one, other) or compare.same_values(one, other, here, there)


def seam(run, seed):
    """The same where periodic axes begin elsewhere."""
    draw = random.Random(seed)
    config, size = generate(seed), size_of(seed)
    begins = [0.0] * len(size)
    for a, (cells, axis) in enumerate(zip(config["grid"]["cells"], "xyz")):
        if config["boundaries"][f"{axis}_lower"]["kind"] == "periodic" and axis not in config["grid"]["stretching"]:
            begins[a] = size[a] * draw.randrange(1, cells) / cells
    if not any(begins) or "solids" in config:  # bodies do not go round
        return None
    here, there = Frame(size), Frame(size, begins=begins)
    one, two = (run(name, tightly_solved(without_lines(generate(seed, frame)))) for name, frame in (("one", here), ("two", there)))
    return compare.same_end(one, two) or compare.same_values(one, two, here, there)


def plane(run, seed):
    """A plane problem in a box that is periodic along z, in steps that diffusion does not bound."""
    config, size = generate(seed), size_of(seed)
    if len(size) == 3:
        return None
    config["time"]["step"] = {"max": 0.0002}
    depth = 16.0
    one, two = run("plane", tightly_solved(config)), run("space", tightly_solved(in_space(config, depth)))
    if 3 in (one.code, two.code):  # a method that converges in a plane alone, or in space alone, says so
        return None
    return compare.same_end(one, two) or compare.same_values(one, two, Frame(size), Frame(size, depth=depth))


def solvers(run, seed):
    """Other solvers find the same solution."""
    draw = random.Random(seed)
    config = tightly_solved(generate(seed))
    other = copy.deepcopy(config)
    other["solvers"] = {}
    if config["time"]["scheme"] in IMPLICIT:
        method = draw.choice(["gmres", "bicgstab", "bicg"])
        other["solvers"] = {"transport": {"method": method, "preconditioner": {"kind": draw.choice(["jacobi", "ssor_sai"])}}}
    if draw.random() < 0.5:
        other["solvers"]["pressure"] = {"method": "cg", "preconditioner": {"kind": "ssor_sai", "order": 2, "omega": 1.5}}
    frame = Frame(size_of(seed))
    one, two = run("one", config), run("two", tightly_solved(other))
    if 3 in (one.code, two.code):  # a method that does not converge says so
        return None
    return compare.same_end(one, two) or compare.same_values(one, two, frame, frame)


def devices(run, seed):
    """The CPU and a GPU find the same solution."""
    config = tightly_solved(generate(seed))
    frame = Frame(size_of(seed))
    cpu, gpu = run("cpu", config, device="cpu"), run("gpu", config, device="cuda")
    return compare.same_end(cpu, gpu) or compare.same_values(cpu, gpu, frame, frame)


RELATIONS = {f.__name__: f for f in (processes, restart, threads, units, axes, seam, plane, solvers, devices)}


def is_refused(many):
    """Whether a solver cannot be shared."""
    return many.code == 2 and "is not shared by processes" in many.errors


def without_lines(config):
    """A line is straight on one side of a seam only."""
    return {**config, "probes": {"points": config["probes"]["points"]}} if "probes" in config else config


def in_space(config, depth):
    space = copy.deepcopy(config)
    grid = space["grid"]
    grid["cells"].append(4)
    grid["lower"].append(0.0)
    grid["upper"].append(depth)
    space["boundaries"].update(z_lower={"kind": "periodic"}, z_upper={"kind": "periodic"})
    vectors = [space["prescribed_velocity"] if "prescribed_velocity" in space else space["initial"]["velocity"],
               *(side["velocity"] for side in space["boundaries"].values() if "velocity" in side),
               *(scalar["buoyancy"] for scalar in space.get("scalars", {}).values() if "buoyancy" in scalar)]
    vectors += [space["exact"]["velocity"]] if "exact" in space else []
    vectors += [space["force"]] if isinstance(space.get("force"), list) else []
    for vector in vectors:
        vector.append("0" if isinstance(vector[0], str) else 0)
    if isinstance(space.get("force"), dict):
        rates = space["force"]["flow_rate"]
        space["force"]["flow_rate"] = [rate if rate == "free" else f"({rate})*{depth!r}" for rate in rates] + ["free"]
    for body in space.get("solids", []):
        if "box" in body:
            body["box"]["lower"].append(-1.0)
            body["box"]["upper"].append(2 * depth)
        else:
            shape = body.pop("sphere", None) or body.pop("cylinder")
            body["cylinder"] = {"axis": "z", "centre": [*shape["centre"], 0.0], "radius": shape["radius"]}
    if "forces" in space:
        space["forces"]["area"] = space["forces"].pop("length")
    if "probes" in space:
        for point in space["probes"]["points"].values():
            point.append(0.5 * depth)
        for line in space["probes"]["lines"].values():
            line["from"].append(0.5 * depth)
            line["to"].append(0.5 * depth)
    return space


def systems(config):
    of_flow = [] if "prescribed_velocity" in config else ["pressure", "transport"]
    of_scalars = ["scalars"] if "scalars" in config else []
    is_implicit = config["time"]["scheme"] in IMPLICIT
    return [name for name in of_flow + of_scalars if is_implicit or name == "pressure"]


def in_no_units(config):
    """Without tolerances that are in the units of the case."""
    result = copy.deepcopy(config)
    for solver in result.get("solvers", {}).values():
        solver.pop("stop", None)  # by a divergence, 1/T
    return result


def tightly_solved(config):
    """All systems that are solved by iterations."""
    result = in_no_units(config)
    for name in systems(config):
        solver = result.setdefault("solvers", {}).setdefault(name, {})
        if solver.get("method") not in ("direct", "gauss"):
            solver["tolerance"] = 1e-11
    return result
