"""Variations: how a whole game might have been filmed by another camera, lens and room.

A session's folder name and a number decide everything: the same two give the same film. On top of
what the camera does to every picture, the light changes during a game, someone pushes the camera,
and some pictures are never taken.
"""

import zlib
from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np

from companion.apps.evaluation.alteration import (
    ALTERATIONS,
    GRAIN,
    TWICE,
    Levels,
    Random,
    as_picture,
    turned_by,
)
from companion.apps.evaluation.ground_truth import Scene
from vision.capture.frame import Picture

LOST_SETTLED: Final = 0.15
LOST_HANDS: Final = 0.5
KEPT_LAST: Final = 2
"""So many settled pictures at the end are never lost, since nothing comes after them."""
PUSH_DEG: Final = (0.8, 0.8, 2.0)
"""How far the camera is pushed at most: up, to the side, about its own axis."""
WORLD: Final = ("light", "shadow")
"""Alterations of what is before the camera; the others are the camera's own."""
NOISE: Final = "noise"


class FilmVariation:
    """The conditions of one film of a game whose pictures are *scenes*; see `Conditions`.

    names: what was altered throughout.  lost: the pictures that were never taken.
    """

    def __init__(self, scenes: Sequence[Scene], folder: str, number: int) -> None:
        random = np.random.default_rng([number, zlib.crc32(folder.encode())])
        count = 2 if random.random() < TWICE else 1
        chosen = sorted(random.choice(len(ALTERATIONS), count, replace=False))
        self.names = tuple(tuple(ALTERATIONS)[which] for which in chosen)
        self._seed = int(random.integers(2**32))
        self._numbers = {scene.name: at for at, scene in enumerate(scenes)}
        middle = len(scenes) // 4, max(len(scenes) // 4 + 1, 3 * len(scenes) // 4)
        self._dusk, self._push = random.integers(*middle), random.integers(*middle)
        self._push_deg = random.uniform(-1.0, 1.0, 3) * PUSH_DEG
        self.lost = _lose(scenes, random)

    def film(self, name: str, picture: Picture) -> Picture:
        """Return what is seen of *picture*, the frame *name*."""
        at = self._numbers[name]
        levels = picture.astype(np.float32)
        if at >= self._dusk:
            levels = ALTERATIONS["light"](levels, self._random(len(ALTERATIONS)))
        for each in WORLD:
            levels = self._altered(levels, each, at)
        if at >= self._push:
            levels = turned_by(levels, self._push_deg)
        for each in ALTERATIONS:
            if each not in WORLD:
                levels = self._altered(levels, each, at)
        return as_picture(levels)

    def _altered(self, levels: Levels, name: str, at: int) -> Levels:
        """Return *levels* of picture number *at* as alteration *name* leaves them, if it is on."""
        if name not in self.names:
            return levels
        alteration = partial(self._noise, at) if name == NOISE else ALTERATIONS[name]
        return alteration(levels, self._random(tuple(ALTERATIONS).index(name)))

    def _noise(self, at: int, levels: Levels, random: Random) -> Levels:
        """Return the same by a sensor whose grain is another in each picture, but as strong."""
        strength = np.float32(random.uniform(*GRAIN))
        grain = np.random.default_rng([self._seed, at]).standard_normal(levels.shape, np.float32)
        return levels + strength * grain

    def _random(self, which: int) -> Random:
        """Return what draws the same parameters for every picture of the film."""
        return np.random.default_rng([self._seed, which])


def _lose(scenes: Sequence[Scene], random: Random) -> frozenset[str]:
    """Return the names of the pictures that are never taken: not the first, start and last ones."""
    settled = [scene.name for scene in scenes if scene.is_settled]
    kept = {*settled[:1], *settled[len(settled) - KEPT_LAST :]}
    lost = set()
    for scene in scenes[1:]:
        draw = random.random()
        if scene.name not in kept and draw < (LOST_SETTLED if scene.is_settled else LOST_HANDS):
            lost.add(scene.name)
    return frozenset(lost)
