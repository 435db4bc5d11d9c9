"""Values that came from outside, checked against the types declared for them.

msgspec checks and converts; what does not fit is said here in plain words, made from the type.
"""

import reprlib
from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime, time
from typing import Any, Final, Literal, get_args, get_origin

import msgspec
from msgspec import inspect

from companion.rules.codec import find_nearest


class Misfit(ValueError):
    """A value that is not of its declared type; one line: where, what was given, what is right."""


def convert(name: str, declared: Any, value: object) -> Any:
    """Return *value* as *declared* has it, lists as tuples and whole numbers as floats if need be.

    Raises Misfit, which calls the value *name*, and says what is right by the type, or in the words
    of its description if it has one.

    >>> convert("web.port", int, "80")
    Traceback (most recent call last):
        ...
    companion.validation.Misfit: web.port is '80'; it must be a whole number
    """
    try:
        return msgspec.convert(value, declared)
    except msgspec.ValidationError:
        raise Misfit(f"{name} is {show(value)}; {_advice(declared)}") from None


def convert_fields(
    declared: Mapping[str, Any],
    values: Mapping[str, Any],
    *,
    what: str = "field",
    prefix: str = "",
) -> dict[str, Any]:
    """Return *values* converted to the types that *declared* has for their names.

    what, prefix: how messages call a name.
    Raises Misfit on an unknown name, and as `convert` does.
    """
    refuse_unknown(what, values, declared, prefix)
    return {
        name: convert(f"{prefix}{name}", declared[name], value) for name, value in values.items()
    }


def refuse_unknown(
    what: str, found: Collection[str], known: Collection[str], prefix: str = ""
) -> None:
    """Raise Misfit if *found* has a name that is not *known*, with the nearest one that is."""
    for name in found:
        if name not in known:
            near = find_nearest(name, known)
            hint = f"did you mean '{prefix}{near}'?" if near else f"known: {', '.join(known)}"
            raise Misfit(f"unknown {what} {show(prefix + name)}; {hint}")


def field_types(struct: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the declared type of each field of *struct*, bounds included."""
    return {field.name: field.type for field in msgspec.structs.fields(struct)}


def find_misfit(struct: type[msgspec.Struct], values: Mapping[str, Any]) -> str:
    """Return why *values* are not the fields of *struct*, "" if they are."""
    for field in msgspec.structs.fields(struct):
        if field.required and field.name not in values:
            return f"{field.name} is missing"
    try:
        convert_fields(field_types(struct), values)
    except Misfit as error:
        return str(error)
    return ""


class _Short(reprlib.Repr):
    """Values as a person would write them, of a length that fits into a line."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = self.maxlong = 60

    def repr_bool(self, value: bool, _level: int) -> str:
        return str(value).lower()

    def repr_NoneType(self, _value: None, _level: int) -> str:  # noqa: N802 - named by the type
        return "null"

    def repr_datetime(self, value: datetime | date | time, _level: int) -> str:
        return value.isoformat()

    repr_date = repr_time = repr_datetime


_SHORT: Final = _Short()
_WORDS: Final[dict[type[inspect.Type], str]] = {
    inspect.StrType: "text",
    inspect.BoolType: "true or false",
    inspect.NoneType: "null",
    inspect.DictType: "an object",
}
_PLURALS: Final[dict[type[inspect.Type], str]] = {
    inspect.StrType: "texts",
    inspect.IntType: "whole numbers",
    inspect.FloatType: "numbers",
    inspect.NoneType: "nulls",
}


def show(value: object) -> str:
    """Return *value* for a message, in one line and shortened if it is long.

    >>> show([True, "to be or not to be " * 10])
    "[true, 'to be or not to be to be or...ot to be to be or not to be ']"
    """
    return _SHORT.repr(value)


def some_of(names: Sequence[str], most: int) -> str:
    """Return the first of *names* in words, and how many more there are.

    >>> some_of(["Ann", "Ben", "Cem"], 2), some_of(["Ann"], 2)
    ('Ann, Ben and 1 more', 'Ann')
    """
    left = len(names) - most
    return ", ".join(names[:most]) + (f" and {left} more" if left > 0 else "")


def one_line(text: str) -> str:
    r"""Return *text* with what a terminal would not print as a character escaped.

    >>> one_line("no option 'a\nb'")
    "no option 'a\\nb'"
    """
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def _advice(declared: Any) -> str:
    if get_origin(declared) is Literal:
        return f"it must be {' or '.join(map(show, get_args(declared)))}"
    return f"it must be {_describe(inspect.type_info(declared))}"


def _describe(kind: inspect.Type) -> str:
    match kind:
        case inspect.Metadata(extra_json_schema={"description": str(words)}):
            return words
        case inspect.IntType(ge=low, le=high):
            return f"a whole number{_bounds(low, high)}"
        case inspect.FloatType(ge=low, le=high):
            return f"a number{_bounds(low, high)}"
        case inspect.VarTupleType(item_type=item):
            items = item.types if isinstance(item, inspect.UnionType) else (item,)
            return f"a list of {' and '.join(_PLURALS[type(each)] for each in items)}"
        case inspect.UnionType(types=kinds):
            return " or ".join(map(_describe, kinds))
    return _WORDS[type(kind)]


def _bounds(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f" from {low:g} to {high:g}"
