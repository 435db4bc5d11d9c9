"""JSON against a schema of our description: the words of JSON Schema that it uses, no others."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

TYPES: Final[Mapping[str, type | tuple[type, ...]]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}
NOTES: Final = {"title", "description", "$defs"}


def misfits(thing: Any, schema: Mapping[str, Any], named: Mapping[str, Any]) -> Iterator[str]:
    """Yield why *thing* is not what *schema* says; *named*: the schemas that it refers to.

    >>> list(misfits({"a": "1"}, {"properties": {"a": {"type": "integer"}}}, {}))
    ['.a: is no integer']
    """
    for word, value in schema.items():
        if word not in NOTES:
            yield from _CHECKS[word](thing, value, schema, named)


def _ref(thing: Any, value: str, _: Any, named: Mapping[str, Any]) -> Iterator[str]:
    yield from misfits(thing, named[value.rpartition("/")[2]], named)


def _type(thing: Any, value: str, *_: Any) -> Iterator[str]:
    is_other = isinstance(thing, bool) and value != "boolean"
    if not isinstance(thing, TYPES[value]) or is_other:
        yield f": is no {value}"


def _const(thing: Any, value: Any, *_: Any) -> Iterator[str]:
    if thing != value:
        yield f": is {thing!r}, not {value!r}"


def _enum(thing: Any, value: list[Any], *_: Any) -> Iterator[str]:
    if thing not in value:
        yield f": is {thing!r}, not one of {value}"


def _any(thing: Any, value: list[Any], _: Any, named: Mapping[str, Any]) -> Iterator[str]:
    found = [list(misfits(thing, each, named)) for each in value]
    if all(found):
        yield f": fits none of {min(found, key=len)}"


def _one(thing: Any, value: list[Any], _: Any, named: Mapping[str, Any]) -> Iterator[str]:
    found = [list(misfits(thing, each, named)) for each in value]
    if sum(not each for each in found) != 1:
        yield f": does not fit exactly one; {min(found, key=len)}"


def _all(thing: Any, value: list[Any], _: Any, named: Mapping[str, Any]) -> Iterator[str]:
    for each in value:
        yield from misfits(thing, each, named)


def _properties(thing: Any, value: Any, _: Any, named: Mapping[str, Any]) -> Iterator[str]:
    if isinstance(thing, dict):
        for name, schema in value.items():
            if name in thing:
                yield from (f".{name}{why}" for why in misfits(thing[name], schema, named))


def _required(thing: Any, value: list[str], *_: Any) -> Iterator[str]:
    if isinstance(thing, dict):
        yield from (f": lacks {name}" for name in value if name not in thing)


def _additional(thing: Any, value: Any, schema: Any, named: Mapping[str, Any]) -> Iterator[str]:
    if not isinstance(thing, dict):
        return
    for name in thing.keys() - schema.get("properties", {}).keys():
        if value is False:
            yield f": has {name} too many"
        else:
            yield from (f".{name}{why}" for why in misfits(thing[name], value, named))


def _items(thing: Any, value: Any, _: Any, named: Mapping[str, Any]) -> Iterator[str]:
    if isinstance(thing, list):
        for place, each in enumerate(thing):
            yield from (f"[{place}]{why}" for why in misfits(each, value, named))


_CHECKS: Final = {
    "$ref": _ref,
    "type": _type,
    "const": _const,
    "enum": _enum,
    "anyOf": _any,
    "oneOf": _one,
    "allOf": _all,
    "properties": _properties,
    "required": _required,
    "additionalProperties": _additional,
    "items": _items,
}
