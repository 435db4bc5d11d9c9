"""Cut a game into the pictures that a camera takes: tables at rest, and hands between them."""

import math
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from rendering.film_sets import FilmSet
from rendering.plots import Beat, Plot
from rendering.prints import Random
from rendering.room import Spot, hidden_shares, random_skin, rest_beside
from rendering.scenes import Scene, hand_limbs

OVER: Final = 0.45
"""How often the hand that brings a table about is seen."""
WAITS: Final = 0.12
"""How often a hand waits at the edge of the play area, in two pictures."""
BESIDE: Final = 0.1
"""How often a hand rests beside the play area."""
TWICE: Final = 0.15
"""How often a table at rest is seen twice."""
COVERED: Final = 0.15
"""A hand is over a place if it hides this share of it."""
TOUCHED: Final = 0.02
"""As good as nothing of a place."""
TRIES: Final = 12
REACH: Final = 0.3
"""How far a hand that waits reaches from the edge towards the middle."""
ELBOWS_DEG: Final = {"right": 0.0, "near": 90.0, "left": 180.0, "far": 270.0}
"""Where an arm comes from, from the table's x towards its y."""
STRAY_DEG: Final = 17.0


@dataclass(slots=True)
class Shot:
    """A picture.

    name: its own number.  scene: what it shows; another shot's, if it shows the same.
    row: its line of truth.jsonl.  beat: which beat of the plot it belongs to.
    """

    name: str
    scene: Scene
    row: dict[str, Any]
    beat: int


@dataclass(slots=True)
class Cutter:
    """Films a plot on a set; shared: what all scenes have in common."""

    random: Random
    filmed: FilmSet
    plot: Plot
    shared: Scene
    shots: list[Shot] = field(default_factory=list)
    skins: list[Scene] = field(init=False)

    def __post_init__(self) -> None:
        self.skins = [random_skin(self.random) for _ in self.plot.sides]

    def cut(self) -> list[Shot]:
        """Return all pictures."""
        for at, beat in enumerate(self.plot.beats):
            # Whatever happens between two tables is said before the first hand is seen.
            if beat.seat is not None and self.random.random() < OVER:
                self._film_hand(at, beat, beat.seat)
            self._film_rest(at, beat)
        return self.shots

    def _scene(self, parts: Scene, arm: Scene | None) -> Scene:
        """Return a scene of what all have in common, its own *parts* and an arm."""
        own = {part: value for part, value in parts.items() if part != "cards"}
        things = [*self.shared["things"], *parts.get("cards", ())]
        return {**self.shared, **own, "things": things, "hand": arm}

    def _film_rest(self, at: int, beat: Beat) -> None:
        """Take one or two pictures of a table at rest, and perhaps one of a hand that waits."""
        parts = self.filmed.arrange(beat.table, beat.seat)
        truth = {"settled": True, **self.filmed.tell(beat.table, still=True)}
        kind = "settled" if at else "calibration"
        moves = {"truth": truth, **beat.marks}
        self._shoot(at, kind, self._scene(parts, None), moves)
        if not at or beat.marks.get("illegal"):
            return
        if self.random.random() < TWICE:
            self._repeat(at, {"truth": truth})
        if self.random.random() < BESIDE and (arm := self._arm_beside(beat)):
            told = {"truth": truth, "note": "hand resting beside the play area"}
            self._shoot(at, kind, self._scene(parts, arm), told)
        if self.random.random() < WAITS and at + 1 < len(self.plot.beats):
            self._film_waiting(at, beat, parts)

    def _film_waiting(self, at: int, beat: Beat, parts: Scene) -> None:
        """Take two pictures of a hand that waits: the table is in view unless it hides a place."""
        arm = self._arm_at_edge(self.plot.beats[at + 1].seat or 0)
        kind, truth = "settled", {"settled": True, **self.filmed.tell(beat.table, still=True)}
        if self._covered(arm, TOUCHED):
            kind, truth = "occluded", {"settled": False, "covered_slots": self._covered(arm)}
            truth |= self.filmed.tell(beat.table, still=False)
        told = {"truth": truth, "note": "a still hand at the edge of the play area"}
        self._shoot(at, kind, self._scene(parts, arm), told)
        self._repeat(at, told)

    def _film_hand(self, at: int, beat: Beat, seat: int) -> None:
        """Take a picture of the hand that brings *beat* about; it belongs to the table before."""
        table = beat.during or self.plot.beats[at - 1].table
        parts = self.filmed.arrange(table, seat)
        arm, tip = self._arm_over(self.filmed.spots()[beat.place], seat)
        truth = {"settled": False, "covered_slots": self._covered(arm)}
        truth |= self.filmed.tell(table, still=False)
        scene = self._scene(parts, arm)
        if beat.held is not None:
            truth["in_hand"] = self.filmed.call(beat.held)
            held = self.filmed.hold(beat.held, tip)
            arm |= {"holds": held.get("holds")}
            scene["things"] = [*scene["things"], *held.get("things", ())]
        self._shoot(at, "occluded", scene, {"truth": truth}, waits=True)

    def _shoot(
        self, at: int, kind: str, scene: Scene, told: dict[str, Any], *, waits: bool = False
    ) -> None:
        """Add a picture.

        waits: it is seen before what is said of its beat; whoever speaks has done so before it.
        """
        name = f"{len(self.shots):04d}"
        row = {"frame": f"{len(self.shots):03d}.jpg", "kind": kind, **told}
        self.shots.append(Shot(name, {**scene, "name": name}, row, -1 if waits else at))

    def _repeat(self, at: int, told: dict[str, Any]) -> None:
        """Add a picture of what the last one shows."""
        last = self.shots[-1]
        name = f"{len(self.shots):04d}"
        row = {"frame": f"{len(self.shots):03d}.jpg", "kind": last.row["kind"], **told}
        self.shots.append(Shot(name, last.scene, row, at))

    def _elbow(self, seat: int) -> float:
        """Return about where the arm of a *seat* comes from, as `hand_limbs` takes it."""
        return math.radians(ELBOWS_DEG[self.plot.sides[seat]] + self.random.normal(0, STRAY_DEG))

    def _arm(self, tip: tuple[float, float, float], seat: int) -> Scene:
        """Return the arm of a *seat*, its fingers at *tip*."""
        limbs = hand_limbs(self.random, np.array(tip), self._elbow(seat))
        arm = {**self.skins[seat], "limbs": limbs, "holds": None}
        return {**arm, "seat": seat, "side": self.plot.sides[seat], "tip": list(tip)}

    def _arm_over(self, spot: Spot, seat: int) -> tuple[Scene, tuple[float, float, float]]:
        """Return an arm that hides *spot*, if it may, and where its fingers are."""
        for _ in range(TRIES):
            x, y = self.random.uniform(-0.6, 0.6, 2) * (spot.half_w, spot.half_h)
            tip = (
                float(spot.x + x),
                float(spot.y + y),
                float(spot.z + self.random.uniform(20, 60)),
            )
            arm = self._arm(tip, seat)
            if hidden_shares(self.shared["camera"], arm, [spot.corners()])[0] > COVERED:
                break
        return arm, tip

    def _arm_at_edge(self, seat: int) -> Scene:
        """Return an arm whose fingers just reach into one of the play areas."""
        areas = self.filmed.edges()
        area = areas[int(self.random.integers(len(areas)))]
        elbow = math.radians(ELBOWS_DEG[self.plot.sides[seat]])
        out = np.round([math.cos(elbow), math.sin(elbow)])
        half = np.array([area.half_w, area.half_h])
        along = out[::-1] * self.random.uniform(-0.6, 0.6)
        within = out * (1.0 - self.random.uniform(0.0, REACH))
        x, y = np.array([area.x, area.y]) + half * (within + along)
        return self._arm((float(x), float(y), area.z + 16.0), seat)

    def _arm_beside(self, beat: Beat) -> Scene | None:
        """Return an arm that rests on the table beside everything, or None."""
        seat, areas = beat.seat or 0, self.filmed.edges()
        camera, skin, elbow = self.shared["camera"], self.skins[seat], self._elbow(seat)
        arm = rest_beside(self.random, camera, self.filmed.mat, areas, skin, elbow)
        return arm and {**arm, "seat": seat, "side": self.plot.sides[seat]}

    def _covered(self, arm: Scene, least: float = COVERED) -> list[Any]:
        """Return the names of the places of which an arm hides more than *least*."""
        spots = self.filmed.spots()
        shares = hidden_shares(
            self.shared["camera"], arm, [spot.corners() for spot in spots.values()]
        )
        return [
            list(name) if isinstance(name, tuple) else name
            for name, share in zip(spots, shares, strict=True)
            if share > least
        ]
