#!/bin/sh
# Builds what a machine of ./run image-test is made of, and tells in which folders it lies.
# parts.sh [--rebuild] STICK: makes the file STICK, of today's code and the packages that it wants.
set -eu
PATH=$PATH:/usr/sbin:/sbin
root=$(cd "$(dirname "$0")/../.." && pwd)
here=$root/tests/image
word=image-test
tools="qemu-system-x86_64:qemu-system-x86 debootstrap:debootstrap mksquashfs:squashfs-tools
    mke2fs:e2fsprogs systemd-nspawn:systemd-container busybox:busybox-static cpio:cpio modprobe:kmod xz:xz-utils git:git"

. "$root/tests/hil/parts.sh"

keep=''
if [ "$1" = --rebuild ]; then
    shift
    rm -rf --one-file-system "${cache:?}"/*
fi
stick=$1
begin
system_parts
recipes=$here
part card 3 "$(key "$system_key" "$here/build_card.sh" "$here"/guest/*.service "$here"/guest/*.sh)" "$system" "$workshop"
card=$made
part wheels 1 "$(key "$system_key" "$here/build_wheels.sh" "$root/locks/runtime.txt" "$root/locks/pico.txt")" "$system"
wheels=$made

# As it would be copied onto a stick.
folder=$(mktemp -d "${TMPDIR:-/var/tmp}/tiki-stick.XXXXXX")
copy_code "$folder/tiki"
mksquashfs "$folder/tiki" "$wheels/wheels" "$stick" -all-root -comp zstd -Xcompression-level 1 -noappend -quiet -no-progress >/dev/null
echo "$card"
