#!/bin/sh
# "./run home-assistant": a table in a real Home Assistant, by a real Mosquitto.
# Home Assistant is installed once into a Debian of its own, and kept. docs/mqtt.md says more.
set -eu
PATH=$PATH:/usr/sbin:/sbin
root=$(cd "$(dirname "$0")/../.." && pwd)
here=$root/tests/home_assistant
word=home-assistant
version=2026.2.3 # the newest for Debian 13's Python
python=${python:-$root/.venv/bin/python}
tools="debootstrap:debootstrap mosquitto:mosquitto mosquitto_sub:mosquitto-clients git:git"

. "$root/tests/hil/parts.sh"

usage() {
    cat <<'TEXT'
./run home-assistant           a table in a real Home Assistant, which is installed if it is missing
./run home-assistant --keep    leave its settings, and what Home Assistant and Mosquitto have said, in
                               a folder
./run home-assistant --rebuild install it anew
TEXT
}

keep='' rebuild=''
for each in "$@"; do
    case $each in
    --keep) keep=yes ;;
    --rebuild) rebuild=yes ;;
    -h | --help) usage; exit ;;
    *) die "home-assistant knows --keep and --rebuild, not $each" ;;
    esac
done
begin
recipes=$hil
debian_key=$(key "$hil/build_debian.sh" "$hil/debian.sh" "$root/deploy/registries.sh")
part debian 2 "$debian_key"
debian=$made
[ -z "$rebuild" ] || rm -rf --one-file-system "${cache:?}"/home_assistant-*
recipes=$here
part home_assistant 3 "$(key "$debian_key" "$here/build_home_assistant.sh" "$version")" "$debian" "$version"

folder=$(mktemp -d "${TMPDIR:-/var/tmp}/tiki-home-assistant.XXXXXX")
mkdir "$folder/config"
# shellcheck disable=SC2016
env --default-signal=INT,QUIT unshare --mount --pid --fork --kill-child --mount-proc sh -euc '
    mount --bind "$2/config" "$1/srv/config"
    mount -t proc proc "$1/proc"
    mount -t tmpfs -o mode=1777 tmpfs "$1/dev/shm"
    cd "$3"
    PYTHONPATH=$3 exec "$4" -m tests.home_assistant "$1" "$2"
' sh "$made/tree" "$folder" "$root" "$python" &
child=$!
status=0
wait "$child" || status=$?
child=
[ -z "$keep" ] || say "home-assistant: $folder has all that was said"
exit "$status"
