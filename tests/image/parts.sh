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

# shellcheck disable=SC2317 # a trap calls it
clean() {
    [ -z "$child" ] || { kill "$child" && wait "$child"; } 2>/dev/null || : # and with it all that it started
    [ -z "$folder" ] || rm -rf --one-file-system "$folder"
}

child='' folder=''
if [ "$1" = --rebuild ]; then
    shift
    rm -rf --one-file-system "${cache:?}"/*
fi
stick=$1
[ "$(id -u)" = 0 ] || die "only root can make a machine's file system; try: sudo ./run image-test"
git -C "$root" rev-parse --quiet --verify HEAD >/dev/null 2>&1 \
    || die "image-test takes the files that git has, and $root is no clone"
prepare
trap clean EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir -p "$cache"
system_parts
recipes=$here
part card 3 "$(key "$system_key" "$here/build_card.sh" "$here"/guest/*.service "$here"/guest/*.sh)" "$system" "$workshop"
card=$made
part wheels 1 "$(key "$system_key" "$here/build_wheels.sh" "$root/locks/runtime.txt" "$root/locks/pico.txt")" "$system"
wheels=$made

# All that git has or would take, as it would be copied onto a stick.
folder=$(mktemp -d "${TMPDIR:-/var/tmp}/tiki-stick.XXXXXX")
mkdir "$folder/tiki"
(cd "$root" && git ls-files -z --cached --others --exclude-standard \
    | tar --create --null --files-from=- --ignore-failed-read 2>/dev/null) | tar --extract -C "$folder/tiki"
mksquashfs "$folder/tiki" "$wheels/wheels" "$stick" -all-root -comp zstd -Xcompression-level 1 -noappend -quiet -no-progress >/dev/null
echo "$card"
