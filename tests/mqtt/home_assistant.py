"""What Home Assistant accepts as a discovery message of a device, written down from its pages.

Sources, read in November 2026 in the repository home-assistant/home-assistant.io:
source/_integrations/mqtt.markdown at 0a314403, "Device discovery payload" and "Discovery payload";
sensor.mqtt.markdown, event.mqtt.markdown and button.mqtt.markdown for what each platform takes; and
homeassistant/components/mqtt/schemas.py of home-assistant/core at 0f5c1b54, for the types.
The pages allow unknown fields within a component and ignore them; here they are errors.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

Check = Callable[[Any], bool]


def text(value: Any) -> bool:
    """Return whether *value* is a text with something in it."""
    return isinstance(value, str) and bool(value)


def topic(value: Any) -> bool:
    """Return whether *value* is a topic without wildcards, as one is published to."""
    return text(value) and len(value.encode()) <= 65535 and not set("+#\0") & set(value)


def template(value: Any) -> bool:
    """Return whether *value* is a template with an expression."""
    return text(value) and re.fullmatch(r"\{\{ .+ \}\}", value) is not None


def entity_id(value: Any) -> bool:
    """Return whether *value* is an id as entities have it."""
    return text(value) and re.fullmatch(r"[a-z_]+\.[a-z0-9]+(_[a-z0-9]+)*", value) is not None


def icon(value: Any) -> bool:
    """Return whether *value* is an icon."""
    return text(value) and re.fullmatch(r"[a-z]+:[a-z0-9-]+", value) is not None


def url(value: Any) -> bool:
    """Return whether *value* is an address that a device may be configured at."""
    return text(value) and re.fullmatch(r"(https?|homeassistant)://\S+", value) is not None


def texts(value: Any) -> bool:
    """Return whether *value* is a list of texts, none twice."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(map(text, value))
        and len(set(value)) == len(value)
    )


def one_of(*allowed: object) -> Check:
    """Return a check that takes nothing but *allowed*."""
    return lambda value: any(value == each and type(value) is type(each) for each in allowed)


PLATFORMS: Final = (
    "alarm_control_panel", "binary_sensor", "button", "camera", "climate", "cover",
    "device_automation", "device_tracker", "event", "fan", "humidifier", "image", "lawn_mower",
    "light", "lock", "notify", "number", "scene", "select", "sensor", "siren", "switch", "tag",
    "text", "update", "vacuum", "valve", "water_heater",
)  # fmt: skip
DEVICE: Final[Mapping[str, Check]] = {
    "identifiers": texts, "manufacturer": text, "model": text, "name": text, "hw_version": text,
    "serial_number": text, "sw_version": text, "via_device": text, "suggested_area": text,
    "configuration_url": url,
}  # fmt: skip
ORIGIN: Final[Mapping[str, Check]] = {"name": text, "sw_version": text, "support_url": url}
AVAILABILITY: Final[Mapping[str, Check]] = {
    "topic": topic, "payload_available": text, "payload_not_available": text,
    "value_template": template,
}  # fmt: skip
_ENTITY: Final[Mapping[str, Check]] = {
    "platform": one_of(*PLATFORMS), "unique_id": text, "name": text, "icon": icon,
    "default_entity_id": entity_id, "qos": one_of(0, 1, 2),
    "enabled_by_default": one_of(True, False), "entity_category": one_of("config", "diagnostic"),
}  # fmt: skip
COMPONENTS: Final[Mapping[str, tuple[tuple[str, ...], Mapping[str, Check]]]] = {
    "sensor": (
        ("state_topic",),
        {
            **_ENTITY, "state_topic": topic, "value_template": template,
            "state_class": one_of("measurement", "total", "total_increasing"),
            "unit_of_measurement": text, "json_attributes_topic": topic,
            "json_attributes_template": template,
        },
    ),
    "event": (
        ("state_topic", "event_types"),
        {
            **_ENTITY, "state_topic": topic, "value_template": template, "event_types": texts,
            "device_class": one_of("button", "doorbell", "motion"),
        },
    ),
    "button": (
        ("command_topic",),
        {
            **_ENTITY, "command_topic": topic, "payload_press": text, "retain": one_of(True, False),
            "device_class": one_of("identify", "restart", "update"),
        },
    ),
}  # fmt: skip
"""Of each platform that is used here, what has to be there and what may be."""
TOPIC: Final = re.compile(r"[A-Za-z0-9_/-]+/device/([A-Za-z0-9_-]+/)?[A-Za-z0-9_-]+/config")


def faults(address: str, message: Mapping[str, Any]) -> list[str]:
    """Return what keeps Home Assistant from taking *message*, published to *address*."""
    found = [] if TOPIC.fullmatch(address) else [f"no discovery topic: {address}"]
    shared = ("device", "origin", "components", "availability", "availability_mode",
              "state_topic", "command_topic", "qos", "encoding")  # fmt: skip
    found += [f"unknown: {name}" for name in message if name not in shared]
    found += [f"{name} is missing" for name in shared[:3] if name not in message]
    if found:
        return found
    found += _misfits("device", message["device"], DEVICE, ("identifiers",))
    found += _misfits("origin", message["origin"], ORIGIN, ("name",))
    for each in message.get("availability", ()):
        found += _misfits("availability", each, AVAILABILITY, ("topic",))
    if not one_of(0, 1, 2)(message.get("qos", 0)):
        found.append("qos is wrong")
    identities = [each.get("unique_id") for each in message["components"].values()]
    known = [each for each in identities if each is not None]
    if len(set(known)) < len(known):
        found.append("two entities have the same unique_id")
    for name, each in message["components"].items():
        found += _component_faults(name, each)
    return found


def _component_faults(name: str, component: Mapping[str, Any]) -> list[str]:
    platform = component.get("platform")
    if platform not in PLATFORMS:
        return [f"{name}: platform is {platform!r}"]
    if len(component) == 1:  # so a component is removed
        return []
    if platform not in COMPONENTS:
        return [f"{name}: nothing is written down here of {platform}"]
    needed, known = COMPONENTS[platform]
    return _misfits(name, component, known, ("unique_id", *needed))


def _misfits(
    name: str, found: Mapping[str, Any], known: Mapping[str, Check], needed: tuple[str, ...]
) -> list[str]:
    return [
        *(f"{name}: {each} is missing" for each in needed if each not in found),
        *(f"{name}: unknown {each}" for each in found if each not in known),
        *(
            f"{name}: {each} is wrong"
            for each in found
            if each in known and not known[each](found[each])
        ),
    ]
