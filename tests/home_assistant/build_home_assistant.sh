#!/bin/sh
# A Debian 13 with Home Assistant in /srv/hass, which wants its Python 3.13.
# build_home_assistant.sh FOLDER DEBIAN VERSION: leaves FOLDER/tree.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
base=$1/tree version=$3
. "$root/tests/hil/debian.sh"
cp -a "$2/tree" "$base"
enter
# A few of its packages have no wheel.
packages python3-venv python3-dev gcc libc6-dev
in_there python3 -m venv /srv/hass
pip() { in_there /srv/hass/bin/python -m pip install --quiet --disable-pip-version-check --no-cache-dir "$@"; }
pip "homeassistant==$version"
# What is always set up, MQTT, and all that these stand on; their manifests say what they want.
in_there /srv/hass/bin/python - >"$1/wanted" <<'PY'
import json
from pathlib import Path

import homeassistant
from homeassistant.bootstrap import CORE_INTEGRATIONS, DEFAULT_INTEGRATIONS

folder = Path(homeassistant.__file__).parent / "components"
todo, known = {*CORE_INTEGRATIONS, *DEFAULT_INTEGRATIONS, "mqtt", "template"}, set()
while todo:
    name = todo.pop()
    known.add(name)
    manifest = json.loads((folder / name / "manifest.json").read_text())
    todo |= {*manifest.get("dependencies", ()), *manifest.get("after_dependencies", ())} - known
    for each in manifest.get("requirements", ()):
        print(each)
PY
in_there mkdir /srv/config
# shellcheck disable=SC2046
pip $(sort -u "$1/wanted")
leave
