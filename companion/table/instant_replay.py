"""Instant replay: the last seconds before a tower fell, for a few minutes and in memory alone.

Pictures may show hands and people: nothing is kept unless the host has asked for it, and nothing is
written to the disk.  They are taken while something moves, in time that the watcher would spend
waiting for the next picture.
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2

from companion.referee.facts import FELL
from companion.referee.live_session import LiveSession
from companion.referee.transient_notices import TransientNotice
from vision.capture.frame import Picture, encode
from vision.capture.preview_frame import PreviewFrame
from vision.observation import Observation, Tilted

BUFFER_S: Final = 5.0
"""The film goes so far back before the newest picture."""
MAX_BYTES: Final = 12_000_000
"""Of pictures, at most: of 5 s at 15 a second and 150 kB each; a film that is shown takes as many
once more."""
MAX_WIDTH_PX: Final = 960
"""Half of a television's width; a third of the bytes of a whole picture."""
JPEG_QUALITY: Final = 75
FILM_RATE_HZ: Final = 12.0
"""While something moves and may fall the camera is asked for so many pictures: a fall takes half a
second."""
MAX_SHARE: Final = 0.5
"""Of the watcher's time that pictures may take, at most; if each takes longer, there are fewer."""
STALE_S: Final = 60.0
"""What had moved so long before a fall is reported was not the fall."""
KEPT_S: Final = 180.0
"""How long a film can be looked at before it is gone."""
NEWS_S: Final = 15.0
"""A fall that is reported so soon again, by another sense, is the same one."""


@dataclass(frozen=True, slots=True)
class Film:
    """A fall: JPEGs in order, and when each was taken, in seconds from the first.

    number: differs between the films of one run.  kept_s: when it was kept, as the clock has it.
    """

    number: int
    pictures: tuple[bytes, ...]
    times_s: tuple[float, ...]
    kept_s: float


class InstantReplay:
    """Films while it is on; from any thread.

    is_on: whether pictures are taken now.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._pictures: deque[tuple[float, bytes]] = deque()
        self._size = 0
        self._film: Film | None = None
        self._number = 0
        self._added_s = self._rests_until_s = float("-inf")
        self._has_toppled: bool | None = None
        self._on_end: Callable[[], None] = lambda: None
        self.is_on = False

    def take(self, glance: PreviewFrame) -> None:
        """Keep a picture of a table where something moves; in the watcher's thread.

        The small grey one where the whole one would have to be waited for.  Raises CameraLost.
        """
        if self.is_on and self._clock() >= self._rests_until_s:
            began_s = self._clock()
            picture = glance.luma if glance.is_remote else glance.fetch().picture
            self._add(picture, glance.taken_s)
            self._rests_until_s = began_s + (self._clock() - began_s) / MAX_SHARE

    def note(self, observation: Observation) -> None:
        """Keep a film if *observation* shows that the tower has fallen since the one before."""
        for fact in observation.facts:
            if isinstance(fact, Tilted):
                if fact.has_toppled and self._has_toppled is False:
                    self.keep()
                self._has_toppled = fact.has_toppled

    def keep(self) -> None:
        """Keep what led to a fall, unless that was done a moment ago by another sense."""
        now_s = self._clock()
        with self._lock:
            is_known = self._film is not None and now_s - self._film.kept_s < NEWS_S
            if not self._pictures or is_known or now_s - self._added_s > STALE_S:
                return
            self._number += 1
            first_s = self._pictures[0][0]
            times_s = tuple(taken_s - first_s for taken_s, _ in self._pictures)
            jpegs = tuple(jpeg for _, jpeg in self._pictures)
            self._film = Film(self._number, jpegs, times_s, now_s)
            self._clear()

    @property
    def film(self) -> Film | None:
        """The newest fall, None if there is none, or its time is over."""
        film = self._film
        return film if film is not None and self._clock() - film.kept_s < KEPT_S else None

    @property
    def is_news(self) -> bool:
        """Whether the film is of what has fallen just now."""
        film = self.film
        return film is not None and self._clock() - film.kept_s < NEWS_S

    def expire(self) -> None:
        """Let go of a film whose time is over; on the event loop."""
        if self._film is not None and self.film is None:
            self._film = None
            self._on_end()

    def discard(self) -> None:
        """Let go of all pictures."""
        with self._lock:
            self._film = None
            self._clear()

    def follow(self, live_session: LiveSession, is_wanted: Callable[[], bool]) -> None:
        """Film wherever a tower may fall, as long as *is_wanted*; on the event loop.

        A film is kept of every fall that the game is told of.
        """

        def attend() -> None:
            may_film = is_wanted() and live_session.has_tower
            self.is_on = may_film and not live_session.paused
            if not may_film:
                self.discard()

        def keep(notice: TransientNotice) -> None:
            if notice.kind == FELL:
                self.keep()

        self._on_end = live_session.changed
        live_session.on_change.add(attend)
        live_session.on_transient_notice.add(keep)
        live_session.on_game.add(lambda _game: self.discard())
        attend()

    def _add(self, picture: Picture, taken_s: float) -> None:
        try:
            jpeg = encode(picture, JPEG_QUALITY, MAX_WIDTH_PX)
        except cv2.error:  # a film lacks a picture; the game goes on
            return
        with self._lock:
            if self._pictures and taken_s < self._pictures[-1][0]:  # another camera, another clock
                self._clear()
            self._pictures.append((taken_s, jpeg))
            self._size += len(jpeg)
            self._added_s = self._clock()
            while self._size > MAX_BYTES or taken_s - self._pictures[0][0] > BUFFER_S:
                self._size -= len(self._pictures.popleft()[1])

    def _clear(self) -> None:
        self._pictures.clear()
        self._size = 0
