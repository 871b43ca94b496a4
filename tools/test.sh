#!/usr/bin/env bash
# Builds hodge and its tests if needed, installing what the build needs, and runs the tests.
#
#   tools/test.sh [arguments of ctest]
#   tools/test.sh -L unit          tools/test.sh -LE verification          tools/test.sh -R bicgstab
#
# Labels: unit, verification; linalg, sim, tools (a folder of tests); gpu (skipped where there is no GPU).
# tools/lib/build.sh lists the environment variables that change the build.
set -euo pipefail
tool=test.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/build.sh"

case ${1:-} in
  -h | --help) sed -n '2,8s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
esac

build test all
exec ctest --test-dir "$build" --output-on-failure --no-tests=error -j "$(jobs)" "$@"
