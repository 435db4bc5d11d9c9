# Sourced by what builds a part of the machine: a Debian 13 of its own, which reaches the registries
# as this machine does. Runs in namespaces of its own, so whatever is mounted goes with it.
# shellcheck shell=sh disable=SC2034,SC2154
release=trixie
umask 022 # apt fetches as a user of its own

. "$root/deploy/registries.sh"

enter() { # enter: make the Debian at $base usable
    mount -t proc proc "$base/proc"
    mount -t sysfs -o ro sysfs "$base/sys"
    mount -t tmpfs -o mode=1777 tmpfs "$base/dev/shm"
    mirror=$(mirror Debian) security=$(mirror Debian-Security)
    reach
}

leave() { # leave: let go of all that is mounted below $base, before it is packed
    awk -v base="$base/" 'index($2, base) == 1 { print $2 }' /proc/self/mounts | sort -r \
        | while read -r mounted; do umount "$mounted"; done
}

# Only what tells how the registries are reached comes along from outside.
in_there() (# in_there WORD...: a command as root of that Debian
    for name in $(variables); do
        of_registries "$name" || unset "$name" 2>/dev/null || :
    done
    export HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive
    exec chroot "$base" "$@"
)

needed() { # needed MODULE...: the files of these, and of those that they need, of kernel $version below $modules
    for module in "$@"; do
        modprobe -d "$modules" -S "$version" --show-depends "$module" | sed -n 's/^insmod \([^ ]*\).*/\1/p'
    done | awk '!seen[$0]++'
}

keep_modules() { # keep_modules FOLDER MODULE...: these alone, in a tree of the kernel's
    kept=$1
    shift
    needed "$@" | while read -r file; do install -D -m 644 "$file" "$kept/kernel/${file#*/kernel/}"; done
}

early_modules() { # early_modules FOLDER MODULE...: these, unpacked, and the file "order"
    early=$1
    shift
    mkdir -p "$early"
    needed "$@" | while read -r file; do
        name=$(basename "$file" .xz)
        case $file in *.xz) xz -dc "$file" ;; *) cat "$file" ;; esac >"$early/$name"
        echo "$name"
    done >"$early/order"
}

packages() { # packages NAME...: install Debian's packages in there
    in_there apt-get update -qq
    in_there apt-get install -y -qq --no-install-recommends "$@"
}
