"""A radio that is not there: networks, their passwords and their troubles are as told."""

from companion.wifi.radio import Choice, Credentials, Network, NoRadio, NotJoined, Reason, Situation


class FakeRadio:
    """A radio in a house of made-up networks.

    networks: each with its password, "" for none; whoever knows it joins.
    troubles: why those of these names cannot be joined.  known: names that were joined once.
    cabled: whether the table hangs on a cable.  joined: the network that it is in, "" for none.
    opened: the own one, None while it is closed.
    fault: why the radio cannot be used, "" if it can.
    """

    def __init__(self, networks: dict[Network, str]) -> None:
        self.networks = networks
        self.troubles: dict[str, Reason] = {}
        self.known: set[str] = set()
        self.cabled = False
        self.joined = ""
        self.opened: Credentials | None = None
        self.fault = ""

    async def situation(self) -> Situation:
        """Return how the table stands; a known network in sight is joined at once."""
        self._check()
        sees = self.known & {network.name for network in self.networks}
        if sees and self.opened is None and not self.joined:
            self.joined = min(sees)
        return Situation(
            is_connected=self.cabled or bool(self.joined),
            is_open=self.opened is not None,
            knows_any=bool(self.known),
            sees_known=bool(sees) and self.opened is None,
        )

    async def scan(self) -> tuple[Network, ...]:
        """Return the networks in sight."""
        self._check()
        return tuple(sorted(self.networks, key=lambda network: -network.strength))

    async def open(self, credentials: Credentials) -> None:
        """Open a Wi-Fi of the table's own."""
        self._check()
        self.joined, self.opened = "", credentials

    async def close(self) -> None:
        """Close it."""
        self._check()
        self.opened = None

    async def join(self, choice: Choice, limit_s: float) -> None:
        """Join a network if the password is right and nothing else is the matter."""
        del limit_s
        self._check()
        passwords = {network.name: password for network, password in self.networks.items()}
        if choice.name in self.troubles:
            raise NotJoined(self.troubles[choice.name])
        if choice.name not in passwords:
            raise NotJoined("absent")
        if passwords[choice.name] != choice.password:
            raise NotJoined("password")
        self.known.add(choice.name)
        self.joined = choice.name

    def _check(self) -> None:
        if self.fault:
            raise NoRadio(self.fault)
