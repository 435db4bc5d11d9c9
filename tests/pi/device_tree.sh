#!/bin/sh
# A Raspberry Pi 4's device tree for QEMU's: without the parts that it lacks and for which Debian's kernel
# would wait or die, and with what a real Pi's firmware writes into it.
# device_tree.sh IN OUT EMULATOR
set -eu
cp "$1" "$3/board/tree.dtb"
emulator=$3 out=$2
put() { chroot "$emulator" fdtput "$@"; }
tree=/board/tree.dtb
# Display, its I2C and clocks, the voltage monitor, the second mailbox, the second UART.
for each in clock@7ef00000 interrupt-controller@7ef00100 hdmi@7ef00700 hdmi@7ef05700 i2c@7ef04500 i2c@7ef09500 \
    hvs@7e400000 txp@7e004000 pixelvalve@7e206000 pixelvalve@7e207000 pixelvalve@7e20a000 pixelvalve@7e216000 \
    avs-monitor@7d5d2000 mailbox@7e00b840 serial@7e215040; do
    put -t s $tree "/soc/$each" status disabled
done
put -t s $tree /gpu status disabled
put -r $tree /soc/serial@7e201000/bluetooth # the first UART is the console here
put -r $tree /soc/mmc@7e300000/wifi@1
put -p -t x $tree /system linux,revision c03112 # a 4B 1.2 with 4 GB
mv "$emulator/board/tree.dtb" "$out"
