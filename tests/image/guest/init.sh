#!/bin/busybox sh
# The first process: finds the card, and leaves the machine to the system on it.
# shellcheck shell=dash
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
while read -r module; do insmod "/modules/$module"; done </modules/order
while [ ! -b /dev/vda ]; do sleep 0.05; done
mount -t ext4 -o ro /dev/vda /new
exec switch_root /new /sbin/init
