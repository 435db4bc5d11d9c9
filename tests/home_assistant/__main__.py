"""`./run home-assistant`: a table in a real Home Assistant, by a real Mosquitto."""

import sys
from contextlib import ExitStack
from pathlib import Path

import httpx

from tests.claims import Claims
from tests.home_assistant.evening import Evening, examples
from tests.home_assistant.hass import HomeAssistant, NoAnswer
from tests.home_assistant.table import Table
from tests.mqtt.listening import Listener
from tests.mqtt.mosquitto import Mosquitto


def main(tree: str, folder: str) -> int:
    """Have an evening with Home Assistant of the Debian at *tree*; return 1 if a claim is not so.

    folder: for all that is kept and said, with the folder config that Home Assistant knows.
    """
    claims, kept = Claims("home-assistant"), Path(folder)
    (kept / "broker").mkdir()
    with ExitStack() as stack:
        broker = stack.enter_context(Mosquitto(kept / "broker"))
        home = HomeAssistant(Path(tree), kept, examples()[1])
        stack.callback(home.kill)
        table = Table(kept / "table", broker)
        stack.callback(table.kill)
        heard = stack.enter_context(Listener(broker.port, "homeassistant/#"))
        try:
            took_s = home.start()
            claims.claim(f"Home Assistant {home.versions} answers after {took_s:.1f} s", True)
            home.welcome()
            evening = Evening(claims, broker, table, home, heard)
            evening.arrive()
            evening.play()
            evening.fall()
            evening.empty()
            evening.rename()
            evening.lose_table()
            evening.lose_home()
            evening.be_born()
            evening.lead_over()
            said = home.complaints()
            claims.claim("Home Assistant has complained of nothing", not said, said)
            evening.lose_broker()
        except (NoAnswer, httpx.HTTPError) as error:
            claims.claim("it goes on", False, error)
    print(claims.closing)
    return 1 if claims.failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
