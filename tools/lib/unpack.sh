# Libraries of Debian and Ubuntu packages that a build takes without installing these packages; sourced.
#
#   VTK       libvtk9-dev cannot be installed beside python3-paraview, and brings a JDK, MySQL and more: 1.6 GB. Unpacked
#             are its headers, and of the package of libraries the modules in tools/cmake/vtk_modules.txt with those that
#             they need. Where libvtk9-dev is installed, it is used.
#   OpenBLAS  installing it would change the BLAS that other programs use (update-alternatives). Unpacked is the variant
#             with OpenMP; the one without threads gives wrong products when several threads call it at once.
#
# They lie in HODGE_PACKAGES_DIR (packages/ in the build folder), where CMake finds them. Packages that these libraries
# need, such as libtiff6, are installed.

packages=${HODGE_PACKAGES_DIR:-$build/packages}
case $packages in /*) ;; *) packages=$PWD/$packages ;; esac
export HODGE_PACKAGES_DIR=$packages

# release: a library belongs to this release of the system.
release() { (. /etc/os-release && echo "${ID:-} ${VERSION_ID:-} $(uname -m)"); }

# is_unpacked NAME
is_unpacked() { [ "$(cat "$packages/$1.unpacked" 2>/dev/null)" = "$(release)" ]; }

# dependencies PACKAGE: the names of the packages that it needs.
dependencies() { LC_ALL=C apt-cache depends --important "$1" 2>/dev/null | sed -n 's/^[ |]*Depends: \([^<]*\)$/\1/p'; }

# download FOLDER LOG PACKAGE...: into FOLDER. Old package lists are renewed.
download() {
  local folder=$1 log=$2
  shift 2
  (cd "$folder" && apt-get -q download "$@") >>"$log" 2>&1 && return
  may_install && apt_get update >>"$log" 2>&1 && (cd "$folder" && apt-get -q download "$@") >>"$log" 2>&1
}

# needed_by PACKAGE FILE...: the packages with the libraries that FILE... need and that are not here. By Debian's rules
# libtiff.so.6 is in libtiff6; some names have a suffix (libpng16-16t64, libjpeg62-turbo). PACKAGE depends on them; it is
# printed itself for a library that no such name matches.
needed_by() {
  local package=$1 library stem known
  shift
  known=$(dependencies "$package")
  while read -r library; do
    stem=$(sed -E 's/([0-9])\.so\./\1-/; s/\.so\.//' <<<"$library")
    grep -xE "${stem//+/\\+}(t64|-turbo)?" <<<"$known" || echo "$package"
  done < <(ldd "$@" 2>/dev/null | awk '/=> not found/ { print $1 }' | sort -u)
}

# keep_vtk FROM TO: moves the headers, the modules and the libraries that the modules need.
keep_vtk() {
  local module library modules=()
  while read -r module; do modules+=("$1"/usr/lib/*/libvtk"$module"-*.so.1); done <"$root/tools/cmake/vtk_modules.txt"
  local folder
  folder=$(dirname "${modules[0]}")
  mkdir -p "$2/usr/include" "$2/${folder#"$1"/}"
  { printf '%s\n' "${modules[@]}" && LD_LIBRARY_PATH=$folder ldd "${modules[@]}" | awk '{ print $3 }'; } |
    grep -F "$folder/" | sort -u | while read -r library; do mv "${library%.so*}".so* "$2/${folder#"$1"/}/"; done
  mv "$1"/usr/include/vtk-* "$2/usr/include/"
}

# keep_openblas_openmp FROM TO: moves the library, whose link for the linker is in the package for development.
keep_openblas_openmp() {
  local folder
  folder=$(dirname "$1"/usr/lib/*/openblas-openmp/libopenblas.so.0)
  mkdir -p "$2/${folder#"$1"/}"
  mv "$folder"/libopenblas* "$2/${folder#"$1"/}/"
  ln -s libopenblas.so.0 "$2/${folder#"$1"/}/libopenblas.so"
}

# unpack NAME LOG PACKAGE...: downloads and unpacks the packages, keeps what keep_NAME keeps, and installs what their
# libraries need; the last of PACKAGE... has the libraries. Status 1 if a package cannot be had.
unpack() {
  local name=$1 log=$2 scratch=$packages/new package
  shift 2
  say "unpacking $* in $packages (once; log: $log)"
  rm -rf "$scratch" "$packages/$name"* && mkdir -p "$scratch/all" "$scratch/kept"
  download "$scratch" "$log" "$@" || return 1
  for package in "$scratch"/*.deb; do dpkg-deb -x "$package" "$scratch/all" >>"$log" 2>&1 || return 1; done
  (set -e; "keep_$name" "$scratch/all" "$scratch/kept") >>"$log" 2>&1 || return 1
  local libraries=("$scratch"/kept/usr/lib/*/lib*.so.? "$scratch"/kept/usr/lib/*/*/lib*.so.?) missing=()
  for package in "${libraries[@]}"; do [ -e "$package" ] && missing+=("$package"); done
  local folder
  folder=$(dirname "${missing[0]}")
  mapfile -t missing < <(LD_LIBRARY_PATH=$folder needed_by "${*: -1}" "${missing[@]}" | sort -u)
  [ ${#missing[@]} -eq 0 ] || ensure_packages "$log" "${missing[@]}"
  cp -a "$scratch/kept/." "$packages/" && rm -rf "$scratch" && release >"$packages/$name.unpacked"
}

# has_argument TEXT: the arguments of CMake have a word that begins so.
has_argument() { case " ${HODGE_CMAKE_ARGS:-}" in *" $1"*) return 0 ;; *) return 1 ;; esac; }

# wants_vtk, wants_openblas: a build needs it, and neither has it been unpacked, nor is it installed or named by hand.
wants_vtk() {
  ! has_argument -DVTK_DIR= && [ -z "${VTK_DIR:-}" ] && ! is_unpacked vtk && [ -n "$(missing_packages libvtk9-dev)" ]
}
wants_openblas() {
  ! has_argument -DHODGE_BLAS=OFF && ! has_argument -DHODGE_BLAS_LIBRARY= && ! is_unpacked openblas_openmp
}

# unpack_libraries LOG: where packages can be had. A build without OpenBLAS works too: dense Gauss on the CPU is slower.
unpack_libraries() {
  command -v apt-get >/dev/null || return 0
  mkdir -p "$packages"
  local libraries
  if wants_vtk; then
    ensure_lists "$1"
    libraries=$(dependencies libvtk9-dev | grep -xE 'libvtk9\.[0-9]+(t64)?' | sed -n 1p) || libraries=libvtk9
    unpack vtk "$1" libvtk9-dev "$libraries" || {
      tail -n 5 "$1" >&2
      die 4 "VTK's packages could not be downloaded and unpacked; the lines above say why. By hand: install VTK 9 for" \
        "  development (apt-get install libvtk9-dev), or name its folder with HODGE_CMAKE_ARGS=-DVTK_DIR=..."
    }
  fi
  if wants_openblas; then
    unpack openblas_openmp "$1" libopenblas0-openmp ||
      say "OpenBLAS could not be downloaded ($1 says why): dense systems on the CPU will be solved more slowly"
  fi
  offer_packages "$1" "${optional_packages[@]}"
}
