# Sourced by what builds a part: a Debian 13 whose packages are unpacked and not configured, for each of
# their scripts would run under emulation, which takes half an hour in all.
# shellcheck shell=sh disable=SC2034,SC2154
. "$root/tests/hil/debian.sh"

# debootstrap takes from the folder of packages only what has the right checksum, and fetches all else anew.
unpacked() { # unpacked ARCHITECTURE PACKAGE,...: at $base, from those in $debs
    mirror=$(mirror Debian)
    mkdir -p "$debs"
    # shellcheck disable=SC2086
    debootstrap --foreign --variant=minbase --arch="$1" --include="ca-certificates,$2" --cache-dir="$debs" \
        "$release" "$base" $mirror
    for each in "$base"/var/cache/apt/archives/*.deb; do
        dpkg-deb --fsys-tarfile "$each" | tar --extract --directory "$base" --keep-directory-symlink
    done
    cat "$base"/usr/share/ca-certificates/mozilla/*.crt >"$base/etc/ssl/certs/ca-certificates.crt"
    cp "$base/usr/share/base-passwd/passwd.master" "$base/etc/passwd"
    cp "$base/usr/share/base-passwd/group.master" "$base/etc/group"
    [ ! -L "$base/proc" ] || { rm "$base/proc" && mkdir "$base/proc"; } # what debootstrap does in a container
    mkdir -p "$base/root/companion" "$base/etc/apt/apt.conf.d"
    rm -rf "$base"/debootstrap "$base"/var/cache/apt/archives/*.deb "$base"/var/lib/apt/lists/* \
        "$base/usr/share/doc" "$base/usr/share/man" "$base/usr/share/locale" "$base/usr/share/info"
}
