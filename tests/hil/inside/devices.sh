#!/bin/sh
# Makes this machine's devices, under the names and with the rights that they have on a Raspberry Pi 4;
# with --as-installed the companion's installer has to give them these rights. What is there already is
# not written again.
set -eu
here=$(dirname "$0")
modprobe configfs
mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config
mountpoint -q /sys/kernel/debug || mount -t debugfs none /sys/kernel/debug
if [ "${1-}" != --as-installed ]; then
    install -m 644 "$here/stand_ins/60-pi.rules" /etc/udev/rules.d/
    udevadm control --reload
fi
ln -sf system /dev/dma_heap/vidbuf_cached # as the Pi calls the heap for pictures
udevadm trigger --settle --subsystem-match=dma_heap
packages=$(/usr/bin/python3 -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
install -C -m 644 "$here"/stand_ins/*.py "$here"/stand_ins/*.pth "$packages"
install -C -m 755 "$here/stand_ins/vcgencmd" "$here/stand_ins/micropython" /usr/local/bin/

modprobe pi-sim
modprobe i2c-dev
modprobe oled-sim
modprobe gpio-sim
modprobe dummy_hcd
modprobe cdc-acm
header=/sys/kernel/config/gpio-sim/pi
mkdir -p "$header/bank0"
echo 58 >"$header/bank0/num_lines"
echo pinctrl-bcm2711 >"$header/bank0/label"
echo 1 >"$header/live"
udevadm settle
ls /dev/gpiochip0 /dev/i2c-1 >/dev/null
