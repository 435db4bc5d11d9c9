"""Recordings as a camera further away would have made them: `python -m tests.coarser DIR OUT PX`.

Each picture is made smaller until PX of its pixels show a mm in the middle of the table, seen from
its front. How well OUT is followed says how near a camera has to be.
"""

import json
import shutil
import sys
from pathlib import Path

import cv2
import numpy as np

from companion.recording import load_recording
from vision.capture.frame import load_frame
from vision.geometry.layout import parse_rig
from vision.geometry.pose import camera_matrix
from vision.geometry.table_tracking import track_table
from vision.geometry.table_view import TableView


def pixels_per_mm(folder: Path) -> float:
    """Return how many pixels show a mm in the first picture of the recording in *folder*."""
    recording = load_recording(folder)
    rig, view = (
        parse_rig(recording.description),
        TableView(load_frame(recording.path(recording.frames[0])).picture),
    )
    pose = track_table(rig).locate(view)
    assert pose is not None, folder
    middle = np.array([rig.mat.width / 2.0, rig.mat.height / 2.0, 0.0])
    focal_px = camera_matrix(rig.hfov_deg, view.shape)[0, 0]
    return float(focal_px / np.linalg.norm(pose.camera - middle))


def coarsen(folder: Path, out: Path, px_per_mm: float) -> None:
    """Write the recording in *folder* to *out* with *px_per_mm*, or as it is if it has fewer."""
    scale = min(1.0, px_per_mm / pixels_per_mm(folder))
    shutil.copytree(folder, out)
    for picture in out.glob("*.jpg"):
        large = cv2.imread(str(picture))
        assert large is not None
        small = cv2.resize(large, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        cv2.imwrite(str(picture), small, [cv2.IMWRITE_JPEG_QUALITY, 92])
    session = out / "session.json"
    description = json.loads(session.read_text())
    description["image"] |= {"width": small.shape[1], "height": small.shape[0]}
    session.write_text(json.dumps(description))


if __name__ == "__main__":
    source, target, pixels = sys.argv[1:]
    for each in sorted(Path(source).iterdir()):
        coarsen(each, Path(target) / each.name, float(pixels))
