#!/bin/sh
# "./run install-test": deploy/install.sh from the first installation to the last trace's removal, in a bare
# Debian that is made for it and removed again. No systemd runs there: tests/install/stand_in.py keeps the
# service. tests/install/scenario.sh has the steps.
set -eu
PATH=$PATH:/usr/sbin:/sbin
root=$(cd "$(dirname "$0")/.." && pwd)

. "$root/deploy/bare_debian.sh"

inside() { # inside FOLDER RELEASE: from nothing to its closing line
    folder=$1 release=$2
    bare_debian install-test
    begun=$(date +%s) outcome=FAILED
    say "install-test $release: the scenario ..."
    # Nothing of what it starts outlives this shell, so the table that is left after a failure ends too.
    { in_there sh tests/install/scenario.sh && : >"$folder/ok"; } 2>&1 | tee "$folder/scenario.log" || :
    [ ! -e "$folder/ok" ] || outcome=ok
    claims=$(grep -c '^ok: ' "$folder/scenario.log") || :
    echo "install-test $release: $outcome, $claims claims ($(($(date +%s) - begun)) s)" >"$folder/closing"
    [ "$outcome" = ok ] || exit 1
    exit 0
}

if [ "${1-}" = --inside ]; then
    shift
    inside "$@"
fi

releases=
for each in "$@"; do
    case $each in
    bookworm | trixie) releases="$releases $each" ;;
    *) die "install-test knows bookworm and trixie, not $each" ;;
    esac
done
need_debootstrap install-test
in_bare_debians install-test "$root/deploy/install_test.sh"
