"""By which addresses phones reach the table."""

from companion.apps.doctor.machine import Machine
from companion.apps.doctor.requirements import Requirements
from companion.apps.doctor.verdict import Verdict, failed, ok, skipped
from companion.web.http.reach import LOCAL_ONLY, NO_NETWORK, Reach

CONNECT = (
    "connect it to your Wi-Fi (sudo nmtui) or by a cable, or let it be a Wi-Fi of its own:"
    " docs/network.md"
)


def check_network(machine: Machine, requirements: Requirements) -> Verdict:
    """Name the addresses by which phones reach the table, or say why there are none."""
    web, own = requirements.config.web, machine.own_addresses()
    reach = Reach(web.host, web.port, web.address, lambda: own)
    if reach.obstacle == LOCAL_ONLY:
        return skipped(f"only this machine reaches the pages, at {reach.url}")
    if reach.obstacle == NO_NETWORK:
        return failed("this machine is in no network, so no phone can reach it", CONNECT)
    addresses = ", ".join(f"{each.link} {each.ip} ({each.interface})" for each in own)
    if reach.obstacle:
        detail, _, remedy = reach.obstacle.partition(". ")
        return failed(f"{detail}: {addresses}", remedy)
    if reach.configured:
        return ok(f"{reach.url}, as web.address says; this machine has {addresses or 'no other'}")
    name = machine.local_name(str(own[0].ip)) if own else ""
    found = addresses if reach.places[0].link else reach.url
    return ok(f"{found}; {name}, which older Android phones do not find" if name else found)
