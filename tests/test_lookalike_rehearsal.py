"""Photographs of cards that look alike: made, labelled, and counted by `tiki evaluate`."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.apps.evaluation.lookalikes import evaluate_lookalikes, has_lookalikes
from rendering.lookalikes import FAMILIES, draw_lookalikes
from training import lookalike_rehearsal
from training.hand_rehearsal import list_judging
from training.lookalike_rehearsal import make_rehearsal


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_no_two_cards_of_a_designer_are_the_same(family: str) -> None:
    """As many as are registered and more, and each differs from all others."""
    cards = draw_lookalikes(np.random.default_rng(5), family, 6, list_judging(None))
    pictures = [card.picture.astype(np.int16) for card in cards]
    for number, one in enumerate(pictures):
        for other in pictures[:number]:
            assert one.shape == other.shape
            assert 0.0005 < float((np.abs(one - other).max(axis=2) > 40).mean()) < 0.6


@pytest.mark.slow
def test_a_rehearsal_is_made_and_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards are shown, some of them and as many strangers photographed; none is named wrongly."""
    monkeypatch.setattr(lookalike_rehearsal, "GROUNDS", 2)
    make_rehearsal(tmp_path, "goals", list_judging(None), 12, 3, 4)
    lines = [json.loads(line) for line in (tmp_path / "labels.jsonl").read_text().splitlines()]
    shown = [line for line in lines if "register" in line]
    seen = [line for line in lines if "file" in line]
    assert [line["name"] for line in shown] == ["card 0", "card 1", "card 2"]
    assert sum(line["name"] is None for line in seen) == 2
    assert {line["name"] for line in seen} - {None} < {line["name"] for line in shown}
    for line in lines:
        picture = cv2.imread(str(tmp_path / (line.get("register") or line["file"])))
        assert picture is not None
        assert max(picture.shape) == 640
    assert has_lookalikes(tmp_path)
    tally = evaluate_lookalikes(tmp_path)
    assert tally.registered + tally.unshown == 3
    assert tally.known + tally.strangers == 4
    assert (tally.wrong, tally.taken) == (0, 0)
    assert len(tally.times_ms) == 4
