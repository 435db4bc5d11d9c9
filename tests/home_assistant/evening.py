"""An evening at a table, as Home Assistant shows it; whatever can fail does fail once."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from textwrap import indent
from typing import Any, Final

from tests.claims import Claims
from tests.home_assistant.hass import Change, HomeAssistant, seconds_until
from tests.home_assistant.table import Table
from tests.mqtt.listening import Listener
from tests.mqtt.mosquitto import Mosquitto

LIMIT_S: Final = 30.0
KILLED_S: Final = 5.0
"""After so long at most whatever was killed is unavailable."""
FROZEN_S: Final = 45.0
BACK_S: Final = 15.0
ADDRESS: Final = "homeassistant/device/tiki_bar/config"
BIRTH: Final = "homeassistant/status"
TOWER: Final = "event.bar_tower"
GONE: Final = "unavailable"
NONE: Final = "unknown"
PAGE: Final = Path(__file__).parents[2] / "docs" / "mqtt.md"


def examples() -> tuple[list[str], str]:
    """Return the entities of docs/mqtt.md's card, and its automation as a file of them."""
    card, automation = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(), re.DOTALL)
    return re.findall(r"entity: (\S+)", card), "- alias: flash\n" + indent(automation, "  ")


def due(board: dict[str, Any], seats: int = 0) -> dict[str, tuple[str, dict[str, Any]]]:
    """Return the states and attributes that are due where the table shows *board*, by entity.

    seats: so many are known at least; at those without a player the score is unknown.
    """
    players, turn, history = board["players"], board["turn"], board["history"]
    found = {
        "sensor.bar_game": (board["title"], {}),
        "sensor.bar_turn": (
            NONE if turn is None else players[turn]["name"],
            {"seat": None if turn is None else turn + 1},
        ),
        "sensor.bar_last_event": (history[0]["words"] if history else NONE, {}),
    }
    gone = [{"score": NONE, "name": None}] * (seats - len(players))
    for seat, player in enumerate([*players, *gone], 1):
        name = f"sensor.bar_score_seat_{seat}"
        found[name] = (str(player["score"]), {"player": player["name"]})
    return found


def differences(board: dict[str, Any], states: dict[str, Change], seats: int = 0) -> list[str]:
    """Return where *states* are not what the table shows as *board*; see `due`."""
    nothing = Change("", "nothing", {})
    return [
        f"{entity} is {found.state} {dict(found.attributes)}, not {state} {attributes}"
        for entity, (state, attributes) in due(board, seats).items()
        if (found := states.get(entity, nothing)).state != state
        or not attributes.items() <= found.attributes.items()
    ]


class Evening:
    """The evening; each of its methods is one thing that happens, in their order."""

    def __init__(
        self, claims: Claims, broker: Mosquitto, table: Table, home: HomeAssistant, heard: Listener
    ) -> None:
        self.claims, self.broker, self.table, self.home = claims, broker, table, home
        self.heard = heard

    # What is asked of it again and again.

    def _differences(self) -> list[str]:
        return differences(self.table.board(), self.home.states())

    def _follows(self, words: str, limit_s: float = BACK_S) -> None:
        """Claim that it shows soon what the table shows."""
        took_s = seconds_until(lambda: not self._differences(), limit_s)
        self.claims.claim(f"{words}, after {took_s:.1f} s", took_s < limit_s, self._differences())

    def _is_gone(self) -> bool:
        """Return whether all of the table is unavailable."""
        states = self.home.states()
        return all(states[each].state == GONE for each in self.home.of_mqtt())

    def _goes(self, words: str, limit_s: float) -> None:
        took_s = seconds_until(self._is_gone, FROZEN_S)
        self.claims.claim(f"{words} after {took_s:.1f} s", took_s <= limit_s)

    def _ids(self, seats: int) -> list[str]:
        """Return the entities that are due at so many seats."""
        scores = (f"sensor.bar_score_seat_{seat}" for seat in range(1, seats + 1))
        own = ("game", "turn", "last_event")
        sensors = (f"sensor.bar_{name}" for name in own)
        return sorted([*sensors, *scores, TOWER, "event.bar_idol", "button.bar_take_back"])

    def _are_once(self, words: str, seats: int) -> None:
        """Claim that each entity of the table is there, once, and nothing else."""
        expected = self._ids(seats)
        seconds_until(lambda: self.home.of_mqtt() == expected, BACK_S)
        found = self.home.of_mqtt()
        self.claims.claim(f"{words}: {len(expected)} entities, each once", found == expected, found)

    def _flashes(self) -> int:
        return int(self.home.states()["counter.flashes"].state)

    def _kept(self, words: str, work: Callable[[], None]) -> None:
        """Claim that no fall is told again by *work*, after which all is back."""
        before, flashes = self.home.states()[TOWER], self._flashes()
        work()
        after = self.home.states()[TOWER]
        told = f"the fall is that of before, and the lamp has flashed {self._flashes()} times"
        same = (before, flashes) == (after, self._flashes())
        self.claims.claim(f"{words}: not told again", same, told)

    # What happens.

    def arrive(self) -> None:
        """Home Assistant, its broker and the table meet."""
        self.home.add_broker(self.broker.port)
        self.table.start()
        self.table.begin("Ann", "Bob")
        self._are_once("the table appears", 2)
        self._follows("all of it is shown")
        states = self.home.states()
        for each in self.home.of_mqtt():
            found = states[each]
            beside = {name: found.attributes.get(name) for name in ("player", "seat")}
            told = ", ".join(f"{name} {value}" for name, value in beside.items() if value)
            name = found.attributes["friendly_name"]
            print(f"   {each}: '{name}' is {found.state}{f' ({told})' if told else ''}")
        missing = set(examples()[0]) - set(self._ids(3))
        self.claims.claim("the card of docs/mqtt.md names what is there", not missing, missing)

    def play(self) -> None:
        """Make some moves, and take the last one back by a button of Home Assistant."""
        for action in ("roll 1", "place 22 pink", "roll 2", "place 12 yellow"):
            self.table.tell(action)
            self._follows(f"'{action}' is shown")
        self.home.press("button.bar_take_back")
        seconds_until(lambda: self.table.board()["last_move"] == "roll 2", LIMIT_S)
        self._follows("its button takes back, which is shown")

    def fall(self) -> None:
        """Let the tower fall: one event, and the automation of docs/mqtt.md runs once."""
        mark = len(self.home.changes)
        self.table.tell("topple")
        seconds_until(lambda: self._flashes() == 1, LIMIT_S)
        self._follows("a fall is shown")
        told = [each for each in self.home.changes[mark:] if each.entity == TOWER]
        kinds = [each.attributes["event_type"] for each in told]
        self.claims.claim("a fall is one event", kinds == ["topple"], kinds)
        self.claims.claim("the lamp of docs/mqtt.md flashes once", self._flashes() == 1)

    def empty(self) -> None:
        """Let a state come in which there is less than before: nothing of before is shown."""
        board = self.table.board()
        less = {**board, "players": board["players"][:1], "turn": None, "history": []}
        self.heard.publish("tiki/bar/state", json.dumps(less).encode(), retain=True)

        def wrong() -> list[str]:
            return differences(less, self.home.states(), 2)

        took_s = seconds_until(lambda: not wrong(), BACK_S)
        words = "a player gone, nobody's turn, nothing has happened: all of it is unknown"
        self.claims.claim(f"{words}, after {took_s:.1f} s", took_s < BACK_S, wrong())
        self.table.tell("undo")
        self._follows("what comes after that is shown")

    def rename(self) -> None:
        """Another game with other people, more and fewer."""
        for names in (("Dora", "Bob", "Cem"), ("Eve", "Fay")):
            self.table.begin(*names)
            people = " and ".join(names)
            self._are_once(f"with {people}", len(names))
            self._follows(f"{people} are shown")
        self.table.begin("Ann", "Bob")
        self._follows("Ann and Bob are back")

    def lose_table(self) -> None:
        """Kill the table; then let it hang, as when its power fails."""

        def restart() -> None:
            self.table.kill()
            self._goes("the table killed, it is unavailable", KILLED_S)
            self.table.start()
            self._follows("started again, it is back")

        def hang() -> None:
            self.table.freeze(frozen=True)
            self._goes("its power gone, it is unavailable", FROZEN_S)
            self.table.freeze(frozen=False)
            self._follows("its power back, it is back")

        self._kept("the fall of before the kill", restart)
        self._kept("the fall of before the power went", hang)
        self._are_once("after both", 2)

    def lose_home(self) -> None:
        """Home Assistant is restarted, and killed."""

        def restart() -> None:
            self.home.stop()
            took_s = self.home.start()
            self._follows(f"Home Assistant restarted in {took_s:.1f} s, all is back")

        def kill() -> None:
            self.home.kill()
            self.table.tell("roll 1")
            took_s = self.home.start()
            self._follows(f"killed and started in {took_s:.1f} s, it has what happened meanwhile")

        self._kept("the fall of before its restart", restart)
        kill()
        self._are_once("after both", 2)

    def be_born(self) -> None:
        """Delete the table there, as people can: it comes back by the birth message."""
        self.heard.publish(ADDRESS, b"", retain=True)
        took_s = seconds_until(lambda: not self.home.of_mqtt(), LIMIT_S)
        self.claims.claim(f"deleted, it is gone after {took_s:.1f} s", took_s < LIMIT_S)
        self.home.stop()
        mark = len(self.heard.heard)
        self.home.start()
        seconds_until(lambda: self.home.of_mqtt() == self._ids(2), LIMIT_S)
        told = [each.topic for each in self.heard.heard[mark:]]
        births = [topic for topic in told if topic in (BIRTH, ADDRESS)]
        is_so = births[-2:] == [BIRTH, ADDRESS]
        self.claims.claim("it says that it is born, and the table announces itself", is_so, births)
        self._are_once("back", 2)
        self._follows("and all of it is shown")

    def lose_broker(self) -> None:
        """Kill the broker, which forgets all that it has not written."""

        def kill() -> None:
            self.broker.kill()
            self._goes("the broker killed, it is unavailable", KILLED_S)
            self.table.tell("place 22 pink")
            self.broker.start()
            self._follows("started again, all is back", LIMIT_S)

        self._kept("the fall of before", kill)
        self._are_once("after that", 2)

    def lead_over(self) -> None:
        """Announce a table as before: ids of people's names are kept."""
        old: dict[str, Any] = {
            "device": {"identifiers": ["tiki_pub"], "name": "pub"},
            "origin": {"name": "Tiki Companion"},
            "components": {
                "score_0": {
                    "platform": "sensor",
                    "name": "Score of Ann",
                    "unique_id": "tiki_pub_score_0",
                    "state_topic": "tiki/bar/state",
                    "value_template": "{{ value_json.players[0].score }}",
                }
            },
        }
        entity, address = "sensor.pub_score_of_ann", ADDRESS.replace("bar", "pub")
        self.heard.publish(address, json.dumps(old).encode(), retain=True)
        seconds_until(lambda: entity in self.home.of_mqtt(), LIMIT_S)
        score = old["components"]["score_0"]
        score |= {"name": "Score, seat 1", "default_entity_id": "sensor.pub_score_seat_1"}
        self.heard.publish(address, json.dumps(old).encode(), retain=True)

        def name() -> object:
            return self.home.states()[entity].attributes["friendly_name"]

        seconds_until(lambda: name() == "pub Score, seat 1", LIMIT_S)
        pub = [each for each in self.home.of_mqtt() if "pub" in each]
        is_so = pub == [entity] and name() == "pub Score, seat 1"
        self.claims.claim(f"{entity} of before keeps its id, and has the new name", is_so, pub)
        self.home.stop()
        self.home.start()
        seconds_until(lambda: entity in self.home.of_mqtt(), LIMIT_S)
        pub = [each for each in self.home.of_mqtt() if "pub" in each]
        self.claims.claim("and so after a restart", pub == [entity], pub)
        self.heard.publish(address, b"", retain=True)
        seconds_until(lambda: not self._differences(), BACK_S)
