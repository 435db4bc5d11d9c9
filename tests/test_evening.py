"""A recorded game watched on the page, from the first line to the final score."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.recordings import SHIPPED
from tests.test_cli import TIKI
from tests.web.screens import PHONE


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[str]:
    """Run the real daemon on the shipped recording, faster than life; yield its host's address."""
    config = tmp_path / "tiki.toml"
    config.write_text("[camera]\nsettle_s = 0.1\nrate_hz = 30\n")
    command = [
        *(str(TIKI), "run", "--config", str(config), "--replay", str(SHIPPED)),
        *("--port", "0", "--log", str(tmp_path / "game.db"), "--frame-s", "0.4"),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            process.stdout.readline()
            found = re.search(r"//[^:/]+(:\d+/\S+)", process.stdout.readline())
            assert found
            yield f"http://127.0.0.1{found.group(1)}"
        finally:
            process.terminate()


@pytest.mark.slow
def test_a_replayed_game_is_watched_to_its_final_score(browser: Browser, daemon: str) -> None:
    """Every score on the page is the true one at the end, and it came there without a reload."""
    page = browser.new_page(viewport=PHONE)
    page.goto(daemon)
    page.evaluate("window.stayed = true")
    expect(page.locator("#last-move")).to_contain_text("Eepo")
    expect(page.locator('[data-seat="0"] [data-score]')).to_have_attribute("data-score", "0")
    for seat, score in enumerate((5, 0, 0, 5)):
        expect(page.locator(f'[data-seat="{seat}"] [data-score]')).to_have_attribute(
            "data-score", str(score)
        )
    expect(page.locator("#waiting")).to_contain_text("round 2")
    assert page.evaluate("window.stayed")
