#!/usr/bin/env bash
# Builds hodge and its tests by clang and with the sanitizers, and runs tests. Missing packages are installed.
#
#   tests/sanitizers.sh [clang] [asan] [tsan]      all three without arguments
#
#   clang   clang++ 14 or newer, warnings are errors: the whole tree, its tests without those that need a GPU
#   asan    AddressSanitizer with its search for leaks, UndefinedBehaviorSanitizer: the same tests
#   tsan    ThreadSanitizer: the tests of output, signals, comparison and restart, where threads meet
#
# Each is a preset of CMakePresets.json with a folder of its own (build-clang, build-asan, build-tsan). On two cores the
# first build of a folder takes about a quarter of an hour. The output of each part ends with ctest's summary; the exit
# code is 0 if all parts pass. HODGE_JOBS is the number of compiler processes and of tests at the same time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
tool=sanitizers.sh
. tools/lib/build.sh

case ${1:-} in
  -h | --help) sed -n '2,12s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
esac
parts=("$@")
[ $# -gt 0 ] || parts=(clang asan tsan)
for part in "${parts[@]}"; do
  case $part in
    clang | asan | tsan) ;;
    *) die 2 "unknown part '$part', expected clang, asan or tsan" ;;
  esac
done

packages() {
  echo "${run_packages[@]}" "${test_packages[@]}" libthrust-dev
  [[ " ${parts[*]} " != *" clang "* ]] || echo clang libomp-dev
}
log=$(mktemp)
# Word splitting makes the lists, here and below.
# shellcheck disable=SC2046
ensure_packages "$log" $(packages)

# Memory that cannot be had is an error of hodge that is tested: the sanitizer has to return null as malloc does.
export ASAN_OPTIONS=allocator_may_return_null=1

targets_of() { [ "$1" != tsan ] || echo hodge hodge_sim_tests hodge_tools_tests; }

# Suites of tests/sim/app and tests/tools that have more than one thread, or a signal handler.
threads='^(BlowUp|Checkpoint|CompareCommand|Comparison|Console|FrameWriter|FramesInPieces|FramesOfProcesses|Kills|ProbeFiles|Progress|PvdCollection'
threads+='|Ranking|Run[A-Z.]|SharedPieces|Signal|StepRecords|StudyCommand|Summary|VtkFrame)'
tests_of() { if [ "$1" = tsan ]; then echo -R "$threads"; else echo -LE gpu; fi; }

failed=()
for part in "${parts[@]}"; do
  say "$part: building in build-$part"
  cmake --preset "$part" >"build-$part.log" || { tail -n 25 "build-$part.log" >&2; die 4 "no configuration: build-$part.log"; }
  # shellcheck disable=SC2046
  ninja -C "build-$part" --quiet -j "$(jobs)" $(targets_of "$part")
  say "$part: tests"
  # shellcheck disable=SC2046
  ctest --test-dir "build-$part" --output-on-failure --no-tests=error -j "$(jobs)" $(tests_of "$part") ||
    failed+=("$part")
done
[ ${#failed[@]} -eq 0 ] || die 1 "failed: ${failed[*]}"
say "passed: ${parts[*]}"
