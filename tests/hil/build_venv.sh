#!/bin/sh
# The companion's environment, made by its own ./run as a user makes it, at the place it has there.
# build_venv.sh FOLDER SYSTEM: leaves FOLDER/venv.squashfs.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/hil/debian.sh"
base=$1/tree
cp -a "$2/tree" "$base"
enter
(cd "$root" && git ls-files -z -- run pyproject.toml README.md locks companion firmware hardware vision \
    | tar --create --null --files-from=- --ignore-failed-read) | tar --extract -C "$base/opt/tiki"
in_there /opt/tiki/run --version
leave
mksquashfs "$base/opt/tiki/.venv" "$1/venv.squashfs" -comp zstd -Xcompression-level 3 -noappend -quiet \
    -no-progress
rm -rf "$base"
