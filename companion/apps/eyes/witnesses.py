"""The witnesses: every source that speaks of the table, with what it said last."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from companion.language.message import capitalised, listed, say, say_count, sequence, without_stop
from companion.referee.facts import FELL, ButtonFact, SpinFact, TowerFact
from companion.referee.observation_judge import WAITING_WORDS
from companion.web.pages.game_pages import pages_of
from companion.web.site import Site
from vision.observation import Observation, Pointing, Status, Tilted

TOWER: Final = {
    "still": say("The tower stands still"),
    "wobble": say("The tower wobbles"),
    "lean": say("The tower leans"),
    FELL: say("The tower has fallen"),
}
SIDES: Final = {
    "near": say("near side"),
    "right": say("right side"),
    "far": say("far side"),
    "left": say("left side"),
}
SILENT: Final = say("Nothing yet")


@dataclass(frozen=True, slots=True)
class Witness:
    """One source.

    kind: "camera", "arm", "tilt", "idol", "button" or "told".  name: for people.
    said: what it said last, in one line.  has_spoken: whether it has said anything.
    """

    kind: str
    name: str
    said: str
    has_spoken: bool = True


def witnesses_of(site: Site) -> tuple[Witness, ...]:
    """Return all that may speak of the game that is on, whether they have or not."""
    return (*_by_camera(site), *_by_sensors(site), _told(site))


def _by_camera(site: Site) -> Iterator[Witness]:
    """Yield what the newest picture shows, and whose arms reached in before the last judged one."""
    referee = site.live_session.referee
    newest, look = referee.newest_picture, referee.look
    camera, arm = say("Camera"), say("Arms, as the camera sees them")
    if newest is None:
        yield Witness("camera", camera, SILENT, has_spoken=False)
        return
    words = say("Picture {name}: {seen}", name=newest.frame, seen=_seen_words(newest))
    yield Witness("camera", camera, words)
    arms = newest.arms or (look.observation.arms if look is not None else frozenset())
    if arms:
        yield Witness("arm", arm, listed(_arm_words(site, side) for side in SIDES if side in arms))
    else:
        yield Witness("arm", arm, say("None was seen before this picture"), has_spoken=False)


def _seen_words(observation: Observation) -> str:
    """Return in short what a picture shows: whether it could be read, what is new, what points."""
    if observation.reason is not None:
        said: list[str] = [WAITING_WORDS[observation.reason]]
    elif observation.status is Status.OK:
        number = len(observation.places)
        said = [say_count("{number} place is clear", "{number} places are clear", number)]
    else:
        said = [say("The board has tipped over")]
    if observation.unchanged:
        same = sum(share >= 0.5 for share in observation.unchanged)
        places = len(observation.unchanged)
        said.append(say("{same} of {places} look as before", same=same, places=places))
    for fact in observation.facts:
        match fact:
            case Pointing(deg):
                said.append(say("the idol’s arm points to {deg}°", deg=round(deg)))
            case Tilted(deg):
                said.append(say("the board is tilted by {deg}°", deg=round(deg)))
    return sequence(said, "; ")


def _arm_words(site: Site, side: str) -> str:
    """Return a side of the table, and who sits there."""
    header = site.live_session.header
    names = [
        name for name, where in zip(header.players, header.sides, strict=False) if where == side
    ]
    if not names:
        return SIDES[side]
    return say("{side} ({player})", side=SIDES[side], player=listed(names))


def _by_sensors(site: Site) -> Iterator[Witness]:
    """Yield what the sensors of this game have reported last."""
    heard, players = site.live_session.referee.heard, site.live_session.header.players
    tower, spin, button = heard.get(TowerFact), heard.get(SpinFact), heard.get(ButtonFact)
    if isinstance(tower, TowerFact):
        words = say("The table was knocked") if tower.knocked else TOWER[tower.word]
        yield Witness("tilt", say("Tilt switch"), words)
    elif site.live_session.has_tower:
        yield Witness("tilt", say("Tilt switch"), SILENT, has_spoken=False)
    if isinstance(spin, SpinFact):
        yield Witness("idol", say("Idol’s sensor"), _spin_words(spin))
    elif pages_of(site).idol:
        yield Witness("idol", say("Idol’s sensor"), SILENT, has_spoken=False)
    if isinstance(button, ButtonFact) and button.seat < len(players):
        words = say("{player} pressed a button", player=players[button.seat])
        yield Witness("button", say("Buttons"), words)


def _spin_words(spin: SpinFact) -> str:
    seen = spin.spin
    words = say(
        "Stopped at {deg}° after {turns} turns", deg=round(seen.angle_deg), turns=seen.turns
    )
    return sequence([words, without_stop(spin.reason)], "; ") if spin.reason else words


def _told(site: Site) -> Witness:
    """Return what people have entered last, of what still counts, as all may read it."""
    name, session = say("People, by phone or desk"), site.live_session.session

    def all_told() -> frozenset[int]:
        return frozenset(
            each.seq for each in session.entries if getattr(each.event, "by", "") == "hand"
        )

    told = site.once_an_entry("told", all_told)
    line = next((each for each in site.board().history if each.seq in told), None)
    if line is None:
        return Witness("told", name, SILENT, has_spoken=False)
    return Witness("told", name, capitalised(line.words))
