#!/usr/bin/env python3
"""Which mistakes of one line live through the tests?

    mutate.py build FOLDER [--jobs N]      plants the mistakes of mistakes.txt into a copy of this checkout,
              [--list FILE]                builds it once for the CPU, and collects programs, libraries and
                                           what the tests read in FOLDER/package, which may be moved
    mutate.py check                        whether every mistake of mistakes.txt still has its place
    mutate.py run PACKAGE [--jobs N]       runs the tests with each mistake in turn, N at once
              [--only TEXT] [--again]
    mutate.py draw FOLDER --count N        draws mistakes from the sources (draw.py) in place of those that
              --seed S [--jobs N]          somebody picked, writes them to FOLDER/drawn.txt in the form of
              [--only TEXT]                mistakes.txt, builds and runs

Every mistake is a branch in the copy, taken where the environment variable HODGE_MISTAKE is its number. With
the variable unset all tests must pass; those that do not are left out and named. A mistake is killed by the
first test that fails, crashes or hangs. Results are added to PACKAGE/results.txt, and mistakes that are there
are not tried again; an interrupted draw goes on, too. Exit code 0 where at least 95 % are killed, of drawn ones
90 %.
"""

import argparse
import collections
import concurrent.futures
import json
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
LEAST_KILLED = {"mistakes.txt": 0.95, "drawn.txt": 0.9}
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


def mistake_of(number, block, list_name):
    """None for a block of comments."""
    lines = [line for line in block.splitlines() if not line.startswith("#")]
    if not lines:
        return None
    head = re.fullmatch(r"\[(\S+)\] (.*?)(?: @ (.*))?", lines[0])
    text = "\n".join(line[2:] for line in lines[1:] if line.startswith("- "))
    mistaken = "\n".join(line[2:] for line in lines[1:] if line.startswith("+ "))
    if not head or not text or not mistaken:
        fail(f"{list_name}: what is '{lines[0]}'?")
    file, name, first = head.groups()
    return Mistake(number, file, name, (first or "").split(), text, mistaken)


def read_mistakes(path):
    blocks = re.split(r"\n\s*\n", path.read_text())
    mistakes = [mistake_of(number, block, path.name) for number, block in enumerate(blocks, 1)]
    return [mistake for mistake in mistakes if mistake]


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
    listing = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard"],
                             capture_output=True, text=True)
    if listing.returncode == 0:
        files = listing.stdout.splitlines()
    else:  # a copy without its history
        folders = [path for path in root.iterdir() if not path.name.startswith(("build", ".git"))]
        files = [str(path.relative_to(root)) for top in folders for path in [top, *top.rglob("*")]]
    for name in files:
        if (root / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, copy / name)


def write_if_changed(path, content):
    if not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def with_switch(folder, text):
    return f'#include "{folder}/switch.hpp"\n{text}'


def configure(source, made, arguments, *options):
    subprocess.run(["cmake", "-S", source, "-B", made, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DHODGE_CUDA=OFF",
                    "-DHODGE_BUILD_TESTS=ON", "-DHODGE_INSTALL_TESTS=ON", *options, *arguments.cmake],
                   check=True, stdout=subprocess.DEVNULL)


def leave_out(path, output, source):
    """Makes comments of the mistakes in whose lines the compiler found errors; returns whether there were any."""
    numbers = set()
    for name, line in re.findall(r"(?m)(?:^|from )([^\s:]+):(\d+)(?::\d+)?:", output):
        file = (source / "build" / name).resolve()
        if file.is_relative_to(source) and file.is_file():
            lines = file.read_text(errors="replace").splitlines()[max(0, int(line) - 4) : int(line) + 3]
            numbers.update(int(number) for number in re.findall(r"mutated\((\d+)\)", "\n".join(lines)))
    blocks = re.split(r"\n\s*\n", path.read_text())
    for number in numbers:
        print(f"left out, for the build fails with it: {blocks[number - 1].splitlines()[0]}")
        blocks[number - 1] = re.sub(r"(?m)^", "# ", blocks[number - 1])
    path.write_text("\n\n".join(blocks))
    return bool(numbers)


def planted_in(root, mistakes):
    """The text of each file with its mistakes."""
    planted = {}
    for mistake in mistakes:
        planted[mistake.file] = plant(mistake, planted.get(mistake.file) or (root / mistake.file).read_text())
    return planted


def check(arguments):
    files = planted_in(HERE.parent.parent, read_mistakes(HERE / "mistakes.txt"))
    print(f"mistakes.txt fits {len(files)} files")


def plant_all(root, folder, mistakes):
    planted = planted_in(root, mistakes)
    for path in (folder / "plain").rglob("*"):
        if path.is_file():
            name = str(path.relative_to(folder / "plain"))
            text = planted.get(name)
            write_if_changed(folder / "source" / name,
                             with_switch(folder, text).encode() if text else path.read_bytes())
            shutil.copymode(path, folder / "source" / name)


def build(arguments):
    root, folder = HERE.parent.parent, pathlib.Path(arguments.folder).resolve()
    source, package, listed = folder / "source", folder / "package", pathlib.Path(arguments.list)
    made = source / "build"
    copy_of_checkout(root, folder / "plain")
    write_if_changed(folder / "switch.hpp", SWITCH.encode())
    while True:
        plant_all(root, folder, read_mistakes(listed))
        configure(source, made, arguments, "-DHODGE_UNITY_BUILD=ON")
        ninja = subprocess.run(["ninja", "-C", made, f"-j{arguments.jobs}", "-k0"],
                               stdout=subprocess.PIPE, text=True, errors="replace")
        if ninja.returncode == 0:
            break
        if listed.parent == HERE or not leave_out(listed, ninja.stdout, source):
            fail(ninja.stdout[-10000:])
    shutil.rmtree(package, ignore_errors=True)
    for component in ("program", "tests"):
        subprocess.run(["cmake", "--install", made, "--prefix", package, "--component", component, "--strip"],
                       check=True, stdout=subprocess.DEVNULL)
    shutil.copytree(folder / "plain", package / "source")
    for path in (HERE / "mutate.py", listed):
        shutil.copy2(path, package)
    print(f"{package}: {len(read_mistakes(listed))} mistakes; python3 mutate.py run .")


def draw(arguments):
    import draw as drawing  # not needed where mistakes are run

    root, folder = HERE.parent.parent, pathlib.Path(arguments.folder).resolve()
    arguments.list = folder / "drawn.txt"
    if not arguments.list.exists():
        copy_of_checkout(root, folder / "plain")
        write_if_changed(folder / "switch.hpp", SWITCH.encode())
        configure(folder / "plain", folder / "checks", arguments, "-DHODGE_UNITY_BUILD=OFF",
                  "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")

        def planted(block, text):
            try:
                return with_switch(folder, plant(mistake_of(1, block, "draw"), text))
            except SystemExit:
                return None

        blocks = drawing.draw(folder / "plain", folder / "checks", arguments, folder / "drawn.log", planted, pattern_of)
        arguments.list.write_text("\n\n".join(blocks) + "\n")
    package = folder / "package"
    if not (package / arguments.list.name).exists():
        build(arguments)
    arguments.folder, arguments.only = package, None
    run(arguments)


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
    """Names the tests that fail without any mistake, and leaves them out. Found once for a package."""
    known = tests.package / "without_mistakes.json"
    if known.exists():
        tests.left_out, tests.seconds, tests.slow = json.loads(known.read_text())
        return
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
    known.write_text(json.dumps([tests.left_out, tests.seconds, tests.slow]))


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
    listed = next(package / name for name in LEAST_KILLED if (package / name).exists())
    mistakes = [m for m in read_mistakes(listed)
                if not arguments.only or re.search(arguments.only, f"{m.number} {m.file} {m.name}")]
    results = package / "results.txt"
    if arguments.again:
        results.unlink(missing_ok=True)
    known = dict(re.findall(r"(?m)^ *(\d+)  (killed|LIVES)", results.read_text())) if results.exists() else {}
    lives = {int(number) for number, outcome in known.items() if outcome == "LIVES"}
    left = [mistake for mistake in mistakes if str(mistake.number) not in known]
    tests = Tests(package)
    if left and not arguments.trust:
        without_mistakes(tests, arguments.jobs)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool, open(results, "a") as kept:
        waiting = {pool.submit(try_mistake, tests, mistake): mistake for mistake in left}
        for done in concurrent.futures.as_completed(waiting):
            mistake, (killer, seconds) = waiting[done], done.result()
            if not killer:
                lives.add(mistake.number)
            line = (f"{mistake.number:4d}  {'killed' if killer else 'LIVES '} {seconds:6.0f} s  [{mistake.file}] "
                    f"{mistake.name}" + (f": {killer}" if killer else ""))
            print(line, flush=True)
            print(line, file=kept, flush=True)
    alive = [mistake for mistake in mistakes if mistake.number in lives]
    killed = len(mistakes) - len(alive)
    print(f"\n{killed} of {len(mistakes)} mistakes are killed ({killed / max(1, len(mistakes)):.1%})")
    for mistake in alive:
        print(f"lives: {mistake.number} [{mistake.file}] {mistake.name}")
        for sign, text in (("-", mistake.text), ("+", mistake.mistaken)):
            print("\n".join(f"  {sign} {line}" for line in text.splitlines()))
    sys.exit(0 if killed >= LEAST_KILLED[listed.name] * len(mistakes) else 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("check")
    for name in ("build", "run", "draw"):
        command = commands.add_parser(name)
        command.add_argument("folder")
        command.add_argument("--jobs", type=int, default=os.cpu_count())
        if name != "run":
            command.add_argument("--cmake", action="append", default=[], help="another option for cmake, -D...")
        if name == "build":
            command.add_argument("--list", default=HERE / "mistakes.txt", help="in the form of mistakes.txt")
            continue
        command.add_argument("--only", help="a regular expression: of files, and of numbers and names where they run")
        command.add_argument("--again", action="store_true", help="forget the results that are there")
        command.add_argument("--trust", action="store_true", help="do not try the tests without mistakes first")
    command.add_argument("--count", type=int, required=True)
    command.add_argument("--seed", type=int, required=True)
    arguments = parser.parse_args()
    {"check": check, "build": build, "run": run, "draw": draw}[arguments.command](arguments)


if __name__ == "__main__":
    main()
