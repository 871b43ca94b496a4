#!/usr/bin/env bash
# Checks who includes whom: each folder only itself and those before it in storeys.txt; tests see all. No file includes
# itself over others.
#
#   include_arrows.sh FOLDER        every wrong #include below FOLDER as file:line, exit 1 if there is one
#   include_arrows.sh --self-check  plants wrong and right includes in a scratch folder and expects the verdicts
#
# Further rules: solvers and preconditioners are plain C++, but for .cu files (nothing of linalg/host, linalg/cuda or a device header),
# and linalg needs neither VTK nor yaml-cpp nor any other library of sim.
set -euo pipefail

storeys=$(dirname "${BASH_SOURCE[0]}")/storeys.txt

wrong_includes() {
  local root=$1
  # A checkout of linalg alone is fine: only folders that exist are searched.
  local folders=() folder
  for folder in linalg sim cases tools; do
    [ ! -d "$root/$folder" ] || folders+=("$root/$folder")
  done
  find "${folders[@]}" -type f \
    \( -name '*.hpp' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' -o -name '*.inl' -o -name '*.in' \) -print0 |
    sort -z | xargs -0 -r awk -v root="$root/" -v storeys="$storeys" '
      BEGIN {
        while ((getline line <storeys) > 0)
          if (split(line, words, " ") > 0 && words[1] != "#") rank[words[1]] = ++storey
        top = "^(linalg|sim|cases|tools|tests)/"
      }
      function folder_of(path) { sub(/\/[^\/]*$/, "", path); return path }
      function report(why) { printf "%s:%d: %s: %s\n", file, FNR, why, $0; bad = 1 }
      FNR == 1 {
        file = substr(FILENAME, length(root) + 1)
        folder = folder_of(file)
        layer = file
        sub(/\/.*/, "", layer)
        if (file !~ /\.in$/ && !(folder in rank)) report(folder " is not in storeys.txt")
        plain = file ~ /^linalg\/(solvers|preconditioners)\/.*pp$/
      }
      match($0, /^[ \t]*#[ \t]*include[ \t]*[<"][^>"]+[>"]/) {
        name = substr($0, RSTART, RLENGTH)
        gsub(/^[ \t]*#[ \t]*include[ \t]*[<"]|[>"]$/, "", name)
        target = folder_of(name)
        if (name ~ /^\.\.?\//) report("write the path from the root of the checkout")
        if (name ~ top && name != "linalg/version.hpp" && !(target in rank && rank[target] <= rank[folder]))
          report(folder " may not include " target)
        if (plain && name ~ /^linalg\/(host|cuda)\//) report("a solver or preconditioner may not know a space")
        if (plain && name ~ /^(cuda|cub|thrust|cublas|cusparse|omp\.h)/) report("a solver or preconditioner is plain C++")
        if (layer == "linalg" && name ~ /^(vtk|yaml-cpp|spdlog|fmt|CLI)/) report("linalg stands alone")
      }
      END { exit bad }'
}

# Files that include each other over others, by the loops that tsort finds.
include_circles() {
  local loops
  loops=$(cd "$1" && grep -rHoE '^[ \t]*#[ \t]*include[ \t]*"[^"]+"' linalg sim cases tools 2>/dev/null |
    sed -E 's/:[^"]*"/ /; s/"$//' | tsort 2>&1 >/dev/null | sed 's/^tsort: //') || true
  [ -z "$loops" ] || { printf 'files that include each other:\n%s\n' "$loops"; return 1; }
}

# expect VERDICT FILE INCLUDE: VERDICT is `wrong` or `right`.
expect() {
  local scratch verdict=right
  scratch=$(mktemp -d)
  mkdir -p "$scratch/$(dirname "$2")"
  printf '#pragma once\n#include %s\n' "$3" >"$scratch/$2"
  { wrong_includes "$scratch" && include_circles "$scratch"; } >/dev/null || verdict=wrong
  rm -r "$scratch"
  if [ "$verdict" != "$1" ]; then
    echo "include_arrows.sh: $2 with #include $3 should be $1, but was judged $verdict"
    return 1
  fi
}

expect_circle_found() {
  local scratch status=0
  scratch=$(mktemp -d)
  mkdir -p "$scratch/linalg/base"
  echo '#include "linalg/base/b.hpp"' >"$scratch/linalg/base/a.hpp"
  echo '#include "linalg/base/a.hpp"' >"$scratch/linalg/base/b.hpp"
  include_circles "$scratch" >/dev/null || status=1
  rm -r "$scratch"
  [ $status -eq 1 ] || { echo "include_arrows.sh: two headers that include each other were not found"; return 1; }
}

self_check() {
  expect wrong linalg/vectors/vector.hpp '"sim/discrete/grid/grid.hpp"'
  expect wrong linalg/vectors/vector.hpp '"linalg/matrices/csr.hpp"'
  expect wrong linalg/vector.hpp '"linalg/base/index.hpp"'
  expect wrong linalg/cuda/kernels/vectors.cu '"tools/hodge/program/job.hpp"'
  expect wrong linalg/solve/solve.hpp '<yaml-cpp/yaml.h>'
  expect wrong sim/discrete/grid/grid.hpp '"cases/registry.hpp"'
  expect wrong sim/model/problem.hpp '"sim/discrete/grid/grid.hpp"'
  expect wrong sim/discrete/grid/grid.cpp '  <tools/hodge/program/job.hpp>'
  expect wrong cases/cavity.cpp '"tools/hodge/program/job.hpp"'
  expect wrong tools/hodge/run/jobs.cpp '"tests/support/paths.hpp"'
  expect wrong tools/hodge/program/job.cpp '"tools/hodge/run/jobs.hpp"'
  expect wrong sim/discrete/grid/grid.cpp '"../linalg/vectors/vector.hpp"'
  expect wrong linalg/solvers/cg.hpp '"linalg/host/blas.hpp"'
  expect wrong linalg/preconditioners/jacobi.hpp '"linalg/cuda/device/runtime.hpp"'
  expect wrong linalg/solvers/cg.hpp '<thrust/reduce.h>'
  expect right linalg/solvers/cg.hpp '"linalg/vectors/vector.hpp"'
  expect right linalg/host/blas.cpp '<thrust/reduce.h>'
  expect right linalg/host/blas.cpp '"linalg/host/guard.hpp"'
  expect right sim/discrete/grid/grid.hpp '"linalg/base/index.hpp"'
  expect right cases/cavity.cpp '"sim/model/problem.hpp"'
  expect right tools/hodge/run/jobs.cpp '"cases/registry.hpp"'
  expect right sim/app/output/frame.cpp '<vtkImageData.h>'
  expect_circle_found
}

case ${1:-} in
  --self-check) self_check ;;
  ''|-*) sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  *)
    [ -d "$1/linalg" ] || { echo "include_arrows.sh: no folder linalg in $1" >&2; exit 2; }
    wrong_includes "${1%/}" && include_circles "${1%/}"
    ;;
esac
