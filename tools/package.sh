#!/usr/bin/env bash
# Builds hodge and packs it into dist/ of the checkout, or the folder HODGE_DIST:
#
#   tools/package.sh tgz       hodge-VERSION-linux-MACHINE.tar.gz: a folder for any Linux with the same or a newer glibc
#   tools/package.sh deb       hodge_VERSION_MACHINE.deb: for the release of Debian or Ubuntu that it is made on
#   tools/package.sh wheel     hodge-VERSION-....whl: the Python package with its libraries, for this version of Python
#   tools/package.sh sdist     hodge-VERSION.tar.gz: the sources for pip
#
# Several words make several packages. HODGE_PYTHON_EXECUTABLE names the Python of a wheel (/usr/bin/python3);
# tools/lib/build.sh lists the environment variables that change the build. The version is that of CMakeLists.txt.
set -euo pipefail
tool=package.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/build.sh"

usage() { sed -n '2,11s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; }

case ${1:-} in
  -h | --help) usage; exit 0 ;;
  '') usage >&2; exit 2 ;;
esac
for format in "$@"; do
  case $format in
    tgz | deb | wheel | sdist) ;;
    *) usage >&2; die 2 "unexpected '$format', expected tgz, deb, wheel or sdist" ;;
  esac
done
dist=${HODGE_DIST:-$root/dist}
python=${HODGE_PYTHON_EXECUTABLE:-/usr/bin/python3}
mkdir -p "$build" "$dist" 2>/dev/null && [ -w "$dist" ] || die 4 "cannot write in $dist"

# logged LOG COMMAND...
logged() {
  local log=$1
  shift
  "$@" >"$log" 2>&1 || { tail -n 15 "$log" >&2; die 4 "$1 failed; the whole log is $log"; }
}

# packed GENERATOR PATTERN: by cpack, in a folder of its own.
packed() {
  build run hodge
  [ "$1" != DEB ] || ensure_packages "$build/packages.log" dpkg-dev
  rm -rf "$build/cpack"
  logged "$build/cpack.log" cpack --config "$build/CPackConfig.cmake" -G "$1" -B "$build/cpack"
  keep "$build/cpack"/$2
}

keep() {
  mv "$@" "$dist/"
  say "made $(printf "$dist/%s " "${@##*/}")"
}

# environment: a virtual environment with what makes wheels.
environment() {
  [ "$python" != /usr/bin/python3 ] || ensure_packages "$build/packages.log" python3-dev python3-venv
  [ -x "$build/packager/bin/pip" ] || logged "$build/packager.log" "$python" -m venv "$build/packager"
  logged "$build/packager.log" "$build/packager/bin/pip" -q install build auditwheel wheel
}

# carries_libraries FOLDER: programs and modules of an unpacked wheel take no library from elsewhere but those of glibc.
carries_libraries() {
  local foreign
  chmod +x "$1"/hodge/bin/*
  foreign=$(ldd "$1"/hodge/bin/hodge "$1"/hodge/_hodge*.so | awk '/=>/ { print $3 $4 }' | sort -u |
    grep -v -e "^$1/hodge/" -e '/lib\(c\|m\|mvec\|pthread\|dl\|rt\|resolv\|util\|cuda\)\.so' || true)
  [ -z "$foreign" ] || die 1 "the wheel lacks libraries, or takes them from elsewhere:" "$foreign"
}

# The build of a wheel is one of its own, beside that of the program. `auditwheel show` says which glibc it needs, for its
# name; `auditwheel repair` would copy libraries that are there: it does not know that a library has the RPATH of the
# program that it is loaded by.
wheel() {
  # Word splitting makes the list.
  # shellcheck disable=SC2046
  ensure_packages "$build/packages.log" $(needed_packages run)
  unpack_libraries "$build/packages.log"
  environment
  local bin=$build/packager/bin glibc made=$build/wheels
  rm -rf "$made"
  CMAKE_ARGS=${HODGE_CMAKE_ARGS:-} CMAKE_GENERATOR=Ninja CMAKE_BUILD_PARALLEL_LEVEL=$(jobs) \
    logged "$build/wheel.log" "$bin/pip" wheel "$root" -v --no-deps -w "$made" \
    --config-settings=build-dir="$build/wheel"
  "$bin/python" -m zipfile -e "$made"/*.whl "$made/unpacked"
  carries_libraries "$made/unpacked"
  logged "$build/auditwheel.log" "$bin/auditwheel" show "$made"/*.whl
  glibc=$(tr '\n' ' ' <"$build/auditwheel.log" | grep -o 'manylinux_[0-9_]*_[a-z0-9_]*' | head -n 1)
  [ -n "$glibc" ] || die 1 "auditwheel names no glibc: see $build/auditwheel.log"
  logged "$build/auditwheel.log" "$bin/wheel" tags --remove --platform-tag "$glibc" "$made"/*.whl
  keep "$made"/*.whl
}

sdist() {
  environment
  rm -rf "$build/sdist"
  logged "$build/sdist.log" "$build/packager/bin/python" -m build --sdist --outdir "$build/sdist" "$root"
  keep "$build/sdist"/*.tar.gz
}

for format in "$@"; do
  case $format in
    tgz) packed TGZ '*.tar.gz' ;;
    deb) packed DEB '*.deb' ;;
    *) "$format" ;;
  esac
done
