#!/bin/sh
# What a Raspberry Pi has: an arm64 Debian 13 with Python.
# build_debian.sh FOLDER DEBS: leaves FOLDER/tree.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck disable=SC2034 # unpacked has them
base=$1/tree debs=$2
. "$root/tests/pi/unpacking.sh"
unpacked arm64 python3,python3-venv
