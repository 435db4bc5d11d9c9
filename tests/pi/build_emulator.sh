#!/bin/sh
# QEMU 10, which Debian 12 lacks: Debian 13's own, with what it needs, unpacked beside this machine's.
# With the Python of that Debian, which fetches at this machine's speed what the emulated one needs.
# build_emulator.sh FOLDER DEBS: leaves FOLDER/tree.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck disable=SC2034 # unpacked has them
base=$1/tree debs=$2
. "$root/tests/pi/unpacking.sh"
unpacked "$(dpkg --print-architecture)" qemu-user,qemu-system-arm,device-tree-compiler,python3,python3-venv
mkdir "$base/board"
for each in "$base"/usr/bin/qemu-*; do
    case $each in *-aarch64) ;; *) rm "$each" ;; esac
done
