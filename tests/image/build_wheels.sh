#!/bin/sh
# What a home network would bring: the packages of the lock files, as files for the stick.
# build_wheels.sh FOLDER SYSTEM: leaves FOLDER/wheels.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/hil/debian.sh"
base=$1/tree
cp -a "$2/tree" "$base"
enter
cp "$root/locks/runtime.txt" "$root/locks/pico.txt" "$base/root/"
in_there pip download -q --disable-pip-version-check --only-binary :all: --require-hashes \
    -d /root/wheels -r /root/runtime.txt
in_there pip download -q --disable-pip-version-check --only-binary :all: --no-deps --require-hashes \
    -d /root/wheels -r /root/pico.txt
leave
mv "$base/root/wheels" "$1/wheels"
rm -rf "$base"
