#!/usr/bin/env bash
# Builds hodge if needed, installing what the build needs, and runs a configuration.
#
#   tools/run.sh CONFIG.yaml [arguments of `hodge run`]
#   tools/run.sh configs/lid_driven_cavity.yaml --set time.end=5 --device cpu
#
# CONFIG is relative to the folder you call from. The build goes to build/ in the checkout; see tools/lib/build.sh
# for the environment variables that change this. Exit codes are the program's: 0 done, 2 wrong input,
# 3 numerical failure, 4 the machine.
set -euo pipefail
tool=run.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/build.sh"

usage() {
  sed -n '2,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
  known_configurations
}

known_configurations() {
  echo "Configurations that come with hodge:"
  printf '  %s\n' "$root"/configs/*.yaml
}

case ${1:-} in
  -h | --help) usage; exit 0 ;;
  '' | -*) usage >&2; exit 2 ;;
esac
config=$1
shift
if [ ! -r "$config" ] || [ -d "$config" ]; then
  known_configurations >&2
  die 2 "$config: no such file in $PWD"
fi

build run hodge
exec "$build/bin/hodge" run "$config" "$@"
