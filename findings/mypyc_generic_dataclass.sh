#!/bin/sh
# mypyc compiles a dataclass that is generic without a word, and the module cannot be imported: the
# class is built by an AttributeError. The same class without Generic[T] imports, frozen or not, and
# so does the generic one as plain Python.
#
# Seen with mypy 2.4.1 (mypyc), setuptools 84.2.1, Python 3.11.7, gcc, on x86-64:
#   plain dataclass: compiled, Box(label='a', size=2)
#   frozen dataclass: compiled, Box(label='a', size=2)
#   generic dataclass: compiled, AttributeError: attribute '__dict__' of 'type' objects is not writable
#   generic dataclass as plain Python: Box(label='a', size=2)
#
# Ends with 0 if that is still so, with 1 if it has changed, with 2 if it could not be tried.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python=${PYTHON:-python3}

if ! { "$python" -m venv "$folder/venv" \
    && "$folder/venv/bin/pip" install --quiet mypy==2.4.1 setuptools==84.2.1; } >"$folder/log" 2>&1; then
    tail -n 3 "$folder/log" >&2
    echo "mypy could not be installed." >&2
    exit 2
fi

write() { # write FILE DECORATOR BASE
    cat >"$folder/$1.py" <<PY
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass$2
class Box$3:
    label: str
    size: int = 0
PY
}

see() { # see MODULE
    "$folder/venv/bin/python" -c "import $1; print($1.Box('a', 2))" 2>&1 | tail -n 1
}

sed -n 's/^#   //p' "$0" >"$folder/expected"
cd "$folder"
write plain "" ""
write frozen "(frozen=True)" ""
write generic "" "(Generic[T])"
write uncompiled "" "(Generic[T])"
for each in plain frozen generic; do
    if ! venv/bin/python -m mypyc "$each.py" >log 2>&1; then
        tail -n 3 log >&2
        echo "$each.py was not compiled; is there a C compiler?" >&2
        exit 2
    fi
    rm "$each.py"
    echo "$each dataclass: compiled, $(see "$each")" | tee -a seen
done
echo "generic dataclass as plain Python: $(see uncompiled)" | tee -a seen
diff expected seen || { echo "this has changed (<: seen before, >: now)"; exit 1; }
