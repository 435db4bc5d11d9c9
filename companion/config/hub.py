"""The hub: where it keeps what all tables publish, and where its pages are."""

from typing import Annotated

import msgspec
from msgspec import Meta


class HubConfig(msgspec.Struct, frozen=True):
    """What `tiki hub` needs beside [mqtt] and [web].

    database: its address; "" is hub.db in the state folder.  port: of the hub's pages.
    """

    database: str = ""
    port: Annotated[int, Meta(ge=0, le=65535)] = 8322
