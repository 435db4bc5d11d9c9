#!/bin/sh
# "./run fresh": the README's two commands in a bare Debian that is made for it and removed again.
# The registries are reached in there as they are from here; nothing else of this machine is seen.
set -eu
PATH=$PATH:/usr/sbin:/sbin
root=$(cd "$(dirname "$0")/.." && pwd)

say() { printf '%s\n' "$*" >&2; }
die() { say "run: $*"; exit 1; }

. "$root/deploy/registries.sh"

in_there() (# in_there WORD...: a command in the clone, as root of the bare Debian
    for name in $(variables); do
        of_registries "$name" || unset "$name" 2>/dev/null || :
    done
    export HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin
    # shellcheck disable=SC2016
    exec chroot "$base" /bin/sh -c 'cd /root/companion && exec "$@"' sh "$@"
)

seconds() { echo "$(($(date +%s) - begun)) s"; }

try() { # try demo|test WORD...: run it and add what came of it to $told
    task=$1
    begun=$(date +%s)
    say "fresh $release: ./run $* ..."
    { in_there ./run "$@" && : >"$folder/$task.ok"; } 2>&1 | tee "$folder/$task.log" || :
    # pytest's last line, without its frame and its seconds
    counts=$(sed -n 's/^=* *\([0-9].*[a-z]\) in [0-9.]*s.*$/: \1/p' "$folder/$task.log" | tail -n 1)
    if [ -e "$folder/$task.ok" ]; then outcome=ok; else outcome=FAILED failed=1; fi
    told="$told${told:+, }$task $outcome$counts ($(seconds))"
}

# One release, from nothing to its closing line. This shell is the first process of namespaces of its
# own: what is mounted is mounted for it alone, and whatever it started ends with it.
inside() { # inside FOLDER RELEASE WORD...
    folder=$1 release=$2
    shift 2
    umask 022 # apt fetches as a user of its own
    base=$folder/debian
    mirror=$(mirror Debian) security=$(mirror Debian-Security)
    include=python3,python3-venv
    case $mirror in https:*) include=$include,ca-certificates ;; esac
    say "fresh $release: making a bare Debian ..."
    # shellcheck disable=SC2086
    debootstrap --variant=minbase --include="$include" "$release" "$base" $mirror >"$folder/log" 2>&1 || {
        tail -n 5 "$folder/log" >&2
        echo "fresh $release: FAILED, debootstrap made no Debian" >"$folder/closing"
        exit 1
    }
    mount -t proc proc "$base/proc"
    mount -t sysfs -o ro sysfs "$base/sys"
    mount -t tmpfs -o mode=1777 tmpfs "$base/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$base/dev/pts"
    reach
    git clone --quiet --depth 1 "file://$root" "$base/root/companion"
    told='' failed=0
    try demo
    try test "$@"
    echo "fresh $release: $told" >"$folder/closing"
    exit "$failed"
}

clean() {
    [ -z "$child" ] || kill -s KILL "$child" 2>/dev/null || : # and with it all that it started
    child=
    # What was just killed may still be writing.
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        [ -n "$folder" ] && [ -e "$folder" ] || return 0
        rm -rf --one-file-system "$folder" 2>/dev/null || sleep 1
    done
    say "run: $folder could not be removed"
}

if [ "${1-}" = --inside ]; then
    shift
    inside "$@"
fi

releases=
while [ $# -gt 0 ]; do
    case $1 in
    bookworm | trixie) releases="$releases $1" ;;
    --) shift; break ;;
    *) die "fresh knows bookworm and trixie, not $1; words for ./run test stand after --" ;;
    esac
    shift
done
[ "$(id -u)" = 0 ] || die "only root can make a bare Debian; try: sudo ./run fresh"
git -C "$root" rev-parse --quiet --verify HEAD >/dev/null || die "fresh tries a git clone, and $root is none"
if ! command -v debootstrap >/dev/null; then
    say "Installing debootstrap ..."
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends debootstrap; } >/dev/null 2>&1 \
        || die "debootstrap is missing and could not be installed; try: sudo apt install debootstrap"
fi
[ -n "$(mirror Debian)" ] || apt-get update -qq || : # whose lists name the mirror

child='' folder='' closing='' failed=0
trap clean EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
for release in ${releases:-bookworm trixie}; do
    folder=$(mktemp -d "${TMPDIR:-/var/tmp}/tiki-fresh.XXXXXX") # /tmp may be small, and in memory
    # A shell waits for what runs in its foreground before it heeds a signal, and has what runs behind it
    # ignore Ctrl-C; so it runs behind, and heeds.
    env --default-signal=INT,QUIT unshare --mount --pid --fork --kill-child --mount-proc \
        sh "$root/deploy/fresh.sh" --inside "$folder" "$release" "$@" &
    child=$!
    wait "$child" || failed=1
    child=
    closing="$closing$(cat "$folder/closing" 2>/dev/null || echo "fresh $release: FAILED, see above")
"
    clean
done
printf '%s' "$closing"
exit "$failed"
