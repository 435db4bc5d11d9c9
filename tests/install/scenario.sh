#!/bin/sh
# Inside a bare Debian: install, upgrade, a broken upgrade, a downgrade, uninstall. Every claim is checked,
# and told in one line; the first that is false ends it with status 1.
set -eu
source=/root/companion base=/opt/tiki state=/var/lib/tiki config=/etc/tiki/tiki.toml
here=$source/tests/install
export TIKI_HEALTHY_S=90
log=$(mktemp)

ok() { printf 'ok: %s\n' "$*"; }
no() { printf 'NOT ok: %s\n' "$*"; sed 's/^/    /' "$log"; tail -n 5 /run/stand-in/journal 2>/dev/null; exit 1; }
claim() { # claim WORDS COMMAND...
    words=$1
    shift
    "$@" >/dev/null 2>&1 || no "$words"
    ok "$words"
}
install() { sh "$1/deploy/install.sh" >"$log" 2>&1; }
refuses() { # refuses WORDS TREE TEXT [NAME=VALUE...]: one line says TEXT, and nothing runs otherwise than before
    words=$1 tree=$2 text=$3
    shift 3
    if env "$@" sh "$tree/deploy/install.sh" >"$log" 2>&1; then no "$words: it was not refused"; fi
    said=$(grep '^install.sh: ' "$log") || no "$words: no line says why"
    [ "$(printf '%s\n' "$said" | wc -l)" = 1 ] || no "$words: more than one line"
    case $said in *"$text"*) ok "$words: ${said#install.sh: }" ;; *) no "$words" ;; esac
}
stand_in() { # stand_in NAME: a program of that name that does what is on the standard input
    mkdir -p "/root/stand-ins/$stands/"
    { echo '#!/bin/sh'; cat; } >"/root/stand-ins/$stands/$1"
    chmod 755 "/root/stand-ins/$stands/$1"
}
pid() { cat /run/stand-in/main; }
runs() { systemctl is-active tiki; }
version() { curl_state >/dev/null && readlink $base/current | sed 's/-.*//'; }
curl_state() { python3 "$source/deploy/kept.py" answers $config; }
entries() { # of the log's copy, for the daemon lets nobody else read it
    cp $state/games.db /root/looked.db
    [ ! -e $state/games.db-wal ] || cp $state/games.db-wal /root/looked.db-wal
    python3 -c 'import sqlite3; print(*sqlite3.connect("/root/looked.db").execute("SELECT count(*) FROM entry").fetchone())'
    rm -f /root/looked.db*
}
format() { # format N: the saved games are of that format, the service stands still
    systemctl stop tiki
    python3 -c "import sqlite3; db = sqlite3.connect('$state/games.db'); db.execute('PRAGMA user_version=$1'); db.commit()"
    chown tiki:tiki $state/*
}
edition() { # edition VERSION [PYTHON]: another version of the tree, with a line at the start of its daemon
    cp -R $source "/root/$1"
    chmod -R go= "/root/$1" # as with a strict umask
    sed -i "s/^__version__ = .*/__version__ = \"$1\"/" "/root/$1/companion/__init__.py"
    [ -z "${2-}" ] || printf '%s\n' "$2" >>"/root/$1/companion/daemon.py"
}
same() { [ "$1" = "$2" ]; }

mkdir -p /run/stand-in
for name in systemctl journalctl; do
    cp $here/stand_in.py /usr/local/sbin/$name
    chmod 755 /usr/local/sbin/$name
done
export PATH="/usr/local/sbin:$PATH"

# ---- refusals, on a machine that has nothing yet ----
touch /root/before
sleep 1
sh $source/deploy/install.sh --dry-run >"$log" 2>&1 || no "the dry run"
claim "the dry run tells the steps" grep -q '^would install version' "$log"
claim "the dry run changes nothing" same "$(find /etc /opt /usr /var/lib /var/tmp -newer /root/before ! -type d)" ""
stands=32 && echo 'echo armhf' | stand_in dpkg
refuses "a 32-bit system" $source "this is a 32-bit system (armhf)" PATH=/root/stand-ins/32:"$PATH"
stands=riscv && echo 'echo riscv64' | stand_in dpkg
refuses "another architecture" $source "no packages for riscv64" PATH=/root/stand-ins/riscv:"$PATH"
stands=full && echo 'echo head; echo x 1 1 12 1 /' | stand_in df
refuses "a full card" $source "has 12 MB free" PATH=/root/stand-ins/full:"$PATH"
stands=user && echo 'echo 1000' | stand_in id
refuses "another user than root" $source "only root" PATH=/root/stand-ins/user:"$PATH"
cp /usr/lib/os-release /root/os-release
sed -i 's/^VERSION_CODENAME=.*/VERSION_CODENAME=bullseye/' /usr/lib/os-release
refuses "an older Debian" $source "bookworm or trixie, will do"
cp /root/os-release /usr/lib/os-release
refuses "no network" $source "is there a network?" PIP_CONFIG_FILE=/dev/null PIP_INDEX_URL=http://127.0.0.1:9 \
    PIP_RETRIES=0 PIP_FIND_LINKS= http_proxy= https_proxy=
claim "nothing half is left of it" same "$(ls $base 2>/dev/null)" ""

# ---- install: first as on a card that is being made, where no systemd runs ----
begun=$(date +%s)
install $source || no "an installation without systemd"
ok "installed $(readlink $base/current | sed 's/-.*//') in $(($(date +%s) - begun)) s"
claim "where no systemd runs, it is enabled and not started" sh -c "test -e /run/stand-in/enabled && ! systemctl is-active tiki"
mkdir -p /run/systemd/system
install $source || no "the first start"
claim "the page answers" curl_state
claim "the service runs as the user tiki" same "$(ps -o user= -p "$(pid)" 2>/dev/null || stat -c %U "/proc/$(pid)")" tiki
claim "only tiki reads the games" same "$(stat -c %a:%U $state $state/games.db | tr '\n' ' ')" "700:tiki 600:tiki "
claim "the host's key in the settings is not for everybody" same "$(stat -c %a:%U:%G $config)" 640:root:tiki
claim "nothing was compiled: no compiler is here" sh -c '! command -v gcc'
systemctl stop tiki
cp $here/game.jsonl /tmp/ # where the user tiki may read it
/usr/local/bin/tiki log import /tmp/game.jsonl --config $config >"$log" 2>&1 || no "a game enters the log"
systemctl start tiki
until runs >/dev/null; do sleep 0.2; done
games=$(entries)
claim "a game of $games entries is in the log" test "$games" -gt 8
before=$(pid)
install $source || no "again"
claim "again: it is installed and runs, and the game is not disturbed" same "$before" "$(pid)"
kill -9 "$before"
sleep 3
until runs >/dev/null; do sleep 0.2; done
claim "killed, it is there again" curl_state

# ---- upgrade ----
edition 0.1.1
before=$(pid)
setsid sh /root/0.1.1/deploy/install.sh >"$log" 2>&1 &
while ! ls $base/0.1.1-*/venv/lib/*/site-packages/numpy >/dev/null 2>&1; do sleep 0.1; done
kill -KILL -$!
wait $! 2>/dev/null || :
claim "an upgrade is killed half-way: the table does not notice" same "$before:$(version)" "$(pid):0.1.0"
install /root/0.1.1 || no "the upgrade"
claim "done again, it is upgraded" same "$(version)" 0.1.1
claim "with all games" test "$(entries)" -ge "$games"
claim "and a copy of them from before" test -e "$(echo $state/copies/*-before-0.1.1-*/games.db)"
claim "the version before is kept" same "$(readlink $base/previous | sed 's/-.*//')" 0.1.0

# ---- an upgrade that does not come up ----
edition 0.1.2 'raise SystemExit("tiki: the daemon of 0.1.2 is broken")'
refuses "a broken upgrade is taken back" /root/0.1.2 "0.1.1-"
claim "its reason is told" grep -q 'does not come up: the daemon of 0.1.2 is broken' "$log"
claim "the version before runs" same "$(version)" 0.1.1
claim "with all games, again" test "$(entries)" -ge "$games"
claim "nothing is left of the broken one" same "$(ls -d $base/0.1.2* 2>/dev/null)" ""
edition 0.1.3 "
import sqlite3
db = sqlite3.connect('$state/games.db')
db.execute('PRAGMA user_version=3')
db.commit()
db.close()
import time; time.sleep(600)"
TIKI_HEALTHY_S=15
refuses "one that converts the games and then hangs is taken back too" /root/0.1.3 "0.1.1-"
TIKI_HEALTHY_S=90
claim "the version before runs, on the copy" same "$(version):$(entries)" "0.1.1:$games"

# ---- what this version cannot read ----
cp $config /root/tiki.toml
printf '\n[of_a_newer_version]\nurl = "x"\n' >>$config
before=$(pid)
refuses "settings of a newer version" $source "does not accept the settings"
claim "the table runs on" same "$before" "$(pid)"
cp /root/tiki.toml $config
format 3
refuses "a downgrade that would lose games" $source "saved by a newer companion (format 3"
format 2
systemctl start tiki
until runs >/dev/null; do sleep 0.2; done

# ---- uninstall ----
sh $base/current/deploy/install.sh --uninstall >"$log" 2>&1 || no "uninstall"
claim "uninstalled: nothing of it runs, or is there" sh -c "! systemctl is-active tiki && ! ls $base /usr/local/bin/tiki /etc/systemd/system/tiki.service"
claim "games and settings stay" ls $state/games.db $config
install $source || no "install anew"
claim "installed anew, with the games of before" test "$(version):$(entries)" = "0.1.0:$games"
sh $source/deploy/install.sh --uninstall --purge >"$log" 2>&1 || no "purge"
claim "purged: nothing is left, not even the user" sh -c "! ls $base $state /etc/tiki && ! getent passwd tiki"
ok "all is as it should be"
