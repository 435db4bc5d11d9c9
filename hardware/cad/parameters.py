"""The measures of the printed parts, read from the OpenSCAD files that use them.

A measure stands there as OpenSCAD's Customizer wants it: a line that says what it is, then
``name = value; // [least:step:most]`` or ``// [one, another]``.  So its meaning, default and limits
are written once.
"""

import difflib
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent
FOOT: Final = FOLDER / "idol_foot.scad"
BRACKET: Final = FOLDER / "tilt_bracket.scad"
ENCODERS: Final = FOLDER / "idol_foot.json"
LIST: Final = "./run cad --list shows all"

Value = float | str
Values = Mapping[str, Value]

MEASURE: Final = re.compile(
    r'^// (?P<meaning>.+)\n(?P<name>\w+) = "?(?P<default>[^";\n]+)"?; // \[(?P<limits>[^]\n]+)\]$',
    re.MULTILINE,
)
GROUP: Final = re.compile(r"^/\* \[(.+)\] \*/$", re.MULTILINE)


class BadValue(ValueError):
    """A measure that is unknown, unreadable or out of its limits; the message is one line."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure of a part.

    group: under which heading it stands.  choices: all it may be, or empty.
    least, most: its limits, both allowed, if there are no choices.
    whole: whether it counts something.
    """

    name: str
    meaning: str
    group: str
    default: Value
    choices: tuple[Value, ...] = ()
    least: float = -math.inf
    most: float = math.inf
    whole: bool = False

    def parse(self, text: str) -> Value:
        """Return the value that *text* gives, or raise BadValue.

        >>> Measure("wall_mm", "", "", 2.4, least=1.2, most=6).parse("2")
        2.0
        """
        if self.choices:
            known = {format_value(choice): choice for choice in self.choices}
            if text not in known:
                raise BadValue(f"{self.name}={text}: it can be {self.limits()}")
            return known[text]
        try:
            value = float(text)
        except ValueError:
            raise BadValue(
                f"{self.name}={text}: not a number; give {self.limits()}, as in {self.example()}"
            ) from None
        if not self.least <= value <= self.most:
            raise BadValue(f"{self.name}={text}: out of its limits; give {self.limits()}")
        if self.whole and value != round(value):
            raise BadValue(f"{self.name}={text}: give a whole number, {self.limits()}")
        return value

    def limits(self) -> str:
        """Return what is allowed, in words."""
        if self.choices:
            return " or ".join(format_value(choice) for choice in self.choices)
        return f"{self.least:g} to {self.most:g}"

    def example(self) -> str:
        """Return the default as it is typed."""
        return f"{self.name}={format_value(self.default)}"


def format_value(value: Value) -> str:
    """Return *value* as it is typed.

    >>> format_value(2.0), format_value("round")
    ('2', 'round')
    """
    return value if isinstance(value, str) else f"{value:g}"


def _to_value(text: str) -> Value:
    try:
        return float(text)
    except ValueError:
        return text


def parse_measures(source: str) -> Iterator[Measure]:
    """Yield the measures of an OpenSCAD file's text, in its order, up to what it hides.

    Which `part` is made is none.
    """
    shown = source.partition("/* [Hidden] */")[0]
    for match in MEASURE.finditer(shown):
        if match["name"] == "part":
            continue
        group = GROUP.findall(shown, 0, match.start())[-1].partition(":")[0]
        name, default = match["name"], _to_value(match["default"])
        if ":" not in match["limits"]:
            choices = tuple(_to_value(each.strip()) for each in match["limits"].split(","))
            yield Measure(name, match["meaning"], group, default, choices)
            continue
        least, step, most = map(float, match["limits"].split(":"))
        whole = step == 1 and not name.endswith(("_mm", "_g"))
        yield Measure(name, match["meaning"], group, default, least=least, most=most, whole=whole)


def read_measures(*files: Path) -> dict[str, Measure]:
    """Return the measures of OpenSCAD *files*, by default those of all parts, by name."""
    texts = [file.read_text(encoding="utf-8") for file in files or (FOOT, BRACKET)]
    return {each.name: each for text in texts for each in parse_measures(text)}


def read_encoders() -> dict[str, dict[str, str]]:
    """Return the measures of each known encoder, as texts, by its name."""
    stored: dict[str, dict[str, dict[str, str]]] = json.loads(ENCODERS.read_text(encoding="utf-8"))
    return stored["parameterSets"]


def parse_values(words: Iterable[str]) -> dict[str, Value]:
    """Return every measure, as *words* like ``wall_mm=3`` set it and else by default.

    ``encoder=optical`` takes that encoder's measures; what is given besides still counts.
    Raises BadValue.
    """
    measures, encoders = read_measures(), read_encoders()
    given: dict[str, str] = {}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals:
            raise BadValue(f"{word}: give a measure as NAME=VALUE, such as wall_mm=2.4; {LIST}")
        if name not in measures and name != "encoder":
            near = difflib.get_close_matches(name, [*measures, "encoder"], 1)
            hint = f"did you mean {near[0]}? " if near else ""
            raise BadValue(f"{word}: there is no measure {name}; {hint}{LIST}")
        if name in given:
            raise BadValue(f"{word}: {name} is given twice; give it once")
        given[name] = text
    encoder = given.pop("encoder", "ec11")
    if encoder not in encoders:
        raise BadValue(f"encoder={encoder}: it can be {' or '.join(encoders)}")
    texts = encoders[encoder] | given
    return {
        name: measure.parse(texts[name]) if name in texts else measure.default
        for name, measure in measures.items()
    }
