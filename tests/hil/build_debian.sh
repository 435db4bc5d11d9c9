#!/bin/sh
# The bare Debian 13 from which the workshop and the machine's own system are copied.
# build_debian.sh FOLDER: leaves FOLDER/tree.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/hil/debian.sh"
mirror=$(mirror Debian)
# shellcheck disable=SC2086
debootstrap --variant=minbase --include=ca-certificates "$release" "$1/tree" $mirror
rm -rf "$1"/tree/var/cache/apt/archives/*.deb
