#!/usr/bin/env bash
# Builds the site of the documents into site/ of the build folder, and ends with an error at a link that leads nowhere.
#
#   tools/site/build.sh
#
# mkdocs comes from PyPI into a virtual environment in the build folder (requirements.txt). tools/lib/build.sh lists the
# environment variables that change the build of the program, of which the site shows commands, names and the schema.
set -euo pipefail
tool=site
. "$(dirname "${BASH_SOURCE[0]}")/../lib/build.sh"

[ $# -eq 0 ] || { sed -n '2,7s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 2; }
build run hodge
ensure_packages "$build/packages.log" python3-venv
env=$build/site-environment
{ [ -x "$env/bin/pip" ] || /usr/bin/python3 -m venv "$env"; } &&
  "$env/bin/pip" -q install -r "$root/tools/site/requirements.txt" >"$build/site.log" 2>&1 ||
  die 4 "mkdocs could not be installed: see $build/site.log"
NO_MKDOCS_2_WARNING=1 HODGE_PROGRAM=$build/bin/hodge \
  "$env/bin/mkdocs" build --strict -f "$root/mkdocs.yml" -d "$build/site" >"$build/site.log" 2>&1 || {
  tail -n 20 "$build/site.log" >&2
  die 1 "the site has a mistake"
}
say "made $build/site/index.html: $(find "$build/site" -name '*.html' | wc -l) pages"
