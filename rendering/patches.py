"""Turn rendered scenes into labelled patches, through a lens, a sensor and a pose that err.

A render is what a perfect camera would see. Each is taken several times: with a bent lens, out of
focus, too dark, too warm, noisy, packed as JPEG; and with the pose that tiles a millimetre out of
place would give. What a patch should be read as follows from the scene alone.
"""

import math
from itertools import pairwise
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from rendering.piece_kinds import KINDS, Kind
from rendering.prints import MARKER_MM, Random
from rendering.scenes import HFOV_DEG, PICTURE_PX, Scene, focal_px, project, projection
from vision.capture.frame import Picture
from vision.columns.grid import TALLEST, Figure, Grid
from vision.columns.patches import PATCH_COLUMNS, PATCH_START_RADII, PATCH_WIDTH_RADII
from vision.geometry.layout import Mat
from vision.geometry.pose import Markers, Points, Pose, camera_matrix, fit_pose

Labels: TypeAlias = NDArray[np.int8]

HIDDEN: Final = TALLEST + 1
UNSAID: Final = -1
"""Neither plainly to be seen nor plainly hidden: teaches nothing."""
SEEN_FROM, HIDDEN_BELOW = 0.55, 0.3
"""Share of a column's top that must show, and below which it counts as hidden."""
TOUCHED, HELD = 0.04, 0.2
"""Share of a column's own place that an arm covers: more than HELD hides it."""
LINEAR: Final = ((np.arange(256) / 255.0) ** 2.2).astype(np.float32)
TONES: Final = 1 << 14
SPARED: Final = 0.35
"""Share of photographs that are packed once more, at a poorer quality."""
AROUND: Final = np.linspace(0, 2 * math.pi, 24, endpoint=False)


def grid_of(kind: Kind) -> Grid:
    """Return the board of *kind* in its own frame: the mat's, or that of the board's markers."""
    middle = kind.mat / 2 if kind.name == "tactiki" else kind.board / 2 - 11.0
    steps = [kind.pitch_xy * (at - 2) + middle for at in range(5)]
    return Grid(
        mat=Mat(2 * middle, 2 * middle, (0, 1, 2, 3), MARKER_MM),
        hfov_deg=HFOV_DEG,
        cells=tuple((x, y) for y in steps for x in steps),
        edges=(middle - kind.board / 2,) * 2 + (middle + kind.board / 2,) * 2,
        figure=Figure(kind.radius, kind.height, kind.pitch_z),
        colours=(),
    )


def board_to_table(scene: Scene) -> NDArray[np.float64]:
    """Return the 4 x 4 matrix from the middle of the board's top to the table's frame."""
    kind, given = KINDS[scene["game"]], scene["board"]
    turn, tilt = math.radians(given["turn_deg"]), math.radians(given["tilt_deg"])
    # The renderer's y points the other way, so its turns are ours reversed.
    flip = np.diag([1.0, -1.0, 1.0])
    towards = math.radians(-given["towards_deg"])
    axis = np.array([math.cos(towards), math.sin(towards), 0.0])
    tilted, _ = cv2.Rodrigues(axis * tilt)
    turned, _ = cv2.Rodrigues(np.array([0.0, 0.0, -turn]))
    matrix = np.eye(4)
    matrix[:3, :3] = flip @ tilted @ turned @ flip
    matrix[:3, 3] = [kind.mat / 2 + given["dx"], kind.mat / 2 + given["dy"], kind.floor_z]
    return matrix


def place(matrix: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return *points* (n, 3) moved by a 4 x 4 *matrix*."""
    return np.asarray(points @ matrix[:3, :3].T + matrix[:3, 3])


def label(scene: Scene, cover: NDArray[np.uint8] | None = None) -> tuple[Labels, NDArray[np.int8]]:
    """Return each spot's height (25,), HIDDEN or UNSAID, and its top paint, -1 for none.

    cover: where something lies over the picture besides an arm, (rows, columns).
    """
    kind = KINDS[scene["game"]]
    camera, stage = projection(scene["camera"]), board_to_table(scene)
    width, height = PICTURE_PX
    shown = np.full((height, width), -1, np.int16)
    tops, places = {}, {}
    order = sorted(range(25), key=lambda spot: -_distance(scene, stage, spot))
    for spot in order:
        pieces = scene["columns"][spot]["pieces"]
        own = [_ring(camera, stage, _spot(kind, spot), 0.0, kind.radius)]
        rings = []
        for piece in pieces:
            at = (piece["x"], piece["y"])
            lift = kind.height * (0.7 if kind.name == "tactiki" else 1.0)
            rings.append(_ring(camera, stage, at, piece["z"], kind.radius))
            rings.append(_ring(camera, stage, at, piece["z"] + lift, kind.radius))
        for lower, upper in pairwise(rings):
            hull = cv2.convexHull(np.concatenate([lower, upper]).round().astype(np.int32))
            cv2.fillConvexPoly(shown, hull, spot)
        tops[spot] = rings[-1] if rings else own[0]
        places[spot] = np.concatenate(rings or own)
    arm = arm_mask(scene, camera)
    shown[(arm > 0) if cover is None else (arm | cover) > 0] = -2
    heights = np.zeros(25, np.int8)
    paints = np.full(25, -1, np.int8)
    for spot in range(25):
        pieces = scene["columns"][spot]["pieces"]
        seen = _share(shown, tops[spot], (spot,) if pieces else (-1, spot))
        covered = _share(shown, places[spot], (-2,))
        heights[spot] = len(pieces)
        paints[spot] = pieces[-1]["paint"] if pieces else -1
        if covered > HELD or seen < HIDDEN_BELOW:
            heights[spot] = HIDDEN
        elif covered > TOUCHED or seen < SEEN_FROM:
            heights[spot] = UNSAID
    return heights, paints


def find_rows(scene: Scene, bend: float, pose: Pose) -> NDArray[np.float32]:
    """Return in which rows of its patch a column's foot and its pieces' tops appear.

    (25, TALLEST + 1): the foot first, NaN beyond the column's height.
    """
    kind = KINDS[scene["game"]]
    camera, stage = projection(scene["camera"]), board_to_table(scene)
    grid = grid_of(kind)
    plane = np.linalg.inv(pose.homography(kind.above_pose))
    foot = pose.camera[:2]
    step = grid.figure.radius * PATCH_WIDTH_RADII / PATCH_COLUMNS
    rows = np.full((25, TALLEST + 1), np.nan, np.float32)
    for spot, middle in enumerate(grid.cell_centres):
        pieces = scene["columns"][spot]["pieces"]
        if not pieces:
            continue
        points = [(pieces[0]["x"], pieces[0]["y"], 0.0)]
        points += [(p["x"], p["y"], p["z"] + kind.height) for p in pieces]
        pixels = bent(project(camera, place(stage, np.array(points))), bend)
        flat = np.column_stack([pixels, np.ones(len(pixels))]) @ plane.T
        out = (middle - foot) / np.linalg.norm(middle - foot)
        along = (flat[:, :2] / flat[:, 2:] - middle) @ out
        rows[spot, : len(points)] = along / step + PATCH_START_RADII * grid.figure.radius / step
    return rows


def _spot(kind: Kind, spot: int) -> tuple[float, float]:
    row, column = divmod(spot, 5)
    return kind.pitch_xy * (column - 2), kind.pitch_xy * (row - 2)


def _distance(scene: Scene, stage: NDArray[np.float64], spot: int) -> float:
    """Return how far a spot lies from the camera: nearer columns hide those further away."""
    at = place(stage, np.array([[*_spot(KINDS[scene["game"]], spot), 0.0]]))[0]
    return float(np.linalg.norm(at[:2] - scene["camera"]["stands"][:2]))


def _ring(
    camera: NDArray[np.float64],
    stage: NDArray[np.float64],
    at: tuple[float, float],
    z: float,
    radius: float,
) -> NDArray[np.float64]:
    x, y = at[0] + radius * np.cos(AROUND), at[1] + radius * np.sin(AROUND)
    return project(camera, place(stage, np.column_stack([x, y, np.full(len(AROUND), z)])))


def _share(shown: NDArray[np.int16], ring: NDArray[np.float64], who: tuple[int, ...]) -> float:
    """Return which share of the hull of *ring* shows one of *who*."""
    hull = cv2.convexHull(ring.round().astype(np.int32))
    left, top, wide, high = cv2.boundingRect(hull)
    left, top = max(0, left), max(0, top)
    part = shown[top : top + high, left : left + wide]
    mask = np.zeros(part.shape, np.uint8)
    if not mask.size:
        return 0.0
    cv2.fillConvexPoly(mask, hull - [left, top], 1)
    inside = part[mask > 0]
    return float(np.isin(inside, who).mean()) if len(inside) else 0.0


def arm_mask(scene: Scene, camera: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return where a picture shows a hand, the sleeve and what it holds: 1, (rows, columns)."""
    width, height = PICTURE_PX
    mask = np.zeros((height, width), np.uint8)
    if scene["hand"] is None:
        return mask
    focal = focal_px(scene["camera"])
    stands = np.array(scene["camera"]["stands"])
    held = scene["hand"].get("holds")
    parts = [((p["start"], p["thick"]), (p["end"], p["thin"])) for p in scene["hand"]["limbs"]]
    if held:
        parts.append(((held["at"], 14.0),) * 2)
    for part in parts:
        circles = []
        for end, radius in part:
            far = float(np.linalg.norm(np.array(end) - stands))
            centre = project(camera, np.array([end]))[0]
            size = radius * focal / far
            circles.append(centre + size * np.column_stack([np.cos(AROUND), np.sin(AROUND)]))
        hull = np.clip(np.concatenate(circles), -20000, 20000)
        cv2.fillConvexPoly(mask, cv2.convexHull(hull.round().astype(np.int32)), 1)
    return mask


def find_rendered(picture: Picture) -> tuple[int, int, int, int]:
    """Return left, top, width and height of what was rendered of *picture*: the rest is black."""
    left, top, wide, high = cv2.boundingRect(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
    return left, top, wide, high


def photograph(picture: Picture, random: Random) -> tuple[Picture, float]:
    """Return *picture* as a camera would take it, and how much its lens bends.

    What is black was not rendered, and stays so.
    """
    return photograph_part(picture, find_rendered(picture), random)


def photograph_part(
    picture: Picture,
    box: tuple[int, int, int, int],
    random: Random,
    grain: Random | None = None,
    hfov_deg: float = HFOV_DEG,
) -> tuple[Picture, float]:
    """Return what `photograph` does of a part of *picture*, black around it; see `take`."""
    left, top, wide, high = box
    packed, bend = take(picture, random, box, grain, hfov_deg)
    whole = np.zeros_like(picture)
    unpacked = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    whole[top : top + high, left : left + wide] = unpacked
    return whole, bend


def take(
    picture: Picture,
    random: Random,
    box: tuple[int, int, int, int],
    grain: Random | None = None,
    hfov_deg: float = HFOV_DEG,
) -> tuple[NDArray[np.uint8], float]:
    """Return the JPEG of part of *picture* as a camera would take it, and how its lens bends.

    box: left, top, width and height.  grain: draws the noise, if not *random* decides that too.
    hfov_deg: of the camera.
    """
    bend = random.uniform(-0.05, 0.05)
    height, width = picture.shape[:2]
    focal = width / 2 / math.tan(math.radians(hfov_deg / 2))
    left, top, wide, high = box
    x, y = np.meshgrid(
        np.arange(left, left + wide, dtype=np.float32) - width / 2,
        np.arange(top, top + high, dtype=np.float32) - height / 2,
    )
    square = (x**2 + y**2) / focal**2
    straight = (x * (1 + bend * square) + width / 2, y * (1 + bend * square) + height / 2)
    seen = cv2.remap(picture, *straight, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    seen = cv2.GaussianBlur(seen, (0, 0), random.uniform(0.35, 1.25))
    light = np.asarray(cv2.LUT(seen, LINEAR), np.float32)
    balance = np.exp(random.normal(0, 0.18, 3))
    strength = (balance / balance[1] * 2 ** random.normal(-0.2, 0.5)).astype(np.float32)
    light *= (1 - random.uniform(0.0, 0.4) * square / 0.6)[..., None] * strength
    wells = math.exp(random.uniform(math.log(300), math.log(8000)))
    own = np.random.default_rng(random.integers(1 << 30))
    noise = (grain or own).standard_normal(light.shape, np.float32)
    light += noise * np.sqrt(np.maximum(light, 0.0005) / wells)
    steps = (np.clip(light, 0, 1, out=light) * (TONES - 1)).astype(np.uint16)
    tones = np.linspace(0, 1, TONES) ** (1 / random.uniform(1.9, 2.5))
    taken = np.take((tones * 255).round().astype(np.uint8), steps)
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(random.integers(70, 96))]
    _, packed = cv2.imencode(".jpg", taken, quality)
    return np.asarray(packed, np.uint8), bend


def repack(picture: Picture, random: Random) -> Picture:
    """Return *picture*, every third time packed once more, by someone who spares room."""
    if random.random() >= SPARED:
        return picture
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(random.integers(25, 70))]
    _, packed = cv2.imencode(".jpg", picture, quality)
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def bent(pixels: Points, bend: float, hfov_deg: float = HFOV_DEG) -> Points:
    """Return where a lens that bends so much shows what a straight one shows at *pixels*."""
    width, height = PICTURE_PX
    focal = width / 2 / math.tan(math.radians(hfov_deg / 2))
    straight = (pixels - [width / 2, height / 2]) / focal
    shown = straight.copy()
    for _ in range(8):
        shown = straight / (1 + bend * (shown**2).sum(axis=1, keepdims=True))
    return np.asarray(shown * focal + [width / 2, height / 2], np.float64)


def find_pose(scene: Scene, bend: float, random: Random) -> Pose:
    """Return the pose that markers about where they should be would give, in the grid's frame."""
    if scene["game"] == "tactiki":
        return find_table_pose(scene, bend, random)
    across = KINDS[scene["game"]].board - 22.0
    square = np.array([[-8, -8], [8, -8], [8, 8], [-8, 8]], np.float64)
    ends = [(0, 0), (across, 0), (across, across), (0, across)]
    known = {index: square + end for index, end in enumerate(ends)}
    stage = board_to_table(scene)
    places = {index: place(stage, _raise(flat - across / 2)) for index, flat in known.items()}
    return _fit_markers(scene, bend, random, places, known)


def find_table_pose(scene: Scene, bend: float, random: Random) -> Pose:
    """Return the pose over the table that its tiles, about where they should be, would give."""
    mat, half = KINDS[scene["game"]].mat, MARKER_MM / 2
    square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    places, known = {}, {}
    ends = [(0, 0), (mat, 0), (mat, mat), (0, mat)]
    for index, tile in enumerate(scene["tiles"]):
        angle = math.radians(tile["turn_deg"])
        turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        places[index] = _raise(square @ turn.T + [tile["x"], tile["y"]])
        known[index] = square + ends[index]
    return _fit_markers(scene, bend, random, places, known)


def _raise(flat: Points) -> Points:
    """Return places (n, 2) of a plane as (n, 3)."""
    return np.column_stack([flat, np.zeros(len(flat))])


def _fit_markers(
    scene: Scene,
    bend: float,
    random: Random,
    places: dict[int, Points],
    known: dict[int, Points],
) -> Pose:
    """Return the pose by markers at *places*, thought to be at *known*; at times one is hidden."""
    camera, hfov_deg = projection(scene["camera"]), scene["camera"].get("hfov_deg", HFOV_DEG)
    seen = {
        index: bent(project(camera, at), bend, hfov_deg) + random.normal(0, 0.25, (4, 2))
        for index, at in places.items()
    }
    if random.random() < 0.2:
        seen.pop(int(random.integers(4)))  # hidden by a sleeve
    matrix = camera_matrix(hfov_deg, (PICTURE_PX[1], PICTURE_PX[0]))
    pose = fit_pose(matrix, Markers(seen, known))
    assert pose is not None, "markers of a rendered table always give a pose"
    return pose
