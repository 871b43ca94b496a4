#!/usr/bin/env bash
# Checks that files are read, and looked for, only by the files that own this: their errors are never the end of a file, nor a
# file that is not there.
#
#   checked_reads.sh FOLDER        every other place below FOLDER as file:line, exit 1 if there is one
#   checked_reads.sh --self-check  plants wrong and right lines in a scratch folder and expects the verdicts
#
# A std::ifstream that fails to read says what it says at the end of a file; std::filesystem::exists with an error code says no.
# Instead: linalg/files/directories.hpp (is it there), read_file.hpp (all of it), text_lines.hpp (line by line),
# file_descriptor.hpp (bytes), linalg/base/system_file.hpp (/proc and /sys).
set -euo pipefail

# What reads; what asks for files by their paths (a file_status that is known is asked without one).
reads='\b(i?fstream|fopen|fread|fgets|fscanf|getc|popen|std::cin)\b|(?<![\w>])::(read|pread|readv|open|openat|mmap|opendir|stat|lstat) ?\('
asks='\b(filesystem|fs)::((recursive_)?directory_iterator|(symlink_)?status|file_size|equivalent|absolute|(weakly_)?canonical|current_path|is_empty|last_write_time)\b'
asks+='|\b(filesystem|fs)::(exists|is_directory|is_regular_file|is_symlink)\((?!status)'

# linalg/processes stands below linalg/files: it asks whether a library is there, for a message. The others read no file of a user.
owners='^(linalg/base/system_file\.cpp|linalg/files/(directories|file_descriptor|open_input)\.cpp|linalg/processes/all_processes\.cpp|linalg/host/blas_check\.cpp|tools/hodge/program/python\.cpp):'

unchecked_reads() {
  local folders=() folder found
  for folder in linalg sim cases tools; do
    [ ! -d "$1/$folder" ] || folders+=("$folder")
  done
  found=$(cd "$1" && grep -rnP --include='*.hpp' --include='*.cpp' --include='*.cu' --include='*.cuh' --include='*.inl' \
    "$reads|$asks" "${folders[@]}" | grep -vE "$owners" | grep -vE '^[^:]*:[0-9]+: *//') || true
  [ -z "$found" ] || { printf '%s\n' "$found" 'tests/checked_reads.sh says what serves instead'; return 1; }
}

# expect VERDICT FILE LINE: VERDICT is `wrong` or `right`.
expect() {
  local scratch verdict=right
  scratch=$(mktemp -d)
  mkdir -p "$scratch/$(dirname "$2")"
  printf '%s\n' "$3" >"$scratch/$2"
  unchecked_reads "$scratch" >/dev/null || verdict=wrong
  rm -r "$scratch"
  if [ "$verdict" != "$1" ]; then
    echo "checked_reads.sh: $2 with $3 should be $1, but was judged $verdict"
    return 1
  fi
}

self_check() {
  expect wrong sim/base/a.cpp '#include <fstream>'
  expect wrong sim/base/a.cpp '  std::ifstream file(path);'
  expect wrong linalg/files/a.hpp '  std::fstream file(path);'
  expect wrong tools/hodge/run/a.cpp '  FILE* file = fopen(name, "r");'
  expect wrong tools/hodge/run/a.cpp '  while (std::getline(std::cin, line)) {'
  expect wrong sim/app/run/a.cpp '  const ssize_t count = ::read(file, to, most);'
  expect wrong sim/app/run/a.cpp '  if (fs::exists(path, ignored)) {'
  expect wrong sim/app/run/a.cpp '  if (!std::filesystem::is_directory(folder / "a", ignored)) {'
  expect wrong sim/app/run/a.cpp '  if (fs::exists(state)) {'
  expect wrong sim/app/run/a.cpp '  for (const auto& entry : fs::directory_iterator(folder))'
  expect wrong sim/app/run/a.cpp '  path = std::filesystem::absolute(path);'
  expect right sim/app/run/a.cpp '  if (fs::is_directory(status_of_link(path))) {'
  expect right sim/app/run/a.cpp '  if (fs::exists(status)) {'
  expect right sim/app/run/a.cpp '// std::ifstream is not used.'
  expect right sim/app/run/a.cpp '  file.read(to, most);'
  expect right sim/app/run/a.cpp '  const auto listed = Manifest::read(path);'
  expect right linalg/files/file_descriptor.cpp '  return ::read(file, to, most);'
}

case ${1:-} in
  --self-check) self_check ;;
  ''|-*) sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  *)
    [ -d "$1/linalg" ] || { echo "checked_reads.sh: no folder linalg in $1" >&2; exit 2; }
    unchecked_reads "${1%/}"
    ;;
esac
