"""The daemon: the one module that names every part and connects them."""

import asyncio
import contextlib
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final

from companion import cameras
from companion.closing import close_parts, end_tasks
from companion.config import CameraConfig, Config, as_used, log_path, state_folder
from companion.devices.rig import IDOL, Rig
from companion.devices.sensor_adapter import SensorAdapter
from companion.event_queue import EventQueue
from companion.film.frame_keeper import open_keeper
from companion.film.playback import Playback, open_live_session, shown_folder
from companion.film.recorder import Recorder, require_camera
from companion.language.message import say
from companion.language.speech import speaking
from companion.recording import Recording, load_recording
from companion.referee.transient_notices import PERSISTENT_KINDS, TransientNotice, remarked
from companion.registry import GAMES, load_app
from companion.scenes import needs_beat, update_outputs
from companion.session.log import LogError
from companion.session.log_opening import open_log
from companion.supervision import Job, begin_jobs
from companion.table.colour_trial import COLOURS
from companion.table.idol_watch import IdolWatch
from companion.table.numeric_fault import check_networks, find_numeric_fault
from companion.table.reader_calibration import ReaderCalibration
from companion.table.reader_opening import straightening
from companion.table.readers import Description, Reader
from companion.table.table_setup import TableSetup
from companion.table.view_reader import VIEW_DEVICES, ViewReader
from companion.table.watcher import Watcher
from companion.web.address_notice import follow_reach
from companion.web.app import create_app
from companion.web.http.keys import Keys
from companion.web.http.server import HomeTls, Server, listen, reach_of
from companion.web.pages.again import follow_tiles
from companion.web.pages.desk import calibrations_of
from companion.web.pages.lobby import room_invitations
from companion.web.running_table import RunningTable
from companion.web.table_memory import TableMemory
from companion.wifi.start import open_own_wifi, watch_network
from hardware.facts import Fact, Pressed, Troubled
from vision.capture.camera import Camera, RecordedCamera
from vision.capture.live_camera import LiveCamera
from vision.capture.motion_gate import MotionGate
from vision.geometry.layout import parse_rig
from vision.observation import Observation

BEAT_S: Final = 0.5
LOG_RETRY_S: Final = 1.0
"""A log that failed is tried again so often."""
TRANSIENT_NOTICE_S: Final = 8.0
"""How long a notice that nobody has to answer is shown: long enough to look up and read."""


class Daemon:
    """All parts of one table, from camera to page.

    recording: shown instead of a camera if the config says so.  recorder: keeps what is seen
    and entered.
    Raises CannotStart, LogError, BadRecording or CannotRecord before anything has been started.
    """

    def __init__(
        self,
        config: Config,
        recording: Recording | None = None,
        recorder: Recorder | None = None,
    ) -> None:
        self.config = config = as_used(config)
        self._recorder = recorder
        self._loop: asyncio.AbstractEventLoop | None = None
        self._advice: dict[str, str] = {}
        self._virtual_camera = cameras.open_virtual(config.camera)
        self._listener = listen(config.web.host, config.web.port)
        self.reach = reach_of(self._listener, config.web.address)
        with contextlib.ExitStack() as opened:
            opened.enter_context(self._listener)
            self._set_up(config, recording, opened)
            opened.pop_all()

    def _set_up(
        self, config: Config, recording: Recording | None, opened: contextlib.ExitStack
    ) -> None:
        if self._recorder is not None:
            require_camera(config)
        if config.camera.source == "recording" and recording is None:
            recording = load_recording(shown_folder(config))
        self._playback = Playback(recording) if recording is not None else None
        self.log, note = open_log(log_path(config), state_folder())
        opened.enter_context(self.log)
        path = self._log_path = Path(self.log.path)
        self._queue = EventQueue(self.log)
        if self._playback is not None:
            self._playback.on_trouble = partial(self._report, "camera")
        self.live_session = open_live_session(self.log, config.table, self._playback)
        self.live_session.report(say("the saved games"), note)
        is_known = config.table.is_told or self._playback is not None or self.log.extent.sessions
        self.keys = Keys(config.web.key or None, self.log.beside("keys.json"))
        self.sensor_adapter = SensorAdapter(self.live_session)
        file, post = self.log.beside("camera.json"), self._queue.post_urgent
        news = self.live_session.changed
        self._cameras = cameras.open_chooser(config.camera, file, post, self._take_camera, news)
        self.watcher = self._watcher(config.camera)
        self._calibration = self._open_calibration(self.watcher)
        self._table_setup = self._open_setup()
        self.rig = Rig(config, path, lambda: self.live_session.header.players, self._post_fact)
        self.table = RunningTable(
            self.live_session,
            self.keys,
            self.rig.outputs,
            reach=self.reach,
            names=config.web.names,
            origins=config.web.origins,
            simulate=self.rig.simulated_sensors.simulate if self.rig.simulated_sensors else None,
            checkup=lambda: load_app("doctor", "checkup").Checkup(config, self.live_session, path),
            tls=HomeTls(config.web.host, config.web.tls_port, self.log.beside("tls.pem")),
            cameras=self._cameras if self.watcher is not None else None,
            own_wifi=open_own_wifi(config, self.log.beside("wifi.json"), self._listener),
            idol_sectors=self.rig.sectors,
            calibrations=self.rig.calibrations,
            usual=config.table.options_of,
            memory=TableMemory(self.log.beside("table.json"), is_set_up=bool(is_known)),
            has_own_screen=not (config.web.proxies or config.web.address),
        )
        self._open_pages(config)

    def _open_pages(self, config: Config) -> None:
        report = partial(self._report, "the kept pictures")
        self._frames = open_keeper(config, self._log_path, self.watcher, self.live_session, report)
        if self._recorder is not None:
            self._recorder.follow(self.live_session, partial(self._report, "recording"))
        self._watch(self.live_session.header.game)
        self._idol_watch = IdolWatch(self.live_session, self._calibration)
        if self._frames is not None:
            self.table.kept_frame = self._frames.picture
        if self.watcher is not None:
            self.table.virtual_camera = self._virtual_camera
            self.table.replay = replay = self.watcher.replay
            self.sensor_adapter.on_fall.add(replay.keep)
            replay.follow(self.live_session, lambda: self.table.memory.films_falls)
        if self._cameras is None:
            self._offer_setup()
        self.app = create_app(self.table)
        self._switch_to = partial(follow_tiles, self.app.state.site, config.table)
        proxies, tls, plays = config.web.proxies, self.table.tls, self._virtual_camera is not None
        self._server = Server(self.app, self._listener, proxies, tls, has_sockets=plays)

    async def run(self, on_ready: Callable[[], None] = lambda: None) -> list[str]:
        """Serve until told to stop, then put everything to rest; return which parts hang."""
        self._loop = asyncio.get_running_loop()
        if self._calibration is not None:
            self.live_session.on_entry.add(self._calibration.note)
        self.live_session.on_transient_notice.add(self._expire)
        self.live_session.on_change.add(self._attend)
        self.live_session.on_game.add(self._watch)
        if self.watcher is not None:
            self.live_session.on_accepted_frame.add(self.watcher.set_reference)
        self._queue.start(self._loop)
        tasks = begin_jobs(self._jobs(), self.live_session.report)
        try:
            cameras.start_watching(self.watcher, self._cameras)
            self.rig.start()
            self._attend()
            on_ready()
            await self._server.serve()
        finally:
            await end_tasks(tasks)
            hanging = await self._put_to_rest()
        return hanging

    def _jobs(self) -> dict[str, Job]:
        """Return what runs beside the game, by what people miss without it."""
        site, language = self.app.state.site, lambda: self.table.memory.language
        publish_table = load_app("mqtt", "start").publish_table
        reach, session = self.reach, self.live_session
        publish = partial(publish_table, self.config.mqtt, session, lambda: reach.address, language)
        jobs: dict[str, Job] = {
            say("lights, display and sound"): self._show,
            say("the game’s clock"): self._keep_time,
            say("watching the log and the camera"): self._retry_log,
            say("preparing the pages"): site.load_templates,
            say("the table’s own Wi-Fi"): partial(watch_network, self.table.own_wifi),
            say("publishing by MQTT"): publish,
            say("the addresses in the network"): partial(follow_reach, reach, session),
            say("the computer’s seat"): partial(load_app("computer", "seats").play_seats, session),
        }
        if self._playback is not None:
            frame_s = self.config.camera.frame_s
            jobs[say("the recording")] = partial(self._playback.enter_actions, frame_s)
        if self.watcher is not None:
            jobs[say("checking the networks")] = partial(check_networks, self.live_session.report)
        return jobs

    async def _put_to_rest(self) -> list[str]:
        """Close all parts and the log, and return which parts hang."""
        parts = {"The sensors, lights and display": self.rig.close}
        if self.watcher is not None:
            parts["The camera"] = self.watcher.close
        if self._frames is not None:
            parts["The kept pictures"] = self._frames.close
        hanging = await close_parts(parts)
        if self._recorder is not None:  # last, for the camera may have delivered one more picture
            hanging += await close_parts({"The recording": self._recorder.close}, 0.9)
        self.log.close()
        self._listener.close()
        return hanging

    def stop(self) -> None:
        """Let `run` come to its end, even before it has begun; called from any thread."""
        self._queue.post_urgent(self._server.stop)

    def _take_camera(self, rig: str) -> None:
        """Let the camera named *rig* watch from now on, as it was calibrated before."""
        if self._calibration is not None:
            self._calibration.change_camera(rig)
        self._offer_setup()
        self._watch(self.live_session.header.game)

    def _offer_setup(self) -> None:
        """Let the pages set the camera up, now that there is one."""
        self.table.table_setup = self._table_setup
        if self._calibration is not None and self._playback is None:
            self.table.calibrate = self._calibration.calibrate

    def _watcher(self, config: CameraConfig) -> Watcher | None:
        """Return who watches the table; nobody does without a camera, or with wrong numbers."""
        if config.source == "none":
            return None
        if self._playback is None and (fault := find_numeric_fault()) is not None:
            self.live_session.report("the camera", fault)
            return None
        camera, gate = self._camera(config), MotionGate(config.settle_s)
        report = partial(self._report, "the camera")
        return Watcher(camera, gate, self._post_observation, self.spot, report)

    def _open_calibration(self, watcher: Watcher | None) -> ReaderCalibration | None:
        if watcher is None:
            return None
        post, camera = self._queue.post_urgent, self.config.camera
        rig, lens = cameras.rig_of(camera), cameras.told_lens(camera)
        session, log = self.live_session, self._log_path
        return ReaderCalibration(watcher, session, log, post, rig, self._watch_view, lens)

    def _open_setup(self) -> TableSetup | None:
        """Return what sets the camera up, where there is one."""
        if self.watcher is None or self._calibration is None:
            return None
        recording = self._playback.recording if self._playback is not None else None
        is_device = recording is None and self._virtual_camera is None
        camera = cameras.device_of(self.config.camera) if is_device else None
        view, kept = self.watcher.live_view, self._recorder is not None
        return TableSetup(view, self._calibration, recording, is_recorded=kept, camera=camera)

    def _watch_view(self, reader: Reader, table: Description) -> Reader:
        """Return *reader*, which also says what changes of the view of a known *table*."""
        if not table:
            return reader
        watching = ViewReader(reader, parse_rig(table), self._post_remark, self._report)
        return straightening(watching, table)

    def _watch(self, game: str) -> None:
        """Let the watcher look for *game* with its reader, as far as it is calibrated."""
        if self.watcher is None or self._calibration is None:
            return
        if self._cameras is not None and self._cameras.current is None and not self._recorder:
            return  # there is no camera yet
        for device in (*VIEW_DEVICES, COLOURS):
            self.live_session.report(device, "")  # what was wrong with another game's table
        playback, recorder = self._playback, self._recorder
        table, reader = self._calibration.table_of(game), None
        if playback is not None and playback.header.game == game:
            table, reader = playback.recording.layout, playback.reader
            if reader is not None:
                reader = self._watch_view(reader, table)
        elif playback is None and GAMES[game].is_watched:
            reader = self._calibration.open_reader(game, table or None)
        if recorder is not None:
            recorder.begin(table)
            if reader is not None:
                for shown in playback.calibrations() if playback is not None else ():
                    recorder.add_calibration(*shown)
                reader = recorder.record_reader(reader)
        if playback is not None:
            self.watcher.watch(game, reader)
        else:
            self.watcher.watch(game, reader, self._calibration.prepare(game))

    def _camera(self, config: CameraConfig) -> Camera:
        if self._playback is not None:
            paths, end = self._playback.paths(), self._end_recording
            return RecordedCamera(paths, config.frame_s, config.rate_hz, end, self._pass_frame)
        if self._cameras is not None:
            return self._cameras.camera
        return self._virtual_camera or LiveCamera(cameras.device_of(config), config.rate_hz)

    def _post_observation(self, observation: Observation) -> None:
        """Take an observation from the watcher's thread to the event loop."""
        self._queue.post(partial(self._observe, observation))

    def _observe(self, observation: Observation) -> None:
        recorder = self._recorder
        with recorder.seeing(observation) if recorder is not None else contextlib.nullcontext():
            self.live_session.observe(observation)

    def _report(self, device: str, trouble: str) -> None:
        """Take what is wrong with *device* from its thread to the event loop."""
        self._queue.post_urgent(lambda: self.live_session.report(device, trouble))

    def _post_remark(self, words: str) -> None:
        """Take what is to be said once from a device's thread to the event loop."""
        self._queue.post_urgent(lambda: self.live_session.show(remarked(words)))

    def spot(self, game: str) -> None:
        """Let *game* begin, whose corner tiles lie on the table; called from any thread."""
        if self._playback is None:
            self._queue.post(partial(self._switch_to, game))

    def _pass_frame(self, frame: str) -> None:
        """Enter what was said after a recorded *frame*; called from the watcher's thread."""
        if self._playback is not None:
            self._queue.post(partial(self._playback.pass_frame, frame))

    def _post_fact(self, fact: Fact) -> None:
        """Take a fact from a sensor's thread to the event loop."""

        def handle() -> None:
            try:
                self.sensor_adapter.handle(fact)
            except LogError:
                if not isinstance(fact, Pressed):
                    raise
                # The page says why; whoever pressed can do so again.

        if isinstance(fact, Troubled):
            self._queue.post_urgent(handle)
        elif not (isinstance(fact, Pressed) and self.log.trouble):
            self._queue.post(handle)

    def _expire(self, transient: TransientNotice) -> None:
        """Let *transient* be over after a while, unless someone has to answer it."""
        if self._loop is not None and transient.kind not in PERSISTENT_KINDS:
            self._loop.call_later(TRANSIENT_NOTICE_S, self.live_session.forget, transient)

    def _end_recording(self) -> None:
        """Let the recording come to its end; called from the watcher's thread."""
        if self._playback is not None:
            self._queue.post(self._playback.end)

    def _attend(self) -> None:
        """Let the devices follow the table, and report what they need."""
        self.rig.attend()
        wanted = calibrations_of(self.app.state.site)
        for name, calibration in self.rig.calibrations.items():
            advice = calibration.step.urgent if name in wanted else ""
            if advice != self._advice.get(calibration.device, ""):
                self._advice[calibration.device] = advice
                self.live_session.report(calibration.device, advice)
        self._idol_watch.attend(is_wired=IDOL in self.rig.calibrations)

    async def _show(self) -> None:
        """Keep lights, display and sound in step with the game, and let them blink if need be."""
        changed, site, outputs = asyncio.Event(), self.app.state.site, self.rig.outputs
        with self.live_session.on_change.heard_by(changed.set):
            for beat in count():
                changed.clear()
                board, invitations = site.board(), room_invitations(site)
                with speaking(self.table.memory.language):
                    update_outputs(outputs, board, beat, invitations)
                limit_s = BEAT_S if needs_beat(outputs, board, invitations) else None
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), limit_s)

    async def _keep_time(self) -> None:
        """Let the clock of a timed game go."""
        while True:
            await asyncio.sleep(BEAT_S)
            with contextlib.suppress(LogError):  # which all pages show
                self.live_session.tick()

    async def _retry_log(self) -> None:
        """Let a log that failed try again, and hung eyes be named."""
        while True:
            await asyncio.sleep(LOG_RETRY_S)
            self._queue.retry()
            if self.watcher is None:
                continue
            self.watcher.replay.expire()
            if (trouble := self.watcher.new_trouble()) is not None:
                self.live_session.report("reading", trouble)
