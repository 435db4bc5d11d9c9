#!/bin/sh
# A house of three radios in QEMU, and a table that looks for a network: sudo sh tests/wifi/machine.sh
# docs/wifi.md says what it shows. The Debian is built once (5 minutes, 3 GB) and kept in the cache;
# --rebuild makes it anew. The code of today comes in at each start.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/tiki/wifi
base=$cache/tree limit=25m
. "$root/tests/hil/debian.sh"

die() { printf 'wifi: %s\n' "$*" >&2; exit 1; }

build() { # the Debian, with all that the table, the router and the phone need
    rm -rf --one-file-system "$cache"
    mkdir -p "$cache"
    mirror=$(mirror Debian)
    # shellcheck disable=SC2086
    debootstrap --variant=minbase --include=ca-certificates "$release" "$base" $mirror
    enter
    in_there apt-get update -qq
    in_there apt-get install -y -qq --no-install-recommends systemd systemd-sysv dbus udev kmod procps \
        iproute2 network-manager wpasupplicant hostapd dnsmasq polkitd iw curl python3-venv linux-image-amd64
    in_there apt-get clean
    mkdir -p "$base/opt/tiki/current"
    cp "$root/locks/runtime.txt" "$base/root/"
    in_there python3 -m venv /opt/tiki/current/venv
    in_there /opt/tiki/current/venv/bin/python -m pip install -q --only-binary :all: --require-hashes \
        -r /root/runtime.txt
    in_there useradd --system --user-group --home-dir /var/lib/tiki --no-create-home \
        --shell /usr/sbin/nologin tiki
    leave
    : >"$cache/made"
}

put() { install -D -m "${3:-644}" "$root/$1" "$base/$2"; }

furnish() { # the code of today, and what deploy/install.sh writes on a Raspberry Pi
    site=$(echo "$base"/opt/tiki/current/venv/lib/python3*/site-packages)
    for each in companion firmware hardware vision; do
        rm -rf "${site:?}/$each"
        cp -R "$root/$each" "$site/"
    done
    printf '#!/opt/tiki/current/venv/bin/python\nimport sys\nfrom companion.cli import main\nsys.exit(main())\n' \
        >"$base/opt/tiki/current/venv/bin/tiki"
    chmod 755 "$base/opt/tiki/current/venv/bin/tiki"
    put deploy/tiki.service etc/systemd/system/tiki.service
    put deploy/wifi/tiki-portal.socket etc/systemd/system/tiki-portal.socket
    put deploy/wifi/tiki.rules etc/polkit-1/rules.d/70-tiki.rules
    put deploy/wifi/dnsmasq.conf etc/NetworkManager/dnsmasq-shared.d/tiki.conf
    mkdir -p "$base/etc/tiki"
    sed 's/^source = "recording"/source = "none"/; s/^access_point = "off"/access_point = "auto"/' \
        "$root/deploy/tiki.toml" >"$base/etc/tiki/tiki.toml"
    echo tiki >"$base/etc/hostname"
    put tests/wifi/inside/scenario.py root/scenario.py
    put tests/wifi/inside/lease.py root/lease.py
    put tests/wifi/inside/scenario.service etc/systemd/system/scenario.service
    printf '[keyfile]\nunmanaged-devices=interface-name:wlan1;interface-name:wlan2\n' \
        >"$base/etc/NetworkManager/conf.d/house.conf"
    echo mac80211_hwsim >"$base/etc/modules-load.d/radios.conf"
    echo 'options mac80211_hwsim radios=3' >"$base/etc/modprobe.d/radios.conf"
    systemctl --root "$base" --quiet enable tiki.service tiki-portal.socket scenario.service
    systemctl --root "$base" --quiet mask hostapd.service dnsmasq.service \
        NetworkManager-wait-online.service getty@tty1.service serial-getty@ttyS0.service apt-daily.timer
    rm -rf --one-file-system "$base/var/lib/tiki" "$cache/disk"
    truncate -s 3G "$cache/disk"
    mke2fs -q -t ext4 -E root_owner=0:0 -d "$base" "$cache/disk"
}

[ "$(id -u)" = 0 ] || die "only root can make a machine's file system; try: sudo sh $0"
for tool in qemu-system-x86_64:qemu-system-x86 debootstrap:debootstrap mke2fs:e2fsprogs; do
    command -v "${tool%%:*}" >/dev/null || die "${tool#*:} is missing; sudo apt install ${tool#*:}"
done
if [ "${1-}" = --inside ]; then
    [ -e "$cache/made" ] || build
    furnish
    exit
fi
[ "${1-}" != --rebuild ] || rm -f "$cache/made"
mkdir -p "${cache%/*}"
# In a namespace of its own, so whatever is mounted goes with it.
unshare --mount --propagation private sh "$0" --inside >"$cache.log" 2>&1 || {
    tail -n 5 "$cache.log" >&2
    die "the machine could not be built (see above, and $cache.log); is there a network?"
}
timeout "$limit" nice qemu-system-x86_64 -machine q35,accel=tcg -cpu max -smp 2 -m 1536 -nographic -no-reboot \
    -net none -kernel "$base"/boot/vmlinuz-* -initrd "$base"/boot/initrd.img-* \
    -append "root=/dev/vda rw console=ttyS0 quiet systemd.show_status=0" \
    -drive "file=$cache/disk,format=raw,if=virtio,cache=unsafe" </dev/null 2>&1 | tee "$cache.console"
grep -q 'all as it should be' "$cache.console" || die "not all was as it should be; see above"
