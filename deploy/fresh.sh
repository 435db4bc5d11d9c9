#!/bin/sh
# "./run fresh": the README's two commands in a bare Debian that is made for it and removed again.
# The registries are reached in there as they are from here; nothing else of this machine is seen.
set -eu
PATH=$PATH:/usr/sbin:/sbin
root=$(cd "$(dirname "$0")/.." && pwd)

. "$root/deploy/bare_debian.sh"

seconds() { echo "$(($(date +%s) - begun)) s"; }

try() { # try NAME WORD...: run ./run WORD... and add what came of it to $told, by that name
    task=$1
    shift
    begun=$(date +%s)
    say "fresh $release: ./run $* ..."
    { in_there ./run "$@" && : >"$folder/$task.ok"; } 2>&1 | tee "$folder/$task.log" || :
    # pytest's last line, without its frame and its seconds
    counts=$(sed -n 's/^=* *\([0-9].*[a-z]\) in [0-9.]*s.*$/: \1/p' "$folder/$task.log" | tail -n 1)
    if [ -e "$folder/$task.ok" ]; then outcome=ok; else outcome=FAILED failed=1; fi
    told="$told${told:+, }$task $outcome$counts ($(seconds))"
}

# As on a Raspberry Pi OS of Debian 12: its numpy chooses the lock of OpenCV 4, with which eyes are tried.
try_system_numpy() {
    say "fresh $release: installing Debian's numpy ..."
    { in_there apt-get update -qq && in_there apt-get install -y -qq --no-install-recommends \
        python3-numpy; } >"$folder/log" 2>&1 || {
        tail -n 5 "$folder/log" >&2
        told="$told, system numpy FAILED: it could not be installed" failed=1
        return
    }
    # Debian 12 has no lgpio, by which Raspberry Pi OS's own is known: an empty one stands for it.
    : >"$base/usr/lib/python3/dist-packages/lgpio.py"
    for each in "$root"/companion/recordings/*/; do
        game=$(basename "$each")
        try "demo $game with system numpy" demo "$game"
    done
    try "vision with system numpy" test vision tests/vision
    in_there .venv/bin/python -c 'import cv2; assert cv2.__version__ < "5"' \
        || { told="$told, but OpenCV 4 FAILED: it was not used" failed=1; }
}

inside() { # inside FOLDER RELEASE WORD...: from nothing to its closing line
    folder=$1 release=$2
    shift 2
    bare_debian fresh
    told='' failed=0
    try demo demo
    try test test "$@"
    [ "$release" != bookworm ] || try_system_numpy
    echo "fresh $release: $told" >"$folder/closing"
    exit "$failed"
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
need_debootstrap fresh
in_bare_debians fresh "$root/deploy/fresh.sh" "$@"
