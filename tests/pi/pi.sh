#!/bin/sh
# "./run pi": the companion on a Raspberry Pi's processor, which QEMU emulates.
# What it is made of is built once and kept; only what has changed is built anew. docs/pi.md says more.
set -eu
PATH=$PATH:/usr/sbin:/sbin
root=$(cd "$(dirname "$0")/../.." && pwd)
recipes=$root/tests/pi
word=pi
tools="debootstrap:debootstrap mksquashfs:squashfs-tools git:git"

. "$root/tests/hil/parts.sh"
. "$root/deploy/registries.sh"
cache=${XDG_CACHE_HOME:-$HOME/.cache}/tiki/pi
binfmt=/proc/sys/fs/binfmt_misc

usage() {
    cat <<'TEXT'
./run pi              the companion on a Pi 4's processor: the recordings, with the decisions of x86-64
./run pi --cpu a53    on the processor of a Zero 2 W or a 3; a72: of a 4, the usual; a76: of a 5
./run pi --every 3    read only each third picture
./run pi --rebuild    build what is emulated anew, with the packages of today
./run pi --write      write what this machine decides as what is right; on x86-64, without root
TEXT
}

# Debian 13 for arm64 has to be where this machine's packages come from.
need_arm64() {
    mirror=$(mirror Debian)
    : "${mirror:=http://deb.debian.org/debian/}"
    file=$cache/InRelease
    /usr/lib/apt/apt-helper download-file "${mirror%/}/dists/trixie/InRelease" "$file" >/dev/null 2>&1 \
        || die "$mirror cannot be reached; is there a network? Try again: nothing is lost"
    grep -q '^Architectures:.* arm64' "$file" \
        || die "$mirror has no Debian 13 for arm64; name a mirror that has in /etc/apt/sources.list, such as http://deb.debian.org/debian"
}

# Programs for arm64 are run by our QEMU, whatever else is there to run them, until this word ends.
emulate() { # emulate QEMU
    [ -e "$binfmt/register" ] || mount -t binfmt_misc binfmt_misc "$binfmt" 2>/dev/null || :
    [ -w "$binfmt/register" ] \
        || die "this kernel runs no programs of another processor (binfmt_misc is missing or read-only); try outside the container"
    emulating=yes
    forget # what a run that was cut off has left
    # What marks such a program is told by QEMU's own package.
    entry=$(sed -n -e 's/^:[^:]*/:tiki-pi/' -e "s#:[^:]*:[A-Z]*\$#:$1/tree/usr/bin/qemu-aarch64:F#p" \
        "$1/tree/usr/share/qemu/binfmt.d/qemu-aarch64.conf")
    printf '%s' "$entry" 2>/dev/null >"$binfmt/register" || die "QEMU cannot run programs for arm64 here; build it anew: sudo ./run pi --rebuild"
}
forget() { [ ! -e "$binfmt/tiki-pi" ] || echo -1 >"$binfmt/tiki-pi"; }

# shellcheck disable=SC2317 # a trap calls it
clean() {
    [ -z "$child" ] || kill -s KILL "$child" 2>/dev/null || : # and with it all that it started
    [ -z "$emulating" ] || forget
    [ -z "$folder" ] || rm -rf --one-file-system "$folder"
}

build() {
    shared="$recipes/unpacking.sh $root/tests/hil/debian.sh $root/deploy/registries.sh"
    # shellcheck disable=SC2086
    emulator_key=$(key "$recipes/build_emulator.sh" $shared)
    # shellcheck disable=SC2086
    debian_key=$(key "$recipes/build_debian.sh" $shared)
    if [ ! -e "$cache/debian-$debian_key/made" ]; then need_arm64; fi
    part emulator 2 "$emulator_key" "$cache/debs"
    emulator=$made
    part debian 2 "$debian_key" "$cache/debs"
    debian=$made
    packages_key=$(key "$emulator_key" "$recipes/build_packages.sh" "$root/locks/runtime.txt" "$root/locks/pico.txt")
    part packages 2 "$packages_key" "$emulator"
    packages=$made
}

compare() { PYTHONPATH=$root "${PYTHON:-python3}" -P -m tests.pi "$@"; }

cpu=a72 every=1 rebuild='' emulating='' child='' folder=''
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help) usage; exit 0 ;;
    --rebuild) rebuild=yes ;;
    --cpu)
        case ${2:-} in a53 | a72 | a76) cpu=$2 ;; *) die "--cpu takes a53, a72 or a76, not ${2:-nothing}" ;; esac
        shift ;;
    --every)
        case ${2:-} in '' | 0* | *[!0-9]*) die "--every takes a number from 1, not ${2:-nothing}" ;; esac
        every=$2
        shift ;;
    *) die "pi knows --cpu, --every, --rebuild and --write, not $1; ./run pi --help says more" ;;
    esac
    shift
done
[ "$(id -u)" = 0 ] || die "only root can make a Debian for another processor; try: sudo ./run pi"
git -C "$root" rev-parse --quiet --verify HEAD >/dev/null 2>&1 || die "pi takes the files that git has, and $root is no clone"
prepare
mkdir -p "$cache"
exec 9>"$cache/running"
flock --nonblock 9 || die "another ./run pi is going on; try again when it has ended"
trap clean EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
[ -z "$rebuild" ] || rm -rf --one-file-system "${cache:?}"/emulator-* "${cache:?}"/debian-* "${cache:?}"/packages-*
start=$(now)
build
emulate "$emulator"
built=$(now)
folder=$(mktemp -d "${TMPDIR:-/var/tmp}/tiki-pi.XXXXXX")
compare pictures "$every" >"$folder/pictures"
say "pi: a Debian 13 for arm64 on a Cortex-$(echo "$cpu" | tr a A) ..."
# Behind, as parts are built: so Ctrl-C is heeded, and all that it started ends with it.
QEMU_CPU=cortex-$cpu env --default-signal=INT,QUIT nice unshare --mount --pid --fork --kill-child --mount-proc \
    sh "$recipes/user_land.sh" "$folder" "$debian" "$packages" 9>&- &
child=$!
failed=0
wait "$child" || failed=1
child=
[ "$failed" = 0 ] || say "pi: the companion did not end well there (see above)"
for each in "$folder"/replay-*; do
    [ -e "$each" ] || continue
    compare replay "$each" "${each##*/replay-}" || failed=1
done
[ ! -e "$folder/read" ] || compare read "$folder/read" "$every" || failed=1
say "pi: built in $((built - start)) s, played and read in $(($(now) - built)) s"
exit "$failed"
