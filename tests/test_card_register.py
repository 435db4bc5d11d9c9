"""Cards that the owner shows once: kept safely, and known again among others that look alike."""

import errno
import json
import stat
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion import files
from companion.apps.backup.table_files import companions
from companion.apps.cards.card_register import (
    FAULTS,
    BadRegister,
    load_if_any,
    load_register,
    register_path,
    save_register,
    with_card,
    without_card,
)
from companion.cli import main
from tests.registers import COUNT, encode, photograph
from vision.capture.frame import Picture
from vision.cards.card_comparison import Compared, RegisteredCard, compare_cards
from vision.cards.registered_cards import (
    Rejection,
    find_exposure_fault,
    find_most_similar,
    find_rejection,
    identify_among,
    measure_similarity,
    recognise,
)
from vision.cards.shown_card import KEPT_PX, ShownFault, crop_shown

PLAIN = np.full((*KEPT_PX, 3), 90, np.uint8)


@pytest.fixture(scope="module")
def cards() -> tuple[RegisteredCard, ...]:
    """Return all cards but the last, each shown once."""
    found = []
    for number in range(COUNT - 1):
        shown = crop_shown(photograph(number))
        assert not isinstance(shown, ShownFault)
        found.append(RegisteredCard(f"Tiki {number}", shown))
    return tuple(found)


@pytest.fixture(scope="module")
def compared(cards: tuple[RegisteredCard, ...]) -> Compared:
    """Return how they differ."""
    return compare_cards(cards)


def test_a_card_is_known_again_in_any_pose(cards: tuple[RegisteredCard, ...]) -> None:
    """Turned, larger, upside down: each by its own name."""
    poses = ((25.0, 1.1), (180.0, 1.5), (-70.0, 1.3))
    for number, (card, (turn_deg, scale)) in enumerate(zip(cards, poses, strict=True)):
        found = recognise(photograph(number, turn_deg, scale), cards)
        assert found is not None
        assert found.name == card.name


def test_a_card_that_was_never_shown_is_none_of_them(
    cards: tuple[RegisteredCard, ...], compared: Compared
) -> None:
    """It has the same frame and two of the same faces."""
    found = identify_among(photograph(COUNT - 1, 10.0), compared)
    assert found.card is None
    assert found.rejection in (Rejection.STRANGE, Rejection.COVERED)
    assert recognise(np.zeros((300, 400, 3), np.uint8), cards) is None
    assert recognise(photograph(0), ()) is None


def test_where_a_card_differs_is_covered_it_is_not_guessed(compared: Compared) -> None:
    """A hand over its faces leaves the frame, which all have."""
    picture = photograph(0)
    cv2.circle(picture, (350, 350), 90, (120, 150, 200), cv2.FILLED)
    found = identify_among(picture, compared)
    assert (found.card, found.rejection) == (None, Rejection.COVERED)


def test_in_glare_it_is_said_so(compared: Compared) -> None:
    """Colours are lost there."""
    glare = np.zeros((700, 700), np.float32)
    cv2.circle(glare, (380, 300), 130, 300.0, cv2.FILLED)
    added = cv2.GaussianBlur(glare, (0, 0), 15)[..., None]
    picture = np.clip(photograph(0) + added, 0, 255).astype(np.uint8)
    found = identify_among(picture, compared)
    assert (found.card, found.rejection) == (None, Rejection.BRIGHT)


def test_light_counts_where_cards_differ(compared: Compared) -> None:
    """What all share may be saturated; of pure colours one channel may be clipped; not two."""
    (family,) = compared.families
    discriminative, light = family.mark_discriminative(), PLAIN.copy()
    light[~discriminative] = 255
    assert 0.05 < discriminative.mean() < 0.9
    assert find_exposure_fault(light, family) is None
    some = np.flatnonzero(discriminative)[: int(0.2 * discriminative.sum())]
    light.reshape(-1, 3)[some] = (0, 90, 255)
    assert find_exposure_fault(light, family) is None
    light.reshape(-1, 3)[some] = (0, 255, 255)
    assert find_exposure_fault(light, family) == Rejection.BRIGHT
    assert find_exposure_fault(np.full_like(PLAIN, 40), family) == Rejection.DARK


def test_a_card_between_two_is_neither(
    cards: tuple[RegisteredCard, ...], compared: Compared
) -> None:
    """What is as like one as like the other is not guessed; what is like one is that one."""
    (family,) = compared.families
    apart = family.cell_distances[0].astype(np.float64)
    assert find_rejection(measure_similarity(family, apart)) is None
    between = np.repeat(apart.mean(axis=1, keepdims=True), len(cards), axis=1)
    between[:, 1:] += 1e-3
    assert find_rejection(measure_similarity(family, 0.1 * between)) == Rejection.UNSURE


def test_the_most_similar_cards_are_found_in_their_order(cards: tuple[RegisteredCard, ...]) -> None:
    """Upside down too."""
    turned = np.ascontiguousarray(cards[1].picture[::-1, ::-1])
    assert find_most_similar(turned, cards, 1) == (cards[1],)
    assert find_most_similar(turned, cards, 5) == cards


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (np.zeros_like, ShownFault.NO_CARD),
        (lambda picture: cv2.resize(picture, None, fx=0.4, fy=0.4), ShownFault.SMALL),
        (lambda picture: cv2.resize(picture, None, fx=1.0, fy=0.7), ShownFault.TILTED),
        (lambda picture: np.minimum(picture * 2.2, 255).astype(np.uint8), ShownFault.BRIGHT),
        (lambda picture: (picture * 0.2).astype(np.uint8), ShownFault.DARK),
    ],
    ids=["empty", "far", "tilted", "bright", "dark"],
)
def test_a_picture_that_would_not_do_is_not_kept(
    change: Callable[[Picture], Picture], fault: ShownFault
) -> None:
    """The owner is told why at once, not by players later."""
    assert crop_shown(change(photograph(0))) == fault
    assert str(FAULTS[fault]).endswith("take another picture")


def test_cards_are_kept_for_their_owner_alone(
    tmp_path: Path, cards: tuple[RegisteredCard, ...]
) -> None:
    """What is read back is what was shown; the file is in a backup, and nobody else may read it."""
    log = tmp_path / "games.db"
    path = register_path(log)
    save_register(path, cards)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for one, other in zip(load_register(path), cards, strict=True):
        assert one.name == other.name
        assert np.array_equal(one.picture, other.picture)
    assert companions(log, with_frames=False) == {"games.cards.json": path}
    assert [card.name for card in load_if_any(path)] == [card.name for card in cards]
    assert load_if_any(None) == ()


@pytest.mark.parametrize("fails", ["begin_private", "sync_folder"])
def test_a_full_disk_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    """The old file is still there, or the new one whole; no part of one is left."""
    path = tmp_path / "games.cards.json"
    save_register(path, [RegisteredCard("One", PLAIN)])

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(files, fails, refuse)
    with pytest.raises(OSError, match="No space left"):
        save_register(path, [RegisteredCard("One", PLAIN), RegisteredCard("Two", PLAIN)])
    assert [card.name for card in load_register(path)][:1] == ["One"]
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_a_write_that_went_wrong_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was read back differs: the old file stays."""
    path = tmp_path / "games.cards.json"
    save_register(path, [RegisteredCard("One", PLAIN)])
    monkeypatch.setattr(Path, "read_bytes", lambda _self: b"something else")
    with pytest.raises(OSError, match="error"):
        save_register(path, [])
    monkeypatch.undo()
    assert [card.name for card in load_register(path)] == ["One"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: text[: len(text) // 2], "is damaged"),
        (lambda text: text.replace("One", "Eno"), "is damaged"),
        (lambda text: text.replace('"version": 1', '"version": 2'), "newer companion"),
        (lambda text: text.replace("tiki-cards", "other"), "is damaged"),
        (lambda _text: "[]", "is damaged"),
    ],
    ids=["cut", "altered", "newer", "foreign", "list"],
)
def test_a_file_that_cannot_be_used_is_refused_in_a_line(
    tmp_path: Path, change: object, words: str
) -> None:
    """With its name and what to do; photographs are read all the same."""
    path = tmp_path / "games.cards.json"
    save_register(path, [RegisteredCard("One", PLAIN)])
    assert callable(change)
    path.write_text(change(path.read_text("utf-8")), encoding="utf-8")
    with pytest.raises(BadRegister, match=words) as caught:
        load_register(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert load_if_any(path) == ()


def test_names_are_checked() -> None:
    """Short, on one line, each once."""
    cards = with_card((), "  Secret   3 ", PLAIN)
    assert [card.name for card in cards] == ["Secret 3"]
    for name in ("", " ", "x" * 41, "secret 3", "a\x00b"):
        with pytest.raises(BadRegister):
            with_card(cards, name, PLAIN)
    assert without_card(cards, "SECRET 3") == ()
    with pytest.raises(BadRegister, match="no card"):
        without_card(cards, "Secret 4")


def test_the_command_adds_lists_and_removes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`tiki read --card` then answers with the name; a second one alike is refused."""
    log, picture = str(tmp_path / "games.db"), tmp_path / "card.jpg"
    picture.write_bytes(encode(photograph(0)))
    assert main(["cards", "add", "Secret 3", str(picture), "--log", log]) == 0
    assert "“Secret 3” is registered; 1 cards" in capsys.readouterr().out
    picture.write_bytes(encode(photograph(0, 20.0)))
    assert main(["cards", "add", "Secret 4", str(picture), "--log", log]) == 1
    assert "as “Secret 3”" in capsys.readouterr().err
    assert main(["read", "--card", str(picture), "--log", log]) == 0
    line = json.loads(capsys.readouterr().out)
    assert (line["status"], line["name"], line["card"]) == ("ok", "Secret 3", None)
    assert main(["cards", "list", "--log", log]) == 0
    assert capsys.readouterr().out == "Secret 3\n"
    assert main(["cards", "remove", "secret 3", "--log", log]) == 0
    capsys.readouterr()
    assert main(["cards", "list", "--log", log]) == 0
    assert capsys.readouterr().out == ""


def test_what_shows_no_card_is_not_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line with the picture and the remedy."""
    picture = tmp_path / "dark.png"
    cv2.imwrite(str(picture), np.zeros((300, 400, 3), np.uint8))
    assert main(["cards", "add", "X", str(picture), "--log", str(tmp_path / "games.db")]) == 1
    assert "lay it on a plain table" in capsys.readouterr().err
    assert not list(tmp_path.glob("*.json"))
