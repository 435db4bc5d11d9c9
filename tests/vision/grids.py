"""Recorded TacTiki and Topple sessions for the tests, and how answers to them are judged."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Protocol

import cv2
import numpy as np

from tests.vision.sessions import FRAMES
from vision.capture.frame import Frame, Picture, load_frame
from vision.columns.grid import parse_stacks, parse_tower
from vision.columns.stack_reader import StackReader
from vision.columns.tower_reader import TowerReader
from vision.observation import Observation


class Reader(Protocol):
    """What both readers can do."""

    def calibrate(self, frame: Frame, truth: Mapping[str, Any]) -> None:
        """Learn from a known position."""

    def read(self, frame: Frame) -> Observation:
        """Return what a frame shows."""


@dataclass(frozen=True)
class Shot:
    """A frame and what it truly shows.

    reading: what a reader may say, without the tilt; None while a hand is in the way.
    """

    frame: Frame
    truth: Mapping[str, Any]
    reading: Mapping[str, Any] | None

    def is_truly(self, observation: Observation) -> bool:
        """Return whether what was read is so; the board's tilt is judged elsewhere."""
        said = {
            key: value for key, value in (observation.reading or {}).items() if key != "tilt_deg"
        }
        return said == self.reading

    def altered(self, picture: Picture) -> "Shot":
        """Return the same shot with another picture of it."""
        return replace(self, frame=replace(self.frame, picture=picture))


def reading_of(truth: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the reading that a truth line calls for."""
    if not truth["settled"]:
        return None
    if truth.get("toppled"):
        return {"toppled": True}
    rows = truth["cells"]
    return {
        "cells": [[{"height": len(c), "top": c[-1] if c else None} for c in row] for row in rows]
    }


@cache
def session_of(session: str) -> dict[str, Any]:
    """Return what session.json says."""
    loaded: dict[str, Any] = json.loads((FRAMES / session / "session.json").read_text("utf-8"))
    return loaded


@cache
def shots_of(session: str) -> tuple[Shot, ...]:
    """Return all shots of a session, the calibration picture first."""
    shots = []
    for text in (FRAMES / session / "truth.jsonl").read_text("utf-8").splitlines():
        record = json.loads(text)
        frame = load_frame(FRAMES / session / record["frame"])
        shots.append(Shot(frame, record["truth"], reading_of(record["truth"])))
    return tuple(shots)


def fresh_reader(session: str) -> Reader:
    """Return a reader that has learned nothing yet."""
    if session.startswith("tactiki"):
        return StackReader(parse_stacks(session_of(session)))
    return TowerReader(parse_tower(session_of(session)))


def calibrate_anew(session: str) -> Reader:
    """Return a reader that has learned the session's calibration picture, and read none."""
    reader = fresh_reader(session)
    known = shots_of(session)[0]
    reader.calibrate(known.frame, known.truth)
    return reader


@cache
def calibrated_reader(session: str) -> Reader:
    """Return a reader that has learned the session's calibration picture; tests share it."""
    return calibrate_anew(session)


def put_bar(shot: Shot, seed: int, colour: tuple[int, int, int]) -> Shot:
    """Return the shot with an arm in plain *colour* reaching in from an edge to the middle."""
    random = np.random.default_rng(seed)
    picture = shot.frame.picture.copy()
    height, width = picture.shape[:2]
    angle = random.uniform(0.0, 2.0 * np.pi)
    tip = np.array([width * random.uniform(0.35, 0.55), height * random.uniform(0.3, 0.6)])
    base = tip + 2.0 * width * np.array([np.cos(angle), np.sin(angle)])
    ends = [tuple(int(v) for v in end) for end in (tip, base)]
    cv2.line(picture, ends[0], ends[1], colour, thickness=int(height * 0.12), lineType=cv2.LINE_AA)
    return replace(shot.altered(picture), reading=None)
