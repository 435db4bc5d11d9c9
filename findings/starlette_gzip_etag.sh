#!/bin/sh
# Starlette's StaticFiles behind its GZipMiddleware gives the packed and the plain answer one and the
# same strong ETag, though their bytes differ (RFC 9110, 8.8.3: a strong validator is of one
# representation). A cache that got the packed file and asks with If-Range for the rest of it is
# answered with a part of the plain one (206), where the whole (200) would be right.
#
# Seen with starlette 1.10.0, httpx 0.28.1, Python 3.11.7:
#   gzip, strong ETag, fewer than 1000 bytes
#   plain, strong ETag, 55000 bytes
#   the same ETag: True
#   If-Range with the packed one's ETag: 206, bytes 100-109/55000, plain
#
# Ends with 0 if that is still so, with 1 if it has changed, with 2 if it could not be tried.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python=${PYTHON:-python3}

if ! { "$python" -m venv "$folder/venv" \
    && "$folder/venv/bin/pip" install --quiet starlette==1.10.0 httpx==0.28.1; } >"$folder/log" 2>&1; then
    tail -n 3 "$folder/log" >&2
    echo "starlette could not be installed." >&2
    exit 2
fi

sed -n 's/^#   //p' "$0" >"$folder/expected"
cd "$folder"
cat >try.py <<'PY'
import asyncio
from pathlib import Path

import httpx
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

Path("files").mkdir()
Path("files/a.js").write_text("let a = 1;\n" * 5000)
packed = [Middleware(GZipMiddleware, compresslevel=9)]
app = Starlette(routes=[Mount("/files", StaticFiles(directory="files"), middleware=packed)])


async def fetch(client, **headers):
    async with client.stream("GET", "/files/a.js", headers=headers) as answer:
        return answer, b"".join([part async for part in answer.aiter_raw()])


async def main():
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
        tags = []
        for coding in ("gzip", "identity"):
            answer, body = await fetch(client, **{"accept-encoding": coding})
            tag = answer.headers["etag"]
            strength = "weak" if tag.startswith("W/") else "strong"
            found = answer.headers.get("content-encoding", "plain")
            size = "fewer than 1000" if len(body) < 1000 else len(body)
            print(f"{found}, {strength} ETag, {size} bytes")
            tags.append(tag)
        print(f"the same ETag: {tags[0] == tags[1]}")
        asked = {"accept-encoding": "gzip", "range": "bytes=100-109", "if-range": tags[0]}
        answer, _ = await fetch(client, **asked)
        part, found = answer.headers.get("content-range", "whole"), answer.headers.get("content-encoding", "plain")
        print(f"If-Range with the packed one's ETag: {answer.status_code}, {part}, {found}")


asyncio.run(main())
PY
venv/bin/python try.py >seen 2>log || { tail -n 3 log >&2; exit 2; }
cat seen
diff expected seen || { echo "this has changed (<: seen before, >: now)"; exit 1; }
