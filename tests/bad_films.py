"""Bad films: the recordings that ship, disturbed in the middle as an evening at home disturbs them.

A trouble comes three times in a film and passes again: the other pictures are as recorded.
`python -m tests.bad_films [GAME...]` prints how each film of each game is followed.
"""

import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from companion.apps.evaluation.games import evaluate_film
from companion.recording import Recording, load_recording
from companion.registry import recordings
from vision.capture.frame import Picture, load_frame

TIMES: Final = (0.25, 0.5, 0.75)
"""When it happens, as shares of the film."""
DIFFERS: Final = 24
"""Levels by which a hand differs from what it covers."""
NOT_LYING: Final = {"cells": "disturbed"}
"""What is true of a picture that shows no table of the game."""
EMPTY_FROM: Final[Mapping[str, str]] = {
    "tiki_topple": "051.jpg",
    "tactiki": "001.jpg",
    "topple": "001.jpg",
}
"""The pictures in which places are empty that are not in others."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture with its line of truth.jsonl."""

    picture: Picture
    row: Mapping[str, Any]

    @property
    def is_settled(self) -> bool:
        """Whether the table is at rest and in view."""
        return bool(self.row["kind"] == "settled")


@dataclass(frozen=True, slots=True)
class Film:
    """A recorded film."""

    game: str
    shots: Sequence[Shot]

    def neighbour(self, at: int, step: int) -> Shot:
        """Return the next settled shot from number *at* on, in the direction of *step*."""
        at += step
        while not self.shots[at].is_settled:
            at += step
        return self.shots[at]

    def hands(self) -> list[tuple[Picture, np.ndarray]]:
        """Return the pictures with a hand in them, each with where it differs from the last."""
        found, last = [], self.shots[0].picture
        for shot in self.shots:
            if shot.is_settled:
                last = shot.picture
            elif shot.row["kind"] in ("moving", "occluded"):
                off = cv2.absdiff(shot.picture, last).max(axis=2)
                mask = cv2.morphologyEx(
                    (off > 24).astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5))
                )
                found.append((shot.picture, cv2.dilate(mask, np.ones((9, 9))) > 0))
        return found


Trouble = Callable[[Film, int], list[Shot]]
"""What is filmed after the settled shot of that number, before the next one."""


def _disturbed(*pictures: Picture) -> list[Shot]:
    return [Shot(picture, {"kind": "occluded", "truth": NOT_LYING}) for picture in pictures]


def doubled(film: Film, at: int) -> list[Shot]:
    """Return the same picture once more."""
    row = {key: film.shots[at].row[key] for key in ("kind", "truth")}
    return [Shot(film.shots[at].picture, row)]


def late(film: Film, at: int) -> list[Shot]:
    """Return the picture before this one, which comes too late."""
    return _disturbed(film.neighbour(at, -1).picture)


def another_game(film: Film, at: int) -> list[Shot]:
    """Return two pictures of another game's table."""
    height, width = film.shots[at].picture.shape[:2]
    other = next(game for game in recordings() if game != film.game)
    there = load_frame(recordings()[other] / "001.jpg").picture
    picture = np.asarray(cv2.resize(there, (width, height)), np.uint8)
    return _disturbed(picture, picture)


def dark(film: Film, at: int) -> list[Shot]:
    """Return two pictures without the lamp, and one as it comes on again."""
    noise = np.random.default_rng(at).normal(0.0, 2.0, film.shots[at].picture.shape)
    levels = film.shots[at].picture.astype(np.float32)
    gains = (0.02, 0.02, 0.35)
    return _disturbed(*[np.clip(gain * levels + noise, 0, 255).astype(np.uint8) for gain in gains])


def two_hands(film: Film, at: int) -> list[Shot]:
    """Return two pictures with two hands each, taken from the pictures with the largest."""
    hands = sorted(film.hands(), key=lambda hand: -int(hand[1].sum()))
    pictures = []
    for first in range(2):
        picture = film.shots[at].picture.copy()
        for hand, mask in (hands[first], hands[first + 1]):
            picture[mask] = hand[mask]
        pictures.append(picture)
    return _disturbed(*pictures)


def _sheet(picture: Picture, corners: Sequence[tuple[float, float]], seed: int) -> Picture:
    """Return *picture* under a printed sheet whose *corners* are at these shares of it."""
    random = np.random.default_rng(seed)
    height, width = picture.shape[:2]
    print_ = cv2.resize(random.integers(40, 220, (9, 12, 3)).astype(np.uint8), (400, 300))
    source = np.array([(0, 0), (400, 0), (400, 300), (0, 300)], np.float32)
    target = np.array([(x * width, y * height) for x, y in corners], np.float32)
    warp = cv2.getPerspectiveTransform(source, target)
    sheet = cv2.warpPerspective(print_, warp, (width, height))
    mask = cv2.warpPerspective(np.full((300, 400), 255, np.uint8), warp, (width, height)) > 127
    return np.where(mask[..., None], sheet, picture)


def lid(film: Film, at: int) -> list[Shot]:
    """Return two pictures with the box's lid on the board."""
    corners = ((0.32, 0.18), (0.72, 0.24), (0.68, 0.82), (0.28, 0.74))
    return _disturbed(*[_sheet(film.shots[at].picture, corners, 3)] * 2)


def swept(film: Film, at: int) -> list[Shot]:
    """Return a sleeve across the board, and twice the board without what it took along."""
    before = film.shots[at].picture
    height, width = before.shape[:2]
    sleeve = _sheet(before, ((0.42, 1.0), (0.62, 1.0), (0.56, 0.3), (0.44, 0.3)), 5)
    after = before.copy()
    if film.game in EMPTY_FROM:
        empty = load_frame(recordings()[film.game] / EMPTY_FROM[film.game]).picture
        half = slice(height // 2, None) if film.game == "tiki_topple" else slice(0, height)
        columns = slice(0, width) if film.game == "tiki_topple" else slice(0, width // 2)
        after[half, columns] = empty[half, columns]
    else:  # a card is pushed aside
        other = film.neighbour(at, -1).picture
        off = cv2.absdiff(before, other).max(axis=2) > 40
        rows, columns_ = np.nonzero(cv2.erode(off.astype(np.uint8), np.ones((5, 5))))
        top, bottom = np.percentile(rows, (2, 98)).astype(int)
        left, right = np.percentile(columns_, (2, 98)).astype(int)
        shift = round(0.6 * (right - left))
        card = before[top:bottom, left:right].copy()
        after[top:bottom, left:right] = before[max(top - 12, 0), left:right]
        after[top:bottom, left + shift : right + shift] = card
    if film.game not in EMPTY_FROM:
        return _disturbed(sleeve, after, after)
    illegal = {"kind": "settled", "truth": NOT_LYING, "illegal": True}
    return [*_disturbed(sleeve), Shot(after, illegal)]


TROUBLES: Final[Mapping[str, Trouble]] = {
    each.__name__: each for each in (doubled, late, another_game, dark, two_hands, lid, swept)
}
MISSING: Final = "missing"
"""The trouble that a picture does not come."""


class Lost:
    """The conditions of a film of which the pictures *lost* are missing; see `Conditions`."""

    def __init__(self, lost: frozenset[str] = frozenset()) -> None:
        self.lost = lost

    def film(self, name: str, picture: Picture) -> Picture:
        """Return *picture* itself."""
        del name
        return picture


def _rows(recording: Recording) -> dict[str, dict[str, Any]]:
    """Return the lines of truth.jsonl by the picture's name."""
    lines = (recording.folder / "truth.jsonl").read_text().splitlines()
    return {row["frame"]: row for row in map(json.loads, lines)}


def load_film(game: str, length: int | None = None) -> tuple[Recording, Film]:
    """Return the recording of *game* that ships, and its first *length* pictures."""
    recording = load_recording(recordings()[game])
    rows = _rows(recording)
    shots = [
        Shot(load_frame(recording.path(name)).picture, rows[name])
        for name in recording.frames[:length]
    ]
    return recording, Film(game, shots)


def spoil(
    folder: Path, game: str, trouble: str, length: int | None = None
) -> tuple[Recording, Lost]:
    """Make *folder* the recording of *game* with *trouble* in it; return it, and what is lost.

    length: only so many pictures of it, with the trouble once; None for all.
    """
    recording, film = load_film(game, length)
    at_shots = _times(film, TIMES if length is None else (0.5,))
    shots: list[Shot] = []
    for at, shot in enumerate(film.shots):
        shots.append(shot)
        if at in at_shots and trouble != MISSING:
            shots += TROUBLES[trouble](film, at)
    _write(folder, recording, shots)
    lost = [str(film.shots[at].row["frame"]) for at in at_shots if trouble == MISSING]
    return load_recording(folder), Lost(frozenset(lost))


def _times(film: Film, shares: Sequence[float]) -> set[int]:
    """Return the numbers of the settled pictures, at *shares* of the film, before a trouble."""
    settled = [
        at for at, shot in enumerate(film.shots) if shot.is_settled and not shot.row.get("illegal")
    ]
    wanted = [round(share * len(film.shots)) for share in shares]
    return {min(settled[2:-2], key=lambda at: abs(at - each)) for each in wanted}


def _write(folder: Path, recording: Recording, shots: Sequence[Shot]) -> None:
    """Make *folder* a recording of *shots* that is calibrated as *recording* is."""
    folder.mkdir(parents=True, exist_ok=True)
    description = json.loads((recording.folder / "session.json").read_text())
    first = description["calibration_frame"]
    lines = [json.dumps(_rows(recording)[first])]
    shutil.copy(recording.path(first), folder / first)
    names = [first]
    for number, shot in enumerate(shots):
        name = shot.row.get("frame") or f"extra{number:03}.png"
        if "frame" in shot.row:
            shutil.copy(recording.path(name), folder / name)
        else:
            cv2.imwrite(str(folder / name), shot.picture)
        lines.append(json.dumps({**shot.row, "frame": name}))
        names.append(name)
    for said in ("sensors", "told"):
        entries = description["replay"].get(said, ())
        description["replay"][said] = [each for each in entries if each["after_frame"] in names]
    description["frames"] = [{"frame": name, "kind": "unknown"} for name in names]
    (folder / "session.json").write_text(json.dumps(description))
    (folder / "truth.jsonl").write_text("\n".join(lines))


def main(games: Sequence[str]) -> None:
    """Play every film of *games*, and print what came of each."""
    for game in games or recordings():
        for trouble in (*TROUBLES, MISSING):
            with tempfile.TemporaryDirectory() as folder:
                recording, conditions = spoil(Path(folder), game, trouble)
                tally = evaluate_film(recording, conditions, f"{game}, {trouble}")
            print(
                f"{game}, {trouble}: {tally.right} of {tally.moves} right, {tally.asked} asked,"
                f" {tally.wrong} wrong, {tally.named} of {tally.illegal} named"
            )
            for fault in tally.faults:
                print(f"  {fault}")


if __name__ == "__main__":
    main(sys.argv[1:])
