#!/bin/sh
# All that has to be compiled: gpio-sim and our own modules against Debian's kernel, and wheels of what
# PyPI has as source only. The compilers go again when that is done.
# build_workshop.sh FOLDER DEBIAN: leaves FOLDER/{vmlinuz,version,modules,early,wheels}.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/hil/debian.sh"
here=$root/tests/hil out=$1 base=$1/tree
cp -a "$2/tree" "$base"
enter
# The headers bring their kernel along.
packages build-essential linux-headers-amd64 linux-source xz-utils kmod \
    python3 python3-dev python3-pip python3-setuptools swig libcap-dev pkg-config
version=$(basename "$(find "$base/lib/modules" -mindepth 1 -maxdepth 1 | sort -V | tail -n 1)")
echo "$version" >"$out/version"
cp "$base/boot/vmlinuz-$version" "$out/vmlinuz"

# Debian's kernels leave gpio-sim out, so it is built from their source.
source=$(basename "$base"/usr/src/linux-source-*.tar.xz .tar.xz)
work=$base/root/modules
mkdir -p "$work/kernel"
tar xf "$base/usr/src/$source.tar.xz" -C "$work/kernel" --strip-components=1 \
    "$source/drivers/gpio/gpio-sim.c" "$source/kernel/irq/irq_sim.c"
cp "$here"/modules/* "$work"
# There a program's resistor wins over what hangs on the wire. A switch that is closed ("pull-down")
# ties the wire to ground, whatever the resistor; only an open one leaves it to that.
sed -e 's/^static DEFINE_IDA(gpio_sim_ida);$/&\nstatic DECLARE_BITMAP(grounded, 1024);/' \
    -e 's/return gpio_sim_apply_pull(chip, offset, 1);/return test_bit(offset, grounded) ? 0 : gpio_sim_apply_pull(chip, offset, 1);/' \
    -e 's/ret = gpio_sim_apply_pull(chip, line_attr->offset, pull);/assign_bit(line_attr->offset, grounded, !pull);\n\t&/' \
    "$work/kernel/drivers/gpio/gpio-sim.c" >"$work/gpio_sim_main.c"
[ "$(grep -c grounded "$work/gpio_sim_main.c")" = 3 ] || { echo "gpio-sim has changed: look at it anew"; exit 1; }
# irq_to_desc is not exported to modules; generic_handle_irq does the same from there.
sed 's/handle_simple_irq(irq_to_desc(irqnum))/generic_handle_irq(irqnum)/' \
    "$work/kernel/kernel/irq/irq_sim.c" >"$work/irq_sim.c"
in_there make -s -C "/lib/modules/$version/build" M=/root/modules modules

modules=$base there=$base/lib/modules/$version kept=$out/modules/$version
mkdir -p "$kept/extra"
cp "$there/modules.builtin" "$there/modules.builtin.modinfo" "$there/modules.order" "$kept"
keep_modules "$kept" configfs i2c-dev dummy_hcd g_serial usb_f_acm cdc-acm vivid
for module in "$work"/*.ko; do
    in_there strip --strip-debug "/root/modules/$(basename "$module")"
    cp "$module" "$kept/extra"
done
# What the kernel needs before it can see its disks.
early_modules "$out/early" virtio_pci virtio_blk squashfs overlay

# Raspberry Pi OS has packages of these; Debian has none, and PyPI has them as source.
mkdir "$base/root/wheels"
# shellcheck disable=SC2046
in_there env PYPI=1 pip wheel -q --disable-pip-version-check -w /root/wheels $(cat "$here/system.txt")
mv "$base/root/wheels" "$out/wheels"
leave
rm -rf "$base"
