"""The command behind `./run cad`: checks the measures, makes the parts, says what it made."""

import argparse
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from hardware.cad.checks_of_foot import PLA_G_CM3, chamber_cm3, derive, tipping_push_n
from hardware.cad.making import PARTS, NotMade, faults, make
from hardware.cad.parameters import BadValue, Values, parse_values, read_encoders, read_measures


class Parser(argparse.ArgumentParser):
    """A parser whose refusals are one line."""

    def error(self, message: str) -> NoReturn:
        """End with *message* and status 2."""
        self.exit(2, f"cad: {message}; ./run cad --help says more\n")


def build_parser() -> Parser:
    """Return the parser of the command line."""
    parser = Parser(
        prog="./run cad",
        description="Make the printed parts as STL: the idol's foot, the ball switches' bracket.",
        epilog="encoder=optical takes the measures of an encoder of 600 pulses, 38 mm wide.",
    )
    parser.add_argument(
        "--out", metavar="DIR", type=Path, default=Path("parts"), help="default: parts"
    )
    parser.add_argument("--list", action="store_true", help="list all measures, and make nothing")
    parser.add_argument(
        "values", nargs="*", metavar="NAME=VALUE", help="a measure, such as wall_mm=3"
    )
    return parser


def list_measures() -> None:
    """Print every measure: its default, its limits and what it is."""
    print(f"encoder=ec11  {' or '.join(read_encoders())}\n    takes the measures of that encoder")
    group = ""
    for measure in read_measures().values():
        if measure.group != group:
            group = measure.group
            print(f"\n{group}")
        print(f"  {measure.example()}  {measure.limits()}\n    {measure.meaning}")


def tell_of_foot(values: Values) -> None:
    """Print what a maker wants to know of the foot before it is printed."""
    foot, density = derive(values), float(values["fill_density_g_cm3"])
    room = chamber_cm3(values)
    push = tipping_push_n(values)
    print(f"The foot is {foot.height:.1f} mm high; the idol stands", end=" ")
    print(f"{foot.hub_gap + foot.hub_floor:.1f} mm above it.")
    print(
        f"Its chamber holds {room:.0f} cm3, {room * density:.0f} g; a push of {push:.1f} N", end=" "
    )
    print("at the idol's hand tips it over.")


def main(words: Sequence[str] | None = None) -> int:
    """Make the parts as *words* say, and return the exit status: 0 made, 1 not, 2 refused."""
    chosen = build_parser().parse_intermixed_args(words)
    if chosen.list:
        list_measures()
        return 0
    try:
        values = parse_values(chosen.values)
    except BadValue as error:
        print(f"cad: {error}", file=sys.stderr)
        return 2
    refused = list(faults(values))
    for line in refused:
        print(f"cad: {line}", file=sys.stderr)
    if refused:
        return 2
    try:
        for part in PARTS:
            file, solid = make(part, values, chosen.out)
            size = " x ".join(f"{each:.1f}" for each in solid.size_mm)
            grams = solid.volume_cm3 * PLA_G_CM3
            print(f"{file}  {size} mm, {solid.volume_cm3:.1f} cm3 ({grams:.0f} g of PLA if solid)")
    except NotMade as error:
        print(f"cad: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("cad: stopped; the parts named above are whole", file=sys.stderr)
        return 130
    tell_of_foot(values)
    return 0


if __name__ == "__main__":
    # Who reads on no more ends it, as `./run cad --list | head` does.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())
