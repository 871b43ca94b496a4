#!/usr/bin/env python3
"""Kills random processes of `mpirun hodge run` at random times and measures how long mpirun lives on.

    tests/processes/kill_ranks.py build/bin/hodge --kills 300 --seed 1 --at-once 2

Run by hand, on a machine with other work. Needs mpirun and, for the backtraces of what is late, gdb. The exit code is 1
if mpirun had not ended `--limit` seconds after a kill, or if a process was left behind. Where no process of hodge was
left by then, the backtrace says what mpirun waits for: PMIx 4.2.2 (Debian 12, Open MPI 4.1.4) can hang in its own
PMIx_server_finalize, in the lock of an object that it has freed, if a process dies while it connects to mpirun.
"""
import argparse
import concurrent.futures
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PROBLEM = """case: lid_driven_cavity
parameters: {reynolds: 100}
grid: {cells: [24, 24]}
time: {end: 1e6}
output: {directory: r, frames: {every: 1e6}, checkpoint: {every: 0.5}}
device: cpu
"""
# Each process writes its number down before it becomes hodge.
START = 'echo $$ > pid.$OMPI_COMM_WORLD_RANK$PMI_RANK.new; mv pid.$OMPI_COMM_WORLD_RANK$PMI_RANK.new ' \
        'pid.$OMPI_COMM_WORLD_RANK$PMI_RANK; exec "$@"'


def environment():
    return {**os.environ, "OMP_NUM_THREADS": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "true",
            "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
            "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}


def is_alive(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def backtrace(process):
    seen = subprocess.run(["gdb", "-p", str(process), "-batch", "-ex", "thread apply all bt 25"],
                          capture_output=True, text=True, check=False)
    return f"--- {process}: {status(process)}\n{seen.stdout}"


def status(process):
    try:
        return pathlib.Path(f"/proc/{process}/status").read_text().replace("\n", "; ")[:900]
    except OSError as error:
        return str(error)


def pid_of(folder, rank, within):
    file = pathlib.Path(folder) / f"pid.{rank}"
    end = time.monotonic() + within
    while not file.exists():
        if time.monotonic() > end:
            return None
        time.sleep(0.01)
    return int(file.read_text())


class Trial:
    def __init__(self, number, arguments, rng):
        self.number, self.arguments = number, arguments
        self.count = rng.randint(2, 4)
        self.rank = rng.randrange(self.count)
        # At the start of the program, of MPI and of the flow; in a run; about its end.
        self.stage = arguments.stage if arguments.stage != "any" else rng.choice(["starts", "runs", "runs", "ends"])
        self.wait = rng.uniform(0, 1 if self.stage == "ends" else 3)
        self.lines = []

    def say(self, text):
        self.lines.append(text)

    def run(self):
        folder = tempfile.mkdtemp(prefix="kill_ranks.")
        (pathlib.Path(folder) / "x.yaml").write_text(PROBLEM)
        launcher = subprocess.Popen(
            [self.arguments.mpirun, "-n", str(self.count), "sh", "-c", START, "sh",
             str(pathlib.Path(self.arguments.program).resolve()), "run", "x.yaml", "--quiet",
             "--set", f"time.steps={50 if self.stage == 'ends' else 100000000}"],
            cwd=folder, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        ranks = [pid_of(folder, rank, 60) for rank in range(self.count)]
        if None in ranks:
            launcher.kill()
            return f"{self.number}: mpirun started no process within 60 s", True
        steps = pathlib.Path(folder) / "r" / "history.csv"
        end = time.monotonic() + 60
        while self.stage != "starts" and not steps.exists() and launcher.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(self.wait)
        begin = time.monotonic()
        try:
            os.kill(ranks[self.rank], signal.SIGKILL)
            self.was_there = True
        except ProcessLookupError:
            self.was_there = False
        late = not self.ends_in_time(launcher, ranks)
        seconds = time.monotonic() - begin
        left = [process for process in ranks if is_alive(process)]
        for process in left + ([launcher.pid] if late else []):
            os.kill(process, signal.SIGKILL)
        launcher.wait()
        shutil.rmtree(folder, ignore_errors=True)
        self.say(f"{self.number}: rank {self.rank} of {self.count} after {self.wait:.2f} s ({self.stage}{'' if self.was_there else ', it was gone'}): mpirun ended "
                 f"{seconds:.2f} s later, exit code {launcher.returncode}" + (f", LEFT {left}" if left else ""))
        return "\n".join(self.lines), late or bool(left)

    # mpirun first, then its processes: init may reap them a little later.
    def ends_in_time(self, launcher, ranks):
        try:
            launcher.wait(self.arguments.limit)
        except subprocess.TimeoutExpired:
            self.say(f"{self.number}: LATE\n" +
                     "\n".join(backtrace(process) for process in [launcher.pid] + ranks if is_alive(process)))
            return False
        end = time.monotonic() + 5
        while any(is_alive(process) for process in ranks) and time.monotonic() < end:
            time.sleep(0.05)
        return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--mpirun", default="mpirun")
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stage", choices=["any", "starts", "runs", "ends"], default="any")
    parser.add_argument("--limit", type=float, default=10, help="seconds until mpirun must have ended")
    parser.add_argument("--at-once", type=int, default=2)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    trials = [Trial(number, arguments, rng) for number in range(arguments.kills)]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.at_once) as pool:
        for text, has_failed in pool.map(lambda trial: trial.run(), trials):
            print(text, flush=True)
            failed += has_failed
    print(f"{arguments.kills} kills, {failed} of them late or with processes left")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
