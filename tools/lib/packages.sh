# Debian and Ubuntu packages that a build needs; sourced. Only missing packages are installed.

# VTK and OpenBLAS: unpack.sh.
run_packages=(g++ cmake ninja-build libyaml-cpp-dev libcli11-dev libfmt-dev libmuparser-dev libhdf5-dev nlohmann-json3-dev
  zlib1g-dev)
# FFTW: the program opens it while it runs, for the direct solver on the CPU, and works without.
optional_packages=(libfftw3-double3)
test_packages=(libgtest-dev libgmock-dev)
parallel_packages=(libopenmpi-dev openmpi-bin)  # several processes: --parallel

# plot_packages: what tools/plot.py needs. python3-paraview has VTK's Python modules, and conflicts with python3-vtk9.
plot_packages() {
  echo python3-matplotlib python3-numpy
  [ -z "$(missing_packages python3-paraview)" ] || echo python3-vtk9
}

# nvcc_path: prints the CUDA compiler that CMake would take; prints nothing if there is none or it is too old.
nvcc_path() {
  local candidate release
  for candidate in "${CUDACXX:-}" "$(command -v nvcc)" "${CUDA_HOME:+$CUDA_HOME/bin/nvcc}" /usr/local/cuda/bin/nvcc; do
    [ -n "$candidate" ] && [ -x "$candidate" ] || continue
    release=$("$candidate" --version 2>/dev/null | sed -n 's/.*release \([0-9]*\)\..*/\1/p')
    [ "${release:-0}" -ge 12 ] || continue
    echo "$candidate"
    return
  done
}

# missing_packages PACKAGE...: prints those that are not installed.
missing_packages() {
  local installed package
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
  installed=" ${installed//$'\n'/ } "
  for package in "$@"; do
    case $installed in *" installed $package "*) ;; *) echo "$package" ;; esac
  done
}

# old_release: if this Debian or Ubuntu is too old, prints which release is needed.
old_release() {
  local id version
  id=$(. /etc/os-release && echo "${ID:-}")
  version=$(. /etc/os-release && echo "${VERSION_ID:-}")
  case $id:${version%%.*} in
    debian:[1-9] | debian:1[01]) echo "Debian $version is too old (CMake 3.25 and g++ 12 are needed): use Debian 12 or newer" ;;
    ubuntu:1? | ubuntu:2[0-2]) echo "Ubuntu $version is too old (CMake 3.25 and g++ 12 are needed): use Ubuntu 24.04 or newer" ;;
  esac
}

# apt_get ARGUMENTS...: runs as root, or through sudo (which asks for a password only on a terminal).
apt_get() {
  local command=(env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=600 -o Dpkg::Use-Pty=0 "$@")
  if [ "$(id -u)" -eq 0 ]; then
    "${command[@]}"
  elif [ -t 0 ]; then
    sudo "${command[@]}"
  else
    sudo -n "${command[@]}"
  fi
}

# may_install: whether this is root, or sudo works.
may_install() {
  [ "$(id -u)" -eq 0 ] && return
  command -v sudo >/dev/null || return
  [ -t 0 ] || sudo -n true 2>/dev/null
}

# ensure_lists LOG: gets the lists of packages where there are none, as in images of containers. If that fails, whoever
# needs them reports the reason.
ensure_lists() {
  compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null || ! may_install || apt_get update >>"$1" 2>&1 || true
}

# ensure_packages LOG PACKAGE...: installs the missing ones; if that fails, ends the script and says what to do.
ensure_packages() {
  local log=$1 missing old
  shift
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    # Another distribution may have all packages: check the tools here, CMake checks the libraries.
    command -v cmake >/dev/null && command -v ninja >/dev/null && command -v c++ >/dev/null && return
    die 4 "packages are installed on Debian 12, Ubuntu 24.04 and newer only; on this system install by hand:" \
      "  g++ (>= 12), CMake (>= 3.25), Ninja, VTK 9, yaml-cpp, CLI11, fmt, nlohmann-json; GoogleTest for the tests;" \
      "  Thrust (libthrust), or the CUDA toolkit (>= 12), which brings it"
  fi
  mapfile -t missing < <(missing_packages "$@")
  [ ${#missing[@]} -gt 0 ] || return 0

  old=$(old_release)
  [ -z "$old" ] || die 4 "$old"
  may_install || die 4 "some packages are missing and neither root nor sudo is at hand; run this once, then call again:" \
    "  apt-get update && apt-get install --no-install-recommends ${missing[*]}"
  local download=200 installed=700  # MB
  case " ${missing[*]} " in *" python3-vtk9 "*) download=500 installed=2000 ;; esac
  need_disk /var/cache $download "the download of packages"
  need_disk /usr $installed "the installation of packages"
  say "installing ${missing[*]} and what they need (once; log: $log)"
  ensure_lists "$log"
  if ! apt_get install --no-install-recommends "${missing[@]}" >>"$log" 2>&1; then
    # Old package lists name files that the server no longer has.
    { apt_get update && apt_get install --no-install-recommends "${missing[@]}"; } >>"$log" 2>&1 || {
      tail -n 15 "$log" >&2
      die 4 "the packages could not be installed; the lines above say why. By hand:" \
        "  apt-get update && apt-get install --no-install-recommends ${missing[*]}"
    }
  fi
}

# offer_packages LOG PACKAGE...: installs the missing ones where that is possible.
offer_packages() {
  local log=$1 missing
  shift
  mapfile -t missing < <(missing_packages "$@")
  [ ${#missing[@]} -gt 0 ] && may_install || return 0
  say "installing ${missing[*]} (once; log: $log)"
  ensure_lists "$log"
  apt_get install --no-install-recommends "${missing[@]}" >>"$log" 2>&1 ||
    say "${missing[*]} could not be installed ($log says why): the pressure on the CPU will be solved more slowly"
}
