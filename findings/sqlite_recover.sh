#!/bin/sh
# Debian 12's sqlite3 has the command .recover, and its help says what it does; but the shell was
# built without the table that this reads (sqlite_dbpage), so it saves nothing, not even of a sound
# database: it prints a preamble, "SQL logic error", and ends with 1.
#
# Seen with sqlite3 3.40.1-2+deb12u2 from Debian 12, on x86-64:
#   integrity ok, 2 rows; sqlite_dbpage built in: 0
#   .recover ends with 1: sql error: SQL logic error (1); rows in what it wrote: 0
#
# Ends with 0 if that is still so, with 1 if it has changed, with 2 if it could not be tried.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sed -n 's/^#   //p' "$0" >"$folder/expected"
cd "$folder"

if ! { apt-get -qq download sqlite3=3.40.1-2+deb12u2 2>/dev/null && dpkg -x sqlite3_*.deb .; }; then
    echo "Debian 12's sqlite3 could not be fetched; is this a Debian 12, and is there a network?" >&2
    exit 2
fi
shell=./usr/bin/sqlite3
"$shell" sound.db "CREATE TABLE game (id INTEGER PRIMARY KEY, words TEXT); INSERT INTO game (words) VALUES ('up1'), ('up2');"
{
    echo "integrity $("$shell" sound.db 'PRAGMA integrity_check'), $("$shell" sound.db 'SELECT count(*) FROM game') rows;" \
        "sqlite_dbpage built in: $("$shell" sound.db 'PRAGMA compile_options' | grep -c DBPAGE || :)"
    status=0
    "$shell" sound.db .recover >recovered.sql 2>errors || status=$?
    echo ".recover ends with $status: $(head -n 1 errors); rows in what it wrote: $(grep -c up recovered.sql || :)"
} | tee seen
diff expected seen || { echo "this has changed (<: seen before, >: now)"; exit 1; }
