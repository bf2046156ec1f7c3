"""The connection to a gateway. It reconnects until it is closed."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Union
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI

from ..errors import PlimsollError, closed_error

STREAM_PATH = "/v1/stream"
STREAM_PROTOCOL = "plimsoll.v1"

#: How long a gateway may take to answer a connection, to acknowledge a frame, and to close, seconds.
WELCOME_S = 10.0
ACK_S = 30.0
CLOSE_S = 1.0

#: First and longest pause before a reconnect, seconds.
RECONNECT_S = (0.05, 5.0)

GATEWAY_FRAME_BYTES_MAX = 1024 * 1024
FRAME_BYTES_MAX = 4 * 1024 * 1024

#: Sessions of one `resume` frame.
RESUME_MAX = 1_000

#: RFC 6455, 7.4: the gateway could not read the frame. It would not read it the next time either.
CLOSE_INVALID = 1008

#: An API key, or a function that returns a token, called before each connection.
Credential = Union[str, Callable[[], Union[str, Awaitable[str]]]]


@dataclass(frozen=True)
class Welcome:
    principal: str
    trust: str
    session_prefix: str


class FrameRefused(Exception):
    """The gateway cannot read a frame: sending it again does not help."""


class Channel:
    """`on_decision` gets each decision; `on_lost` each failed connection; `on_resumed` is called after a reconnect."""

    def __init__(
        self,
        url: str,
        credential: Credential,
        *,
        on_decision: Callable[[str, dict[str, Any]], None],
        on_lost: Callable[[PlimsollError], None],
        on_resumed: Callable[[], None],
        open_sessions: Callable[[], list[str]],
    ) -> None:
        self.url = url
        self._address = stream_address(url)
        self._credential = credential
        self._on_decision, self._on_lost, self._on_resumed = on_decision, on_lost, on_resumed
        self._open_sessions = open_sessions
        self._acks: dict[int, asyncio.Future[None]] = {}
        self._frames = 0
        self._socket: ClientConnection | None = None
        self._connected = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None
        #: Why there is no connection now.
        self.problem: PlimsollError | None = None

    async def open(self) -> Welcome:
        """Raises `config_invalid`, `unauthenticated`, `forbidden` or `gateway_unavailable`."""
        socket, welcome = await self._connect()
        self._adopt(socket)
        self._keeper = asyncio.create_task(self._keep(socket))
        return welcome

    async def close(self) -> None:
        if self._keeper:
            self._keeper.cancel()
        if self._socket:
            with contextlib.suppress(Exception):
                await asyncio.wait_for(self._socket.close(), CLOSE_S)
        self._fail(closed_error())

    async def send(self, events: list[dict[str, Any]]) -> None:
        """Returns once the events are in the log. Raises `PlimsollError` if they may not be, and `FrameRefused`."""
        await self._connected.wait()
        socket = self._socket
        if socket is None:
            raise PlimsollError("gateway_unavailable", "there is no connection")
        number, self._frames = self._frames, self._frames + 1
        frame = json.dumps({"type": "events", "id": number, "events": events}, allow_nan=False)
        if len(frame) > FRAME_BYTES_MAX:
            raise FrameRefused(f"a frame of more than {FRAME_BYTES_MAX} bytes")
        acked = asyncio.get_running_loop().create_future()
        self._acks[number] = acked
        try:
            await socket.send(frame)
            await asyncio.wait_for(acked, ACK_S)
        except ConnectionClosed as error:
            raise self._closed(socket) from error
        except asyncio.TimeoutError as error:
            await socket.close()
            raise PlimsollError("gateway_unavailable", f"`{self.url}` does not acknowledge") from error
        finally:
            self._acks.pop(number, None)

    def _closed(self, socket: ClientConnection) -> Exception:
        if socket.close_code == CLOSE_INVALID:
            return FrameRefused(socket.close_reason or "")
        return PlimsollError("gateway_unavailable", f"`{self.url}` closed the connection ({socket.close_code})")

    def _adopt(self, socket: ClientConnection) -> None:
        self._socket, self.problem = socket, None
        self._connected.set()

    async def _keep(self, socket: ClientConnection) -> None:
        """Reads until the connection is lost, then makes the next one."""
        while True:
            await self._read(socket)
            self._connected.clear()
            self._socket = None
            why = self._closed(socket)
            self._fail(why)
            self._lost(why if isinstance(why, PlimsollError) else PlimsollError("gateway_unavailable", str(why)))
            socket = await self._reconnect()
            for sessions in _slices(self._open_sessions(), RESUME_MAX):
                with contextlib.suppress(ConnectionClosed):
                    await socket.send(json.dumps({"type": "resume", "sessions": sessions}))
            self._adopt(socket)
            self._on_resumed()

    async def _reconnect(self) -> ClientConnection:
        pause, longest = RECONNECT_S
        while True:
            await asyncio.sleep(pause)
            pause = min(2 * pause, longest)
            try:
                return (await self._connect())[0]
            except PlimsollError as error:
                self._lost(error)

    def _lost(self, why: PlimsollError) -> None:
        self.problem = why
        self._on_lost(why)

    def _fail(self, error: Exception) -> None:
        for acked in self._acks.values():
            if not acked.done():
                acked.set_exception(error)
        self._acks.clear()

    async def _read(self, socket: ClientConnection) -> None:
        try:
            async for data in socket:
                self._receive(json.loads(data))
        except Exception:
            # What cannot be read ends this connection, and must not end the next one.
            await socket.close()

    def _receive(self, frame: dict[str, Any]) -> None:
        if frame["type"] == "decision":
            return self._on_decision(frame["sessionId"], json.loads(frame["decision"]))
        acked = self._acks.get(frame.get("id", -1))
        if acked is None or acked.done():
            return None
        if frame["type"] == "ack":
            return acked.set_result(None)
        return acked.set_exception(PlimsollError(frame["error"]["code"], frame["error"]["message"]))

    async def _connect(self) -> tuple[ClientConnection, Welcome]:
        token = await self._token()
        try:
            socket = await connect(
                self._address,
                subprotocols=[STREAM_PROTOCOL],  # type: ignore[list-item]
                additional_headers={"authorization": f"Bearer {token}"},
                open_timeout=WELCOME_S,
                close_timeout=CLOSE_S,
                max_size=GATEWAY_FRAME_BYTES_MAX,
                compression=None,
                proxy=None if _is_local(self._address) else True,
            )
        except InvalidStatus as error:
            raise self._refused(error.response.status_code) from error
        except (OSError, asyncio.TimeoutError, InvalidHandshake, InvalidURI) as error:
            raise PlimsollError(
                "gateway_unavailable",
                f"no gateway answers at `{self.url}` ({error or 'timeout'}): check the address, or start one with `npx plimsoll up`",
            ) from error
        try:
            return socket, _welcome(json.loads(await asyncio.wait_for(socket.recv(), WELCOME_S)))
        except (ConnectionClosed, asyncio.TimeoutError, ValueError, KeyError, TypeError) as error:
            await socket.close()
            raise PlimsollError("gateway_unavailable", f"`{self.url}` did not welcome the connection") from error

    async def _token(self) -> str:
        try:
            given = self._credential() if callable(self._credential) else self._credential
            token = await given if inspect.isawaitable(given) else given
        except Exception as error:
            raise PlimsollError("gateway_unavailable", f"the function `key` failed: {error}") from error
        if not isinstance(token, str) or not re.fullmatch(r"[\x21-\x7e]+", token):
            raise PlimsollError(
                "config_invalid",
                "`key`: expected a key or a token on one line: pass `key`, or set GATEWAY_KEY to what the gateway's operator gave you",
            )
        return token

    def _refused(self, status: int) -> PlimsollError:
        if status == 401:
            return PlimsollError(
                "unauthenticated",
                f"the gateway at `{self.url}` does not know this key: check `key` or GATEWAY_KEY; a restarted `plimsoll up` prints a new one",
            )
        if status == 403:
            return PlimsollError("forbidden", f"the gateway at `{self.url}` forbids this: use the key of another principal")
        return PlimsollError(
            "gateway_unavailable", f"`{self.url}` answers with status {status}: check that a Plimsoll gateway is there"
        )


def _welcome(frame: dict[str, Any]) -> Welcome:
    if frame["type"] != "welcome":
        raise ValueError("no welcome")
    return Welcome(frame["principal"], frame["trust"], frame["sessionPrefix"])


def stream_address(url: str) -> str:
    """The WebSocket's address of a gateway. Raises `config_invalid`."""
    parts = urlsplit(url if isinstance(url, str) else "")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise PlimsollError(
            "config_invalid", f"`url`: expected the address of a gateway, such as `http://127.0.0.1:9465`, got `{url}`"
        )
    scheme = "wss" if parts.scheme == "https" else "ws"
    return f"{scheme}://{parts.netloc}{parts.path.rstrip('/')}{STREAM_PATH}"


def _is_local(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    return host in ("localhost", "::1") or host.startswith("127.")


def _slices(items: list[str], size: int) -> list[list[str]]:
    return [items[i : i + size] for i in range(0, len(items), size)]
