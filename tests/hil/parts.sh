# Sourced: machines are built from parts, each made once and kept, and anew only when it has changed.
# $root is the repository, $word what is after ./run, $tools the programs that it needs and their packages.
# shellcheck shell=sh disable=SC2154,SC2034
hil=$root/tests/hil
cache=${XDG_CACHE_HOME:-$HOME/.cache}/tiki/hil

say() { printf '%s\n' "$*" >&2; }
die() { say "run: $*"; exit 1; }
now() { date +%s; }

# Every tool that is missing, by the name of its package.
missing() {
    for each in $tools; do
        command -v "${each%%:*}" >/dev/null 2>&1 || printf ' %s' "${each##*:}"
    done
}

prepare() { # have all tools, or say in one line what to do
    lacking=$(missing)
    [ -z "$lacking" ] || {
        command -v apt-get >/dev/null 2>&1 \
            || die "these are missing:$lacking; they are Debian's packages, and this is no Debian"
        say "$word: installing$lacking ..."
        # shellcheck disable=SC2086
        { apt-get update -qq && apt-get install -y -qq --no-install-recommends $lacking; } >/dev/null 2>&1 || :
        lacking=$(missing)
        [ -z "$lacking" ] || die "these could not be installed:$lacking; is there a network? Try: apt install$lacking"
    }
    if [ -z "$(apt-get indextargets --format x 'Label: Debian' 2>/dev/null)" ]; then apt-get update -qq || :; fi
}

# shellcheck disable=SC2317 # a trap calls it
clean() {
    [ -z "$child" ] || { kill "$child" && wait "$child"; } 2>/dev/null || : # and with it all that it started
    [ -z "$folder" ] || [ -n "$keep" ] || rm -rf --one-file-system "$folder"
}

begin() { # only root, with git's files and all tools; whatever ends this, $child and $folder end with it
    child='' folder=''
    [ "$(id -u)" = 0 ] || die "only root can make a machine's file system; try: sudo ./run $word"
    git -C "$root" rev-parse --quiet --verify HEAD >/dev/null 2>&1 \
        || die "$word takes the files that git has, and $root is no clone"
    prepare
    trap clean EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
    mkdir -p "$cache"
}

copy_code() { # copy_code FOLDER: the code of today, all that git has or would take
    mkdir "$1"
    (cd "$root" && git ls-files -z --cached --others --exclude-standard \
        | tar --create --null --files-from=- --ignore-failed-read 2>/dev/null) | tar --extract -C "$1"
}

# A part is known by what it is made of: its recipe, what the recipe reads, and the parts below it.
key() { # key FILE|WORD...
    for each in "$@"; do
        if [ -f "$each" ]; then cat "$each"; else printf '%s\n' "$each"; fi
    done | cksum | cut -d ' ' -f 1
}

part() { # part NAME MINUTES KEY WORD...: build it by a recipe in $recipes if need be; $made is its folder
    name=$1 minutes=$2 made=$cache/$1-$3
    shift 3
    [ ! -e "$made/made" ] || return 0
    exec 8>"$cache/lock"
    flock 8 # whoever else builds parts is waited for
    if [ -e "$made/made" ]; then exec 8>&-; return 0; fi
    say "$word: building $name, once (about $minutes min) ..."
    begun=$(now) log=$cache/$name.log
    rm -rf --one-file-system "${cache:?}/$name".* "${cache:?}/$name"-*
    mkdir -p "$cache/$name.new"
    # Runs behind, as fresh.sh has it: so Ctrl-C is heeded, and all that it started ends with it.
    env --default-signal=INT,QUIT nice unshare --mount --pid --fork --kill-child --mount-proc \
        sh "$recipes/build_$name.sh" "$cache/$name.new" "$@" >"$log" 2>&1 8>&- &
    child=$!
    wait "$child" || {
        child=
        tail -n 5 "$log" >&2
        rm -rf --one-file-system "$cache/$name.new"
        die "$name could not be built (see above, and $log); is there a network? Try again: nothing is lost"
    }
    child=
    : >"$cache/$name.new/made"
    mv "$cache/$name.new" "$made"
    exec 8>&-
    say "$word: $name built in $(($(now) - begun)) s"
}

# The system that all machines have: $debian, $workshop and $system are the folders of its parts.
system_parts() {
    recipes=$hil
    shared="$hil/debian.sh $root/deploy/registries.sh"
    # shellcheck disable=SC2086
    debian_key=$(key "$hil/build_debian.sh" $shared)
    part debian 2 "$debian_key"
    debian=$made
    workshop_key=$(key "$debian_key" "$hil/build_workshop.sh" "$hil/system.txt" "$hil"/modules/*)
    part workshop 6 "$workshop_key" "$debian"
    workshop=$made
    # In the versions in which the tests have them elsewhere, where they have them there.
    bench=$(while read -r name; do
        grep -o "^$name==[^ ]*" "$root/locks/dev.txt" || echo "$name"
    done <"$hil/bench.txt")
    system_key=$(key "$workshop_key" "$hil/build_system.sh" "$hil/hil.service" "$bench")
    # shellcheck disable=SC2086
    part system 3 "$system_key" "$debian" "$workshop" $bench
    system=$made
}
