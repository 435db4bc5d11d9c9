#!/bin/sh
# The companion as a service of Raspberry Pi OS or Debian: install, upgrade, uninstall. Doing it again
# repairs what was interrupted. docs/install.md says more.
set -eu
export LC_ALL=C
PATH=$PATH:/usr/sbin:/sbin
umask 022
root=$(cd "$(dirname "$0")/.." && pwd)
base=/opt/tiki config=/etc/tiki/tiki.toml state=/var/lib/tiki
unit=/etc/systemd/system/tiki.service rules=/etc/udev/rules.d/70-tiki.rules word=/usr/local/bin/tiki
boot=/boot/firmware/config.txt
portal=/etc/systemd/system/tiki-portal.socket may=/etc/polkit-1/rules.d/70-tiki.rules
network=${TIKI_NETWORK_MANAGER:-/etc/NetworkManager}
names=$network/dnsmasq-shared.d/tiki.conf
python=/usr/bin/python3
groups="gpio i2c spi dialout video render audio"
# A Zero 2 W takes a minute until its page answers.
healthy_s=${TIKI_HEALTHY_S:-180}
room_mb=900 kept_copies=3
task=install dry='' purge='' stopped='' partial='' reboot=''

say() { printf '%s\n' "$*"; }
die() { printf 'install.sh: %s\n' "$*" >&2; exit 1; }

usage() {
    cat <<'TEXT'
sudo sh deploy/install.sh                 install the companion as a service, or upgrade it
sh deploy/install.sh --dry-run            say every step and do none
sudo sh deploy/install.sh --uninstall     remove it; games and settings stay
sudo sh deploy/install.sh --uninstall --purge   remove these too
TEXT
}

step() { # step WORDS COMMAND...: say it, and do it unless this is a dry run
    if [ -n "$dry" ]; then say "would $1"; return 0; fi
    say "$1 ..."
    shift
    "$@"
}

# ---- checks: nothing has been changed when one refuses ----

of_system() { sed -n "s/^$1=\"\{0,1\}\([^\"]*\)\"\{0,1\}$/\1/p" /etc/os-release 2>/dev/null | head -n 1; }
model() { { tr -d "\000" <"${TIKI_DEVICE_TREE:-/proc/device-tree}/model"; } 2>/dev/null || :; }
is_pi() { case $(model) in *"Raspberry Pi"*) return 0 ;; esac; return 1; }

check_root() {
    [ -n "$dry" ] || [ "$(id -u)" = 0 ] || die "only root can install a service; try: sudo sh $0"
}

check_system() {
    name=$(of_system PRETTY_NAME) release=$(of_system VERSION_CODENAME)
    for each in apt-get dpkg; do
        command -v $each >/dev/null 2>&1 || die "${name:-this system} has no apt; put Raspberry Pi OS (64-bit) on the card with Raspberry Pi Imager"
    done
    # A 64-bit kernel often carries a 32-bit system, so the kernel is not asked.
    architecture=$(dpkg --print-architecture)
    case $architecture in
    arm64 | amd64) ;;
    armhf | armel | i386)
        die "this is a 32-bit system ($architecture); put Raspberry Pi OS (64-bit) on the card with Raspberry Pi Imager" ;;
    *) die "there are no packages for $architecture; arm64 (a Raspberry Pi from 3 on) and amd64 will do" ;;
    esac
    case $(of_system ID):$release in
    debian:bookworm | debian:trixie | raspbian:bookworm | raspbian:trixie) ;;
    *) die "${name:-this system} is not known; Raspberry Pi OS or Debian, bookworm or trixie, will do" ;;
    esac
    command -v systemctl >/dev/null 2>&1 || die "systemd is missing, which keeps the service; try: apt-get install systemd"
}

check_room() {
    [ -e "$base/$new/.complete" ] && return 0
    for place in /opt /var/tmp /var/lib; do
        [ -d "$place" ] || continue
        free_mb=$(df -Pm "$place" | awk 'NR == 2 { print $4 }')
        [ "$free_mb" -ge "$room_mb" ] \
            || die "$place has $free_mb MB free, $room_mb are needed; try: sudo apt-get clean, or a larger card"
    done
}

# Games that a newer companion has saved are refused before anything happens.
check_games() {
    [ -e "$config" ] || [ -d "$state" ] || return 0
    if [ ! -x "$python" ] || [ "$(id -u)" != 0 ]; then return 0; fi
    log=$(kept log "$config" "$state") || die "$config is damaged, see above; then run this again"
    found=$(kept format "$log") || die "the games could not be looked at, see above; then run this again"
    reads=$(sed -n 's/^SCHEMA: Final = \([0-9]*\)$/\1/p' "$root/companion/session/schema.py")
    [ -z "$found" ] || [ "$found" -le "$reads" ] || die "the games in $log were saved by a newer companion (format $found," \
        "$version reads $reads); nothing was changed: install that one, or move $log away to begin anew"
}

kept() { "$python" "$root/deploy/kept.py" "$@"; }

# ---- packages, user, devices ----

has_package() { dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q '^install ok installed'; }
can_have() { apt-cache policy "$1" 2>/dev/null | grep -q '^  Candidate: [^(]'; }

add_packages() {
    lacking=
    for each in python3 python3-venv ca-certificates python3-picamera2 python3-lgpio; do
        has_package "$each" || lacking="$lacking $each"
    done
    [ -n "$lacking" ] || return 0
    if [ -n "$dry" ]; then
        say "would install those of these packages that this system has:$lacking"
        return 0
    fi
    # Without a network all may be well too, if only packages are lacking that this system does not have.
    apt-get update -qq >"$work/apt" 2>&1 || { has_package python3 && has_package python3-venv; } \
        || die "the package lists cannot be fetched; is there a network? Nothing was changed; run this again"
    wanted=
    for each in $lacking; do can_have "$each" && wanted="$wanted $each"; done
    # shellcheck disable=SC2086
    [ -z "$wanted" ] || step "install the packages$wanted" \
        env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $wanted >"$work/apt" 2>&1 || {
        tail -n 5 "$work/apt" >&2
        die "the packages could not be installed (see above); try: sudo dpkg --configure -a, then run this again"
    }
}

add_user() {
    getent passwd tiki >/dev/null || step "add the user tiki, who may do nothing else" \
        useradd --system --user-group --home-dir "$state" --no-create-home --shell /usr/sbin/nologin tiki
    for each in $groups; do
        getent group "$each" >/dev/null || case $each in
        gpio | i2c | spi) step "add the group $each" groupadd --system "$each" ;;
        *) continue ;;
        esac
        case " $(id -nG tiki 2>/dev/null || :) " in
        *" $each "*) ;;
        *) step "let tiki use what belongs to $each" usermod -aG "$each" tiki ;;
        esac
    done
}

add_rules() {
    cmp -s "$root/deploy/70-tiki.rules" "$rules" && return 0
    step "write $rules" install -D -m 644 "$root/deploy/70-tiki.rules" "$rules"
    [ -e /run/udev/control ] || return 0
    step "apply it" sh -c 'udevadm control --reload && udevadm trigger'
}

has_wifi() { is_pi && [ -d "$network" ]; } # of its own, where it is in no network: docs/wifi.md

add_wifi() {
    has_wifi || return 0
    add_file tiki-portal.socket "$portal"
    add_file tiki.rules "$may"
    # Phones reach the internet through an access point that is there for good.
    [ -e "$network/system-connections/tiki-table.nmconnection" ] || add_file dnsmasq.conf "$names"
}

add_file() { # add_file NAME TARGET
    cmp -s "$root/deploy/wifi/$1" "$2" || step "write $2" install -D -m 644 "$root/deploy/wifi/$1" "$2"
}

# Only at the first installation: whoever has switched something off since then meant it.
switch_on_buses() {
    is_pi || return 0
    [ ! -e "$base/current" ] || return 0
    if command -v raspi-config >/dev/null 2>&1; then
        for each in i2c:/dev/i2c-1 spi:/dev/spidev0.0; do
            bus=${each%%:*}
            [ "$(raspi-config nonint "get_$bus")" = 1 ] || continue
            step "switch on $bus" raspi-config nonint "do_$bus" 0
            [ -e "${each#*:}" ] || reboot=1
        done
    else
        say "raspi-config is missing; switch on I2C and SPI in $boot if you need them"
    fi
    if [ -e "$boot" ] && ! grep -Eq '^(camera_auto_detect=1|dtoverlay=(imx|ov|arducam))' "$boot"; then
        step "switch on the camera in $boot" switch_on_camera
        reboot=1
    fi
}

switch_on_camera() { printf '\n[all]\ncamera_auto_detect=1\n' >>"$boot"; }

add_settings() {
    [ ! -e "$config" ] || return 0
    source=none wifi=off
    if has_wifi; then wifi=auto; fi
    if is_pi; then source=picamera2; elif [ -e /dev/video0 ]; then source=video; fi
    step "write $config, with the camera \"$source\"" write_settings
}

write_settings() {
    mkdir -p "$(dirname "$config")"
    sed "s/^source = \"recording\"\$/source = \"$source\"/; s/^access_point = \"off\"\$/access_point = \"$wifi\"/" \
        "$root/deploy/tiki.toml" >"$config.part"
    chown root:tiki "$config.part" # the host's key may be in it
    chmod 640 "$config.part"
    mv "$config.part" "$config"
}

# ---- versions: side by side, and a link to the one that runs ----

name_of_version() { # the version, and what tells two trees of one version apart
    cd "$root"
    sum=$(find companion firmware hardware vision locks deploy pyproject.toml -type f \
        ! -path '*/__pycache__/*' ! -path '*.egg-info/*' -print0 | sort -z | xargs -0 cksum | cksum | cut -d ' ' -f 1)
    echo "$version-$sum"
}

linked() { basename "$(readlink "$base/$1" 2>/dev/null)" 2>/dev/null || :; }
link() { # link WORD NAME: at once, or not at all
    ln -sfn "$2" "$base/$1.part" && mv -T "$base/$1.part" "$base/$1"
}

pip() { "$here/venv/bin/python" -m pip --quiet --disable-pip-version-check --no-cache-dir "$@" >>"$work/pip" 2>&1; }

of_clone() { git -c "safe.directory=$root" -C "$root" "$@"; } # it may be another user's
build() { # the environment of the new version; no version is touched that is whole
    here=$base/$new
    partial=$here
    rm -rf --one-file-system "$here"
    mkdir -p "$here/docs" "$here/deploy" "$work/source"
    lock=runtime site=
    if "$python" -c 'import importlib.util as u, sys; sys.exit(not (u.find_spec("picamera2") or u.find_spec("lgpio")))'; then
        # picamera2 and lgpio are the system's; the environment must see them there.
        site=--system-site-packages
        # Bookworm's numpy, which picamera2 was made for, is older than OpenCV 5 accepts.
        ! "$python" -c 'import numpy, sys; sys.exit(int(numpy.__version__.split(".")[0]) >= 2)' 2>/dev/null || lock=bookworm
    fi
    # shellcheck disable=SC2086
    "$python" -m venv $site "$here/venv" || return 1
    # Trixie has /tmp in memory, of which a Zero 2 W has little.
    export TMPDIR="$work"
    # Wheels alone: nothing is ever compiled here.
    pip install --only-binary :all: --require-hashes -r "$root/locks/$lock.txt" || return 1
    pip install --only-binary :all: --no-deps --require-hashes -r "$root/locks/pico.txt" || return 1
    cp -R "$root/companion" "$root/firmware" "$root/hardware" "$root/vision" "$root/pyproject.toml" \
        "$root/README.md" "$root/LICENSE" "$work/source/" || return 1
    find "$work/source" -name __pycache__ -prune -exec rm -rf {} +
    rm -rf "$work"/source/*.egg-info "$work/source/build"
    { of_clone log -1 --format='%h of %cs' && of_clone remote get-url origin; } \
        >"$work/source/companion/build.txt" 2>/dev/null || :
    pip install --no-deps --no-index --no-build-isolation "$work/source" || return 1
    unset TMPDIR
    install -m 644 "$root/docs/install.md" "$root/docs/wifi.md" "$here/docs/" || return 1
    for each in install.sh kept.py tiki.service tiki.toml 70-tiki.rules tiki-as-the-service; do
        install -m 644 "$root/deploy/$each" "$here/deploy/" || return 1
    done
    cp -R "$root/deploy/wifi" "$here/deploy/" || return 1
    "$here/venv/bin/tiki" --version >/dev/null || return 1
    sync -f "$here" 2>/dev/null || :
    : >"$here/.complete"
    partial=
}

check_settings() { # the new version has to understand the settings, and the games, before it is used
    fault=$(runuser -u tiki -- "$base/$new/venv/bin/python" -P - "$config" <<'PY' 2>&1
import sys
from pathlib import Path
from companion.config import BadConfig, load_config
try:
    load_config(Path(sys.argv[1]))
except BadConfig as error:
    sys.exit(str(error))
PY
    ) || die "$version does not accept the settings: $(printf '%s' "$fault" | tail -n 1); ${running:-nothing} runs as before"
}

save_games() { # a copy of what is there before it is switched; prints nothing where nothing is
    log=$(kept log "$config" "$state") || return 1
    [ -n "$(kept format "$log")" ] || return 0
    copies=$state/copies/$(date +%Y%m%d-%H%M%S)-before-$new
    runuser -u tiki -- mkdir -p -m 700 "$state/copies" "$copies" || return 1
    # Not the one beside this script, which may lie where tiki may not look.
    runuser -u tiki -- "$python" "$base/$new/deploy/kept.py" copy "$log" "$copies/$(basename "$log")" || return 1
    stem=${log%.*}
    for each in "$stem".*.json "$stem".*colours*; do
        [ ! -f "$each" ] || cp -p "$each" "$copies/" || return 1
    done
    cp -p "$config" "$copies/" 2>/dev/null || :
    sync
    # shellcheck disable=SC2012 # the names are ours
    ls -1d "$state"/copies/*-before-* | sort -r | tail -n +$((kept_copies + 1)) | xargs -r rm -rf --one-file-system
}

stop() { stopped=1; systemctl stop tiki 2>/dev/null || :; }

choose() { # choose NAME: as the version that runs from the next start on
    link current "$1" \
        && install -D -m 644 "$base/$1/deploy/tiki.service" "$unit" \
        && install -D -m 755 "$base/$1/deploy/tiki-as-the-service" "$word" \
        && systemctl --quiet enable tiki || return 1
    [ ! -e "$portal" ] || systemctl --quiet enable tiki-portal.socket || :
}

start() { # start NAME: as the version that runs from now on
    choose "$1" \
        && systemctl daemon-reload \
        && { systemctl reset-failed tiki 2>/dev/null || :; } \
        && { [ ! -e "$portal" ] || systemctl start tiki-portal.socket || say "port 80 is taken; see docs/wifi.md"; } \
        && systemctl --no-block start tiki || return 1
    stopped=
}

restarts() { systemctl show --property=NRestarts --value tiki 2>/dev/null || echo 0; }

healthy() { # active, which systemd calls it once the page has answered; and the page does, and goes on
    until=$(($(date +%s) + healthy_s))
    while [ "$(date +%s)" -lt "$until" ] && [ "$(restarts)" -lt 2 ]; do
        case $(systemctl is-active tiki 2>/dev/null || :) in
        active) if kept answers "$config"; then sleep 3; [ "$(systemctl is-active tiki)" != active ] || return 0; fi ;;
        failed) return 1 ;;
        esac
        sleep 1
    done
    return 1
}

reason() { # the last line that the companion itself has left
    journalctl -u tiki -n 40 -o cat 2>/dev/null | grep '^tiki: ' | tail -n 1 | sed 's/^tiki: //' || :
}

roll_back() {
    why=$(reason)
    say "$new does not come up${why:+: $why}"
    systemctl stop tiki 2>/dev/null || :
    { [ -n "$running" ] && [ "$running" != "$new" ] && [ -e "$base/$running/.complete" ]; } \
        || die "the table does not come up; see: journalctl -u tiki -n 20, then run this again"
    # What the new version has made of the games is put aside, if the old one cannot read it.
    if [ -n "$copies" ] && [ "$(kept format "$log")" != "$(kept format "$copies/$(basename "$log")")" ]; then
        for each in "$log" "$log-wal" "$log-shm"; do
            [ ! -e "$each" ] || mv "$each" "$each.of-$new"
        done
        cp -p "$copies/$(basename "$log")" "$log"
    fi
    { start "$running" && healthy; } \
        || die "neither $new nor $running comes up; see: journalctl -u tiki -n 20. The games are in $state"
    rm -rf --one-file-system "${base:?}/$new"
    die "$running runs again, with all games; $new was removed. Report this: journalctl -u tiki"
}

forget_old_versions() {
    previous=$(linked previous)
    for each in "$base"/*/; do
        each=$(basename "$each")
        case $each in current | previous | "$new" | "$previous") ;; *)
            step "remove the old version $each" rm -rf --one-file-system "${base:?}/$each" ;;
        esac
    done
}

runs_already() { # as it should; a game that is on is not disturbed
    [ "$running" = "$new" ] && cmp -s "$root/deploy/tiki.service" "$unit" && [ -x "$word" ] \
        && [ "$(systemctl is-active tiki 2>/dev/null)" = active ] && kept answers "$config"
}

switch() {
    copies=
    if runs_already; then say "$new is installed, and runs"; return; fi
    check_settings
    if [ ! -d /run/systemd/system ]; then # a card that is being made, on another machine
        choose "$new" || die "the service could not be enabled (see above); run this again"
        say "No systemd runs here: the table starts with the system"
        return
    fi
    stop
    save_games || { systemctl start tiki 2>/dev/null || :; stopped=; die "the games could not be copied, so nothing was changed"; }
    [ -z "$running" ] || [ "$running" = "$new" ] || link previous "$running"
    start "$new" || roll_back
    say "wait until the page answers ..."
    healthy || roll_back
}

# ---- the whole ----

finish() {
    status=$?
    [ -z "$stopped" ] || systemctl start tiki 2>/dev/null || :
    [ -z "$partial" ] || rm -rf --one-file-system "$partial"
    [ -z "${work:-}" ] || rm -rf --one-file-system "$work"
    exit "$status"
}

say_where() { # in the companion's own words
    where=$(journalctl -u tiki -n 40 -o cat 2>/dev/null | grep -E '^(Scoreboard|For the host)' | tail -n 2) || :
    say "The table runs.${where:+
$where}"
    [ -z "$reboot" ] || say "Restart once, so that what was switched on is there: sudo reboot"
}

install_all() {
    check_root
    check_system
    version=$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' "$root/companion/__init__.py")
    [ -n "$version" ] || die "$root has no companion; run install.sh where it was unpacked"
    new=$(name_of_version) running=$(linked current)
    check_games
    check_room
    if [ -z "$dry" ]; then
        work=$(mktemp -d /var/tmp/tiki-install.XXXXXX)
        trap finish EXIT
        trap 'exit 129' HUP
        trap 'exit 130' INT
        trap 'exit 143' TERM
    fi
    add_packages
    add_user
    add_rules
    switch_on_buses
    add_wifi
    add_settings
    [ -e "$base/$new/.complete" ] || step "install version $new into $base/$new, which takes some minutes" build || {
        tail -n 3 "$work/pip" >&2 2>/dev/null || :
        die "the packages could not be installed (see above); is there a network? Run this again; ${running:-nothing} runs as before"
    }
    if [ -n "$dry" ]; then
        back=${running:+, and go back to $running if its page does not answer}
        say "would copy the games and start $new$back"
        return
    fi
    switch
    forget_old_versions
    say_where
}

remove_all() {
    check_root
    [ -e "$base" ] || [ -e "$unit" ] || [ -n "$purge" ] || die "there is nothing to remove: no $base"
    step "stop the service" sh -c 'systemctl disable --now --quiet tiki 2>/dev/null || :'
    [ ! -e "$portal" ] || step "close port 80" sh -c 'systemctl disable --now --quiet tiki-portal.socket || :'
    step "remove $base, the units, the rules and the command tiki" \
        rm -rf --one-file-system "$base" "$unit" "$rules" "$word" "$portal" "$may" "$names"
    [ -n "$dry" ] || systemctl daemon-reload
    if [ -n "$purge" ]; then
        step "remove games, settings and the user tiki" sh -c "rm -rf --one-file-system $state /etc/tiki \
            /var/cache/tiki $unit.d; ! getent passwd tiki >/dev/null || userdel tiki"
    else
        say "The games stay in $state, the settings in $config; to remove them too: --uninstall --purge"
    fi
}

for each in "$@"; do
    case $each in
    --dry-run) dry=1 ;;
    --uninstall) task=remove ;;
    --purge) purge=1 ;;
    -h | --help) usage; exit ;;
    *) die "$each is not known; see: sh $0 --help" ;;
    esac
done
[ -z "$purge" ] || [ "$task" = remove ] || die "--purge removes games and settings, and goes with --uninstall"
if [ -z "$dry" ] && [ "$(id -u)" = 0 ]; then
    mkdir -p /run/lock
    exec 9>/run/lock/tiki-install.lock
    flock -n 9 || die "another installation is running; wait until it is done"
fi
case $task in install) install_all ;; remove) remove_all ;; esac
