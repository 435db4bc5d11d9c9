"""Which modules one move passes on its way: `python -m tests.move_trace [GAME ...]`.

The picture of a shipped film by which a move was first accepted, from its file to log and lights;
without the camera's process, threads and pages.
"""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType

import companion
from companion.apps.evaluation.ground_truth import load_ground_truth
from companion.apps.evaluation.simulated_host import FilmTally, SimulatedHost
from companion.recording import load_recording, replay_header
from companion.referee.live_session import LiveSession
from companion.registry import recordings
from companion.scenes.light_patterns import light_zones
from companion.scoreboard import read_scoreboard
from companion.session.log import Log
from companion.table.reader_opening import open_reader
from hardware.zones import Zones
from vision.capture.frame import load_frame

ROOT = Path(companion.__file__).parent.parent
PRODUCT = ("companion", "hardware", "vision")
OURS = str(Path(__file__).parent), str(ROOT / "companion" / "apps" / "evaluation")


def trace(act: Callable[[], None]) -> set[tuple[str, str]]:
    """Return module and function of all of the product that *act* calls."""
    called = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        path = frame.f_code.co_filename
        if event == "call" and path.startswith(str(ROOT)) and not path.startswith(OURS):
            module = str(Path(path).relative_to(ROOT))
            if module.partition("/")[0] in PRODUCT:
                called.add((module, frame.f_code.co_qualname))

    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(None)
    return called


def trace_move(game: str) -> set[tuple[str, str]]:
    """Return what the first move passes that the film of *game* shows and the referee accepts."""
    recording = load_recording(recordings()[game])
    truth, reader = load_ground_truth(recording), open_reader(recording)
    header, secrets = replay_header(recording)
    with Log(":memory:") as log:
        live_session = LiveSession(log, header, secrets)
        live_session.on_accepted_frame.add(reader.set_reference)
        host = SimulatedHost(recording, truth, live_session, FilmTally(games=1), game)
        for number, scene in enumerate(truth.scenes):
            if scene.name in recording.frames:
                before = len(live_session.session.history.acts)

                def show(number: int = number, name: str = scene.name) -> None:
                    host.see(number, reader.read(load_frame(recording.path(name))))
                    light_zones(read_scoreboard(live_session), Zones())

                called = trace(show)
                if before and len(live_session.session.history.acts) > before:
                    return called
            host.enter_reported(number)
            if scene.name in recording.frames:
                host.attend(number)
    raise AssertionError(f"no move of {game} is accepted")


def print_counts(games: Sequence[str]) -> None:
    """Print modules, functions, and the lines of those modules."""
    for game in games:
        called = trace_move(game)
        modules = {module for module, _ in called}
        lines = sum(len((ROOT / module).read_text().splitlines()) for module in modules)
        print(f"{game}: {len(modules)} modules, {len(called)} functions, {lines} lines in them")


if __name__ == "__main__":
    print_counts(sys.argv[1:] or tuple(recordings()))
