#!/bin/sh
# All that happens in the machine, as root: the devices are made, then the tests run against them.
here=/opt/tiki/tests/hil/inside
export HOME=/root LC_ALL=C.UTF-8 PATH=/opt/tiki/.venv/bin:/usr/local/bin:/usr/bin:/usr/sbin
echo "hil: Debian $(cat /etc/debian_version), kernel $(uname -r), up after $(cut -d . -f 1 /proc/uptime) s"
if sh "$here/devices.sh"; then
    cd /opt/tiki || exit
    set -- --rootdir /opt/tiki -c "$here/pytest.ini" --confcutdir tests/hil -o addopts= -p no:cacheprovider \
        -ra -v --color no --tb=short --durations 0 --durations-min 1
    [ -z "$(cat "$here/words")" ] || set -- "$@" -k "$(cat "$here/words")"
    PYTHONPATH=/opt/bench python -m pytest "$@" "$here"
    echo "hil-status $?"
else
    echo "hil: the devices could not be made"
    echo "hil-status 1"
fi
