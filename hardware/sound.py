"""Sound: an earcon and a spoken call for what happens at the table.  Off by default."""

import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from hardware.device import BadValue, OutputDevice
from hardware.earcons import EARCONS, Earcon, soften, synthesise
from hardware.output_worker import Connection, OnTrouble, OutputWorker, ignore_trouble

NAME: Final = "sound"
PLAYERS: Final = ("aplay", "pw-play")  # a service has no PipeWire of its own
MEMORY: Final = Path("/dev/shm")  # noqa: S108 - the folder in it is this user's alone
MAX_SPOKEN_CHARS: Final = 120
COMMAND_TIMEOUT_S: Final = 15.0
"""No call takes longer; a program that does is stuck."""


class NoSound(BadValue):
    """The settings of the sound are impossible."""


@dataclass(frozen=True, slots=True)
class Cue:
    """What is to be heard.

    earcon: None for no melody.  words: one line to be spoken after it, or "".
    mark: tells apart two things that sound alike, so that both are heard.
    language: of the words, as in "en", "es" or "de".
    """

    earcon: Earcon | None = None
    words: str = ""
    mark: str = ""
    language: str = "en"


SILENCE: Final = Cue()
_LANGUAGE: Final = re.compile(r"[a-z]{2,3}")
"""A voice's program must not take it for anything else."""


class SoundConfig(msgspec.Struct, frozen=True):
    """The sound, as the owner's settings have it.

    kind: "speaker" plays on the machine's own output; "fake" is silent.
    volume: from 0 to 1.  voice: the program that speaks, "none" for melodies alone.
    model: the voice's file for piper (.onnx); "{language}" in it stands for "en", "es" or "de",
        where there is a voice for each language of the table.
    Raises NoSound if that cannot be.
    """

    kind: Literal["fake", "speaker"] = "fake"
    volume: Annotated[float, Meta(ge=0, le=1)] = 0.5
    voice: Literal["none", "espeak-ng", "piper"] = "none"
    model: str = ""

    def __post_init__(self) -> None:
        if self.voice == "piper" and not self.model:
            raise NoSound("sound.voice is 'piper', which needs sound.model, a voice's .onnx file")


class Sound(OutputDevice[Cue]):
    """What is heard at the table.

    value: the newest cue; setting it lets it be heard once.
    """

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(rest=SILENCE)

    def _check(self, value: Cue) -> Cue:
        if value.earcon not in (None, *EARCONS):
            raise BadValue(f"there is no earcon '{value.earcon}'; known: {', '.join(EARCONS)}")
        if not _LANGUAGE.fullmatch(value.language):
            raise BadValue(
                f"'{value.language}' is not a known language; it must be 'en', 'es' or 'de'"
            )
        if len(value.words) > MAX_SPOKEN_CHARS or not (value.words.isprintable()):
            raise BadValue(f"a call is one line of at most {MAX_SPOKEN_CHARS} characters")
        return value


class MissingProgram(Exception):
    """A program that makes or plays sound is not on this machine."""


class _Speakers:
    """The machine's sound output, driven by other programs; see `Connection`."""

    def __init__(self, config: SoundConfig) -> None:
        self._config = config
        self._player = _program(*PLAYERS)
        # In memory where that is to be had: every cue is written there, and cards wear out.
        memory = str(MEMORY) if os.access(MEMORY, os.W_OK) else None
        self._folder = tempfile.TemporaryDirectory(prefix="tiki-sound-", dir=memory)

    def show(self, cue: Cue) -> None:
        if cue.earcon:
            self._play(synthesise(cue.earcon, self._config.volume))
        if self._config.voice != "none":
            voice = _program(self._config.voice)  # asked for each time: it stays missing till then
            if cue.words:
                self._play(soften(self._speak(voice, cue.words, cue.language), self._config.volume))

    def close(self) -> None:
        self._folder.cleanup()

    def _speak(self, voice: str, words: str, language: str) -> bytes:
        spoken = Path(self._folder.name) / "words.wav"
        if self._config.voice == "piper":
            model = self._config.model.replace("{language}", language)
            command = [voice, "--model", model, "--output_file", str(spoken)]
        else:
            command = [voice, "-v", language, "--stdin", "-w", str(spoken)]
        _run(command, words)  # on its input: a name that begins with "-" is no option
        return spoken.read_bytes()

    def _play(self, wav: bytes) -> None:
        file = Path(self._folder.name) / "cue.wav"
        file.write_bytes(wav)
        _run([self._player, str(file)])


def _program(*names: str) -> str:
    for name in names:
        if path := shutil.which(name):
            return path
    raise MissingProgram(names[0])


def _run(command: list[str], words: str | None = None) -> None:
    subprocess.run(  # noqa: S603 - a program found on PATH; words go to its input only
        command, input=words, text=True, capture_output=True, check=True, timeout=COMMAND_TIMEOUT_S
    )


# What brings a program that is missing.
_REMEDIES: Final = {
    "aplay": "sudo apt install alsa-utils",
    "espeak-ng": "sudo apt install espeak-ng",
    "piper": "pip install piper-tts, or set sound.voice to 'espeak-ng'",
}


def explain(error: Exception) -> str:
    """Return one line with the remedy for anything that goes wrong with the sound."""
    match error:
        case MissingProgram():
            what = f"the program {error} is missing; {_REMEDIES[str(error)]}"
        case subprocess.CalledProcessError(cmd=[program, *_], stderr=said):
            last = (str(said).strip().splitlines() or ["nothing"])[-1]
            what = f"{Path(program).name} says: {last}; try it by hand"
        case subprocess.TimeoutExpired(cmd=[program, *_]):
            what = (
                f"{Path(program).name} does not finish; is the speaker connected? aplay -l"
                f" lists them"
            )
        case _:
            said = " ".join(str(error).split())
            what = f"{type(error).__name__}: {said}; set sound.kind to 'fake' to go without"
    return f"{NAME}: {what}"


class Speaker(Sound):
    """The sound of the machine's own speakers.

    A cue is on its way when it has been set; a thread of its own plays it, and skips what came too
    fast.  What keeps it silent is told once as a `Troubled` fact; the next cue tries again.
    """

    __slots__ = ("_worker",)

    def __init__(self, config: SoundConfig, on_trouble: OnTrouble = ignore_trouble) -> None:
        def connect() -> Connection[Cue]:
            return _Speakers(config)

        self._worker: OutputWorker[Cue] = OutputWorker(
            NAME, connect, explain, on_trouble, resend_s=None
        )
        super().__init__()
        self._worker.submit(SILENCE)  # nothing is heard, but what is missing is reported at once

    @property
    def trouble(self) -> str:
        """What keeps it silent, in one line with the remedy; "" while all is well."""
        return self._worker.trouble or super().trouble

    def _write(self, value: Cue) -> None:
        if value != SILENCE:  # which proves nothing: no trouble is over because of it
            self._worker.submit(value)

    def _release(self) -> None:
        self._worker.close()
