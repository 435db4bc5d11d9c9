"""What all tests share."""

import argparse
import asyncio
import os
import re
import subprocess
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import playwright
import pytest
from hypothesis import HealthCheck, settings

from tests.open_databases import OpenDatabases
from tests.tables import OPENED

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

CHROMIUMS = (Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium"))
"""Either will do; the shell, which is Chromium without windows, needs half as long for a page."""


def browser_of(browsers: Sequence[Path]) -> Path:
    """Return the first of *browsers* that is there; if none is, the last."""
    return next((each for each in browsers if each.exists()), browsers[-1])


CHROMIUM = browser_of(CHROMIUMS)
PATIENCE_MS = 60_000
"""So long a test waits for what a page is to show: a busy machine takes its time."""
REMEDY = "sudo apt install chromium-headless-shell libatomic1"

# Time limits belong to benchmarks: a busy machine must not fail a property.
settings.register_profile(
    "tiki", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("tiki")


@pytest.fixture(autouse=True)
def logs_closed() -> Iterator[None]:
    """Close every log that a test's tables have opened."""
    yield
    while OPENED:
        OPENED.pop().close()


@pytest.fixture(scope="session")
def chromium() -> "Iterator[Browser]":
    """Start one browser for all tests; `browser` gives it to each of them."""
    from playwright.sync_api import expect, sync_playwright  # noqa: PLC0415 - takes long

    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as driver:
        # Root, as in containers, may start Chromium without its sandbox only.
        found = driver.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        yield found
        asyncio._set_running_loop(loop)
        found.close()


@pytest.fixture
def browser(chromium: "Browser") -> "Iterator[Browser]":
    """Return a browser without a page, and close what the test has opened in it.

    Playwright's loop counts as running in this thread meanwhile, and may not in tests without a
    browser, which run loops of their own.
    """
    asyncio._set_running_loop(chromium._impl_obj._loop)
    yield chromium
    for context in chromium.contexts:
        context.close()
    asyncio._set_running_loop(None)


@pytest.fixture
def phone(browser: "Browser") -> "Iterator[BrowserContext]":
    """Give a phone, and fail if a page on it has complained in the console."""
    from tests.web.screens import PHONE  # noqa: PLC0415

    context = browser.new_context(viewport=PHONE)
    # Phones come by plain http, where browsers have no workers.
    context.add_init_script("delete Navigator.prototype.serviceWorker;")
    complaints: list[str] = []
    context.on("console", lambda message: complaints.append(message.text))
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    yield context
    context.close()
    assert [each for each in complaints if "ERR_CONNECTION" not in each] == []


def no_browser() -> str | None:
    """Return why the pages cannot be shown in a browser here, with the remedy; None if they can."""
    if not CHROMIUM.exists():
        return f"chromium is missing: {REMEDY}"
    # Playwright drives it by a node of its own, which wants libatomic; a bare Debian lacks that.
    bundled = Path(playwright.__file__).parent / "driver" / "node"
    node = os.environ.get("PLAYWRIGHT_NODEJS_PATH") or str(bundled)
    try:
        subprocess.run([node, "--version"], capture_output=True, text=True, check=True)
    except OSError as error:
        return f"Playwright's node cannot start ({error.strerror}): {REMEDY}"
    except subprocess.CalledProcessError as error:
        told = (error.stderr.splitlines() or [f"status {error.returncode}"])[0]
        return f"Playwright's node cannot start ({told.removeprefix(f'{node}: ')}): {REMEDY}"
    return None


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer the slow tests, which rarely fail, in a run of their own."""
    parser.addoption("--slow", action="store_true", help="run the slow tests, and only these")
    parser.addoption(
        "--part",
        type=part_of,
        metavar="N/M",
        help="of the tests that would run, run the Nth of M parts; all M together are all tests",
    )


def part_of(given: str) -> tuple[int, int]:
    """Return N and M of a text *N/M*.

    Raises `argparse.ArgumentTypeError` if it does not name one of M parts.
    """
    match = re.fullmatch(r"(\d+)/(\d+)", given)
    part, parts = (int(match[1]), int(match[2])) if match else (0, 0)
    if not 1 <= part <= parts:
        raise argparse.ArgumentTypeError(f"{given!r} names no part; 2/6 is the second of six")
    return part, parts


def is_in_part(item: pytest.Item, part: tuple[int, int]) -> bool:
    """Return whether *item* belongs to *part*, the first number of the second's many.

    Told by the test's own name, so that new tests move no other to another part.
    """
    return zlib.crc32(item.nodeid.encode()) % part[1] == part[0] - 1


def is_slow(item: pytest.Item) -> bool:
    """Return whether *item* runs with ``--slow`` only.

    ``@pytest.mark.slow`` says so of a whole test, ``@pytest.mark.slow(keep=[...])`` of all its
    parameters but those whose id contains one of these texts.
    """
    return any(
        not any(each in item.name for each in mark.kwargs.get("keep", ()))
        for mark in item.iter_markers("slow")
    )


def select(
    items: list[pytest.Item],
    *,
    slow: bool,
    part: tuple[int, int] | None = None,
    args: Sequence[str] = (),
) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """Return which *items* run, and which are left to other runs.

    slow: whether the slow ones were asked for.  part: which part of them, if not all.
    args: what else was asked for; who names a test gets it.
    """
    if any("::" in each for each in args):
        return items, []
    chosen: list[pytest.Item] = []
    others: list[pytest.Item] = []
    for item in items:
        runs = is_slow(item) == slow and (part is None or is_in_part(item, part))
        (chosen if runs else others).append(item)
    return chosen, others


def pytest_configure(config: pytest.Config) -> None:
    """Ask each test, the examples in docstrings too, what databases it left open."""
    config.pluginmanager.register(OpenDatabases(config.rootpath))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item], config: pytest.Config) -> None:
    """Choose between quick and slow tests; skip by name what needs a browser, where none is."""
    slow, part = config.getoption("--slow"), config.getoption("--part")
    args = [str(each) for each in config.invocation_params.args]
    items[:], others = select(items, slow=slow, part=part, args=args)
    if others:
        config.hook.pytest_deselected(items=others)
    wanting = [item for item in items if "browser" in getattr(item, "fixturenames", ())]
    reason = no_browser() if wanting else None
    for item in wanting:
        item.add_marker("browser")
        if reason:
            # In front of a file's own mark, so that this is the reason that is told.
            item.add_marker(pytest.mark.skipif(condition=True, reason=reason), append=False)


@pytest.fixture(name="settings")
def settings_without_a_camera(tmp_path: Path) -> Path:
    """Return settings of a table without a camera, that plays whatever is put on it."""
    path = tmp_path / "tiki.toml"
    path.write_text(
        "[camera]\nsource = 'none'\n[web]\nhost = '127.0.0.1'\nport = 0\n"
        f"[log]\nfile = '{tmp_path / 'games.db'}'\n[table]\nplayers = ['Ann', 'Bob']\n"
    )
    return path
