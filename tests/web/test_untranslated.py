"""Every text of every page can be said in another language."""

import random
from collections.abc import Iterator

import pytest

from companion.games import GAMES, game_of
from companion.language.catalogue import LANGUAGES
from companion.rules.tiki_topple import TIKIS
from tests.tables import NAMES, told
from tests.untranslated import Marked, untranslated
from tests.web.games import open_game
from tests.web.test_every_game import all_pages, send_a_form
from tests.web.visitors import open_pub

STEPS = 60
SEEN = 6  # pages are read at every so many steps
NAMED = (
    *NAMES,
    *(tiki.capitalize() for tiki in TIKIS),
    "Tiki Companion",
    *LANGUAGES.values(),
    "TIKI",
    "TAC",
    "TIKI’s",
)
"""What is the same in all languages: names of people, of tikis, of games and of tribes."""


def texts_left(game: str, seed: int, patch: pytest.MonkeyPatch) -> Iterator[str]:
    """Yield what stays English on the pages of a random game."""
    rng, pub = random.Random(seed), open_pub(open_game(game))
    host = pub.host()
    names = [*NAMED, *(game_of(each).title for each in GAMES)]
    for step in range(STEPS):
        if step % SEEN == 0:
            with patch.context() as marking:
                marking.setattr("companion.language.speech.language_of", lambda _: Marked())
                pub.live_session.changed()
                pages = [page for page in all_pages(pub) if "html" in page.headers["content-type"]]
            pub.live_session.changed()
            for page in pages:
                for text in untranslated(page.text, names):
                    yield f"{page.url.path}: {text}"
        send_a_form(rng, host, "/enter", "/undo")
    assert told(pub.live_session, "move")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.slow(keep=["0-"])
def test_every_text_of_a_game_can_be_translated(
    game: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever happens in it, nothing on its pages is English only."""
    assert sorted(set(texts_left(game, seed, monkeypatch))) == []
