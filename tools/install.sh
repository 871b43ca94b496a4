#!/usr/bin/env bash
# Builds hodge if needed and installs it: the program, its libraries, configurations, the manual page, completions; linalg
# with its CMake package, for find_package(hodge).
#
#   tools/install.sh [--prefix DIR]     DIR/bin/hodge; ~/.local without --prefix
#
# tools/lib/build.sh lists the environment variables that change the build. To remove it again:
# rm -r DIR/bin/hodge DIR/lib/hodge DIR/share/hodge DIR/share/man/man1/hodge.1
#   DIR/share/bash-completion/completions/hodge DIR/share/zsh/site-functions/_hodge
#   DIR/include/hodge DIR/lib/libhodge_linalg.a DIR/lib/cmake/hodge DIR/share/doc/hodge
set -euo pipefail
tool=install.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/build.sh"

usage() { sed -n '2,10s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; }

prefix=$HOME/.local
case ${1:-} in
  -h | --help) usage; exit 0 ;;
  --prefix=?*) prefix=${1#*=}; shift ;;
  --prefix)
    [ -n "${2:-}" ] || { usage >&2; die 2 "--prefix needs a folder"; }
    prefix=$2
    shift 2
    ;;
esac
[ $# -eq 0 ] || { usage >&2; die 2 "unexpected '$1'"; }
case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac

build run hodge
mkdir -p "$prefix" 2>/dev/null && [ -w "$prefix" ] || die 4 "cannot write in $prefix"
for component in program development; do
  cmake --install "$build" --prefix "$prefix" --component $component || {
    tail -n 5 "$build/install.log" >&2
    die 4 "the installation failed; the whole log is $build/install.log"
  }
done >"$build/install.log"
say "installed $prefix/bin/hodge"
case ${SHELL:-}:$prefix in
  *zsh:/usr | *zsh:/usr/local | *bash:/usr | *bash:/usr/local | *bash:"$HOME/.local") ;;
  *zsh:*) say "for completion add to ~/.zshrc, before compinit: fpath=($prefix/share/zsh/site-functions \$fpath)" ;;
  *bash:*) say "for completion add to ~/.bashrc: . $prefix/share/bash-completion/completions/hodge" ;;
esac
case :$PATH: in
  *:"$prefix/bin":*) ;;
  *) say "$prefix/bin is not on PATH. Add to ~/.profile: export PATH=\"$prefix/bin:\$PATH\"" ;;
esac
