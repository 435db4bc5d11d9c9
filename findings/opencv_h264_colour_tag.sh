#!/bin/sh
# A stream in H.264 may carry a tag that says by which matrix its colours were made: BT.709, usual in
# HD, or BT.601. OpenCV up to 4.12 ignores the tag and takes BT.601 for all; from 4.13 on it goes by the
# tag. So a red of 200, 40, 40 that is tagged (and made by) BT.709 changes with the release; without a
# tag it is read by BT.601 in all of them, whatever the size. PyAV writes the file.
#
# Seen with av 16.0.1, opencv-python-headless as named, numpy 2.2.6, Python 3.11, on x86-64:
#   4.11.0: tagged BT.709 185, 23, 41; tagged BT.601 198, 39, 38; untagged 198, 39, 38
#   4.12.0: tagged BT.709 185, 23, 41; tagged BT.601 198, 39, 38; untagged 198, 39, 38
#   4.13.0: tagged BT.709 199, 39, 40; tagged BT.601 198, 39, 38; untagged 198, 39, 38
#   5.0.0: tagged BT.709 199, 39, 40; tagged BT.601 198, 39, 38; untagged 198, 39, 38
#
# Ends with 0 if that is still so, with 1 if it has changed, with 2 if it could not be tried.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python=${PYTHON:-python3}

cat >"$folder/write.py" <<'PY'
import sys
from fractions import Fraction

import av
import numpy as np

RED = np.full((720, 1280, 3), (200, 40, 40), np.uint8)
# Of FFmpeg: AVCOL_SPC_BT709 1, _SMPTE170M 6 (BT.601), _UNSPECIFIED 2; limited range is 1.
for name, made_by, tag in (("709", 1, 1), ("601", 6, 6), ("none", 6, 2)):
    with av.open(f"{sys.argv[1]}/{name}.mp4", "w") as file:
        stream = file.add_stream("libx264", rate=25)
        stream.width, stream.height, stream.pix_fmt = 1280, 720, "yuv420p"
        stream.options = {"crf": "1"}
        context = stream.codec_context
        context.time_base = Fraction(1, 25)
        context.colorspace, context.color_range = tag, 1
        for _ in range(5):
            frame = av.VideoFrame.from_ndarray(RED, format="rgb24").reformat(
                format="yuv420p", dst_colorspace=made_by, dst_color_range=1
            )
            frame.colorspace, frame.color_range = tag, 1
            file.mux(stream.encode(frame))
        file.mux(stream.encode())
PY
cat >"$folder/see.py" <<'PY'
import sys

import cv2

seen = []
for name, words in (("709", "tagged BT.709"), ("601", "tagged BT.601"), ("none", "untagged")):
    capture = cv2.VideoCapture(f"{sys.argv[1]}/{name}.mp4", cv2.CAP_FFMPEG)
    ok, picture = capture.read()
    blue, green, red = picture[360, 640].tolist() if ok else (None, None, None)
    seen.append(f"{words} {red}, {green}, {blue}")
print(f"{cv2.__version__}: {'; '.join(seen)}")
PY

install() { # install NAME PACKAGES...
    name=$1
    shift
    if ! { "$python" -m venv "$folder/$name" \
        && "$folder/$name/bin/python" -m pip install --quiet --disable-pip-version-check "$@"; }; then
        echo "$* could not be installed; is there a network?" >&2
        exit 2
    fi
}

install av av==16.0.1 numpy==2.2.6
"$folder/av/bin/python" "$folder/write.py" "$folder"
for version in 4.11.0.86 4.12.0.88 4.13.0.92 5.0.0.93; do
    install "$version" "opencv-python-headless==$version" numpy==2.2.6
    "$folder/$version/bin/python" "$folder/see.py" "$folder" | tee -a "$folder/seen"
    rm -rf "${folder:?}/$version"
done
sed -n 's/^#   //p' "$0" >"$folder/expected"
diff "$folder/expected" "$folder/seen" || { echo "this has changed (<: seen before, >: now)"; exit 1; }
