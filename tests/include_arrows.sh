#!/usr/bin/env bash
# Checks who includes whom: tools -> cases -> sim -> linalg, tests see all.
#
#   include_arrows.sh FOLDER        every wrong #include below FOLDER as file:line, exit 1 if there is one
#   include_arrows.sh --self-check  plants wrong and right includes in a scratch folder and expects the verdicts
#
# Further rules: solvers and preconditioners are plain C++ (nothing of linalg/host, linalg/cuda or a device header),
# and linalg needs neither VTK nor yaml-cpp nor any other library of sim.
set -euo pipefail

wrong_includes() {
  local root=$1
  # A checkout of linalg alone is fine: only folders that exist are searched.
  local folders=() folder
  for folder in linalg sim cases tools; do
    [ ! -d "$root/$folder" ] || folders+=("$root/$folder")
  done
  find "${folders[@]}" -type f \
    \( -name '*.hpp' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' -o -name '*.inl' -o -name '*.in' \) -print0 |
    sort -z | xargs -0 -r awk -v root="$root/" '
      BEGIN { rank["linalg"] = 1; rank["sim"] = 2; rank["cases"] = 3; rank["tools"] = 4; rank["tests"] = 5 }
      function report(why) { printf "%s:%d: %s: %s\n", file, FNR, why, $0; bad = 1 }
      FNR == 1 {
        file = substr(FILENAME, length(root) + 1)
        split(file, parts, "/")
        layer = parts[1]
        plain = file ~ /^linalg\/(solvers|preconditioners)\//
      }
      match($0, /^[ \t]*#[ \t]*include[ \t]*[<"][^>"]+[>"]/) {
        name = substr($0, RSTART, RLENGTH)
        gsub(/^[ \t]*#[ \t]*include[ \t]*[<"]|[>"]$/, "", name)
        split(name, target, "/")
        if (name ~ /^\.\.?\//) report("write the path from the root of the checkout")
        if (rank[target[1]] > rank[layer]) report(layer " may not include " target[1])
        if (plain && name ~ /^linalg\/(host|cuda)\//) report("a solver or preconditioner may not know a space")
        if (plain && name ~ /^(cuda|cub|thrust|cublas|cusparse|omp\.h)/) report("a solver or preconditioner is plain C++")
        if (layer == "linalg" && name ~ /^(vtk|yaml-cpp|spdlog|fmt|CLI)/) report("linalg stands alone")
      }
      END { exit bad }'
}

# expect VERDICT FILE INCLUDE: VERDICT is `wrong` or `right`.
expect() {
  local scratch verdict=right
  scratch=$(mktemp -d)
  mkdir -p "$scratch/$(dirname "$2")"
  printf '#pragma once\n#include %s\n' "$3" >"$scratch/$2"
  wrong_includes "$scratch" >/dev/null || verdict=wrong
  rm -r "$scratch"
  if [ "$verdict" != "$1" ]; then
    echo "include_arrows.sh: $2 with #include $3 should be $1, but was judged $verdict"
    return 1
  fi
}

self_check() {
  expect wrong linalg/vector.hpp '"sim/grid/grid.hpp"'
  expect wrong linalg/cuda/blas.cu '"tools/hodge/run.hpp"'
  expect wrong linalg/solve.hpp '<yaml-cpp/yaml.h>'
  expect wrong sim/grid/grid.hpp '"cases/registry.hpp"'
  expect wrong sim/grid/grid.cpp '  <tools/hodge/run.hpp>'
  expect wrong cases/cavity.cpp '"tools/hodge/run.hpp"'
  expect wrong tools/hodge/run.cpp '"tests/support/paths.hpp"'
  expect wrong sim/grid/grid.cpp '"../linalg/vector.hpp"'
  expect wrong linalg/solvers/cg.hpp '"linalg/host/blas.hpp"'
  expect wrong linalg/preconditioners/jacobi.hpp '"linalg/cuda/blas.hpp"'
  expect wrong linalg/solvers/cg.hpp '<thrust/reduce.h>'
  expect right linalg/solvers/cg.hpp '"linalg/vector.hpp"'
  expect right linalg/host/blas.cpp '<thrust/reduce.h>'
  expect right sim/grid/grid.hpp '"linalg/index.hpp"'
  expect right cases/cavity.cpp '"sim/flow/problem.hpp"'
  expect right tools/hodge/run.cpp '"cases/registry.hpp"'
  expect right sim/output/frame.cpp '<vtkImageData.h>'
}

case ${1:-} in
  --self-check) self_check ;;
  ''|-*) sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  *)
    [ -d "$1/linalg" ] || { echo "include_arrows.sh: no folder linalg in $1" >&2; exit 2; }
    wrong_includes "${1%/}"
    ;;
esac
