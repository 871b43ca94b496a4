#!/usr/bin/env python3
"""Random runs, each computed in two ways that have to agree.

    random_runs.py PROGRAM [--relations NAME,...] [--first SEED] [--count N] [--keep FOLDER] [--device cpu|cuda]

PROGRAM is hodge. Every seed is one configuration (generate.py); the relations (relations.py) are taken in turn, or those that are
named. A configuration that both ways refuse with the same exit code is counted as refused. The configurations of those that
disagree stay in FOLDER. Exit code 1 where there is one.
"""
import argparse
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from relations import RELATIONS

# Of Open MPI 4: more processes than cores, as root, in containers; a process that waits for ever is ended.
OF_MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
          "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "MPIEXEC_TIMEOUT": "900"}
LONGEST = 1000  # seconds of a run that has not ended for good


class Finished:
    def __init__(self, folder, code, errors):
        self.folder, self.code, self.errors = folder, code, errors

    def first_error(self):
        return next((line.strip() for line in self.errors.splitlines() if line.strip()), "")[:300]

    def checkpoints(self):
        return sorted(self.folder.glob("checkpoints/*.h5"))


class Runner:
    """Runs configurations in a folder, one after the other."""

    def __init__(self, program, folder, device):
        self.program, self.folder, self.device = program, folder, device
        self.codes = []
        self.files = {}

    def __call__(self, name, config, processes=1, threads=1, restart=None, device=None):
        file, output = self.folder / f"{name}.yaml", self.folder / name
        file.write_text(json.dumps(config, indent=1) + "\n")
        self.files[name] = file
        launcher = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(processes)] if processes > 1 else []
        command = [*launcher, self.program, "run", file, "--device", device or self.device, "--quiet", "--output", output,
                   "--set", "output.name=run"]  # files of two ways are compared name by name
        command += ["--restart", restart] if restart else []
        environment = {**os.environ, **OF_MPI, "OMP_NUM_THREADS": str(threads), "OPENBLAS_NUM_THREADS": "1"}
        try:
            done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=LONGEST)
            finished = Finished(output, done.returncode, done.stderr)
        except subprocess.TimeoutExpired:
            finished = Finished(output, -1, f"it has not ended after {LONGEST} s")
        self.codes.append(finished.code)
        return finished


def check(name, seed, program, device, keep):
    """"agrees", "refused", "skipped", or what disagrees."""
    with tempfile.TemporaryDirectory(prefix="hodge_random_") as folder:
        run = Runner(program, pathlib.Path(folder), device)
        found = RELATIONS[name](run, seed)
        if found is None:
            return "skipped"
        if found and keep:
            keep.mkdir(parents=True, exist_ok=True)
            for way, file in run.files.items():
                shutil.copy(file, keep / f"{name}_{seed}_{way}.yaml")
        return found or ("refused" if 2 in run.codes else "agrees")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--relations", default=",".join(name for name in RELATIONS if name != "devices"))
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--keep", type=pathlib.Path)
    given = parser.parse_args()
    given.relations = given.relations.split(",")
    if unknown := [name for name in given.relations if name not in RELATIONS]:
        parser.error(f"unknown relation {unknown[0]}, expected of {', '.join(RELATIONS)}")
    if not given.program.exists():
        parser.error(f"{given.program} is not there")
    return given


def main():
    given = arguments()
    counts = collections.Counter()
    for number, seed in enumerate(range(given.first, given.first + given.count)):
        name = given.relations[number % len(given.relations)]
        found = check(name, seed, given.program.resolve(), given.device, given.keep)
        kind = found if found in ("agrees", "refused", "skipped") else "disagrees"
        counts[kind] += 1
        if kind == "disagrees":
            print(f"seed {seed}, {name}: {found}", flush=True)
    print(", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))
    return 1 if counts["disagrees"] or not counts["agrees"] else 0


sys.exit(main())
