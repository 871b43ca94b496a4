#!/usr/bin/env bash
# Builds hodge if needed, installing what the build needs, and runs configurations.
#
#   tools/run.sh [--plot] [--parallel] CONFIG.yaml... [arguments of `hodge run`]
#   tools/run.sh configs/lid_driven_cavity.yaml --set time.end=5 --device cpu
#   tools/run.sh --plot configs/custom_heated_box.yaml
#
# CONFIG is relative to the folder you call from. With --plot, tools/plot.py draws pictures of every run into the folder
# plots/ of its directory. Only then are matplotlib and VTK for Python installed. With --parallel, Open MPI is installed
# and the program built so that mpirun can start it (docs/PARALLEL.md); the run itself is one process.
# The build goes to build/ in the checkout; see tools/lib/build.sh for the environment variables that change this.
# Exit codes are the program's: 0 done, 2 wrong input, 3 numerical failure, 4 the machine.
set -euo pipefail
tool=run.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/build.sh"

usage() {
  sed -n '2,13s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
  known_configurations
}

known_configurations() {
  echo "Configurations that come with hodge:"
  printf '  %s\n' "$root"/configs/*.yaml
}

plots=no
for (( ; ; )); do
  case ${1:-} in
    --plot) plots=yes ;;
    --parallel) HODGE_PARALLEL=1 ;;
    *) break ;;
  esac
  shift
done
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

program=$build/bin/hodge
before=$(stat -c %Y "$program" 2>/dev/null || true)
build run hodge
[ "$before" = "$(stat -c %Y "$program")" ] || say "the program is $program; tools/install.sh puts it on PATH"
[ "$plots" = yes ] || exec "$program" run "$config" "$@"

# A dry run names the directories, so that the output of the run itself can stay on the terminal.
# Word splitting makes the list.
# shellcheck disable=SC2046
ensure_packages "$build/packages.log" $(plot_packages)
planned=$("$program" run "$config" "$@" --dry-run --json) || exit
mapfile -t directories < <(/usr/bin/python3 -I -c \
  'import json, sys; print(*[run["directory"] for run in json.load(sys.stdin)], sep="\n")' <<<"$planned")
status=0
"$program" run "$config" "$@" || status=$?
for directory in "${directories[@]}"; do
  [ ! -e "$directory/history.csv" ] || /usr/bin/python3 -I "$root/tools/plot.py" "$directory"
done
exit $status
