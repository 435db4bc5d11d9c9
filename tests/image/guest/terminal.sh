#!/bin/sh
# One command a line comes from the wire and runs as root; its words go back, then its status in a line.
stty -F /dev/ttyS0 raw -echo
exec </dev/ttyS0 >/dev/ttyS0 2>&1
export HOME=/root LC_ALL=C.UTF-8
echo "bench-ready"
while IFS= read -r words; do
    sh -c "$words" </dev/null
    printf '\nbench-status %s\n' $?
done
