#!/bin/busybox sh
# shellcheck shell=dash
# The first process of an emulated board: mounts its Debian, in memory or on a disk, and runs the job that
# the kernel was told of (tests/pi/inside), whose status it prints; then it waits to be ended.
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
while read -r each; do insmod "/modules/$each" 2>/dev/null; done </modules/order
root=/dev/vda code=/dev/vdb options=ro
if [ -e /root.squashfs ]; then root=/root.squashfs code=/code.squashfs options=ro,loop; fi
for _ in $(seq 1 150); do
    [ -e "$code" ] && break
    sleep 0.2
done
mount -t tmpfs -o size=60% tmpfs /low
mkdir /low/up /low/work /low/root
mount -t squashfs -o $options $root /low/root
mount -t overlay -o lowerdir=/low/root,upperdir=/low/up,workdir=/low/work overlay /new
mount -t squashfs -o $options $code /new/root/companion
for each in proc sys dev; do mount --rbind /$each /new/$each; done
mkdir -p /dev/pts /new/dev/shm
mount -t devpts devpts /new/dev/pts
mount -t tmpfs -o mode=1777 tmpfs /new/dev/shm
mount -t tmpfs -o mode=1777 tmpfs /new/tmp
ip link set lo up
job=$(sed -n 's/.*tiki-job=\([^ ]*\).*/\1/p' /proc/cmdline)
{
    chroot /new /usr/bin/env -i PATH=/usr/sbin:/usr/bin HOME=/tmp LC_ALL=C.UTF-8 OPENBLAS_NUM_THREADS=1 \
        PYTHONPATH=/root/companion:/root/site sh -c "cd /root/companion && exec python3 -P -u tests/pi/inside/$job.py" 2>&1
    echo "status $?"
    dmesg | grep -iE "out of memory|oom-kill"
    echo end
} | while IFS= read -r line; do echo "job: $line"; done
sleep 1000000000
