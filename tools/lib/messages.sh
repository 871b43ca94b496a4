# Messages and exits of the shell tools; sourced, after `tool` is set to the script's name.

say() { printf '%s: %s\n' "$tool" "$*"; }

# die EXIT_CODE LINE...: the exit codes are those of the program: 2 wrong input, 4 the machine.
die() {
  local code=$1 line
  shift
  for line in "$@"; do printf '%s: %s\n' "$tool" "$line" >&2; done
  exit "$code"
}

# need_disk FOLDER MEGABYTES WHAT: stops if the disk is so full that WHAT would fail halfway.
need_disk() {
  local free
  free=$(df --output=avail -BM "$1" | tail -n 1 | tr -dc '0-9')
  [ "$free" -ge "$2" ] || die 4 "only $free MB are free in $1, and $3 needs about $2 MB: make room and call again"
}
