#!/bin/busybox sh
# The first process of the machine: disks that cannot be written to, with memory over them.
# shellcheck shell=dash
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
while read -r module; do insmod "/modules/$module"; done </modules/order
while [ ! -b /dev/vdc ]; do sleep 0.05; done
mkdir -p /system /tiki /memory
mount -t tmpfs -o size=75% memory /memory
mkdir -p /memory/system /memory/tiki /memory/work/system /memory/work/tiki
chown 1000:1000 /memory/tiki # the companion belongs to who uses it, so Python can keep what it compiles
mount -t squashfs -o ro /dev/vda /system
mount -t squashfs -o ro /dev/vdc /tiki
mount -t overlay -o lowerdir=/system,upperdir=/memory/system,workdir=/memory/work/system system /new
mount -t overlay -o lowerdir=/tiki,upperdir=/memory/tiki,workdir=/memory/work/tiki tiki /new/opt/tiki
mount -t squashfs -o ro /dev/vdb /new/opt/tiki/.venv
exec switch_root /new /sbin/init
