#!/bin/sh
# What an emulated board starts with: Debian's kernel for arm64, a Raspberry Pi 4's device tree, and the
# Debian with the companion's packages, and lgpio, which Raspberry Pi OS has in its system.
# build_board.sh FOLDER DEBS EMULATOR DEBIAN PACKAGES: leaves FOLDER/{vmlinuz,initrd.gz,pi4.dtb,root.squashfs}.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/pi/unpacking.sh"
out=$1 debs=$2 emulator=$3/tree debian=$4/tree packages=$5/site kernel=$1/kernel workshop=$1/workshop

# lgpio has no wheel for this Python. Its compiler runs at this machine's speed.
base=$kernel
unpacked arm64 linux-image-arm64,busybox-static,libpython3-dev
base=$workshop
unpacked "$(dpkg --print-architecture)" python3,python3-venv,gcc-aarch64-linux-gnu,libc6-dev-arm64-cross,swig
: >"$base/etc/apt/sources.list"
enter
cp -r "$kernel/usr/include/python3.13" "$kernel/usr/include/aarch64-linux-gnu" "$base/usr/include/"
in_there python3 -m venv /root/pip
in_there /root/pip/bin/pip download -q --disable-pip-version-check --no-deps --no-binary :all: -d /root/lgpio \
    "$(grep "^lgpio==" "$root/tests/hil/system.txt")"
# shellcheck disable=SC2016
in_there sh -eu -c 'cd /root/lgpio && tar --extract --strip-components=1 --file lgpio-*.tar.gz
    swig -python -Isrc lgpio.i
    aarch64-linux-gnu-gcc -O2 -fPIC -shared -pthread -w -Isrc -idirafter /usr/include/python3.13 \
        -idirafter /usr/include lgpio_wrap.c src/lg*.c src/rgpiod.c -o _lgpio.so'
leave

tree=$out/tree
cp -a "$debian" "$tree"
mkdir "$tree/root/site"
cp -a "$packages/." "$tree/root/site/"
cp "$workshop/root/lgpio/_lgpio.so" "$workshop/root/lgpio/lgpio.py" "$tree/usr/lib/python3/dist-packages/"
mksquashfs "$tree" "$out/root.squashfs" -comp zstd -Xcompression-level 3 -noappend -quiet -no-progress

# Of the kernel's modules those that either board can use.
version=$(basename "$(echo "$kernel"/boot/vmlinuz-*)" | sed 's/^vmlinuz-//')
cp "$kernel/boot/vmlinuz-$version" "$out/vmlinuz"
[ -e "$kernel/lib/modules" ] || ln -s ../usr/lib/modules "$kernel/lib/modules"
depmod -b "$kernel" "$version"
initrd=$out/initrd
mkdir -p "$initrd/bin" "$initrd/proc" "$initrd/sys" "$initrd/dev" "$initrd/new" "$initrd/low" "$initrd/modules"
for module in virtio_pci virtio_blk virtio_rng loop squashfs overlay i2c_bcm2835 i2c_dev; do
    modprobe -d "$kernel" -S "$version" --show-depends "$module" | sed -n 's/^insmod \([^ ]*\).*/\1/p'
done | awk '!seen[$0]++' | while read -r file; do
    name=$(basename "$file" .xz)
    case $file in *.xz) xz -dc "$file" ;; *) cat "$file" ;; esac >"$initrd/modules/$name"
    echo "$name" >>"$initrd/modules/order"
done
cp "$kernel/usr/bin/busybox" "$initrd/bin/busybox"
install -m 755 "$root/tests/pi/init.sh" "$initrd/init"
(cd "$initrd" && find . | cpio -o -H newc --quiet | gzip -1) >"$out/initrd.gz"
sh "$root/tests/pi/device_tree.sh" "$kernel/usr/lib/linux-image-$version/broadcom/bcm2711-rpi-4-b.dtb" \
    "$out/pi4.dtb" "$emulator"
rm -rf --one-file-system "$kernel" "$workshop" "$tree" "$initrd"
