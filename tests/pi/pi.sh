#!/bin/sh
# "./run pi": the companion on a Raspberry Pi's processor, which QEMU emulates.
# What it is made of is built once and kept; only what has changed is built anew. docs/pi.md says more.
set -eu
PATH=$PATH:/usr/sbin:/sbin
root=$(cd "$(dirname "$0")/../.." && pwd)
recipes=$root/tests/pi
word=pi
limit_s=3000
tools="debootstrap:debootstrap mksquashfs:squashfs-tools modprobe:kmod cpio:cpio xz:xz-utils git:git"

. "$root/tests/hil/parts.sh"
. "$root/deploy/registries.sh"
cache=${XDG_CACHE_HOME:-$HOME/.cache}/tiki/pi
binfmt=/proc/sys/fs/binfmt_misc

usage() {
    cat <<'TEXT'
./run pi              the companion on an emulated Raspberry Pi: all of the following
./run pi WORD         decisions: the recordings on its processor, with the decisions of x86-64;
                      board: pins and tiki doctor on a Pi 4; memory: the daemon with 512, 1024 and
                      2048 MB; figures: how many instructions it takes to read a picture
./run pi memory MB    with so much memory only
./run pi --cpu a53    on the processor of a Zero 2 W or a 3; a72: of a 4, the usual; a76: of a 5
./run pi --every 3    of the decisions, read only each third picture
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
    [ "$wanted" = decisions ] && return
    # shellcheck disable=SC2086
    board_key=$(key "$debian_key" "$packages_key" "$recipes/build_board.sh" "$recipes/device_tree.sh" "$recipes/init.sh" $shared)
    part board 5 "$board_key" "$cache/debs" "$emulator" "$debian" "$packages"
    board=$made
}

# Behind, as parts are built: so Ctrl-C is heeded, and all that it started ends with it.
apart() { # apart SCRIPT WORD...: in namespaces of its own
    env --default-signal=INT,QUIT nice unshare --mount --pid --fork --kill-child --mount-proc sh "$@" 9>&- &
    child=$!
    ended=0
    wait "$child" || ended=$?
    child=
    return "$ended"
}

decisions() {
    emulate "$emulator"
    compare pictures "$every" >"$folder/pictures"
    say "pi: a Debian 13 for arm64 on a Cortex-$(echo "$cpu" | tr a A) ..."
    QEMU_CPU=cortex-$cpu
    export QEMU_CPU
    apart "$recipes/user_land.sh" "$folder" "$debian" "$packages" || {
        say "pi: the companion did not end well there (see above)"
        failed=1
    }
    for each in "$folder"/replay-*; do
        [ -e "$each" ] || continue
        compare replay "$each" "${each##*/replay-}" || failed=1
    done
    [ ! -e "$folder/read" ] || compare read "$folder/read" "$every" || failed=1
}

job() { # job NAME KIND MEMORY WORDS: the job of tests/pi/inside of that name, on a machine that WORDS describe
    say "pi: $1 on $4 ..."
    there=$folder/$1-$3
    mkdir "$there"
    : >"$there/console"
    apart "$recipes/machine.sh" "$there" "$emulator" "$board" "$2" "$3" "$1" "$limit_s" || :
    tr -d '\r' <"$there/console" >"$there/told"
    sed -n -e '/^job: status /d' -e '/^job: end/d' -e 's/^job: /pi: /p' "$there/told"
    grep -q '^job: status ' "$there/told" || {
        tail -n 5 "$there/told" >&2
        say "pi: the machine ended without a result, or was ended after $limit_s s"
    }
    if grep -q '^job: status 0$' "$there/told" && ! grep -qi '^job: .*out of memory' "$there/told"; then return; fi
    say "pi: $1 on $4 FAILED (see above)"
    failed=1
}

compare() { PYTHONPATH=$root "${PYTHON:-python3}" -P -m tests.pi "$@"; }

cpu=a72 every=1 wanted='' sizes='' rebuild='' emulating='' child='' folder=''
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
    decisions | board | figures | memory)
        [ -z "$wanted" ] || die "pi takes one word, not also $1; ./run pi alone does all"
        wanted=$1 ;;
    [1-9]*)
        [ "$wanted" = memory ] || die "only memory takes a size: ./run pi memory $1"
        case $1 in *[!0-9]*) die "memory takes a number of MB, such as 512, not $1" ;; esac
        sizes=$1 ;;
    *) die "pi knows decisions, board, memory, figures, --cpu, --every, --rebuild and --write, not $1; ./run pi --help says more" ;;
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
[ -z "$rebuild" ] || rm -rf --one-file-system "${cache:?}"/emulator-* "${cache:?}"/debian-* "${cache:?}"/packages-* "${cache:?}"/board-*
start=$(now)
build
built=$(now)
folder=$(mktemp -d "${TMPDIR:-/var/tmp}/tiki-pi.XXXXXX")
failed=0
case $wanted in '' | decisions) decisions ;; esac
case $wanted in '' | board) job board pi4 1024 "a Raspberry Pi 4" ;; esac
case $wanted in '' | memory)
    for size in ${sizes:-512 1024 2048}; do job memory virt "$size" "$size MB"; done ;;
esac
case $wanted in '' | figures) job figures counted 1024 "a Cortex-A72 that counts" ;; esac
say "pi: built in $((built - start)) s, tried in $(($(now) - built)) s"
exit "$failed"
