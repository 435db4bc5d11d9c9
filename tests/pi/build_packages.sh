#!/bin/sh
# The packages of the locks as a Raspberry Pi gets them: wheels for arm64, their hashes checked.
# pip itself runs at this machine's speed, in a Debian with the same Python.
# build_packages.sh FOLDER EMULATOR: leaves FOLDER/site.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/hil/debian.sh"
base=$1/tree
cp -a "$2/tree" "$base"
: >"$base/etc/apt/sources.list"
enter
cp "$root/locks/runtime.txt" "$root/locks/pico.txt" "$base/root/"
in_there python3 -m venv /root/pip
# pip knows one platform by its name, and not that it runs what was made for an older glibc.
platforms=
for glibc in $(seq 17 41); do platforms="$platforms --platform manylinux_2_${glibc}_aarch64"; done
for lock in runtime pico; do
    # shellcheck disable=SC2086
    in_there /root/pip/bin/pip install -q --disable-pip-version-check --root-user-action=ignore \
        --target /root/site --no-deps --require-hashes --only-binary :all: \
        --implementation cp --platform manylinux2014_aarch64 $platforms -r "/root/$lock.txt"
done
leave
mv "$base/root/site" "$1/site"
rm -rf --one-file-system "$base"
