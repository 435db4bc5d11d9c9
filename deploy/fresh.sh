#!/bin/sh
# "./run fresh": the README's two commands in a bare Debian that is made for it and removed again.
# The registries are reached in there as they are from here; nothing else of this machine is seen.
set -eu
PATH=$PATH:/usr/sbin:/sbin
root=$(cd "$(dirname "$0")/.." && pwd)

. "$root/deploy/bare_debian.sh"

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

inside() { # inside FOLDER RELEASE WORD...: from nothing to its closing line
    folder=$1 release=$2
    shift 2
    bare_debian fresh
    told='' failed=0
    try demo
    try test "$@"
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
