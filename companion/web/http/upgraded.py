"""Connections that have become websockets: the gate counts and closes them as all others."""

from typing import Any

from uvicorn.config import Config
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from companion.web.http.connections import Gated


class Upgraded(Gated, WebSocketsSansIOProtocol):
    """A websocket, which is used as long as it is open."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: Any = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.come_through(server_state)

    async def send(self, message: Any) -> None:
        """Send *message*; whoever was refused by an answer has been answered."""
        await super().send(message)
        is_answer = message["type"] == "websocket.http.response.body"
        if is_answer and not message.get("more_body", False):
            self.handshake_complete = True
