"""The figures: `./run bench` prints ratios that were measured side by side, in one run.

A bare time says more about the machine and its other work than about this program.
"""

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from companion import compiled
from companion.recording import load_recording
from companion.table.reader_opening import open_reader
from tests import ablation, followers, footprint, tap_latency, wear
from tests.hardware import pace, simulation
from tests.players import matches
from tests.recordings import SHIPPED
from tests.referee.simulated_eyes import Faults
from tests.referee.simulation import simulate, watched
from tests.rules.pace import AIMS, RLCARD, paces_of, ratio
from tests.thresholds import list_lines
from vision.capture.frame import Frame, load_frame
from vision.capture.motion_gate import Motion, MotionGate
from vision.capture.preview_frame import glance_at

ROUNDS: Final = 15
LISTEN_S: Final = 3.0
SPINS: Final = 1000
SIZE_PX: Final = (1536, 864)  # what the camera delivers
WEIGHT_BYTES: Final = 200_000
GAMES: Final = 60
"""Random games of each kind that the referee is tried on."""
FEWER: Final = {"tactiki": 15, "topple": 30}
"""Of those with many plays and places, fewer will do."""
SIGHTS: Final = {
    "all in view": Faults(),
    "places doubtful or hidden": Faults(doubtful=0.08, hidden=0.03),
    "places taken for another": Faults(doubtful=0.05, mistaken=0.02),
    "settled pictures lost": Faults(lost=0.2),
    "illegal tables": Faults(cheat=0.25),
    "plays taken back": Faults(back=0.2),
    "all of that, arms missed": Faults(0.05, 0.01, 0.02, 0.1, 0.2, 0.1, 0.1),
}
LOW_PX: Final = (192, 108)  # what its low-resolution stream delivers


def median_s(action: Callable[[], object], repeats: int = 5) -> float:
    """Return the median time of *action*."""
    spent = []
    for _ in range(repeats):
        began = time.perf_counter()
        action()
        spent.append(time.perf_counter() - began)
    return statistics.median(spent)


def row(name: str, value: str, aim: str) -> None:
    """Print one figure."""
    print(f"{name:<52} {value:>12}   {aim}", flush=True)


def bench_eyes() -> None:
    """Print reading, finding the tiles and the gate, each over decoding the same picture."""
    recording = load_recording(SHIPPED)
    assert recording.calibration
    frames = []
    for name in ("001.jpg", "012.jpg", "033.jpg", "047.jpg", "051.jpg"):
        # The shipped pictures are scaled down; the camera's are not, and weigh some 200 KB.
        picture = cv2.resize(load_frame(recording.path(name)).picture, SIZE_PX)
        for quality in range(80, 100):
            _, encoded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
            if encoded.nbytes >= WEIGHT_BYTES:
                break
        frames.append((encoded, Frame(name, np.asarray(picture, np.uint8), 0.0)))
    reader = open_reader(recording)
    known, anew, gate_low, gate_full = [], [], [], []
    for _ in range(ROUNDS):
        for encoded, frame in frames:
            decode_s = median_s(lambda e=encoded: cv2.imdecode(e, cv2.IMREAD_COLOR))  # type: ignore[misc]
            reader.read(frame)
            known.append(median_s(lambda f=frame: reader.read(replace(f))) / decode_s)  # type: ignore[misc]
            low = Frame("low", np.asarray(cv2.resize(frame.picture, LOW_PX), np.uint8), 0.0)
            gate_low.append(gate_s(low) / decode_s)
            gate_full.append(gate_s(frame) / decode_s)
    fresh = [open_reader(recording) for _ in range(ROUNDS)]
    encoded, frame = frames[0]
    moved = Frame("moved", np.roll(frame.picture, 40, axis=1), 0.0)
    for reader in fresh:
        decode_s = median_s(lambda: cv2.imdecode(encoded, cv2.IMREAD_COLOR))
        anew.append(median_s(lambda r=reader: r.read(replace(moved)), 1) / decode_s)  # type: ignore[misc]
    row("read a settled frame, tiles known / imdecode", f"{statistics.median(known):.2f}", "<= 1.0")
    row("read it with the tiles to be found / imdecode", f"{statistics.median(anew):.2f}", "<= 3.0")
    row("gate, low-resolution stream / imdecode", f"{statistics.median(gate_low):.3f}", "<= 0.1")
    row("gate, scaling the whole frame down / imdecode", f"{statistics.median(gate_full):.3f}", "")


def gate_s(frame: Frame) -> float:
    """Return the time that the gate takes for one more picture of a still table."""
    gate = MotionGate()
    for tick in range(10):
        last = gate.feed(glance_at(Frame(frame.name, frame.picture, tick * 0.2)))
    assert last is Motion.STILL
    return median_s(lambda: gate.feed(glance_at(Frame(frame.name, frame.picture, 2.0))))


def bench_rules() -> None:
    """Print random play of each game, all legal actions listed, over RLCard's and over choosing."""
    builds = {"plain": "as written"}
    if compiled.folder().is_dir():
        builds["compiled"] = "compiled"
    else:
        print("the rules are not compiled here: ./run compile")
    for build, words in builds.items():
        found = paces_of(build, ROUNDS)
        rlcard, choosing = found.get("rlcard"), found["choosing"]
        if rlcard is None:
            print(f"to compare the rules with RLCard's game of UNO: {RLCARD}")
        for game, aim in AIMS[build].items():
            mine = found[game]
            if rlcard:
                times = f"{ratio(mine, rlcard):.2f}"
                row(f"{game}, {words}, random play: steps / RLCard's", times, f">= {aim}")
            row(
                f"{game}, {words}, random play: steps / rng.choice",
                f"{ratio(mine, choosing):.3f}",
                "",
            )
            row("  that is, steps a second in this run", f"{statistics.median(mine):,.0f}", "")


def bench_referee() -> None:
    """Print what the referee makes of random games before simulated eyes."""
    for game in watched():
        for label, faults in SIGHTS.items():
            tally = simulate(game, FEWER.get(game, GAMES), faults, seed=7)
            followed = f"{tally.right / max(1, tally.plays):.1%}"
            asked = f"asked {tally.asked}, wrong {tally.wrong}, stuck {tally.stuck}"
            row(f"referee, {game}, {label}: plays unasked", followed, f"of {tally.plays}; {asked}")
            if tally.cheats:
                named = f"{tally.named / tally.cheats:.1%}"
                beside = f"of {tally.cheats}; believed {tally.believed}"
                row("  illegal tables named", named, beside)


def bench_daemon() -> None:
    """Print start, memory and idle share of a core of `tiki run`, beside an empty server's."""
    for line in footprint.list_lines():
        print(line, flush=True)


def bench_taps() -> None:
    """Print how soon a tap on one phone is shown on the others, in real browsers."""
    tap_latency.bench(row)


def bench_followers() -> None:
    """Print how late the last of many phones hears of a change, and what they cost."""
    followers.bench(row)


def bench_encoder() -> None:
    """Print how the idol hears its encoder beside gpiozero's own, and what it makes of losses."""
    beside, idol, decode, judge, pico = [], [], [], [], []
    for _ in range(ROUNDS):
        idol.append(pace.idol_pace())
        beside.append(idol[-1] / pace.gpiozero_pace())
        decode.append(pace.decode_pace() / pace.FULL_SPEED)
        judge.append(pace.detector_pace() / pace.FULL_SPEED)
        pico.append(pace.pico_pace() / pace.FULL_SPEED)
    ratio_of = f"{statistics.median(beside):.2f}"
    row("idol on mock pins, every edge / RotaryEncoder", ratio_of, ">= 1 aimed at")
    row("  that is, edges a second in this run, none lost", f"{statistics.median(idol):,.0f}", "")
    row("decoding alone, edges a second / 24,000", f"{statistics.median(decode):.0f}", "> 1")
    row("the judge alone, edges a second / 24,000", f"{statistics.median(judge):.1f}", "> 1")
    row("idol on a Pico, every step, a second / 24,000", f"{statistics.median(pico):.1f}", "> 1")
    for rate in (800, 2400, pace.FULL_SPEED):
        lost = f"{pace.idol_share_lost(rate, LISTEN_S):.1%}"
        other = f"RotaryEncoder {pace.gpiozero_share_lost(rate, LISTEN_S):.1%}"
        row(f"beside OpenCV, lost of {rate:,} edges a second", lost, f"{other}; buffer modelled")
    rng, tally = random.Random(5), simulation.Tally()
    for _ in range(SPINS):
        circle = simulation.draw_circle(rng, 20)
        simulation.spin_by_edges(circle, rng, tally, simulation.lose_backlog)
    row(
        "simulated spins that lost edges, not trusted",
        f"{tally.doubted / tally.lossy:.1%}",
        "100 %",
    )
    row("simulated spins that lost none, trusted", f"{tally.trusted / tally.whole:.1%}", "100 %")
    row("  wrong seats", f"{tally.wrong}", f"of {tally.spins}")


def bench_thresholds() -> None:
    """Print what the referee's thresholds do to whole games."""
    for line in list_lines():
        print(line, flush=True)


def bench_cues(folders: Sequence[Path] = ()) -> None:
    """Print what each cue to the heights of columns is worth in whole games."""
    for line in ablation.list_lines(folders):
        print(line, flush=True)


def bench_wear() -> None:
    """Print what a game of each kind writes to the card, over what it has to say."""
    wear.bench(row)


def bench_players(games: int = matches.GAMES, jobs: int = 1) -> None:
    """Print how often the companion's players win, so many *games* of each match."""
    matches.measure(games, jobs)


PARTS: Final[dict[str, Callable[[], None]]] = {
    "eyes": bench_eyes,
    "rules": bench_rules,
    "referee": bench_referee,
    "daemon": bench_daemon,
    "followers": bench_followers,
    "taps": bench_taps,
    "encoder": bench_encoder,
    "thresholds": bench_thresholds,
    "cues": bench_cues,
    "wear": bench_wear,
    "players": bench_players,
}
"""What can be measured, by name."""
LONG: Final = ("thresholds", "cues", "wear", "players")
"""Parts that take so long that they must be asked for by name."""


def find_part(name: str) -> Callable[[], None]:
    """Return the part called *name*, or raise ArgumentTypeError with those there are."""
    if name not in PARTS:
        raise argparse.ArgumentTypeError(f"{name!r} is unknown; there are {', '.join(PARTS)}")
    return PARTS[name]


def main(words: list[str]) -> None:
    """Measure the parts that *words* name, by default all but the long ones."""
    parser = argparse.ArgumentParser(prog="./run bench", description="Print the figures.")
    parser.add_argument(
        "part",
        nargs="*",
        type=find_part,
        metavar="PART",
        help=f"one of {', '.join(PARTS)}; all but {', '.join(LONG)} if none is named",
    )
    parser.add_argument(
        "--films", nargs="+", type=Path, default=[], metavar="DIR", help="recorded games for cues"
    )
    parser.add_argument(
        "--games", type=int, default=matches.GAMES, help="of each match, for players"
    )
    parser.add_argument("--jobs", type=int, default=1, help="games at a time, for players")
    chosen = parser.parse_args(words)
    if (chosen.games, chosen.jobs) != (matches.GAMES, 1):
        if chosen.part != [bench_players] or min(chosen.games, chosen.jobs) < 1:
            parser.error("--games and --jobs, 1 or more, go with the part players alone")
        bench_players(chosen.games, chosen.jobs)
        return
    if chosen.films:
        if chosen.part != [bench_cues]:
            parser.error("--films goes with the part cues, and with no other")
        bench_cues(chosen.films)
        return
    for bench in chosen.part or [part for name, part in PARTS.items() if name not in LONG]:
        bench()


if __name__ == "__main__":
    cv2.setNumThreads(1)  # one core, as the ratios say
    main(sys.argv[1:])
