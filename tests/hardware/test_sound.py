"""Sound: melodies that are told apart, programs that play them, and a game that does not wait."""

import io
import subprocess
import wave
from array import array
from contextlib import closing
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from companion.config import BadConfig, parse_config
from hardware.earcons import EARCONS, MELODIES, RATE_HZ, Earcon, pack_wav, soften, synthesise
from hardware.sound import Cue, SoundConfig, Speaker, explain
from tests.hardware.players import LOUD, Notes
from tests.hardware.recorders import Record


def samples(wav: bytes) -> array:  # type: ignore[type-arg]  # array takes no parameter before 3.12
    """Return the samples of a WAV file."""
    with wave.open(io.BytesIO(wav)) as file:
        assert (file.getnchannels(), file.getsampwidth()) == (1, 2)
        return array("h", file.readframes(file.getnframes()))


@pytest.mark.parametrize("earcon", EARCONS)
def test_an_earcon_is_short_and_soft(earcon: Earcon) -> None:
    """Under 1.2 s, no louder than asked, and silent at both ends, so that it does not click."""
    heard = samples(synthesise(earcon, 0.5))
    assert 0.05 * RATE_HZ < len(heard) < 1.2 * RATE_HZ
    assert 0.2 * 32_767 < max(map(abs, heard)) <= 0.5 * 32_767
    assert abs(heard[0]) < 50 > abs(heard[-1])


def contour(earcon: Earcon) -> tuple[int, ...]:
    """Return a melody's rises and falls and its silences, without its pitch."""
    notes = [semitones for semitones, _ in MELODIES[earcon]]
    steps = pairwise(notes)
    return tuple(9 if a is None or b is None else (b > a) - (b < a) for a, b in steps)


def test_every_earcon_has_its_own_contour() -> None:
    """Who cannot name a note still hears which melody it was."""
    twins = [pair for pair in combinations(EARCONS, 2) if contour(pair[0]) == contour(pair[1])]
    assert twins == []


def test_silence_is_silent() -> None:
    """Volume 0 leaves nothing to hear."""
    assert not any(samples(synthesise("won", 0.0)))


def test_a_voice_is_made_softer() -> None:
    """Half the volume is half of every sample; what is not a mono voice is refused."""
    assert samples(soften(pack_wav(array("h", [1000, -500]), 16_000), 0.5)).tolist() == [500, -250]
    stereo = io.BytesIO()
    with wave.open(stereo, "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(16_000)
    with pytest.raises(wave.Error, match="not mono"):
        soften(stereo.getvalue(), 0.5)


def test_melody_and_words_are_played(path: Path) -> None:
    """First the earcon, then the call, both at the volume of the settings."""
    told = Record()
    with closing(Notes(path, "aplay", "espeak-ng")) as notes, Speaker(LOUD, told.add) as sound:
        sound.value = Cue("turn", "Ann")
        assert notes.read(3) == ["aplay ''", "espeak-ng 'Ann'", "aplay ''"]
    assert samples((path / "heard.wav").read_bytes()).tolist() == [500, -500]
    assert told.heard == []


def test_notes_that_do_not_come_are_missed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that was never run fails the test, and does not hold it up."""
    monkeypatch.setattr("tests.hardware.players.PATIENCE_S", 0.01)
    with closing(Notes(path)) as notes, pytest.raises(AssertionError, match="no program was run"):
        notes.read(1)


def test_a_name_is_never_an_option(path: Path) -> None:
    """Words go to the voice's input, so that a player called "-w /etc/x" is only spoken."""
    with closing(Notes(path, "aplay", "espeak-ng")) as notes, Speaker(LOUD) as sound:
        sound.value = Cue(None, "-w /etc/x")
        assert notes.read(1) == ["espeak-ng '-w /etc/x'"]


def test_piper_speaks_with_its_own_voice(path: Path) -> None:
    """The other voice gets the same words, and is played in the same way."""
    config = SoundConfig(kind="speaker", voice="piper", model="nani.onnx")
    with closing(Notes(path, "aplay", "piper")) as notes, Speaker(config) as sound:
        sound.value = Cue(None, "Ann")
        assert notes.read(2) == ["piper 'Ann'", "aplay ''"]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            subprocess.TimeoutExpired(["/usr/bin/aplay", "x"], 15),
            "aplay does not finish; is the speaker",
        ),
        (wave.Error("not\nmono"), "Error: not mono; set sound.kind to 'fake' to go without"),
    ],
)
def test_whatever_goes_wrong_is_one_line(error: Exception, said: str) -> None:
    """A program that hangs and a voice that is no sound are told like the rest."""
    line = explain(error)
    assert said in line
    assert "\n" not in line


def test_a_missing_player_is_named_once(path: Path) -> None:
    """One line with the remedy, however many cues there are, and no waiting."""
    told = Record()
    with Speaker(LOUD, told.add) as sound:
        told.wait_for(lambda heard: heard)
        for earcon in EARCONS:
            sound.value = Cue(earcon)
        assert sound.trouble == "sound: the program aplay is missing; sudo apt install alsa-utils"
    assert told.troubles() == [sound.trouble]
    assert list(path.iterdir()) == []


def test_a_missing_voice_leaves_the_melodies(path: Path) -> None:
    """Named once at the start; the earcons are heard, and the voice too once it is installed."""
    told = Record()
    with closing(Notes(path, "aplay")) as notes, Speaker(LOUD, told.add) as sound:
        told.wait_for(lambda heard: heard)
        sound.value = Cue("turn", "Ann")
        assert notes.read(1) == ["aplay ''"]
    assert told.troubles() == [
        "sound: the program espeak-ng is missing; sudo apt install espeak-ng"
    ]


def test_a_player_that_fails_is_quoted(path: Path) -> None:
    """The last line of what it says becomes the one line that is told."""
    program = path / "aplay"
    program.write_text("#!/bin/sh\necho 'ALSA lib' >&2\necho 'no sound card' >&2\nexit 1\n")
    program.chmod(0o755)
    told = Record()
    with Speaker(SoundConfig(kind="speaker"), told.add) as sound:
        for cue in (Cue("won"), Cue(), Cue("turn")):  # a silence between does not end the trouble
            sound.value = cue
        told.wait_for(lambda heard: heard)
    assert told.troubles() == ["sound: aplay says: no sound card; try it by hand"]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"volume": 2.0}, "sound.volume is 2.0; it must be a number from 0 to 1"),
        ({"voice": "piper"}, "sound.voice is 'piper', which needs sound.model"),
    ],
)
def test_a_sound_that_cannot_be_is_named(settings: dict[str, object], said: str) -> None:
    """One line: the key, what was given, what would be right."""
    with pytest.raises(BadConfig, match=said):
        parse_config({"sound": settings})


def test_sound_is_off_unless_asked_for() -> None:
    """Nobody's evening is interrupted by default."""
    assert (SoundConfig().kind, SoundConfig().voice) == ("fake", "none")
