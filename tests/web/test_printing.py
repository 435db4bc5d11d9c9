"""What the host downloads to print, and the page to which a printed seat card leads."""

import pytest

from companion.apps.printing.dialogues import DIALOGUES
from companion.registry import with_mats
from companion.web.http.reach import Reach
from tests.printing.pages import markers, page_sizes, render, texts
from tests.tables import sit_down
from tests.web.visitors import Pub, alert, open_pub


@pytest.fixture
def pub() -> Pub:
    """Return a table of three that phones reach."""
    pub = open_pub(sit_down())
    pub.app.state.site.table.reach = Reach(configured="http://tiki.local:8321")
    return pub


@pytest.mark.parametrize("game", with_mats())
def test_the_host_downloads_the_tiles_of_every_game(pub: Pub, game: str) -> None:
    """As a file with a name."""
    host = pub.host()
    assert f'formaction="/desk/print/{game}"' in host.get("/desk").text
    answer = host.get(f"/desk/print/{game}")
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.headers["content-disposition"] == f'attachment; filename="tiki-{game}-a4.pdf"'
    assert len(markers(render(answer.content)[0])) == 4


def test_paper_and_language_are_the_hosts(pub: Pub) -> None:
    """The language that the browser wants."""
    host = pub.host()
    asked = {"accept-language": "de"}
    answer = host.ask("GET", "/desk/print/ruler?page=letter", headers=asked)
    assert page_sizes(answer.content) == [pytest.approx((215.9, 279.4), abs=0.01)]
    assert "Prüflineal" in texts(answer.content)[0]


@pytest.mark.parametrize(
    ("language", "said"), [("en", "Printing at true size"), ("de", "In wahrer Größe drucken")]
)
def test_the_page_says_how_to_print_at_true_size(pub: Pub, language: str, said: str) -> None:
    """On the usual systems, and by the companion itself; what is typed is the same for all."""
    words = pub.host().ask("GET", "/desk", headers={"accept-language": language}).text
    assert said in words
    for system, _ in DIALOGUES:
        assert f">{system}</b>: " in words
    assert "lp -o print-scaling=none -o media=A4 FILE.pdf" in words
    assert "tiki print ruler --printer NAME" in words


def test_seat_cards_have_no_key_and_one_card_a_seat(pub: Pub) -> None:
    """Neither the host's, nor a seat's, nor the table's letters."""
    answer = pub.host().get("/desk/print/seats")
    (words,) = texts(answer.content)
    assert answer.headers["cache-control"] == "no-store"
    assert words.count("tiki.local:8321/join") == 3
    for secret in (pub.keys.host, pub.keys.code, *map(pub.keys.invitation, range(3))):
        assert secret
        assert secret not in words
        assert secret.encode() not in answer.content


def test_nobody_else_prints(pub: Pub) -> None:
    """A stranger and a player are refused, and their pages offer nothing."""
    for visitor in (pub.stranger(), pub.player(0)):
        for what in ("seats", "ruler", "topple"):
            assert visitor.get(f"/desk/print/{what}").status_code == 403
        assert "/desk/print/" not in visitor.get("/").text


@pytest.mark.parametrize("what", ["chess", "ruler?page=a5", "%2e%2e"])
def test_what_is_not_there_is_refused(pub: Pub, what: str) -> None:
    """In a sentence."""
    answer = pub.host().get(f"/desk/print/{what}")
    assert answer.status_code == 404
    assert "There is nothing of that name to print." in answer.text


def test_a_game_without_a_mat_has_no_tiles(pub: Pub) -> None:
    """Which is said with its name, as `tiki print` does."""
    answer = pub.host().get("/desk/print/score_sheet")
    assert answer.status_code == 404
    assert "is played without a mat, so it has no tiles to print." in answer.text


def test_cards_that_would_lead_nowhere_are_not_printed(pub: Pub) -> None:
    """Where the companion is served to its own machine alone."""
    pub.app.state.site.table.reach = Reach("127.0.0.1", 8321)
    answer = pub.host().ask("GET", "/desk/print/seats", headers={"host": "localhost:8000"})
    assert answer.status_code == 409
    assert "No phone can reach this companion yet." in answer.text


def test_a_card_asks_for_the_letters_and_then_marks_its_seat(pub: Pub) -> None:
    """It opens nothing by itself."""
    phone = pub.stranger()
    asked = phone.get("/join?card=2").text
    assert 'name="card" value="2"' in asked
    assert 'name="seat"' not in asked
    wrong = phone.get("/join?card=2&code=XXXX")
    assert wrong.status_code == 403
    assert alert(wrong)
    assert 'name="card" value="2"' in wrong.text
    names = phone.get(f"/join?card=2&code={pub.keys.code}").text
    assert names.count('class="main"') == 1
    assert '<button class="main" name="seat" value="1"' in names
    assert "the seat on your card" in names


@pytest.mark.parametrize("card", ["0", "4", "-1", "two", "2\u0662", "1e9", '"><b>'])
def test_a_card_of_no_seat_marks_none(pub: Pub, card: str) -> None:
    """As at a table with fewer players than cards."""
    page = pub.host().get(f"/join?card={card}").text
    assert 'class="main"' not in page
    assert 'name="card" value=""' in page
