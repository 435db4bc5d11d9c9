#!/bin/sh
# An access point of the table's own, through NetworkManager: phones join it where there is no
# network. Undone with --undo; --dry-run only prints what it would do.
set -eu
name=tiki-table device=${TIKI_WLAN:-wlan0}
ssid=Tiki password='' dry='' undo=''
names=/etc/NetworkManager/dnsmasq-shared.d/tiki.conf

die() { printf 'access-point: %s\n' "$*" >&2; exit 1; }
usage() {
    cat <<'TEXT'
sudo deploy/access-point.sh --password PASSWORD [--ssid NAME] [--device wlan0] [--dry-run]
sudo deploy/access-point.sh --undo [--dry-run]

Makes a Wi-Fi of the table's own, and starts it with the machine. Its password has 8 to 63 letters,
digits or signs. The pages are at http://10.42.0.1:8321 then, and at http://tiki.local:8321.
A Raspberry Pi has one radio: while it is an access point it is in no other Wi-Fi. The network
cable goes on working, and phones reach the internet through it.
TEXT
}
do_it() {
    if [ "$dry" ]; then
        printf '%s' "$1"; shift
        for word; do
            [ "$word" != "$password" ] || word='the password'
            printf " '%s'" "$(printf '%s' "$word" | sed "s/'/'\\\\''/g")"
        done
        printf '\n'
    else
        "$@"
    fi
}
need() { [ "$#" -ge 2 ] || die "$1 needs a value; --help says which"; }

while [ "$#" -gt 0 ]; do
    case $1 in
    --password) need "$@"; password=$2; shift ;;
    --ssid) need "$@"; ssid=$2; shift ;;
    --device) need "$@"; device=$2; shift ;;
    --dry-run) dry=1 ;;
    --undo) undo=1 ;;
    -h | --help) usage; exit 0 ;;
    *) die "$1 is unknown; --help lists what there is" ;;
    esac
    shift
done

[ "$dry" ] || command -v nmcli >/dev/null ||
    die "NetworkManager is missing; Raspberry Pi OS has it from bookworm on: sudo apt install network-manager"
[ "$dry" ] || [ "$(id -u)" = 0 ] || die "only root may change the network; put sudo before it"
if [ "$undo" ]; then
    [ "$dry" ] || nmcli -g NAME connection show | grep -qx "$name" || die "there is no access point of the table's"
    do_it nmcli connection delete "$name"
    exit 0
fi
[ "$password" ] || die "choose a password: --password PASSWORD"
case $password in *[!\ -~]*) die "the password has a letter that some phones cannot type; use ASCII" ;; esac
if [ "${#password}" -lt 8 ] || [ "${#password}" -gt 63 ]; then
    die "the password has ${#password} letters; Wi-Fi wants 8 to 63"
fi
if [ -z "$ssid" ] || [ "${#ssid}" -gt 32 ]; then
    die "the name of the Wi-Fi has ${#ssid} letters; it may have 1 to 32"
fi
[ "$dry" ] || nmcli -g DEVICE device | grep -qx "$device" ||
    die "there is no $device; 'nmcli device' lists the radios, --device names one"
if [ -z "$dry" ] && nmcli -g NAME connection show | grep -qx "$name"; then
    nmcli connection delete "$name" >/dev/null # made anew, with what is given now
fi
do_it nmcli connection add type wifi ifname "$device" con-name "$name" ssid "$ssid" \
    connection.autoconnect yes connection.autoconnect-priority 50 \
    802-11-wireless.mode ap 802-11-wireless.band bg \
    wifi-sec.key-mgmt wpa-psk wifi-sec.proto rsn wifi-sec.pairwise ccmp wifi-sec.psk "$password" \
    ipv4.method shared ipv6.method disabled
# With it, every name leads to the table: right for docs/wifi.md, wrong where phones reach the internet.
[ ! -e "$names" ] || do_it rm -f "$names"
do_it nmcli connection up "$name"
[ "$dry" ] || echo "Join the Wi-Fi $ssid, then open http://10.42.0.1:8321"
