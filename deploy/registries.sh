# Sourced: a bare Debian below $base of $release reaches the registries as this machine does.
# $mirror and $security are what apt calls Debian's own here.
# shellcheck shell=sh disable=SC2154

# What apt calls this machine's mirror; nothing where its lists do not tell.
mirror() { # mirror LABEL
    # shellcheck disable=SC2016
    apt-get indextargets --format '$(REPO_URI)' "Label: $1" "Origin: Debian" 2>/dev/null | sed -n 1p
}

# pip's own files here, and where they belong in there.
settings() {
    printf '%s %s\n' /etc/pip.conf /etc/pip.conf /etc/xdg/pip/pip.conf /etc/xdg/pip/pip.conf \
        "$HOME/.pip/pip.conf" /root/.pip/pip.conf \
        "${XDG_CONFIG_HOME:-$HOME/.config}/pip/pip.conf" /root/.config/pip/pip.conf
    [ -z "${PIP_CONFIG_FILE:-}" ] || printf '%s %s\n' "$PIP_CONFIG_FILE" "$PIP_CONFIG_FILE"
}

# How the registries are reached is told by these variables; all others stay outside.
of_registries() { # of_registries NAME
    case $1 in
    PIP_* | *_proxy | *_PROXY | SSL_CERT_* | REQUESTS_CA_BUNDLE | CURL_CA_BUNDLE) ;;
    *) return 1 ;;
    esac
}
variables() { awk 'BEGIN { for (name in ENVIRON) if (name ~ /^[A-Za-z_][A-Za-z0-9_]*$/) print name }'; }

# Files and folders of this machine that pip and apt are told of: certificates, constraints, mirrors.
local_paths() {
    {
        settings | while read -r here _; do cat "$here" 2>/dev/null || :; done
        variables | while read -r name; do
            if of_registries "$name"; then printenv "$name"; fi
        done
        apt-config dump | sed -n 's/^Acquire::http.* "\(.*\)";$/\1/p'
    } | tr -s ' \t,=' '\n' | sed 's#^file://##' | grep '^/' | sort -u
}

bring() { # bring PATH: have it in there too, where nothing of that name is yet
    case $1 in
    /etc/*) # certificates and settings are copied, for packages may add to them
        mkdir -p "$base$(dirname "$1")"
        cp -RLT "$1" "$base$1" 2>/dev/null || : ;; # a link into nowhere is no loss
    *)
        there=$1
        # The pages of an index lead to files that lie beside it.
        [ "$(basename "$there")" != simple ] || there=$(dirname "$there")
        [ ! -e "$base$there" ] || return 0
        if [ -d "$there" ]; then
            mkdir -p "$base$there"
            mount --bind "$there" "$base$there"
            mount -o remount,bind,ro "$base$there"
        else
            mkdir -p "$base$(dirname "$there")"
            cp -L "$there" "$base$there"
        fi ;;
    esac
}

reach() { # make the registries reachable in there
    for file in /etc/resolv.conf /etc/hosts; do cp -L "$file" "$base$file"; done
    [ -z "$security" ] || echo "deb $security $release-security main" >>"$base/etc/apt/sources.list"
    apt-config dump | grep '^Acquire::' | grep -v '^Acquire::IndexTargets' \
        >"$base/etc/apt/apt.conf.d/99as-outside" || :
    if [ -n "$(ls /usr/local/share/ca-certificates 2>/dev/null)" ]; then
        mkdir -p "$base/usr/local/share"
        cp -RL /usr/local/share/ca-certificates "$base/usr/local/share/"
        bring /etc/ssl/certs/ca-certificates.crt
    fi
    settings | while read -r here there; do
        [ -f "$here" ] || continue
        mkdir -p "$base$(dirname "$there")"
        cp -L "$here" "$base$there"
    done
    local_paths | while read -r path; do
        [ ! -e "$path" ] || bring "$path"
    done
}
