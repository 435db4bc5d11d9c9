# Sourced: something is tried in bare Debians that are made for it and removed again.
# $root is the repository, $releases the Debians that are wanted; TASK is the word after ./run.
# shellcheck shell=sh disable=SC2154

say() { printf '%s\n' "$*" >&2; }
die() { say "run: $*"; exit 1; }

. "$root/deploy/registries.sh"

need_debootstrap() { # need_debootstrap TASK
    [ "$(id -u)" = 0 ] || die "only root can make a bare Debian; try: sudo ./run $1"
    git -C "$root" rev-parse --quiet --verify HEAD >/dev/null || die "$1 tries a git clone, and $root is none"
    if ! command -v debootstrap >/dev/null; then
        say "Installing debootstrap ..."
        { apt-get update -qq && apt-get install -y -qq --no-install-recommends debootstrap; } >/dev/null 2>&1 \
            || die "debootstrap is missing and could not be installed; try: sudo apt install debootstrap"
    fi
    [ -n "$(mirror Debian)" ] || apt-get update -qq || : # whose lists name the mirror
}

# This shell is the first process of namespaces of its own: what is mounted is mounted for it alone, and
# whatever it started ends with it.
bare_debian() { # bare_debian TASK: $release below $base, with a clone of the repository
    base=$folder/debian
    umask 022 # apt fetches as a user of its own
    # shellcheck disable=SC2034 # reach has it
    mirror=$(mirror Debian) security=$(mirror Debian-Security)
    include=python3,python3-venv
    case $mirror in https:*) include=$include,ca-certificates ;; esac
    say "$1 $release: making a bare Debian ..."
    # shellcheck disable=SC2086
    debootstrap --variant=minbase --include="$include" "$release" "$base" $mirror >"$folder/log" 2>&1 || {
        tail -n 5 "$folder/log" >&2
        echo "$1 $release: FAILED, debootstrap made no Debian" >"$folder/closing"
        exit 1
    }
    mount -t proc proc "$base/proc"
    mount -t sysfs -o ro sysfs "$base/sys"
    mount -t tmpfs -o mode=1777 tmpfs "$base/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$base/dev/pts"
    reach
    git clone --quiet --depth 1 "file://$root" "$base/root/companion"
}

in_there() (# in_there WORD...: a command in the clone, as root of the bare Debian
    for name in $(variables); do
        of_registries "$name" || unset "$name" 2>/dev/null || :
    done
    export HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin
    # shellcheck disable=SC2016
    exec chroot "$base" /bin/sh -c 'cd /root/companion && exec "$@"' sh "$@"
)

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

in_bare_debians() { # in_bare_debians TASK SCRIPT WORD...: SCRIPT --inside FOLDER RELEASE WORD... for each
    named=$1 script=$2
    shift 2
    child='' folder='' closing='' failed=0
    trap clean EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
    for release in ${releases:-bookworm trixie}; do
        folder=$(mktemp -d "${TMPDIR:-/var/tmp}/tiki-$named.XXXXXX") # /tmp may be small, and in memory
        # A shell waits for what runs in its foreground before it heeds a signal, and has what runs behind
        # it ignore Ctrl-C; so it runs behind, and heeds.
        env --default-signal=INT,QUIT unshare --mount --pid --fork --kill-child --mount-proc \
            sh "$script" --inside "$folder" "$release" "$@" &
        child=$!
        wait "$child" || failed=1
        child=
        closing="$closing$(cat "$folder/closing" 2>/dev/null || echo "$named $release: FAILED, see above")
"
        clean
    done
    printf '%s' "$closing"
    exit "$failed"
}
