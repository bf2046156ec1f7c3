"""The queue of a client: events leave in order, one frame at a time."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..errors import PlimsollError
from .channel import Channel, FrameRefused

#: Bounds of one frame: events, characters, and events of one session, which a monitor still recognises when they are repeated.
FRAME_EVENTS_MAX = 500
FRAME_CHARS_MAX = 256 * 1024
FRAME_SESSION_EVENTS_MAX = 16

#: First and longest pause before a failed frame is sent again, seconds.
RETRY_S = (0.05, 5.0)


@dataclass
class Outgoing:
    """An event with what is sent beside it."""

    event: dict[str, Any]
    beside: dict[str, Any] = field(default_factory=dict)
    #: Whether it was handed to the channel.
    is_sent: bool = False

    def __post_init__(self) -> None:
        self.chars = len(json.dumps(self.event)) + len(json.dumps(self.beside, ensure_ascii=False))


class Outbound:
    """A frame that fails is sent again with the same events, ids and numbers, so that the monitors recognise them."""

    def __init__(self, channel: Channel, on_retry: Callable[[], None]) -> None:
        self._channel, self._on_retry = channel, on_retry
        self._queue: list[Outgoing] = []
        self._in_flight = 0
        self._task: asyncio.Task[None] | None = None

    def size(self) -> int:
        return len(self._queue) + self._in_flight

    def push(self, outgoing: Outgoing) -> None:
        self._queue.append(outgoing)
        self._run()

    def push_first(self, events: list[Outgoing]) -> None:
        self._queue[:0] = events
        self._run()

    async def flush(self, timeout: float) -> None:
        """Returns when nothing is left, or after `timeout` seconds."""
        if self._task and not self._task.done():
            await asyncio.wait([self._task], timeout=timeout)

    def stop(self) -> None:
        if self._task:
            self._task.cancel()

    def _run(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._drain())

    async def _drain(self) -> None:
        while self._queue:
            batch = self._next_batch()
            self._in_flight = len(batch)
            for outgoing in batch:
                outgoing.is_sent = True
            await self._deliver([{"event": outgoing.event, **outgoing.beside} for outgoing in batch])
            self._in_flight = 0

    async def _deliver(self, events: list[dict[str, Any]]) -> None:
        pause, longest = RETRY_S
        while True:
            try:
                return await self._channel.send(events)
            except FrameRefused:
                # The fail mode answers its proposals; the events of other sessions must not wait behind it.
                return None
            except PlimsollError:
                self._on_retry()
            await asyncio.sleep(pause)
            pause = min(2 * pause, longest)

    def _next_batch(self) -> list[Outgoing]:
        chars = 0
        by_session: Counter[str] = Counter()
        for i, outgoing in enumerate(self._queue):
            session = outgoing.event["sessionId"]
            by_session[session] += 1
            chars += outgoing.chars
            is_full = i >= FRAME_EVENTS_MAX or by_session[session] > FRAME_SESSION_EVENTS_MAX or chars > FRAME_CHARS_MAX
            if i > 0 and is_full:
                batch, self._queue = self._queue[:i], self._queue[i:]
                return batch
        batch, self._queue = self._queue, []
        return batch
