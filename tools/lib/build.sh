# Configures and builds hodge for tools/run.sh and tools/test.sh; sourced.
#
# Environment, all optional:
#   HODGE_BUILD_DIR   the build folder (build/ in the checkout)
#   HODGE_CMAKE_ARGS  more arguments of CMake, as in "-DHODGE_CUDA=OFF -DHODGE_NATIVE=ON"
#   HODGE_PARALLEL    1: with MPI, so that mpirun can start several processes; the same as --parallel
#   HODGE_JOBS        number of compiler processes that run at the same time
#   HODGE_PACKAGES_DIR  where VTK and OpenBLAS are unpacked (packages/ in the build folder), so that folders can share them

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${HODGE_BUILD_DIR:-$root/build}
case $build in /*) ;; *) build=$PWD/$build ;; esac
. "$root/tools/lib/messages.sh"
. "$root/tools/lib/packages.sh"
. "$root/tools/lib/unpack.sh"

# lock_build: only one call at a time may build in a folder; others wait until unlock_build.
lock_build() {
  mkdir -p "$build" 2>/dev/null && [ -w "$build" ] || die 4 "cannot write in $build"
  exec 9>"$build/.lock"
  if ! flock -n 9; then
    say "another call is building in $build: waiting for it"
    flock 9
  fi
}
unlock_build() { exec 9>&-; }

# wants_cuda: there is a CUDA compiler, and the arguments do not switch CUDA off.
wants_cuda() {
  case " ${HODGE_CMAKE_ARGS:-} " in *" -DHODGE_CUDA=OFF "*) return 1 ;; esac
  [ -n "$(nvcc_path)" ]
}

# wants_mpi: asked for by --parallel or HODGE_PARALLEL=1.
case ${HODGE_PARALLEL:-0} in
  0 | 1) ;;
  *) die 2 "HODGE_PARALLEL is '$HODGE_PARALLEL', expected 0 or 1" ;;
esac
wants_mpi() { [ "${HODGE_PARALLEL:-0}" = 1 ]; }

# has_tests KIND: KIND is run or test. Tests that are configured once stay configured, so that alternating calls of run.sh
# and test.sh have nothing to do.
has_tests() { [ "$1" = test ] || grep -qs '^HODGE_BUILD_TESTS:BOOL=ON' "$build/CMakeCache.txt"; }

# needed_packages KIND
needed_packages() {
  local packages=("${run_packages[@]}")
  wants_cuda || packages+=(libthrust-dev)
  ! wants_mpi || packages+=("${parallel_packages[@]}")
  ! has_tests "$1" || packages+=("${test_packages[@]}")
  echo "${packages[@]}"
}

# jobs: one compiler process per core, but only as many as have 1.5 GB of memory each.
jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/MemAvailable/ { print int($2 / 1500000) }' /proc/meminfo)
  [ "$memory" -ge 1 ] || memory=1
  echo "${HODGE_JOBS:-$((cores < memory ? cores : memory))}"
}

configuration_failed() {
  tail -n 25 "$build/configure.log" >&2
  die 4 "the configuration failed; the whole log is $build/configure.log"
}

# configure_again COMMAND...: after a configuration that failed, with packages whose need shows only there.
configure_again() {
  local packages=()
  # The CUDA compiler does not work with this g++, so this is a build for the CPU, which needs the system's Thrust.
  ! grep -q 'Thrust was not found' "$build/configure.log" || packages+=(libthrust-dev)
  # An earlier call was with --parallel, and MPI has been removed since.
  ! grep -q 'HODGE_MPI=ON, but' "$build/configure.log" || packages+=("${parallel_packages[@]}")
  [ ${#packages[@]} -gt 0 ] || configuration_failed
  ensure_packages "$build/packages.log" "${packages[@]}"
  "$@" >"$build/configure.log" 2>&1 || configuration_failed
}

# settings_for KIND: what a folder is configured for. MPI stays configured, too.
settings_for() {
  local tests=OFF mpi=
  ! has_tests "$1" || tests=ON
  if wants_mpi || grep -qs '^HODGE_MPI:STRING=ON' "$build/CMakeCache.txt"; then mpi=-DHODGE_MPI=ON; fi
  echo "$root $tests $mpi ${HODGE_CMAKE_ARGS:-}"
}
is_configured() { [ -f "$build/build.ninja" ] && [ "$(cat "$build/.configured" 2>/dev/null)" = "$1" ]; }

# configure KIND: runs CMake if the folder is not configured, or was configured with other arguments. A new folder gets
# HODGE_UNITY_BUILD, for the fastest build from scratch, unless the arguments say -DHODGE_UNITY_BUILD=OFF.
configure() {
  local settings tests
  settings=$(settings_for "$1")
  is_configured "$settings" && return
  tests=${settings#"$root "}
  local arguments=${tests#* }  # -DHODGE_MPI=ON, if asked for, and HODGE_CMAKE_ARGS
  tests=${tests%% *}

  need_disk "$build" 500 "a build"
  say "configuring $build"
  local fresh=() unity=()
  if [ -f "$build/CMakeCache.txt" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt"; then
    fresh=(--fresh)  # the checkout has moved
  fi
  if [ ! -f "$build/CMakeCache.txt" ] || [ ${#fresh[@]} -gt 0 ]; then unity=(-DHODGE_UNITY_BUILD=ON); fi
  rm -f "$build/.configured"
  # The arguments are a list of words on purpose.
  # shellcheck disable=SC2206
  local command=(cmake "${fresh[@]}" -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release
    -DHODGE_BUILD_TESTS=$tests "${unity[@]}" $arguments)
  "${command[@]}" >"$build/configure.log" 2>&1 || configure_again "${command[@]}"
  grep '^-- hodge:' "$build/configure.log" | sed "s/^-- hodge: /$tool: /"
  echo "$settings" >"$build/.configured"
}

# compile TARGET...: ninja, without the lines that are the same in every call. Not by awk: mawk, which a small Debian has,
# shows nothing before the end.
compile() {
  if ninja -C "$build" -j "$(jobs)" "$@" 2>&1 9>&- |
    sed -u -E '/^ninja: (Entering|no work to do)|Re-checking globbed/d'; then return; fi
  need_disk "$build" 50 "a build"
  die 4 "the build failed; the compiler's first message above says where." \
    "If memory ran out, call again with HODGE_JOBS=1 in the environment."
}

# lacks_packages KIND: something that a build from scratch would need is not installed or not unpacked.
lacks_packages() {
  # Word splitting makes the list.
  # shellcheck disable=SC2046
  [ -n "$(missing_packages $(needed_packages "$1"))" ] || wants_vtk || wants_openblas
}

# is_built KIND TARGET...: nothing is to be configured or compiled. Ninja asks with a copy of its file, because with the
# file itself a dry run ends at the check for new sources, which VerifyGlobs makes.
is_built() {
  local copy=$build/.check.ninja verify=$build/CMakeFiles/VerifyGlobs.cmake
  is_configured "$(settings_for "$1")" && command -v ninja >/dev/null && command -v cmake >/dev/null || return
  shift
  [ -z "$(find "$root/CMakeLists.txt" "$root"/*/CMakeLists.txt "$root/tools/cmake" -newer "$build/build.ninja")" ] || return
  [ ! -e "$verify" ] || [ -z "$(cmake -P "$verify" 2>&1)" ] || return
  cp "$build/build.ninja" "$copy"
  ninja -C "$build" -f "$copy" -n "$@" 2>/dev/null | grep -q '^ninja: no work to do'
}

# build KIND TARGET...: packages, configuration and compilation; afterwards the program can start. Packages are asked for
# only where something is to be built.
build() {
  local kind=$1 log=$build/packages.log
  shift
  lock_build
  if ! { command -v dpkg-query >/dev/null && lacks_packages "$kind" && is_built "$kind" "$@"; }; then
    # Word splitting makes the list.
    # shellcheck disable=SC2046
    ensure_packages "$log" $(needed_packages "$kind")
    unpack_libraries "$log"
    configure "$kind"
    compile "$@"
  fi
  unlock_build
}
