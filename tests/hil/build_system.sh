#!/bin/sh
# The machine's own system: Debian 13 with what a Raspberry Pi's system brings along.
# build_system.sh FOLDER DEBIAN WORKSHOP PACKAGE...: leaves FOLDER/{tree,root.squashfs}.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/hil/debian.sh"
here=$root/tests/hil out=$1 workshop=$3 base=$1/tree
cp -a "$2/tree" "$base"
shift 3
enter
packages systemd systemd-sysv udev kmod procps python3 python3-venv python3-pip \
    python3-libcamera python3-numpy python3-pil libcap2
cp -r "$workshop/wheels" "$base/root/wheels"
# As python3-lgpio and python3-picamera2 are there: for everybody, and no part of the companion.
# shellcheck disable=SC2046
in_there pip install -q --disable-pip-version-check --no-warn-script-location \
    --root-user-action=ignore --break-system-packages \
    --no-index --find-links /root/wheels $(cat "$here/system.txt")
# The tests' own tools lie apart, where the companion does not see them.
in_there pip install -q --disable-pip-version-check --root-user-action=ignore --target /opt/bench \
    --no-deps "$@"
install -m 644 "$here/hil.service" "$base/etc/systemd/system/"
in_there systemctl enable hil.service
in_there systemctl mask apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer \
    fstrim.timer e2scrub_all.timer getty@tty1.service systemd-networkd-wait-online.service
for group in gpio i2c; do in_there groupadd --system "$group"; done
in_there useradd --create-home --shell /bin/bash --groups gpio,dialout,video,i2c pi
mkdir -p "$base/opt/tiki"
leave
rm -rf "$base/root/wheels" "$base"/var/cache/apt "$base"/var/lib/apt/lists/* \
    "$base/usr/share/doc" "$base/usr/share/man" "$base/usr/share/locale" "$base/root/.cache"
rm -rf "$base/usr/lib/modules"
cp -r "$workshop/modules" "$base/usr/lib/modules"
depmod -b "$base" "$(cat "$workshop/version")"
mksquashfs "$base" "$out/root.squashfs" -comp zstd -Xcompression-level 3 -noappend -quiet -no-progress
