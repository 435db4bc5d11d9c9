"""Displays and voice in other languages: every word is one, and fits where it is shown."""

import re
from contextlib import closing
from pathlib import Path

import pytest

from companion.language.catalogue import LANGUAGES, language_of
from companion.language.message import ENGLISH, Language, ListStyle, Message
from companion.language.speech import speaking
from companion.scenes.calls import call_of
from companion.scenes.faces import BELOW, display_picture
from companion.scenes.scene import scene_of
from companion.scenes.small_faces import ON_DIGITS, ON_MATRIX, digits_text
from companion.scenes.words import HEADLINES, shown, simplified
from hardware.device import BadValue
from hardware.display import DIGITS, draw_digits
from hardware.fakes import FakeSound
from hardware.sound import Cue, SoundConfig, Speaker
from tests.hardware.boards import board_of, states
from tests.hardware.face_sheets import SHEETS
from tests.hardware.players import LOUD, Notes

WORDS = [message for each in (HEADLINES, BELOW, ON_MATRIX, ON_DIGITS) for message in each.values()]
ROOM = re.compile(r"at most (\d+) letters")


class Swedish:
    """A language in which every text says the same three letters."""

    def counted(self, one: str, many: str, number: int) -> str:
        """Return the same, whatever *number* is."""
        return self.text(one if number == 1 else many)

    def listed(self, items: list[str], style: ListStyle) -> str:
        """Return *items* as English does."""
        return ENGLISH.listed(items, style)

    def decimal(self, number: float) -> str:
        """Return *number* as English does."""
        return ENGLISH.decimal(number)

    def text(self, english: str, context: str = "") -> str:
        """Return letters that no small display has, and the values where they were."""
        del context
        return " ".join(("Åäö", *re.findall(r"{\w+}", english)))


@pytest.fixture
def _swedish(monkeypatch: pytest.MonkeyPatch) -> None:
    languages: dict[str, Language] = {"en": ENGLISH, "sv": Swedish()}
    monkeypatch.setattr("companion.language.speech.language_of", languages.__getitem__)


@pytest.mark.usefixtures("_swedish")
def test_what_displays_say_is_said_in_the_language_that_is_spoken() -> None:
    """Every display has another picture in it, the English one again afterwards, none is mixed."""
    for state in ("ask", "wrong", "topple", "paused", "spin 1"):
        board = states()[state]
        for size, form, _ in SHEETS.values():
            before = display_picture(board, size, form).tobytes()
            if state == "ask" and size == (128, 64):
                continue  # a sign and a small word below
            with speaking("sv"):
                there = display_picture(board, size, form).tobytes()
            assert before != there, (state, form)
            assert display_picture(board, size, form).tobytes() == before


@pytest.mark.usefixtures("_swedish")
def test_letters_that_seven_segments_lack_are_spelled() -> None:
    """Rings and dots fall away, and what is too long is cut."""
    with speaking("sv"):
        assert digits_text(states()["ask"], scene_of(states()["ask"])) == "Aao"
        assert digits_text(states()["won"], scene_of(states()["won"])) == "Aao b"
        assert shown(HEADLINES["won"]) == "Aao"
        assert len(draw_digits(digits_text(board_of(), scene_of(board_of()))).tobytes()) == 8


@pytest.mark.usefixtures("_swedish")
def test_calls_are_spoken_in_it() -> None:
    """The words, and the voice that says them; a name stays a name."""
    with speaking("sv"):
        assert call_of(states()["ask"]) == Cue("ask", "Åäö", "1", "sv")
        assert call_of(states()["spin 1"]) == Cue("spin", "Åäö Bob", "", "sv")
        assert call_of(states()["turn 1"]) == Cue("turn", "Bob", "", "sv")
    assert call_of(states()["turn 1"]) == Cue("turn", "Bob", "", "en")


def test_the_voice_is_one_of_the_language(path: Path) -> None:
    """espeak-ng is told the language, piper gets the file that is named after it."""
    piper = SoundConfig(kind="speaker", voice="piper", model="/voices/{language}.onnx")
    for config, words in (
        (LOUD, ["-v", "de"]),
        (piper, ["--model", "/voices/de.onnx"]),
    ):
        folder = path / config.voice
        folder.mkdir()
        with closing(Notes(folder, "aplay", config.voice)) as notes:
            program = folder / config.voice
            program.write_text(program.read_text().replace("repr(said)", "repr(sys.argv[1:3])"))
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("PATH", str(folder))
                with Speaker(config) as sound:
                    sound.value = Cue(None, "Anna", language="de")
                    assert notes.read(1) == [f"{config.voice} {words}"]


def test_a_language_that_is_none_is_refused() -> None:
    """Nothing that a program could take for an option or a file."""
    with FakeSound() as sound, pytest.raises(BadValue, match="'-x' is not a known language"):
        sound.value = Cue(None, "Anna", language="-x")


def room_of(message: Message) -> int:
    """Return how many letters its context gives to *message*."""
    found = ROOM.search(message.context)  # type: ignore[attr-defined]  # of a message with a context
    assert found, f"“{message}” does not say how much room it has"
    return int(found[1])


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_a_display_fits(language: str) -> None:
    """Each has as many letters as its context allows, and some that can be shown."""
    for message in WORDS:
        words = simplified(message.in_language(language_of(language)))
        assert 0 < len(words) <= room_of(message), message


def test_a_word_on_digits_has_eight_places_at_most() -> None:
    """Which is what their contexts tell translators."""
    assert {room_of(message) for message in ON_DIGITS.values()} == {DIGITS}
