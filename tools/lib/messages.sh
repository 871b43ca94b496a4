# What the shell tools say and how they stop; sourced, after `tool` is set to the script's name.

say() { printf '%s: %s\n' "$tool" "$*"; }

# die EXIT_CODE LINE...: exit codes as the program's: 2 wrong input, 4 the machine.
die() {
  local code=$1 line
  shift
  for line in "$@"; do printf '%s: %s\n' "$tool" "$line" >&2; done
  exit "$code"
}

# need_disk FOLDER MEGABYTES WHAT: stops before a full disk would break something halfway.
need_disk() {
  local free
  free=$(df --output=avail -BM "$1" | tail -n 1 | tr -dc '0-9')
  [ "$free" -ge "$2" ] || die 4 "only $free MB are free in $1, and $3 needs about $2 MB: make room and call again"
}
