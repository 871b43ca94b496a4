#!/usr/bin/env python3
"""Which mistakes of one line live through the tests?

    mutate.py build FOLDER [--jobs N]      plants the mistakes of mistakes.txt into a copy of this checkout,
                                           builds it once for the CPU, and collects programs, libraries and
                                           what the tests read in FOLDER/package, which may be moved
    mutate.py run PACKAGE [--jobs N]       runs the tests with each mistake in turn, N at once
              [--only TEXT] [--results FILE]

Every mistake is a branch in the copy, taken where the environment variable HODGE_MISTAKE is its number. With
the variable unset all tests must pass; those that do not are left out and named. A mistake is killed by the
first test that fails, crashes or hangs. Exit code 0 where at least 95 % are killed.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = ["linalg", "sim", "verification", "tools"]
LEAST_KILLED = 0.95
SLOW = 500  # ms; such tests come after all others
Mistake = collections.namedtuple("Mistake", "number file name first text mistaken")

SWITCH = """#pragma once
#ifdef __cplusplus
#include <cstdlib>
// The number of the mistake that is made; 0: none. Read before any object is made.
inline int the_mistake = 0;
__attribute__((constructor(101))) static void read_the_mistake() {
  if (const char* number = std::getenv("HODGE_MISTAKE")) the_mistake = std::atoi(number);
}
inline bool mutated(int number) { return the_mistake == number; }
#endif
"""


def fail(text):
    sys.exit(f"mutate.py: {text}")


def read_mistakes(path):
    mistakes = []
    for block in re.split(r"\n\s*\n", path.read_text()):
        lines = [line for line in block.splitlines() if not line.startswith("#")]
        if not lines:
            continue
        head = re.fullmatch(r"\[(\S+)\] (.*?)(?: @ (.*))?", lines[0])
        text = "\n".join(line[2:] for line in lines[1:] if line.startswith("- "))
        mistaken = "\n".join(line[2:] for line in lines[1:] if line.startswith("+ "))
        if not head or not text or not mistaken:
            fail(f"{path.name}: what is '{lines[0]}'?")
        file, name, first = head.groups()
        mistakes.append(Mistake(len(mistakes) + 1, file, name, (first or "").split(), text, mistaken))
    return mistakes


def pattern_of(text):
    """The text with any white space between its words."""
    return r"\s*".join(re.escape(word) for word in re.findall(r"\w+|\S", text))


def plant(mistake, source):
    """The source with a branch in place of the text."""
    before, marked, after = re.fullmatch(r"(?s)(?:(.*)«)?(.*?)(?:»(.*))?", mistake.text).groups()
    parts = [f"(?P<{name}>{pattern_of(part or '')})" for name, part in
             (("before", before), ("marked", marked), ("after", after))]
    found = list(re.finditer(r"\s*".join(parts), source))
    if len(found) != 1:
        fail(f"{mistake.file} has the text of '{mistake.name}' {len(found)} times")
    right = found[0].group("marked")
    if marked.rstrip().endswith(";"):
        branch = f"{{ if (mutated({mistake.number})) {{ {mistake.mistaken} }} else {{ {right} }} }}"
    else:
        branch = f"(mutated({mistake.number}) ? ({mistake.mistaken}) : ({right}))"
    return source[: found[0].start("marked")] + branch + source[found[0].end("marked") :]


def copy_of_checkout(root, copy):
    files = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard"], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    for name in files:
        if (root / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, copy / name)


def write_if_changed(path, text):
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def build(arguments):
    root, folder = HERE.parent.parent, pathlib.Path(arguments.folder).resolve()
    source, made, package = folder / "source", folder / "build", folder / "package"
    mistakes = read_mistakes(HERE / "mistakes.txt")
    planted = {}
    for mistake in mistakes:  # the last first: the ends of files change before their beginnings
        planted[mistake.file] = plant(mistake, planted.get(mistake.file) or (root / mistake.file).read_text())
    copy_of_checkout(root, folder / "plain")
    for path in (folder / "plain").rglob("*"):
        if path.is_file():
            name = str(path.relative_to(folder / "plain"))
            target = source / name
            target.parent.mkdir(parents=True, exist_ok=True)
            text = planted.get(name, "").encode() or path.read_bytes()
            if not target.exists() or target.read_bytes() != text:
                target.write_bytes(text)
                shutil.copymode(path, target)
    write_if_changed(folder / "switch.hpp", SWITCH)
    options = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DHODGE_CUDA=OFF", "-DHODGE_BUILD_TESTS=ON",
               "-DHODGE_INSTALL_TESTS=ON", "-DHODGE_UNITY_BUILD=ON", f"-DCMAKE_CXX_FLAGS=-include {folder}/switch.hpp"]
    subprocess.run(["cmake", "-S", source, "-B", made, *options], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", made, f"-j{arguments.jobs}", "-k0"], check=True)
    shutil.rmtree(package, ignore_errors=True)
    for component in ("program", "tests"):
        subprocess.run(["cmake", "--install", made, "--prefix", package, "--component", component, "--strip"],
                       check=True, stdout=subprocess.DEVNULL)
    shutil.copytree(folder / "plain", package / "source")
    for name in ("mutate.py", "mistakes.txt"):
        shutil.copy2(HERE / name, package)
    print(f"{package}: {len(mistakes)} mistakes; python3 mutate.py run .")


class Tests:
    """The test programs of a package."""

    def __init__(self, package):
        self.package = package
        self.left_out = {program: [] for program in PROGRAMS}
        self.seconds = {program: 600.0 for program in PROGRAMS}
        self.slow = {program: [] for program in PROGRAMS}

    def run(self, program, tests, number, most_seconds, fail_fast=True, shard=None):
        """(what failed: names of tests, or None; seconds), of those that two lists of patterns take and leave out"""
        filters, others = tests
        environment = dict(os.environ, HODGE_PROGRAM=str(self.package / "bin/hodge"),
                           HODGE_SOURCE=str(self.package / "source"), OMP_NUM_THREADS="1", BLIS_NUM_THREADS="1",
                           OPENBLAS_NUM_THREADS="1", OMP_WAIT_POLICY="passive")
        if number:
            environment["HODGE_MISTAKE"] = str(number)
        if shard:
            environment.update(GTEST_SHARD_INDEX=str(shard[0]), GTEST_TOTAL_SHARDS=str(shard[1]))
        started = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="hodge-mistake-") as folder:
            os.chmod(folder, 0o1777)  # some tests run as another user
            environment["TMPDIR"] = folder
            command = [str(self.package / f"bin/hodge_{program}_tests"), "--gtest_color=no",
                       f"--gtest_filter={':'.join(filters)}-{':'.join(others + self.left_out[program])}"]
            if fail_fast:
                command.append("--gtest_fail_fast")
            with open(os.path.join(folder, "output of the tests"), "w+", errors="replace") as output:
                process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                           stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
                try:
                    code = process.wait(most_seconds)
                except subprocess.TimeoutExpired:
                    code = None
                    os.killpg(process.pid, 9)
                    process.wait()
                output.seek(0)
                text = output.read()
        seconds = time.monotonic() - started
        if not number:
            times = re.findall(r"^\[       OK \] (\S+) \((\d+) ms\)", text, re.M)
            self.slow[program] += [name for name, time_of in times if int(time_of) > SLOW]
        if code == 0:
            return None, seconds
        failed = list(dict.fromkeys(re.findall(r"^\[  FAILED  \] (\S+?),? ", text + " ", re.M)))
        last = re.findall(r"^\[ RUN      \] (\S+)", text, re.M)
        if code is None:
            return [f"{last[-1] if last else program} (hangs)"], seconds
        return failed or [f"{last[-1] if last else program} (exit code {code})"], seconds


def without_mistakes(tests, jobs):
    """Names the tests that fail without any mistake, and leaves them out."""
    shards = max(4, jobs)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        runs = {(program, k): pool.submit(tests.run, program, (["*"], []), 0, 3600, False, (k, shards))
                for program in PROGRAMS for k in range(shards)}
    for program in PROGRAMS:
        results = [runs[program, k].result() for k in range(shards)]
        tests.seconds[program] = sum(seconds for _, seconds in results)
        failed = [name for names, _ in results for name in names or []]
        tests.left_out[program] = [re.sub(r"[ (].*", "", name) for name in failed]
        print(f"hodge_{program}_tests without a mistake: {tests.seconds[program]:.0f} s"
              + (f"; left out, for they fail: {', '.join(failed)}" if failed else ""), flush=True)


def try_mistake(tests, mistake):
    """(the test that kills it, or None; seconds)"""
    hints = [hint.partition(":") for hint in mistake.first]
    stages = [(program, (filters.split(":"), [])) for program, _, filters in hints if filters != "*"]
    first = [program for program, _, filters in hints if filters == "*"]
    order = first + [program for program in PROGRAMS if program not in first]
    stages += [(program, (["*"], tests.slow[program])) for program in order]
    stages += [(program, (tests.slow[program], [])) for program in order if tests.slow[program]]
    total = 0.0
    for program, chosen in stages:
        failed, seconds = tests.run(program, chosen, mistake.number, 120 + 5 * tests.seconds[program])
        total += seconds
        if failed:
            return failed[0], total
    return None, total


def run(arguments):
    package = pathlib.Path(arguments.folder).resolve()
    mistakes = [m for m in read_mistakes(package / "mistakes.txt")
                if not arguments.only or re.search(arguments.only, f"{m.number} {m.file} {m.name}")]
    tests = Tests(package)
    if not arguments.trust:
        without_mistakes(tests, arguments.jobs)
    results = open(arguments.results, "w") if arguments.results else None
    alive = []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        waiting = {pool.submit(try_mistake, tests, mistake): mistake for mistake in mistakes}
        for done in concurrent.futures.as_completed(waiting):
            mistake, (killer, seconds) = waiting[done], done.result()
            if not killer:
                alive.append(mistake)
            line = (f"{mistake.number:4d}  {'killed' if killer else 'LIVES '} {seconds:6.0f} s  [{mistake.file}] "
                    f"{mistake.name}" + (f": {killer}" if killer else ""))
            print(line, flush=True)
            if results:
                print(line, file=results, flush=True)
    killed = len(mistakes) - len(alive)
    print(f"\n{killed} of {len(mistakes)} mistakes are killed ({killed / max(1, len(mistakes)):.1%})")
    for mistake in sorted(alive):
        print(f"lives: {mistake.number} [{mistake.file}] {mistake.name}")
    sys.exit(0 if killed >= LEAST_KILLED * len(mistakes) else 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("build", "run"):
        command = commands.add_parser(name)
        command.add_argument("folder")
        command.add_argument("--jobs", type=int, default=os.cpu_count())
    command.add_argument("--only", help="a regular expression: mistakes whose number, file and name have it")
    command.add_argument("--results", help="a file for the lines of the results")
    command.add_argument("--trust", action="store_true", help="do not try the tests without mistakes first")
    arguments = parser.parse_args()
    build(arguments) if arguments.command == "build" else run(arguments)


if __name__ == "__main__":
    main()
