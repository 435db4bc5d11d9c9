"""Inside the machine of tests/wifi/machine.sh: a table, a router and a phone, each with its radio.

The kernel's mac80211_hwsim has the radios; NetworkManager, wpa_supplicant, hostapd, polkit, systemd
and the companion as deploy/ installs it are real. Router and phone are network namespaces.
"""

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

ROUTER: Final = "Home of Ann"
PASSWORD: Final = "eight or more"
PROBES: Final = (
    "http://connectivitycheck.gstatic.com/generate_204",
    "http://captive.apple.com/hotspot-detect.html",
    "http://www.msftconnecttest.com/connecttest.txt",
)
HOSTAPD: Final = f"""interface=wlan1
ssid={ROUTER}
hw_mode=g
channel=6
wpa=2
wpa_key_mgmt=WPA-PSK
rsn_pairwise=CCMP
wpa_passphrase={PASSWORD}
"""
BEGAN_S: Final = time.monotonic()
HERE: Final = Path(__file__).parent


def tell(*words: object) -> None:
    """Print with the seconds since the start, on the machine's own clock."""
    print(f"[{time.monotonic() - BEGAN_S:5.0f}]", *words, flush=True)


def run(command: str, within_s: float = 60.0) -> str:
    """Return what *command* prints, whether it succeeds or not."""
    done = subprocess.run(
        command, shell=True, capture_output=True, text=True, check=False, timeout=within_s
    )
    return done.stdout.strip()


def phone(command: str) -> str:
    """Return what *command* prints on the phone."""
    return run(f"ip netns exec phone {command}")


def claim(what: str, condition: Callable[[], object], within_s: float = 0.0) -> None:
    """Wait until it is so; end everything with the journal if it is not."""
    until_s = time.monotonic() + within_s
    while not (found := condition()):
        if time.monotonic() > until_s:
            tell("NOT:", what)
            print(run("journalctl -b -o cat -n 100 -u tiki -u NetworkManager"), flush=True)
            sys.exit(1)
        time.sleep(1)
    tell("ok:", what, "" if found is True else f"({found})")


def journal() -> str:
    """Return what the companion has said."""
    return run("journalctl -b -u tiki -o cat")


def is_open() -> bool:
    """Return whether the table's radio is an access point."""
    return "type AP" in run("iw dev wlan0 info")


def build_house() -> None:
    """Give router and phone their radios, and start the router."""
    for number, name in ((1, "router"), (2, "phone")):
        run(f"ip netns add {name}")
        radio = Path(f"/sys/class/net/wlan{number}/phy80211/name").read_text().strip()
        run(f"iw phy {radio} set netns name {name}; ip netns exec {name} ip link set lo up")
    Path("/root/hostapd.conf").write_text(HOSTAPD)
    router = "ip netns exec router"
    run(f"{router} ip addr add 192.168.7.1/24 dev wlan1")
    run(f"{router} hostapd -B -P /run/hostapd.pid /root/hostapd.conf")
    run(
        f"{router} dnsmasq --conf-file=/dev/null --interface=wlan1 --bind-interfaces --port=0"
        " --dhcp-range=192.168.7.50,192.168.7.99,1h --dhcp-leasefile=/run/leases"
    )


def join(name: str, password: str) -> None:
    """Let the phone join a Wi-Fi and get an address there."""
    run("[ ! -e /run/phone.pid ] || kill $(cat /run/phone.pid)")
    time.sleep(2)
    Path("/root/phone.conf").write_text(f'network={{\n ssid="{name}"\n psk="{password}"\n}}\n')
    phone("wpa_supplicant -B -P /run/phone.pid -i wlan2 -c /root/phone.conf")
    claim(f"the phone joins {name}", lambda: "Connected to" in phone("iw dev wlan2 link"), 180)
    phone("ip addr flush dev wlan2")
    claim("it gets an address", lambda: phone(f"python3 {HERE}/lease.py wlan2"), 60)


def fetch(url: str, words: str = "") -> str:
    """Return the page at *url*, as the phone gets it."""
    return phone(f"curl -s -m 40 {words} {url}")


def status(url: str, words: str = "") -> str:
    """Return the status of the page at *url*, and where it leads."""
    return fetch(url, f"-o /dev/null -w '%{{http_code}} %{{redirect_url}}' {words}").strip()


def leads_to_page(url: str) -> bool:
    """Return whether the phone is led from *url* to the page."""
    return status(url) == "302 http://10.42.0.1/wifi"


def choose(password: str) -> None:
    """Let the phone choose the router's network."""
    form = f"--data-urlencode 'network={ROUTER}' --data-urlencode 'password={password}'"
    answer = fetch("http://10.42.0.1/wifi", form)
    claim("the answer says where to go", lambda: re.findall(r"http://tiki\.local[^<]*", answer))


def look_around() -> None:
    """Look at what a phone finds in the table's own Wi-Fi."""
    for url in PROBES:
        claim(f"{url} leads to the page", partial(leads_to_page, url))
    page = fetch("http://10.42.0.1/wifi")
    claim("the page lists the router", lambda: f'value="{ROUTER}"' in page)
    claim("the table is there too", lambda: status("http://10.42.0.1:8321/") == "200")
    claim("the host's desk is not", lambda: status("http://10.42.0.1/desk") == "403")


def main() -> None:
    """Play a whole evening."""
    build_house()
    tell("kernel", run("uname -r"), run("nmcli --version"))
    claim("the companion runs", lambda: run("systemctl is-active tiki") == "active", 300)
    claim("no network: a Wi-Fi of its own opens", is_open, 240)
    own = json.loads(Path("/var/lib/tiki/games.wifi.json").read_text())
    claim("it is the table's", lambda: f"ssid {own['name']}" in run("iw dev wlan0 info"))
    join(own["name"], own["password"])
    look_around()
    choose("not the password")
    claim("it was not joined", lambda: "the password is not right" in journal(), 120)
    claim("the table's own is open again", is_open, 120)
    claim("nothing of it is kept", lambda: ROUTER not in run("nmcli -t -f NAME connection"))
    join(own["name"], own["password"])
    claim("the page says why", lambda: "is not right" in fetch("http://10.42.0.1/wifi"))
    choose(PASSWORD)
    active = "nmcli -t -f NAME,DEVICE connection show --active"
    claim("the table is in the network", lambda: f"{ROUTER}:wlan0" in run(active), 120)
    join(ROUTER, PASSWORD)
    address = run("ip -4 -o addr show wlan0").split()[3].partition("/")[0]
    claim("the phone opens the table", lambda: status(f"http://{address}:8321/") == "200")
    claim("the page is refused", lambda: status(f"http://{address}:8321/wifi") == "403")
    foreign = "-H 'Host: captive.apple.com'"
    claim("foreign names are refused", lambda: status(f"http://{address}:8321/", foreign) == "421")
    run("systemctl restart tiki", 200)
    time.sleep(45)
    claim("after a restart it stays there", lambda: f"{ROUTER}:wlan0" in run(active))
    run(f"kill $(cat /run/hostapd.pid); nmcli connection delete '{ROUTER}'")
    run("systemctl restart tiki", 200)
    claim("without the router its own opens", is_open, 240)
    run("systemctl kill -s KILL tiki")
    claim("which ends with the companion", lambda: not is_open(), 20)
    tell("all as it should be")


if __name__ == "__main__":
    main()
