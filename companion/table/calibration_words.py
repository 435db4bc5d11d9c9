"""What is said of a lesson: whether it is learned, what to mend, and which pieces look alike."""

from collections.abc import Callable, Mapping
from typing import Final

from companion.language.message import Message, listed, say, without_stop
from companion.table.calibration_check import CalibrationCheck, Misreading, name_class
from companion.table.reader_calibration import CalibrationResult
from vision.capture.exposure_lock import plain_name
from vision.geometry.lens import UNSURE_ERROR, Lens
from vision.photometry.conditions import Condition

UNHELD: Final = {
    "exposure": say("exposure"),
    "gain": say("gain"),
    "white balance": say("white balance"),
    "focus": say("focus"),
}
"""What people call that which a camera does not hold."""
MORE_LIGHT: Final = say("More light on the table would help.")
TRIED: Final[Mapping[Condition, tuple[Message, Message]]] = {
    Condition.AS_IT_IS: (
        say("with the picture as it is"),
        say("Whiter or brighter light would help, or moving the camera closer."),
    ),
    Condition.LESS_LIGHT: (say("with less light"), MORE_LIGHT),
    Condition.MORE_LIGHT: (
        say("with more light"),
        say("Keep direct sun and lamplight off the table."),
    ),
    Condition.WARMER_LIGHT: (say("with warmer light"), say("Whiter light would help.")),
    Condition.NOISE: (say("with a grainier picture"), MORE_LIGHT),
    Condition.BLUR: (
        say("with a slightly blurred picture"),
        say("Focus the camera, or move it closer."),
    ),
}
"""How people say under which condition a table was tried out, and what would help if it failed."""


def describe_result(
    lesson: CalibrationResult,
    class_words: Callable[[str], str],
    place_words: Callable[[int, str | None], str],
) -> list[str]:
    """Return in sentences what came of learning: whether it is learned, and what is weakest.

    class_words, place_words: what people call a class of pieces, and what lies in a place.
    """
    if lesson.trouble:
        refused = say("Not calibrated: {reason}.", reason=without_stop(lesson.trouble))
        return [refused, lesson.problem] if lesson.problem else [refused]
    said: list[str] = [say("The camera is calibrated for this table.")]
    if lesson.unsaved:
        said.append(
            say(
                "The calibration could not be saved ({reason}). Free some space and calibrate"
                " again, or it will be lost at the next restart.",
                reason=lesson.unsaved,
            )
        )
    if lesson.problem:
        said.append(
            say(
                "But one thing should be better: {problem} Then calibrate again.",
                problem=lesson.problem,
            )
        )
    if lesson.unheld:
        said.append(
            say(
                "This camera keeps adjusting {names}. Turn its automatic settings off, or "
                "leave the light as it is.",
                names=listed(UNHELD.get(plain_name(each), each) for each in lesson.unheld),
            )
        )
    if lesson.lens is not None:
        said.extend(describe_lens(lesson.lens))
    if lesson.lens is not None and lesson.contradicting is not None:
        said.append(
            say(
                "According to the settings the camera’s view is {told} degrees wide"
                " (camera.hfov_deg), but the tiles show about {seen}. Remove that line, and"
                " calibrate again.",
                told=round(lesson.lens.hfov_deg),
                seen=round(lesson.contradicting.hfov_deg),
            )
        )
    return [*said, *_describe_trial(lesson.trial, class_words, place_words)]


def describe_lens(lens: Lens) -> list[Message]:
    """Return what people are told of a lens whose angle is not known well, nothing of another."""
    if lens.error <= UNSURE_ERROR:
        return []
    return [
        say(
            "The width of the camera’s view is only roughly known: about {degrees} degrees. It is"
            " hard to measure from nearly straight above, and high stacks may be misread. Measure"
            " the camera with a tile in your hand, as offered here; or tilt it by 10 degrees or"
            " more and calibrate again; or put its angle into the settings: camera.hfov_deg.",
            degrees=round(lens.hfov_deg),
        )
    ]


def _describe_trial(
    trial: CalibrationCheck,
    class_words: Callable[[str], str],
    place_words: Callable[[int, str | None], str],
) -> list[str]:
    """Return in sentences what came of trying out what was learned."""
    said: list[str] = []
    if trial.unseen:
        said.append(
            say(
                "Not shown yet: {pieces}. It is not certain that the camera can tell them"
                " apart. Put out one of each, as this page suggests, and calibrate again.",
                pieces=listed(map(class_words, trial.unseen)),
            )
        )
    if trial.worst is not None:
        said.append(describe_misreading(trial, trial.worst, place_words))
    closest = trial.closest
    if closest is None:
        return said
    names = {"one": class_words(closest.one), "other": name_class(closest.other, class_words)}
    if closest.is_weak:
        said.append(
            say(
                "{one} and {other} look nearly alike under this lamp. Use whiter or brighter"
                " light, and calibrate again.",
                **names,
            )
        )
    elif trial.is_good:
        said.append(
            say(
                "{one} and {other} look most alike under this lamp, but the camera can tell"
                " them apart.",
                **names,
            )
        )
    return said


def describe_misreading(
    trial: CalibrationCheck, doubt: Misreading, place_words: Callable[[int, str | None], str]
) -> Message:
    """Return in a sentence or two what *trial* found, by its worst *doubt*, and what would help."""
    when, remedy = TRIED[doubt.condition]
    shown = place_words(doubt.place, doubt.shown)
    if doubt.seen is not None:
        return say(
            "In a test {when}, {shown} was taken for {seen}. {remedy} Then calibrate again.",
            when=when,
            shown=shown,
            seen=place_words(doubt.place, doubt.seen),
            remedy=remedy,
        )
    count = sum(each.condition is doubt.condition for each in trial.doubts)
    return say(
        "In a test {when}, {count} of {places} places could not be recognised with certainty,"
        " such as this: {shown}. {remedy} Then calibrate again.",
        when=when,
        count=count,
        places=trial.places,
        shown=shown,
        remedy=remedy,
    )
