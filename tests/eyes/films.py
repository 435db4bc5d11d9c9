"""The shipped recordings through the real readers and the real referee, up to a picture."""

from companion.film.prompting import Prompter
from companion.recording import load_recording, load_script, replay_header
from companion.referee.live_session import LiveSession
from companion.registry import recordings
from companion.table.reader_opening import open_reader
from companion.table.readers import read_picture
from tests.tables import open_log


def play_film(game: str, pictures: int | None = None) -> LiveSession:
    """Return the session after so many *pictures* of the shipped recording of *game*, or all."""
    recording = load_recording(recordings()[game])
    live_session = LiveSession(open_log(), *replay_header(recording))
    reader = open_reader(recording)
    live_session.on_accepted_frame.add(reader.set_reference)
    prompter = Prompter(live_session, load_script(recording))
    if recording.calibration:
        prompter.pass_frame(recording.calibration[0])
    for name in recording.frames[:pictures]:
        observation, trouble = read_picture(reader, recording.path(name))
        assert not trouble, trouble
        live_session.observe(observation)
        prompter.pass_frame(name)
    return live_session
