#!/usr/bin/env bash
# What packages that are there in part do to a build: configures linalg beside MPI packages, in folders laid out as
# Debian's packages are, and checks that the configuration ends well and what it says; then what tools/lib/packages.sh asks
# for. Takes half a minute; nothing is compiled or installed, and no MPI is needed.
#
#   openmpi-bin     mpicxx, mpirun: add_bin. ParaView and VTK for Python bring it
#   libopenmpi-dev  headers, links of the libraries: add_dev
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tool=packages.sh
. "$source/tools/lib/messages.sh"
. "$source/tools/lib/packages.sh"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
usr=$scratch/usr
headers=$usr/lib/openmpi/include
libraries=$usr/lib/openmpi/lib

# The programs of this system but those of its own MPI, which must not be found here.
mkdir -p "$scratch/system" "$usr/bin"
find /usr/bin -maxdepth 1 ! -type d ! -name '*mpi*' ! -name '*orte*' ! -name 'opal_wrapper*' \
  -exec ln -s -t "$scratch/system" {} +

# configure FOLDER ARGUMENT...: its output is in FOLDER.log.
configure() {
  PATH=$usr/bin:$scratch/system CMAKE_LIBRARY_PATH=$usr/lib PKG_CONFIG_LIBDIR=$usr/lib/pkgconfig \
    cmake -S "$source" -B "$scratch/$1" -G Ninja -DHODGE_BUILD_SIM=OFF -DHODGE_BUILD_TESTS=OFF -DHODGE_CUDA=OFF \
    -DHODGE_BLAS=OFF -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF -DCMAKE_INCLUDE_PATH=/usr/include "${@:2}" \
    >"$scratch/$1.log" 2>&1
}

# expect FOLDER TEXT ARGUMENT...: the configuration ends well, and a line has this text.
expect() {
  configure "$1" "${@:3}" || die 1 "$step: the configuration failed:" "$(cat "$scratch/$1.log")"
  said "$1" "$2"
}
# refused FOLDER TEXT ARGUMENT...: the configuration fails, and says this text.
refused() {
  ! configure "$1" "${@:3}" || die 1 "$step: the configuration did not fail:" "$(cat "$scratch/$1.log")"
  said "$1" "$2"
}
said() {
  tr -s '\n ' ' ' <"$scratch/$1.log" | grep -qF -- "$2" || die 1 "$step: expected '$2':" "$(cat "$scratch/$1.log")"
}

# compiler_of_mpi FILE TEXT: a compiler of MPI that prints TEXT in place of a command; nothing else works.
compiler_of_mpi() {
  printf '#!/bin/sh\ncase $1 in -show | -showme) echo "g++ %s" ;; -showme:compile | -showme:link) echo "%s" ;; *) exit 1 ;; esac\n' \
    "$2" "$2" >"$1"
  chmod +x "$1"
}
add_bin() {
  compiler_of_mpi "$usr/bin/mpicxx" "-I$headers -I$headers/openmpi -L$libraries -lmpi_cxx -lmpi"
  printf '#!/bin/sh\nexit 1\n' | tee "$usr/bin/mpirun" >"$usr/bin/mpiexec"
  chmod +x "$usr/bin/mpirun" "$usr/bin/mpiexec"
}
add_dev() {
  mkdir -p "$headers/openmpi" "$libraries" "$usr/lib/pkgconfig"
  printf '#define MPI_VERSION 3\n#define MPI_SUBVERSION 1\nextern "C" int MPI_Init(int*, char***);\n%s\n' \
    'extern "C" int MPI_Finalize();' >"$headers/mpi.h"
  printf 'extern "C" int MPI_Init(int*, char***) { return 0; }\nextern "C" int MPI_Finalize() { return 0; }\n' |
    c++ -shared -fPIC -x c++ - -o "$libraries/libmpi.so"
  cp "$libraries/libmpi.so" "$libraries/libmpi_cxx.so"
  ln -s "$libraries"/lib*.so "$usr/lib/"  # by update-alternatives
  printf 'Name: MPI\nDescription: MPI\nVersion: 4\nLibs: -L%s -lmpi_cxx -lmpi\nCflags: -I%s\n' "$libraries" "$headers" \
    >"$usr/lib/pkgconfig/mpi-cxx.pc"
}
remove_bin() { rm -f "$usr"/bin/*; }
remove_dev() { rm -rf "${usr:?}/lib"; }

none="one process only: CMake finds no MPI library"
no_headers="MPI has no headers: $usr/bin/mpicxx names folders that do not exist ($headers, $headers/openmpi)"
whole="several processes by MPI 3.1, $usr/bin/mpiexec"

# One folder, configured again and again while packages come and go; and for each set of packages a new one.
step="nothing"
expect again "$none"
refused on "HODGE_MPI=ON, but CMake finds no MPI library" -DHODGE_MPI=ON

step="openmpi-bin alone"
add_bin
expect bin "$no_headers"
expect again "$no_headers"
refused on "HODGE_MPI=ON, but $no_headers" -DHODGE_MPI=ON

step="both"
add_dev
expect both "$whole"
expect again "$whole"
expect on "$whole" -DHODGE_MPI=ON

step="both, and then openmpi-bin alone"
remove_dev
expect again "$no_headers"
refused on "HODGE_MPI=ON, but $no_headers" -DHODGE_MPI=ON

step="nothing, after both"
remove_bin
expect both "$none"
expect again "$none"

step="libopenmpi-dev alone"
add_dev
if command -v pkg-config >/dev/null; then found="several processes by MPI 3.1, without mpirun"; else found=$none; fi
expect dev "$found"
expect again "$found"

step="both, after libopenmpi-dev alone"
add_bin
expect dev "$whole"
expect again "$whole"

step="mpicxx does not work"
printf '#!/bin/sh\necho "libopen-pal.so.40: cannot open shared object file" >&2\nexit 127\n' >"$usr/bin/mpicxx"
expect broken "hodge: "

step="another MPI, whose mpicxx openmpi-bin takes over"
remove_bin
mv "$usr/lib/openmpi" "$scratch/mpich"
compiler_of_mpi "$usr/bin/mpicxx" "-Wl,-z,relro -I$scratch/mpich/include -L$scratch/mpich/lib -lmpi"
expect mpich "several processes by MPI 3.1, without mpirun"
add_bin
expect mpich "several processes by MPI 3.1, $usr/bin/mpiexec"
expect both "$no_headers"
mv "$scratch/mpich" "$usr/lib/openmpi"

step="a compiler of MPI is named: with headers, without, missing"
remove_bin
add_bin
mkdir "$scratch/other"
compiler_of_mpi "$scratch/other/mpic++" "-I $headers -L$libraries -lmpi"
compiler_of_mpi "$scratch/other/old" "-Wl,-z,relro -I\"$scratch/gone\" -L$libraries -lmpi"
expect named "several processes by MPI 3.1" -DMPI_CXX_COMPILER="$scratch/other/mpic++"
expect named_old "names folders that do not exist ($scratch/gone)" -DMPI_CXX_COMPILER="$scratch/other/old"
expect named_missing "$none" -DMPI_CXX_COMPILER="$scratch/other/missing"

# asks_for PACKAGES INSTALLED...: these are what tools/plot.py still needs where INSTALLED... are installed.
asks_for() {
  mkdir -p "$scratch/dpkg/info"
  printf 'Package: %s\nStatus: install ok installed\nVersion: 1\nArchitecture: all\nMaintainer: m\nDescription: d\n\n' \
    "${@:2}" >"$scratch/dpkg/status"
  local missing
  # Word splitting makes the list.
  # shellcheck disable=SC2046
  missing=$(export DPKG_ADMINDIR=$scratch/dpkg; echo $(missing_packages $(plot_packages)))
  [ "$missing" = "$1" ] || die 1 "with ${*:2} installed: '$missing' are asked for, expected '$1'"
}
asks_for "python3-matplotlib python3-numpy python3-vtk9" openmpi-bin
asks_for "" python3-matplotlib python3-numpy python3-vtk9
asks_for "" python3-matplotlib python3-numpy paraview python3-paraview  # conflicts with python3-vtk9
asks_for "python3-vtk9" python3-matplotlib python3-numpy paraview       # does not

say "$(find "$scratch" -maxdepth 1 -name '*.log' | wc -l) folders were configured beside MPI packages"
