"""The relay between the pages and the world: who may do what, and who is told what of it.

It knows no game, no log and no referee: what the referee learns of this table it learns from the
camera's pictures, and from what the sensors feel.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final, Protocol

import msgspec

from companion.apps.virtual import commands, refusals
from companion.apps.virtual.happening import Happening, Spin
from companion.apps.virtual.page import Page, Person
from companion.apps.virtual.piece import Refused
from companion.apps.virtual.room import Room, changed
from companion.apps.virtual.views import (
    changes,
    see_board,
    see_hands,
    see_idol,
    see_pieces,
    snapshot,
)
from companion.apps.virtual.world import World
from companion.language.message import Message, say
from companion.table.virtual_set import VirtualSet
from vision.capture.virtual_camera import VirtualFault

FALL_MS: Final = 900
SPIN_MS: Final = 600
"""How long a spin takes, and as much again for each turn."""
MOST_PAGES: Final = 24


class Eye(Protocol):
    """The camera, as far as the relay tells it whether pictures come."""

    def begin(self) -> None:
        """Expect pictures from now on."""

    def report(self, fault: VirtualFault) -> None:
        """Note why no picture comes for now."""


class TooMany(Exception):
    """As many pages are open as may be."""


class Relay:
    """The virtual table with all its pages.

    camera: see `Eye`.  sense: takes the words for a simulated sensor.  later: calls something after
    so many seconds.  find_set: returns what lies on a game's table, None if there is none.
    on_eye: called when a page begins to draw for the camera.  on_lay: called with what a host wants
    laid, and the game.
    pictures: how many have come.  on_picture: called with each.
    """

    def __init__(
        self,
        camera: Eye,
        sense: Callable[[str], None],
        later: Callable[[float, Callable[[], None]], object],
        find_set: Callable[[str], VirtualSet | None],
        random: Random,
    ) -> None:
        self._camera = camera
        self._sense = sense
        self._later = later
        self._find_set = find_set
        self._random = random
        self._is_turning = self._has_felt_fall = False
        self._eye: Page | None = None
        self._is_asked = False
        self._status: Message | str = ""
        self.room = Room()
        self.pages: list[Page] = []
        self.world: World | None = None
        self.pictures = 0
        self.on_picture: Callable[[], None] = lambda: None
        self.on_eye: Callable[[], None] = lambda: None
        self.on_lay: Callable[[str, str], None] = lambda _what, _game: None

    # the table

    @property
    def game(self) -> str:
        """The game whose table is laid, "" before the first."""
        return "" if self.world is None else self.world.set.game

    @property
    def has_eye(self) -> bool:
        """Whether a page draws for the camera."""
        return self._eye is not None

    def lay_start(self, game: str, seats: int) -> None:
        """Lay the table on which *game* begins."""
        found = self._set_of(game)
        self._lay(World(found, found.start(seats, self._random), self._random))

    def lay_reading(self, game: str, reading: Mapping[str, Any]) -> None:
        """Lay a table that shows *reading*."""
        found = self._set_of(game)
        laid = found.lay(reading, self._random)
        self._lay(World(found, laid, self._random, found.idol_deg(reading)))

    def _set_of(self, game: str) -> VirtualSet:
        found = self._find_set(game)
        if found is None:
            raise Refused(refusals.NO_GAME)
        return found

    def _lay(self, world: World) -> None:
        before, self.world = self.world, world
        if before is not None:
            world.is_cheat = before.is_cheat
            if self._has_felt_fall:
                self._sense("still")
        self._has_felt_fall = self._is_turning = False
        for page in self.pages:
            self._show_scene(page)

    def say_status(self, words: Message | str) -> None:
        """Tell all pages how far the table is."""
        if words != self._status:
            self._status = words
            self._tell_all({"tell": "status", "words": words})

    # pages

    def open(self, page: Page) -> None:
        """Let *page* follow the table; raises TooMany."""
        if len(self.pages) >= MOST_PAGES:
            raise TooMany
        self.pages.append(page)
        self._place(page)
        self._show_scene(page)
        if self._status:
            page.tell({"tell": "status", "words": self._status})

    def close(self, page: Page) -> None:
        """Let *page* go; what it held falls where it was."""
        if page not in self.pages:
            return
        self.pages.remove(page)
        if page.hand is not None and self.world is not None:
            self.world.leave(page.hand)
            self._spread()
            self._show_hands()
        self._choose_eye(VirtualFault.CLOSED)

    def meet(self, page: Page, person: Person) -> None:
        """Take *person* for whoever has *page* open now; a seat may have been taken meanwhile."""
        if person == page.person:
            return
        page.person = person
        if page.hand is not None and self.world is not None:
            self.world.leave(page.hand)
        self._place(page)
        self._spread()
        self._show_scene(page)
        self._choose_eye(VirtualFault.CLOSED)

    def _place(self, page: Page) -> None:
        """Give *page* an arm, and a host the hand of a free seat."""
        person = page.person
        if person.seat is not None or not person.is_host:
            page.sits_for = None
        elif page.sits_for not in person.free:
            page.sits_for = person.free[0] if person.free else None
        taken = {other.hand for other in self.pages if other is not page}
        if not person.may_move:
            page.hand = None
        elif page.private is not None and page.private not in taken:
            page.hand = page.private
        else:
            page.hand = next(at for at in range(-1, -MOST_PAGES - 2, -1) if at not in taken)

    def _show_scene(self, page: Page) -> None:
        world = self.world
        if world is None:
            return
        page.pieces = see_pieces(world, page.viewer)
        page.parts = {"board": see_board(world), "idol": see_idol(world)}
        person = page.person
        you = {
            "seat": page.private,
            "hand": page.hand,
            "host": person.is_host,
            "seats": list(person.free) if person.is_host and person.seat is None else [],
        }
        page.tell(
            {"tell": "scene", **snapshot(world, self.room, page.viewer), "you": you,
             "cheat": world.is_cheat}
        )  # fmt: skip

    # what pages say

    def take(self, page: Page, text: str) -> None:
        """Do what *page* says, or tell it in a sentence why not."""
        try:
            command, entries = commands.parse_command(text)
            self._obey(page, command, entries)
        except Refused as refused:
            page.tell({"tell": "refused", "words": refused.args[0]})

    def _obey(self, page: Page, command: commands.AnyCommand, entries: Mapping[str, Any]) -> None:
        match command:
            case commands.Hello(draws, is_visible):
                page.draws, page.is_visible = draws, is_visible
                self._choose_eye(VirtualFault.HIDDEN)
                return
            case commands.Visible(is_visible):
                page.is_visible = is_visible
                self._choose_eye(VirtualFault.HIDDEN)
                return
        if not page.person.may_move:
            raise Refused(refusals.WATCHES)
        if isinstance(command, commands.HOSTS_OWN):
            if not page.person.is_host:
                raise Refused(refusals.HOSTS_OWN)
            self._obey_host(page, command, entries)
        elif self.world is not None:
            self._move(self.world, page, command)

    def _obey_host(
        self, page: Page, command: commands.AnyCommand, entries: Mapping[str, Any]
    ) -> None:
        match command:
            case commands.ChangeRoom():
                wanted = {key: value for key, value in entries.items() if key != "do"}
                try:
                    self.room = changed(self.room, wanted)
                except msgspec.ValidationError as error:
                    raise Refused(
                        say("The room cannot be like that: {reason}.", reason=str(error)[:120])
                    ) from None
                self._tell_all({"tell": "room", "room": msgspec.to_builtins(self.room)})
            case commands.Cheat(is_cheat) if self.world is not None:
                self.world.is_cheat = is_cheat
                self._tell_all({"tell": "cheat", "is": is_cheat})
            case commands.Sit(seat):
                self._sit(page, seat)
            case commands.Lay(what, game):
                if game is not None and self._find_set(game) is None:
                    raise Refused(refusals.NO_GAME)
                self.on_lay(what, game or self.game)

    def _sit(self, page: Page, seat: int | None) -> None:
        person = page.person
        if person.seat is not None or (seat is not None and seat not in person.free):
            raise Refused(refusals.TAKEN)
        world = self.world
        hand = None if world is None or page.hand is None else world.hands.get(page.hand)
        if hand is not None and hand.piece is not None:
            raise Refused(refusals.FULL_HAND)
        if world is not None and page.hand is not None:
            world.leave(page.hand)
        page.sits_for = seat
        self._place(page)
        self._show_scene(page)
        self._show_hands()

    def _move(self, world: World, page: Page, command: commands.AnyCommand) -> None:
        viewer = page.viewer
        match command:
            case commands.Point(x, y, z):
                world.reach_out(viewer, x, y, z)
                self._show_hands()
                return
            case commands.Away():
                world.draw_back(viewer)
                self._show_hands()
                return
            case commands.Peek(piece):
                mark = world.peek(viewer, piece)
                page.tell({"tell": "peeked", "piece": piece, "mark": mark})
                return
            case commands.Take(piece):
                world.take(viewer, piece)
            case commands.Put(x, y, turn):
                world.put(viewer, x, y, turn)
            case commands.Flip(piece):
                world.flip(viewer, piece)
            case commands.Turn(piece, turn):
                world.turn(viewer, piece, turn or 0.0)
            case commands.Draw(x, y):
                world.draw(viewer, x, y)
            case commands.Stow():
                world.stow(viewer)
            case commands.Shuffle(x, y, to):
                world.shuffle(x, y, to)
            case commands.Roll(piece):
                world.roll(viewer, piece)
            case commands.SpinIdol():
                if self._is_turning:
                    raise Refused(refusals.TURNING)
                world.spin()
            case commands.LetFall():
                world.fall()
        self._spread()
        self._show_hands()

    # what pages are told

    def _spread(self) -> None:
        """Tell each page what looks different to it now, and the sensors what they feel."""
        world = self.world
        if world is None:
            return
        happened, world.happened = world.happened, []
        for each in happened:
            self._feel(each)
        parts = {"board": see_board(world), "idol": see_idol(world)}
        for page in self.pages:
            seen = see_pieces(world, page.viewer)
            changed_pieces, gone = changes(page.pieces, seen)
            new = {name: part for name, part in parts.items() if part != page.parts.get(name)}
            page.pieces, page.parts = seen, parts
            if changed_pieces or gone or new:
                page.tell({"tell": "pieces", "changed": changed_pieces, "gone": gone, **new})

    def _feel(self, happening: Happening) -> None:
        """Let pages show what has happened, and the sensor report it when that is over."""
        if isinstance(happening, Spin):
            ms = round(SPIN_MS * (1.0 + happening.turns))
            self._is_turning = True
            self._tell_all(
                {"tell": "spun", "angle": happening.angle, "turns": happening.turns, "ms": ms}
            )
            self._sense_later(ms, f"spin {happening.angle} {happening.turns}")
        else:
            self._tell_all({"tell": "fell", "ms": FALL_MS})
            self._sense_later(FALL_MS, "topple")

    def _sense_later(self, ms: int, words: str) -> None:
        """Let a sensor report *words* in so many ms, unless the table is laid anew meanwhile."""
        world = self.world

        def report() -> None:
            if self.world is world:
                self._is_turning = False
                self._has_felt_fall = world is not None and world.is_fallen
                self._sense(words)

        self._later(ms / 1000, report)

    def _show_hands(self) -> None:
        if self.world is not None:
            self._tell_all({"tell": "hands", "hands": see_hands(self.world)})

    def _tell_all(self, body: Mapping[str, Any]) -> None:
        for page in self.pages:
            page.tell(body)

    # the camera

    def expects(self, page: Page) -> bool:
        """Return whether a picture of *page* is wanted now, and want no other; it is told why."""
        if page is not self._eye or not self._is_asked:
            page.tell({"tell": "refused", "words": refusals.NOT_ASKED})
            return False
        self._is_asked = False
        return True

    def note_picture(self) -> None:
        """Count a picture that has come."""
        self.pictures += 1
        self.on_picture()

    def ask_picture(self) -> None:
        """Ask the page that draws for the next picture."""
        if self._eye is not None and not self._is_asked:
            self._is_asked = True
            self._eye.tell({"tell": "next"})

    def _choose_eye(self, fault: VirtualFault) -> None:
        """Let the first page that can draw the camera's pictures do so; *fault*: why none does."""
        before = self._eye
        if before is not None and before in self.pages and before.may_be_eye:
            return
        able = [page for page in self.pages if page.may_be_eye]
        self._eye, self._is_asked = (able[0] if able else None), False
        if before is not None:
            before.tell({"tell": "eye", "yours": False})
        if self._eye is not None:
            self._camera.begin()
            self._eye.tell({"tell": "eye", "yours": True})
            self.ask_picture()
            self.on_eye()
        elif before is not None:
            is_hidden = any(page.draws_for_host for page in self.pages)
            self._camera.report(VirtualFault.HIDDEN if is_hidden else fault_without(fault))


def fault_without(fault: VirtualFault) -> VirtualFault:
    """Return what is wrong where no page could draw even if it were in front."""
    return VirtualFault.CLOSED if fault is VirtualFault.HIDDEN else fault
