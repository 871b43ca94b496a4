#!/usr/bin/env python3
"""A sharp cylinder or sphere, moved over the cells of the grid by random parts of a cell.

    shifted_bodies.py PROGRAM [--shape cylinder|sphere] [--count N] [--seed S] [--jobs J] [--cells M] [--scheme NAME]
                      [--reynolds RE] [--end T] [--cfl C] [--set KEY=VALUE] [--keep FOLDER]

PROGRAM is hodge. The body, of diameter 1, stands in a box that repeats in all directions, through which a flow rate of mean
speed 1 is held, M cells a diameter: wherever the body is, the flow is the same but for the grid. Printed are every position
that fails, the scatter at the end of the drag (of pressure, of friction), how steady it is, the lift, which is 0, as a part of the
drag, the shortest step and the largest velocity over all positions. Exit code 1 where a run fails, or where its shortest step is
less than half, or its largest velocity more than one and a half times, the median over the positions.
"""
import argparse
import concurrent.futures
import csv
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

WIDTHS = {"cylinder": 4, "sphere": 3}  # of the box, diameters


def configuration(asked, offset):
    axes = len(offset)
    width = WIDTHS[asked.shape]
    middle = [width / 2 + part / asked.cells for part in offset]
    held = [float(width ** (axes - 1))] + [0.0] * (axes - 1)
    sides = "\n".join(f"  {axis}_{side}: periodic" for axis in "xyz"[:axes] for side in ("lower", "upper"))
    return f"""case: custom
grid: {{cells: {[width * asked.cells] * axes}, lower: {[0] * axes}, upper: {[width] * axes}}}
fluid: {{viscosity: {1 / asked.reynolds:.12f}}}
force: {{flow_rate: {held}}}
boundaries:
{sides}
initial: {{velocity: {[1] + [0] * (axes - 1)}}}
solids: [{{name: body, sphere: {{centre: {middle}, radius: 0.5}}, treatment: sharp}}]
time: {{scheme: {asked.scheme}, end: {asked.end}, step: {{cfl: {asked.cfl}}}}}
output: {{checkpoint: none, frames: {{every: {asked.end}}}}}
"""


def column(rows, name):
    return [float(row[name] or 0) for row in rows]


class Result:
    """What a run says of a position."""

    def __init__(self, folder, offset):
        axes = len(offset)
        self.position = ", ".join(f"{part:.6f}" for part in offset)
        forces = list(csv.DictReader(open(folder / "forces.csv")))
        history = list(csv.DictReader(open(folder / "history.csv")))
        self.pressure = column(forces, "body_pressure_x")[-1]
        self.friction = column(forces, "body_viscous_x")[-1]
        drag = [p + v for p, v in zip(column(forces, "body_pressure_x"), column(forces, "body_viscous_x"))]
        self.drag = drag[-1]
        self.lift = max(abs(float(forces[-1][f"body_pressure_{a}"]) + float(forces[-1][f"body_viscous_{a}"]))
                        for a in "xyz"[1:axes])
        # The last steps divide what is left of the time.
        self.shortest = min(column(history, "dt")[1:-2])
        self.fastest = max(column(history, "max_speed"))
        times = column(forces, "t")
        late = [f for t, f in zip(times, drag) if t >= 0.9 * times[-1]]
        self.change = (max(late) - min(late)) / abs(self.drag)


def run(asked, folder, number, offset):
    place = pathlib.Path(folder) / f"{number}"
    place.mkdir(parents=True, exist_ok=True)
    file = place / "position.yaml"
    file.write_text(configuration(asked, offset))
    command = [asked.program, "run", str(file), "--quiet", "--overwrite", "--output", str(place / "run")]
    for setting in asked.set:
        command += ["--set", setting]
    ended = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ, OMP_NUM_THREADS="1"))
    if ended.returncode != 0:
        return None, f"exit {ended.returncode}: {ended.stderr.strip()[:300]}"
    return Result(place / "run", offset), None


def scatter(values):
    middle = statistics.fmean(values)
    return (f"mean {middle:.8g}  standard deviation {100 * statistics.pstdev(values) / abs(middle):.4f} %  "
            f"from {100 * (min(values) / middle - 1):+.4f} to {100 * (max(values) / middle - 1):+.4f} %")


def report(results):
    print(f"drag      {scatter([r.drag for r in results])}")
    print(f"pressure  {scatter([r.pressure for r in results])}")
    print(f"friction  {scatter([r.friction for r in results])}")
    for name, one in (("least", min(results, key=lambda r: r.drag)), ("most", max(results, key=lambda r: r.drag))):
        print(f"  {name} {one.drag:.8g} at {one.position} of a cell")
    print(f"lift      at most {100 * max(r.lift / abs(r.drag) for r in results):.4f} % of the drag")
    print(f"in the last tenth of the time the drag changes by {100 * max(r.change for r in results):.3f} %")
    steps, speeds = [r.shortest for r in results], [r.fastest for r in results]
    step, speed = statistics.median(steps), statistics.median(speeds)
    print(f"shortest step  {min(steps):.4g}, median {step:.4g}")
    print(f"largest |u|    {max(speeds):.4g}, median {speed:.4g}")
    return min(steps) >= 0.5 * step and max(speeds) <= 1.5 * speed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--shape", choices=WIDTHS, default="cylinder")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--cells", type=int, default=12)
    parser.add_argument("--scheme", default="rk3")
    parser.add_argument("--reynolds", type=float, default=20)
    parser.add_argument("--end", type=float, default=30)
    parser.add_argument("--cfl", type=float, default=0.8)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--keep", help="folder for the runs; else they are removed")
    asked = parser.parse_args()
    asked.program = str(pathlib.Path(asked.program).resolve())
    chance = random.Random(asked.seed)
    axes = 2 if asked.shape == "cylinder" else 3
    offsets = [[chance.random() for _ in range(axes)] for _ in range(asked.count)]
    with tempfile.TemporaryDirectory() as temporary, concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        folder = asked.keep or temporary
        runs = [pool.submit(run, asked, folder, number, offset) for number, offset in enumerate(offsets)]
        results, failures = [], 0
        for number, (offset, ended) in enumerate(zip(offsets, runs)):
            result, failure = ended.result()
            if result is not None:
                results.append(result)
            if failure is not None:
                failures += 1
                print(f"position {number}, {', '.join(f'{part:.6f}' for part in offset)} of a cell: {failure}", flush=True)
    print(f"{asked.shape}, {asked.cells} cells a diameter, {asked.scheme}, Re {asked.reynolds:g}: {asked.count} positions, "
          f"{failures} failed")
    alike = bool(results) and report(results)
    if results and not alike:
        print("steps or velocities are not those of the same flow")
    return 1 if failures or not alike else 0


if __name__ == "__main__":
    sys.exit(main())
