#!/bin/sh
# OpenCV 4 takes an array of one dimension for a column, OpenCV 5 for a row, without a word: the
# same filter then smooths a profile in one of them and leaves it alone in the other. A histogram
# is (n, 1) in one and (n,) in the other.
#
# Seen with opencv-python-headless 4.11.0.86 and 5.0.0.93, numpy 2.4.6, on x86-64:
#   4.11.0: blur by (3, 1) (6, 1) [0.0, 0.0, 9.0, 0.0, 0.0, 0.0], by (1, 3) (6, 1) [0.0, 3.0, 3.0, 3.0, 0.0, 0.0], histogram (4, 1)
#   5.0.0: blur by (3, 1) (1, 6) [0.0, 3.0, 3.0, 3.0, 0.0, 0.0], by (1, 3) (1, 6) [0.0, 0.0, 9.0, 0.0, 0.0, 0.0], histogram (4,)
#
# Ends with 0 if that is still so, with 1 if it has changed, with 2 if it could not be tried.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python=${PYTHON:-python3}

cat >"$folder/see.py" <<'PY'
import cv2
import numpy as np

profile = np.array([0, 0, 9, 0, 0, 0], np.float32)
wide, high = cv2.blur(profile, (3, 1)), cv2.blur(profile, (1, 3))
histogram = cv2.calcHist([np.zeros((4, 4), np.uint8)], [0], None, [4], [0, 256])
print(
    f"{cv2.__version__}: blur by (3, 1) {wide.shape} {wide.ravel().tolist()},"
    f" by (1, 3) {high.shape} {high.ravel().tolist()}, histogram {histogram.shape}"
)
PY

for version in 4.11.0.86 5.0.0.93; do
    if ! { "$python" -m venv "$folder/$version" \
        && "$folder/$version/bin/python" -m pip install --quiet --disable-pip-version-check \
            "opencv-python-headless==$version" numpy==2.4.6; }; then
        echo "opencv-python-headless $version could not be installed; is there a network?" >&2
        exit 2
    fi
    "$folder/$version/bin/python" "$folder/see.py" | tee -a "$folder/seen"
done
sed -n 's/^#   //p' "$0" >"$folder/expected"
diff "$folder/expected" "$folder/seen" || { echo "this has changed (<: seen before, >: now)"; exit 1; }
