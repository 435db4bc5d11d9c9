"""What a page plays and says: the browser's sound, replaced by one that notes it down."""

from time import monotonic
from typing import Any

from playwright.sync_api import Page

from hardware.earcons import MELODIES, Earcon, hertz_of

PATIENCE_S = 60.0
SHARE = 2  # each note is its own frequency and an octave above it
# Stands for the browser's sound: notes down what is played and said, and is silent until touched.
LISTEN = """
window.played = []; window.said = [];
window.AudioContext = class {
  state = "suspended"; currentTime = 0; destination = {}; onstatechange = null;
  async resume() {
    if (!navigator.userActivation.isActive) return new Promise(() => {});
    this.state = "running"; this.onstatechange?.();
  }
  #node(more) { return { connect: (to) => to, ...more }; }
  createGain() {
    const ramp = () => {};
    return this.#node({ gain: { setValueAtTime: ramp, linearRampToValueAtTime: ramp,
                                exponentialRampToValueAtTime: ramp } });
  }
  createOscillator() {
    const frequency = { value: 0 };
    return this.#node({ frequency, stop() {}, start() { played.push(frequency.value); } });
  }
};
Object.defineProperty(window, "speechSynthesis", { value: {
  cancel() {}, speak({ text, lang }) { said.push([text, lang]); } } });
"""


def notes_of(earcon: Earcon) -> list[float]:
    """Return the frequencies of a melody, in hertz."""
    return [hertz_of(semitones) for semitones, _ in MELODIES[earcon] if semitones is not None]


def noted(page: Page, what: str, count: int) -> list[Any]:
    """Return what a page has noted down once that is so much, and forget it."""
    until = monotonic() + PATIENCE_S
    while page.evaluate(f"{what}.length") < count:
        assert monotonic() < until, f"nothing was {what}"
        page.wait_for_timeout(20)
    found: list[Any] = page.evaluate(f"{what}.splice(0)")
    return found


def played(page: Page, count: int = 1) -> list[float]:
    """Return the frequencies that a page has played, without their overtones; and forget them."""
    return noted(page, "played", count)[::SHARE]


def said(page: Page) -> list[Any]:
    """Return what a page has said, and in which language; and forget it."""
    return noted(page, "said", 1)
