"""Connections that have become websockets: the gate counts and closes them as all others."""

from typing import Any

from uvicorn.config import Config
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from companion.web.http.connections import STUCK_S, GatedState


class Upgraded(WebSocketsSansIOProtocol):
    """A websocket; closed when its peer takes nothing for too long.

    host, number, opened_s, aborted: as of a `Connection`.
    """

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: Any = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        assert isinstance(server_state, GatedState)
        self._gate = server_state.gate
        self.host, self.number = "", -1
        self.opened_s = self.loop.time()
        self.aborted = False
        self._stuck_since_s: float | None = None

    @property
    def is_busy(self) -> bool:
        """Whether somebody uses it: as long as it is open."""
        return not self.transport.is_closing()

    def connection_made(self, transport: Any) -> None:
        """Take the place of the connection that it was."""
        super().connection_made(transport)
        self.host = self.client[0] if self.client else ""
        self.number = transport.get_extra_info("socket").fileno()
        self._gate.connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._gate.connections.discard(self)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Note since when nothing has been taken."""
        self._stuck_since_s = self.loop.time()
        super().pause_writing()

    def resume_writing(self) -> None:
        """Note that the peer takes something again."""
        self._stuck_since_s = None
        super().resume_writing()

    async def send(self, message: Any) -> None:
        """Send *message*; whoever was refused by an answer has been answered."""
        await super().send(message)
        is_answer = message["type"] == "websocket.http.response.body"
        if is_answer and not message.get("more_body", False):
            self.handshake_complete = True

    def check(self, now_s: float) -> None:
        """Close it if its peer has taken nothing for too long."""
        if self.transport.is_closing():
            self._stuck_since_s = self._stuck_since_s or now_s
        if self._stuck_since_s is not None and now_s - self._stuck_since_s > STUCK_S:
            self.abort()

    def abort(self) -> None:
        """Close it now."""
        self.aborted = True
        self.transport.abort()
