#!/usr/bin/env bash
# Builds hodge and its tests if needed, installing what the build needs, and runs the tests.
#
#   tools/test.sh [--parallel] [arguments of ctest]
#   tools/test.sh -L unit          tools/test.sh -LE verification          tools/test.sh -R bicgstab
#
# Labels: unit, verification; linalg, sim, tools (a folder of tests); gpu (skipped where there is no GPU); processes (with
# --parallel, which installs Open MPI: tests under mpirun).
# HODGE_TEST_TARGETS in the environment: what is built, all by default, as in "hodge hodge_linalg_tests". tools/lib/build.sh
# lists the other environment variables that change the build.
set -euo pipefail
tool=test.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/build.sh"

case ${1:-} in
  -h | --help) sed -n '2,10s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
esac
if [ "${1:-}" = --parallel ]; then
  HODGE_PARALLEL=1
  shift
fi

# Word splitting makes the list.
# shellcheck disable=SC2086
build test ${HODGE_TEST_TARGETS:-all}
exec ctest --test-dir "$build" --output-on-failure --no-tests=error -j "$(jobs)" "$@"
