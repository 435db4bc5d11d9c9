"""What the daemon costs while nothing happens, beside an empty server measured in the same run."""

import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import cv2

from tests.recordings import SHIPPED
from vision.capture.frame import load_frame

STARTS: Final = 5
"""How often each is started; the medians are told."""
SETTLE_S: Final = 4.0
IDLE_S: Final = 20.0
VIDEO_PX: Final = (1536, 864)
TIKI: Final = ("-c", "import sys; from companion.cli import main; sys.exit(main())", "run")
EMPTY: Final = """
import cv2, uvicorn
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

class Server(uvicorn.Server):
    async def startup(self, sockets=None):
        await super().startup(sockets)
        port = self.servers[0].sockets[0].getsockname()[1]
        print(f"http://127.0.0.1:{port}", flush=True)

app = Starlette(routes=[Route("/", lambda request: PlainTextResponse("empty"))])
Server(uvicorn.Config(app, port=0, log_level="warning")).run()
"""


class Footprint(NamedTuple):
    """What a server costs.

    start_s: until its first page is there.  memory_mb: what its processes have in memory.
    idle_share: of one processor core.
    """

    start_s: float
    memory_mb: float
    idle_share: float


def footprints(folder: Path) -> dict[str, Footprint]:
    """Return the footprints of the empty server, and of the daemon with and without a camera.

    folder: where a video and logs may be written.
    """
    resting = folder / "resting.toml"
    _write_video(folder / "table.avi")
    told = folder / "told.toml"
    told.write_text("[camera]\nsource = 'none'\n")
    resting.write_text(f"[camera]\nsource = 'video'\ndevice = '{folder / 'table.avi'}'\n")
    tiki = (*TIKI, "--port", "0", "--log", f"{folder}/log.db")
    return {
        "empty Starlette and OpenCV": _measure(("-c", EMPTY)),
        "daemon, no camera": _measure((*tiki, "--config", str(told))),
        "daemon, pictures at rest": _measure((*tiki, "--frame-s", "3600")),
        "daemon, a video at rest": _measure((*tiki, "--config", str(resting))),
    }


def _write_video(path: Path) -> None:
    """Write a table at rest, as a camera with 10 pictures a second sees it."""
    picture = cv2.resize(load_frame(SHIPPED / "001.jpg").picture, VIDEO_PX)
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, VIDEO_PX)
    for _ in range(10):
        writer.write(picture)
    writer.release()


def _measure(command: Sequence[str]) -> Footprint:
    starts = []
    for _ in range(STARTS):
        with _serving(command) as (_, start_s):
            starts.append(start_s)
    with _serving(command) as (process, start_s):
        starts.append(start_s)
        time.sleep(SETTLE_S)
        before_s = _spent_s(process)
        time.sleep(IDLE_S)
        share = (_spent_s(process) - before_s) / IDLE_S
        memory_mb = _memory_mb(_family(process))
    return Footprint(statistics.median(starts), memory_mb, share)


@contextmanager
def _serving(command: Sequence[str]) -> Iterator[tuple[int, float]]:
    """Yield the process of a server that *command* starts, and how long its first page took."""
    began_s = time.perf_counter()
    # Compiled modules are kept, as on every machine that is not a test's.
    kept = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    server = subprocess.Popen(
        [sys.executable, *command], stdout=subprocess.PIPE, text=True, env=kept
    )
    try:
        assert server.stdout
        found = re.search(r":(\d+)", server.stdout.readline().partition("//")[2])
        assert found
        with urllib.request.urlopen(f"http://127.0.0.1:{found[1]}/") as page:
            page.read()
        yield server.pid, time.perf_counter() - began_s
    finally:
        server.terminate()
        server.wait()


def _family(process: int) -> list[int]:
    """Return *process* and its children."""
    tasks = Path(f"/proc/{process}/task").iterdir()
    children = [int(each) for task in tasks for each in (task / "children").read_text().split()]
    return [process, *children]


def _spent_s(process: int) -> float:
    """Return the processor time that *process* and its children have used."""
    spent = 0
    for each in _family(process):
        fields = Path(f"/proc/{each}/stat").read_text().rsplit(")", 1)[1].split()
        spent += int(fields[11]) + int(fields[12])
    return spent / os.sysconf("SC_CLK_TCK")


def _memory_mb(processes: Sequence[int]) -> float:
    """Return the resident memory of *processes*; what they may share counts once."""
    own, shared = 0, [0]
    for each in processes:
        text = Path(f"/proc/{each}/smaps_rollup").read_text()
        found = {
            name: int(size) for name, size in re.findall(r"^(\w+):\s+(\d+) kB", text, re.MULTILINE)
        }
        shared.append(found["Shared_Clean"] + found["Shared_Dirty"])
        own += found["Rss"] - shared[-1]
    return (own + max(shared)) / 1024


def list_lines() -> Iterator[str]:
    """Yield a line for each server: its figures, and each over those of the empty one."""
    with tempfile.TemporaryDirectory() as folder:
        found = footprints(Path(folder))
    empty, *_ = found.values()
    yield f"{'':<30} {'first page':>18} {'memory':>18} {'idle':>8}"
    for name, each in found.items():
        start = f"{each.start_s:.2f} s ({each.start_s / empty.start_s:.1f})"
        memory = f"{each.memory_mb:.0f} MB ({each.memory_mb / empty.memory_mb:.1f})"
        yield f"{name:<30} {start:>18} {memory:>18} {each.idle_share:>8.2%}"
    yield "aims: 1 s, 90 MB, 0.5 % of a core; in brackets: times the empty one's"
