"""The examples for programs run: those of docs/api.md and those of the description itself."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from companion.referee.live_session import LiveSession
from companion.web.api.openapi import PLACE, addresses, curl
from tests.referee.played import play
from tests.tables import sit_down
from tests.web.api_examples import blocks, elsewhere, write_overlay
from tests.web.serving import Served, served
from tests.web.visitors import HOST_KEY

STREAM_ENDED = 28
"""curl's exit status when its time is over."""


def command_lines() -> list[str]:
    """Return every command line of the document and of the description."""
    described = [curl(address) for address in addresses()]
    written = [line for block in blocks("sh") for line in block.splitlines()]
    return list(dict.fromkeys((*written, *described)))


@pytest.fixture
def house() -> Iterator[Served]:
    """Serve a game of Tiki Topple after its first move."""
    with served(moved) as found:
        yield found


def moved() -> LiveSession:
    """Return a game of Tiki Topple after its first move."""
    live_session = sit_down()
    live_session.referee.enter("up1 lokahi")
    return live_session


def run(house: Served, folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run a command with the companion where the examples look for it."""
    there = [word.replace(PLACE, house.url.rstrip("/")) for word in words]
    link, token = house.do(lambda _: links_of(house))
    return subprocess.run(
        there,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=folder,
        env={**os.environ, "KEY": HOST_KEY, "LINK": link, "TOKEN": token},
    )


def links_of(house: Served) -> tuple[str, str]:
    """Return the link of the third seat, and the token of the second, whose turn it is."""
    keys = house.pub.keys
    claimed = keys.claim(keys.invitation(1) or "", since=0)
    assert claimed
    return f"{house.url}join/{keys.invitation(2)}", claimed[1].key


def test_there_are_examples_for_everything() -> None:
    """Each address has a command line, and the document shows it with the same words."""
    assert len(command_lines()) >= len(addresses())
    assert {*blocks("sh")[0].splitlines()} <= {curl(address) for address in addresses()}
    assert len(blocks("python")) == 3
    assert len(blocks("js")) == 1


@pytest.mark.skipif(not shutil.which("curl"), reason="there is no curl")
@pytest.mark.parametrize("line", command_lines())
def test_every_command_line_runs(house: Served, tmp_path: Path, line: str) -> None:
    """It gets what it asks for."""
    quiet = line.replace("curl ", "curl -sS --fail ", 1)
    done = run(house, tmp_path, "bash", "-c", quiet)
    assert done.returncode == (STREAM_ENDED if "--max-time" in line else 0), done.stderr
    files = [file.read_bytes() for file in tmp_path.iterdir()]
    assert "data: " in done.stdout or files or json.loads(done.stdout)


def test_the_scores_in_python(house: Served, tmp_path: Path) -> None:
    """The first example prints a line for each player."""
    done = run(house, tmp_path, sys.executable, "-c", blocks("python")[0])
    assert (done.returncode, done.stdout, done.stderr) == (0, "Ann 0\nBob 0\nCem 0\n", "")


def test_following_in_python(tmp_path: Path) -> None:
    """The second example prints every move of a game and its scores; here it ends with them."""
    stop = 'if event.get("type") == "result":\n        sys.exit(print("scores", event["scores"]))\n'
    example = blocks("python")[1].partition('    if event.get("type") == "result"')[0]
    with served(lambda: play("tiki_topple", 1)) as house:
        done = run(house, tmp_path, sys.executable, "-c", f"{example}    {stop}")
        scores = house.do(lambda live_session: live_session.referee.result().scores)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("observed line ")
    assert sum(line.startswith("move ") for line in lines) > 9
    assert lines[-1] == f"scores {[*scores]}"


def test_entering_in_python(house: Served, tmp_path: Path) -> None:
    """The third example makes a move."""
    done = run(house, tmp_path, sys.executable, "-c", blocks("python")[2])
    assert (done.returncode, done.stderr) == (0, "")
    assert "Nani" in done.stdout
    assert house.do(lambda live_session: len(live_session.session.history.acts)) == 2


def move(live_session: LiveSession) -> None:
    """Let the first player make a move."""
    live_session.referee.enter("up1 nani")
    live_session.changed()


@pytest.mark.parametrize("is_let_in", [True, False])
def test_the_overlay(browser: Browser, is_let_in: bool, tmp_path: Path) -> None:
    """A page from elsewhere follows the game by the example, if the settings name it."""
    with elsewhere(tmp_path) as origin:
        origins = [origin] if is_let_in else []
        with served(sit_down, origins=origins) as house:
            write_overlay(tmp_path / "index.html", house.url.rstrip("/"))
            page = browser.new_page()
            refused: list[str] = []
            page.on("requestfailed", lambda request: refused.append(request.url))
            page.goto(f"{origin}/")
            line = page.locator("p")
            if is_let_in:
                expect(line).to_contain_text("▶ Ann 0   Bob 0   Cem 0")
                house.do(move)
                expect(line).to_contain_text("Ann 0   ▶ Bob 0   Cem 0")
            else:
                while not refused:
                    page.wait_for_timeout(20)
                expect(line).to_be_empty()
