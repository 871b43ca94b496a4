#!/usr/bin/env bash
# Runs fuzz targets for some seconds each, beginning with the inputs of corpus/.
#
#   tests/fuzz/run.sh SECONDS [BUILD] [JOBS] [TARGET...]
#
# BUILD is the folder of a build with HODGE_BUILD_FUZZERS, build-fuzz by default. Without TARGET all are run.
# JOBS processes at once for each target, 1 by default. What they find is written to BUILD/fuzz/TARGET: new inputs into
# corpus/, defects into found/, what each process prints into *.log. Each defect is shown. Exit code 1 where there is one.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
seconds=${1:?"usage: run.sh SECONDS [BUILD] [JOBS]"}
build=${2:-$root/build-fuzz}
jobs=${3:-1}
targets=("${@:4}")
[ ${#targets[@]} -gt 0 ] || for source in "$root"/tests/fuzz/*_fuzz.cpp; do targets+=("$(basename "$source" _fuzz.cpp)"); done

# show_defects FOLDER: why each process of a target ended early, and the inputs that it ended at.
show_defects() {
  grep -h -e 'what():' -e '^SUMMARY' -e 'runtime error' "$1"/*.log
  for input in "$1"/found/*; do
    printf '%s, %s bytes:\n' "$input" "$(stat -c %s "$input")"
    head -c 512 "$input" | od -A d -c
  done
}

# libFuzzer ends a process at an input that takes longer than 20 s or needs more than 2 GB.
limits=(-timeout=20 -report_slow_units=20 -rss_limit_mb=2048 -malloc_limit_mb=1024 -max_len=65536)
status=0
for name in "${targets[@]}"; do
  out=$build/fuzz/$name
  seeds=("$root/tests/fuzz/corpus/$name")
  [ "$name" != yaml ] || seeds+=("$root/configs" "$root/tests/tools/bad_configs")
  mkdir -p "$out/corpus" "$out/found"
  for ((job = 0; job < jobs; ++job)); do
    OMP_NUM_THREADS=1 "$build/bin/hodge_${name}_fuzz" "${limits[@]}" -max_total_time="$seconds" -print_final_stats=1 \
      -artifact_prefix="$out/found/" "$out/corpus" "${seeds[@]}" >"$out/$job.log" 2>&1 &
  done
  wait
  found=$(find "$out/found" -type f | wc -l)
  inputs=$(awk '/number_of_executed_units/ { sum += $2 } END { print sum + 0 }' "$out"/*.log)
  printf '%-14s %12s inputs, %s defects\n' "$name" "$inputs" "$found"
  [ "$inputs" -gt 0 ] || status=1
  [ "$found" = 0 ] || { status=1 && show_defects "$out"; }
done
exit $status
