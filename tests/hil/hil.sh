#!/bin/sh
# "./run hil": the companion on a Debian 13 whose kernel has a Raspberry Pi's devices, in QEMU.
# The machine is built once and kept; only what has changed is built anew. docs/hil.md says more.
set -eu
PATH=$PATH:/usr/sbin:/sbin
root=$(cd "$(dirname "$0")/../.." && pwd)
here=$root/tests/hil
word=hil
limit_s=3600
tools="qemu-system-x86_64:qemu-system-x86 debootstrap:debootstrap mksquashfs:squashfs-tools
    busybox:busybox-static cpio:cpio modprobe:kmod xz:xz-utils git:git"

. "$root/tests/hil/parts.sh"

usage() {
    cat <<'TEXT'
./run hil             the hardware tests in a machine of their own, which is built if it is missing
./run hil PATTERN     only the tests whose names hold PATTERN, such as topple
./run hil --rebuild   build the machine anew, with the kernel and the packages of today
./run hil --keep      leave the machine's console and the daemon's own words in a folder
TEXT
}

build() {
    system_parts
    venv_key=$(key "$system_key" "$here/build_venv.sh" "$root/run" "$root/pyproject.toml" \
        "$root/locks/runtime.txt" "$root/locks/pico.txt")
    part venv 2 "$venv_key" "$system"
    venv=$made
}

# The code of today, and what starts the machine.
pack() {
    mkdir -p "$folder/initrd/bin" "$folder/initrd/proc" "$folder/initrd/sys" "$folder/initrd/dev" \
        "$folder/initrd/new"
    cp "$(command -v busybox)" "$folder/initrd/bin/busybox"
    cp -r "$workshop/early" "$folder/initrd/modules"
    install -m 755 "$here/init.sh" "$folder/initrd/init"
    (cd "$folder/initrd" && find . | cpio -o -H newc --quiet | gzip -1) >"$folder/initrd.gz"
    copy_code "$folder/tiki"
    mkdir -p "$folder/tiki/.venv"
    printf '%s\n' "$@" >"$folder/tiki/tests/hil/inside/words"
    mksquashfs "$folder/tiki" "$folder/tiki.squashfs" -force-uid 1000 -force-gid 1000 -comp zstd -Xcompression-level 1 -noappend \
        -quiet -no-progress >/dev/null
    rm -rf "$folder/tiki" "$folder/initrd"
}

disk() { printf 'file=%s,format=raw,if=none,id=%s,readonly=on' "$1" "$2"; }

# /dev/kvm is left alone: where it is offered to guests it often does not carry a whole kernel.
boot() {
    exec timeout --kill-after 5 "$limit_s" qemu-system-x86_64 -accel tcg,thread=multi -machine pc -cpu Nehalem \
        -smp 2 -m 2048 -nodefaults -no-user-config -no-reboot -display none -nic none \
        -kernel "$workshop/vmlinuz" -initrd "$folder/initrd.gz" \
        -append "console=ttyS1 quiet loglevel=4 panic=-1 mitigations=off tsc=reliable no_timer_check random.trust_cpu=on audit=0 systemd.show_status=0 systemd.mask=serial-getty@ttyS1.service" \
        -drive "$(disk "$system/root.squashfs" system)" -device virtio-blk-pci,drive=system \
        -drive "$(disk "$venv/venv.squashfs" venv)" -device virtio-blk-pci,drive=venv \
        -drive "$(disk "$folder/tiki.squashfs" tiki)" -device virtio-blk-pci,drive=tiki \
        -serial "file:$folder/tests.log" -serial "file:$folder/console.log" -device virtio-rng-pci </dev/null
}

keep='' rebuild='' pattern=''
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help) usage; exit 0 ;;
    --keep) keep=yes ;;
    --rebuild) rebuild=yes ;;
    -*) die "hil knows --keep and --rebuild, not $1; ./run hil --help lists all" ;;
    *) [ -z "$pattern" ] || die "hil takes one PATTERN, not also $1; join them: './run hil \"$pattern or $1\"'"
        pattern=$1 ;;
    esac
    shift
done
begin
[ -z "$rebuild" ] || rm -rf --one-file-system "${cache:?}"/*
start=$(now)
build
built=$(now)
folder=$(mktemp -d "${TMPDIR:-/var/tmp}/tiki-hil.XXXXXX")
pack "$pattern"
packed=$(now)
say "hil: starting the machine (kernel $(cat "$workshop/version")) ..."
: >"$folder/tests.log"
boot &
child=$!
# It ends with the machine.
tail -f -n +1 --pid "$child" "$folder/tests.log" | sed -u -e 's/\r//g' -e '/^hil-status /d' &
watcher=$!
wait "$child" || :
child=
wait "$watcher" || :
status=$(tr -d '\r' <"$folder/tests.log" | sed -n 's/^hil-status //p' | tail -n 1)
[ -n "$status" ] || {
    tr -d '\r' <"$folder/console.log" | tail -n 20 >&2
    say "hil: the machine ended without a result, or was ended after $limit_s s"
    status=1
}
say "hil: machine $((built - start)) s, code packed $((packed - built)) s, tests $(($(now) - packed)) s"
[ -z "$keep" ] || say "hil: logs are in $folder"
exit "$status"
