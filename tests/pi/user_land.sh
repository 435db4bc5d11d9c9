#!/bin/sh
# The five demos and the pictures of their recordings, in an arm64 Debian; in namespaces of its own.
# Without a terminal a demo is the replay of its recording, which --json tells to programs.
# user_land.sh FOLDER DEBIAN PACKAGES: FOLDER/pictures names the pictures; leaves FOLDER/read and
# FOLDER/replay-GAME, what `tiki read` and `tiki replay --json` print.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/hil/debian.sh"
folder=$1 debian=$2 packages=$3 base=$1/debian
say() { printf '%s\n' "$*" >&2; }
mkdir "$base"
mount --bind "$debian/tree" "$base"
mount -t proc proc "$base/proc"
mount -t sysfs -o ro sysfs "$base/sys"
mount -t tmpfs -o mode=1777 tmpfs "$base/dev/shm"
mount -t tmpfs -o mode=1777 tmpfs "$base/tmp"
mount -t tmpfs tmpfs "$base/root"
mkdir -p "$base/root/companion" "$base/root/site"
(cd "$root" && git ls-files -z -- companion firmware hardware vision \
    | tar --create --null --files-from=- --ignore-failed-read) | tar --extract -C "$base/root/companion"
mount --bind "$packages/site" "$base/root/site"
tiki() {
    in_there env QEMU_CPU="$QEMU_CPU" PYTHONPATH=/root/companion:/root/site OPENBLAS_NUM_THREADS=1 \
        sh -c 'cd /root/companion && exec "$@"' sh \
        python3 -P -c 'import sys; from companion.cli import main; sys.exit(main())' "$@"
}

say "pi: $(in_there uname -m), $(in_there python3 --version), $(tiki --version)"
for each in "$base"/root/companion/companion/recordings/*/; do
    game=$(basename "$each") begun=$(date +%s)
    tiki replay --json "companion/recordings/$game" >"$folder/replay-$game"
    say "pi: $game played in $(($(date +%s) - begun)) s"
done
begun=$(date +%s)
# shellcheck disable=SC2046 # none has a blank
tiki read $(cat "$folder/pictures") >"$folder/read"
say "pi: $(wc -l <"$folder/pictures") pictures read in $(($(date +%s) - begun)) s"
