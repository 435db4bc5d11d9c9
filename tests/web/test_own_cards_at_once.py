"""Several hosts change the registered cards at once: none is lost, and no page waits for a disk."""

import asyncio
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path

import httpx
import numpy as np
import pytest

from companion.apps.cards import card_register
from companion.apps.cards.card_register import (
    Register,
    change_register,
    load_register,
    register_path,
    save_register,
    with_card,
)
from companion.session.log import Log
from tests.registers import encode, photograph
from tests.tables import sit_down
from tests.web.visitors import Pub, open_pub
from vision.cards.card_comparison import RegisteredCard
from vision.cards.shown_card import KEPT_PX

JPEG = {"content-type": "image/jpeg"}
PLAIN = np.full((*KEPT_PX, 3), 90, np.uint8)


@pytest.fixture
def pub(tmp_path: Path) -> Iterator[Pub]:
    """Return a game of Tiki Topple whose log is a file."""
    with closing(Log(tmp_path / "games.db")) as log:
        yield open_pub(sit_down(log=log))


def names_in(tmp_path: Path) -> list[str]:
    """Return the names of the cards that are kept."""
    return [card.name for card in load_register(register_path(tmp_path / "games.db"))]


def test_cards_shown_at_once_are_all_kept(pub: Pub, tmp_path: Path) -> None:
    """Each of three windows is told that its card is kept, and so it is; one is removed beside."""
    save_register(register_path(tmp_path / "games.db"), [RegisteredCard("Old", PLAIN)])
    host = pub.host()

    async def show(number: int) -> httpx.Response:
        sent = encode(photograph(number))
        path = f"/own-cards?name=Card {number}"
        return await host._ask("POST", path, None, {"content": sent, "headers": JPEG})

    async def change_at_once() -> tuple[httpx.Response, ...]:
        remove = host._ask("POST", "/own-cards/remove", {"name": "Old"}, {})
        return await asyncio.gather(show(0), show(1), remove, show(2))

    answers = asyncio.run(change_at_once())
    assert [answer.status_code for answer in answers] == [200] * 4
    assert names_in(tmp_path) == ["Card 0", "Card 1", "Card 2"]


def test_changes_by_several_programs_are_all_kept(tmp_path: Path) -> None:
    """As by `tiki cards add` beside a companion that runs: each reads what the last has saved."""
    path = register_path(tmp_path / "games.db")

    def add(name: str, cards: Register) -> Register:
        time.sleep(0.02)
        return with_card(cards, name, PLAIN)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda name: change_register(path, partial(add, name)), "abcd"))
    assert names_in(tmp_path) == [*"abcd"]
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_a_card_is_saved_beside_the_event_loop(
    pub: Pub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow disk stops no page."""
    threads: list[threading.Thread] = []

    def save(path: Path, cards: Sequence[RegisteredCard]) -> None:
        threads.append(threading.current_thread())
        save_register(path, cards)

    save_register(register_path(tmp_path / "games.db"), [RegisteredCard("Old", PLAIN)])
    monkeypatch.setattr(card_register, "save_register", save)
    assert pub.host().post("/own-cards/remove", name="Old").status_code == 200
    assert len(threads) == 1
    assert threads[0] is not threading.main_thread()
