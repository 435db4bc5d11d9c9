#!/bin/sh
# A card as somebody would buy it: Debian 13 with Debian's own kernel, on ext4, nothing of the companion.
# Kernel and initrd lie beside it, as a Pi's firmware takes them from a partition of their own.
# build_card.sh FOLDER SYSTEM WORKSHOP: leaves FOLDER/{card.raw,vmlinuz,initrd.gz}.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/hil/debian.sh"
guest=$root/tests/image/guest out=$1 workshop=$3 base=$1/tree
version=$(cat "$workshop/version")
cp -a "$2/tree" "$base"
enter
in_there systemctl disable hil.service
rm -rf "$base/etc/systemd/system/hil.service" "$base/opt/bench"
packages e2fsprogs
mkdir "$base/root/package"
in_there sh -c "cd /root/package && apt-get download -qq linux-image-$version && dpkg -x ./*.deb /root/package" || {
    echo "Debian has no kernel $version any more, for which the modules were made; try: --rebuild"
    exit 1
}

# Of its thousand modules only those that this machine can use: each costs an emulated start its time.
there=$base/root/package
[ -d "$there/lib" ] || mkdir -p "$there/lib"
[ -d "$there/lib/modules" ] || ln -s ../usr/lib/modules "$there/lib/modules"
depmod -b "$there" "$version"
modules=$there
keep_modules "$base/usr/lib/modules/$version" virtio_net virtio-rng squashfs autofs4 af_packet binfmt_misc
initrd=$out/initrd
mkdir -p "$initrd/bin" "$initrd/proc" "$initrd/sys" "$initrd/dev" "$initrd/new"
early_modules "$initrd/modules" virtio_pci virtio_blk crc32c_generic ext4
cp "$(command -v busybox)" "$initrd/bin/busybox"
install -m 755 "$guest/init.sh" "$initrd/init"
(cd "$initrd" && find . | cpio -o -H newc --quiet | gzip -1) >"$out/initrd.gz"
rm -rf "$there" "$initrd"
depmod -b "$base" "$version"

# The disk is checked at each start, as on Raspberry Pi OS. The stick brings code and packages.
cat >"$base/etc/fstab" <<'TEXT'
/dev/vda / ext4 defaults,noatime 0 1
/dev/vdb /mnt squashfs ro,nofail 0 0
TEXT
install -m 644 "$guest"/*.service "$base/etc/systemd/system/"
install -D -m 755 "$guest/terminal.sh" "$base/usr/local/lib/bench/terminal.sh"
printf '[Match]\nName=en* eth*\n[Network]\nAddress=10.0.2.15/24\nGateway=10.0.2.2\n' \
    >"$base/etc/systemd/network/10-wire.network"
in_there systemctl unmask systemd-networkd-wait-online.service
in_there systemctl enable bench-devices.service bench-terminal.service systemd-networkd.service \
    systemd-networkd-wait-online.service
in_there systemctl mask getty-static.service
echo tiki >"$base/etc/hostname"
mkdir -p "$base/var/log/journal" # the journal is kept, and so is written to the card
leave
rm -rf "$base"/var/cache/apt "$base"/var/lib/apt/lists/* "$base/root/.cache" "$base/etc/resolv.conf" \
    "$base"/etc/apt/apt.conf.d/99as-outside "$base"/etc/pip.conf "$base"/etc/xdg/pip/pip.conf
cp "$workshop/vmlinuz" "$out/vmlinuz"
mke2fs -q -t ext4 -d "$base" "$out/card.raw" 4G
rm -rf "$base"
