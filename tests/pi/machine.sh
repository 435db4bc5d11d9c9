#!/bin/sh
# An emulated board that does a job of tests/pi/inside; in namespaces of its own.
# machine.sh FOLDER EMULATOR BOARD KIND MEMORY JOB SECONDS: KIND is pi4, a Raspberry Pi 4; virt, a board of QEMU's
# own with as much memory; or counted, the same with a clock that counts instructions. Leaves FOLDER/console,
# what the board prints; the job's lines begin with "job: ".
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$1 emulator=$2 board=$3 kind=$4 memory=$5 job=$6 base=$1/machine
mkdir -p "$base" "$folder/pack/code"
mount --bind "$emulator/tree" "$base"
mount --bind "$board" "$base/board"
mount --bind "$folder/pack" "$base/tmp"
(cd "$root" && git ls-files -z -- companion firmware hardware vision deploy tests/pi \
    | tar --create --null --files-from=- --ignore-failed-read) | tar --extract -C "$folder/pack/code"
# Compiled at this machine's speed, by the Python of the same Debian.
chroot "$base" python3 -m compileall -q /tmp/code/companion /tmp/code/vision /tmp/code/hardware
mksquashfs "$folder/pack/code" "$folder/pack/code.squashfs" -comp zstd -Xcompression-level 1 -noappend -quiet -no-progress >/dev/null
words="quiet loglevel=3 panic=-1 mitigations=off random.trust_cpu=on tiki-job=$job"
disk() { echo "-drive if=none,id=$2,format=raw,readonly=on,file=$1 -device virtio-blk-pci,drive=$2"; }
virt="-M virt -cpu cortex-a72 -m $memory -nic none -device virtio-rng-pci -serial stdio -initrd /board/initrd.gz
    $(disk /board/root.squashfs system) $(disk /tmp/code.squashfs code)"
case $kind in
pi4)
    # The card of this board gives 15 kB/s, so its Debian lies in memory.
    ln -s "$board/root.squashfs" "$folder/pack/root.squashfs"
    # Linux looks for the next archive where four bytes divide the place.
    cp "$board/initrd.gz" "$folder/pack/initrd"
    truncate --size %4 "$folder/pack/initrd"
    (cd "$folder/pack" && printf '%s\n' root.squashfs code.squashfs | cpio -o -L -H newc --quiet) >>"$folder/pack/initrd"
    machine="-M raspi4b -dtb /board/pi4.dtb -initrd /tmp/initrd -serial stdio -serial null -accel tcg,thread=multi"
    words="earlycon=pl011,mmio32,0xfe201000 console=ttyAMA0 $words" ;;
virt) machine="$virt -smp 2 -accel tcg,thread=multi" words="console=ttyAMA0 $words" ;;
counted) machine="$virt -smp 1 -icount shift=0,sleep=off" words="console=ttyAMA0 $words" ;;
esac
# shellcheck disable=SC2086
timeout --kill-after 5 "$7" chroot "$base" qemu-system-aarch64 $machine -display none -no-reboot -monitor none \
    -kernel /board/vmlinuz -append "$words" </dev/null >"$folder/console" 2>&1 &
# A Raspberry Pi does not switch itself off, so it is ended when it has said how its job went.
while kill -s 0 "$!" 2>/dev/null && ! grep -q '^job: end' "$folder/console"; do sleep 2; done
kill "$!" 2>/dev/null || :
