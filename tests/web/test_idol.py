"""The idol's page: all spins of the log, tested and drawn as a rose."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from companion.apps.statistics.fairness import Petal
from companion.apps.statistics.idol_page import logged_spins, petal_path
from companion.referee.live_session import LiveSession
from companion.web.app import create_app
from companion.web.http.keys import Keys
from companion.web.running_table import RunningTable
from hardware.facts import Spun
from hardware.output_devices import OutputDevices
from hardware.sectors import Sectors
from hardware.simulated_sensors import even_sectors
from tests.referee.entering import SPUN, TO_SPIN, handle, sit
from tests.web.visitors import Visitor


def visitor_of(live_session: LiveSession) -> Visitor:
    """Return a browser at a table with an idol whose seats are evenly round it."""
    table = RunningTable(live_session, Keys("k"), OutputDevices(), idol_sectors=even_sectors)
    return Visitor(create_app(table))


def test_every_spin_of_the_log_is_tested_and_drawn() -> None:
    """Asked for or not, the log's spins come to the test, each once and with its angle."""
    live_session = sit("uno_tiki", *TO_SPIN)
    handle(
        live_session,
        SPUN,
        SPUN,
        Spun(5.0, 0.5, clockwise=False, trusted=True, seats=(), at_s=0, void=True),
    )
    angles = [(spun.angle_deg, spun.void) for spun in logged_spins(live_session)]
    assert angles == [(100.0, False), (100.0, False), (5.0, True)]
    assert len({spun.at_s for spun in logged_spins(live_session)}) == 3
    visitor = visitor_of(live_session)
    assert 'href="/idol"' in visitor.get("/").text
    page = visitor.get("/idol").text
    assert "2 spins are too few to tell whether the idol is fair." in page
    rose = re.findall(r'<svg id="rose".*</svg>', page, re.DOTALL)[0]
    assert rose.count('<path d="M0 0L') == 1
    assert re.search(r'<li data-seat="1">.*Bob</span><b>2 spins</b>', page, re.DOTALL)
    assert "1 spin does not count" in page


@pytest.mark.parametrize(("game", "sectors"), [("uno_tiki", None), ("topple", even_sectors)])
def test_where_nothing_is_tested_there_is_no_page(
    game: str, sectors: Callable[[int], Sectors] | None
) -> None:
    """No circle, or no idol: no link, and a sentence instead of the page."""
    table = RunningTable(sit(game), Keys("k"), OutputDevices(), idol_sectors=sectors)
    visitor = Visitor(create_app(table))
    assert 'href="/idol"' not in visitor.get("/").text
    assert "no idol" in visitor.get("/idol").text
    assert visitor.get("/idol").status_code == 404


def test_a_petals_area_follows_its_spins() -> None:
    """Clockwise from the top; a quarter of the spins has half the radius."""
    assert petal_path(Petal(0.0, 90.0, 4), 4) == "M0 0L0.0 -100.0A100.0 100.0 0 0 1 100.0 -0.0z"
    assert petal_path(Petal(0.0, 90.0, 1), 4) == "M0 0L0.0 -50.0A50.0 50.0 0 0 1 50.0 -0.0z"


def test_the_test_speaks_of_players() -> None:
    """Spins that favour one seat are called uneven, by that player's name."""
    live_session = sit("uno_tiki", *TO_SPIN)
    handle(live_session, *[replace(SPUN, angle_deg=118.0 + spin % 5) for spin in range(30)])
    page = visitor_of(live_session).get("/idol").text
    assert "The idol may not be fair: 30 of 30 spins ended at Bob" in page
    assert "seat 1" not in page
    assert re.search(
        r'<li data-seat="1">.*it may get \d\d to 100 of 100 spins; 33 is fair', page, re.DOTALL
    )
