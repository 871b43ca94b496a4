#!/usr/bin/env bash
# moved_package.sh BUILD PYTHON: the package as a wheel has it, in a folder of its own and without the variables of this
# shell: it runs with the libraries that lie in it.
set -euo pipefail
build=$1 python=$2
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
site=$(mktemp -d)
trap 'rm -rf "$site"' EXIT
for component in program python; do
  cmake --install "$build" --prefix "$site/hodge" --component $component >"$site/install.log"
done
cp -r "$root"/tools/python/hodge/{*.py,view} "$site/hodge"
cp "$root/configs/lid_driven_cavity.yaml" "$site/cavity.yaml"
cd "$site"
env -i PYTHONPATH="$site" "$python" -c "
import hodge
run = hodge.Run('cavity.yaml', set={'grid.cells': [32, 32], 'time.end': 2, 'device': 'cpu'})
print(run.run()['message'], '|', hodge.__version__)
maps = [line.split()[-1] for line in open('/proc/self/maps')]
own = {path for path in maps if 'libvtk' in path or 'libhdf5' in path or 'libyaml' in path}
assert own and all(path.startswith('$site/hodge/lib/hodge/') for path in own), own
assert 'lid_driven_cavity' in hodge.cases()"
env -i "$python" -c "import sys; sys.path.insert(0, '$site'); from hodge.program import main; sys.argv = ['hodge', '--version']; main()" |
  grep '^hodge '
