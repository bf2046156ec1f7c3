"""The client on its event loop, and the thread of that loop."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import threading
import uuid
import warnings
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

from ..answers import Answer, Stats
from ..errors import PlimsollError, closed_error
from ..fail_modes import FailMode
from ..texts import ID, check
from .channel import Channel, Credential
from .link import Link
from .memory import TenantStop
from .outbound import Outbound
from .session import SessionCore
from .step import Step

T = TypeVar("T")

#: Sessions open at a time.
SESSIONS_MAX = 10_000

#: Decision ids remembered: a monitor may publish one twice.
RECENT_MAX = 4_096

#: How long closing a client may go on sending, seconds.
CLOSE_S = 5.0


class LoopThread:
    """An event loop in a daemon thread. Callers may be threads, or coroutines of any other loop."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._process = os.getpid()
        self._thread = threading.Thread(target=self._run, name="plimsoll", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        self._loop.run_forever()
        left = asyncio.all_tasks(self._loop)
        for task in left:
            task.cancel()
        if left:
            self._loop.run_until_complete(asyncio.wait(left))
        self._loop.close()

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        """Blocks until `work` is done. An interrupt cancels it."""
        future = self._submit(work)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    async def acall(self, work: Coroutine[Any, Any, T]) -> T:
        return await asyncio.wrap_future(self._submit(work))

    def stop(self) -> None:
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
        if threading.current_thread() is not self._thread:
            self._thread.join(CLOSE_S)

    def _submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        problem = self._problem()
        if problem:
            work.close()
            raise problem
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def _problem(self) -> PlimsollError | None:
        """Why a call would wait forever, if it would."""
        if os.getpid() != self._process:
            return PlimsollError("closed", "the client was connected before this process was forked: connect in each process")
        if not self._thread.is_alive():
            return closed_error()
        if threading.current_thread() is self._thread:
            return PlimsollError("usage_invalid", "a callback of the client must not call it: use a thread of your own")
        return None


class ClientCore:
    """The sessions of one connection."""

    def __init__(
        self,
        *,
        url: str,
        credential: Credential,
        fail_mode_of: Callable[..., FailMode],
        is_observer: bool,
        takes_texts: bool,
        on_disconnect: Callable[[PlimsollError], None] | None,
        on_confirm: Callable[[Answer], None] | None,
        on_step_without_verdict: Callable[[str, Step, FailMode, str], None] | None,
    ) -> None:
        self.stats = Stats()
        self._sessions: dict[str, SessionCore] = {}
        self._recent: dict[str, None] = {}
        self._is_closed = False
        self.channel = Channel(
            url,
            credential,
            on_decision=self._receive,
            on_lost=shielded("on_disconnect", on_disconnect),
            on_resumed=self._ask_again,
            open_sessions=lambda: list(self._sessions),
        )
        self._outbound = Outbound(self.channel, self._count_retry)
        self._link = Link(
            outbound=self._outbound,
            stats=self.stats,
            fail_mode_of=fail_mode_of,
            on_step_without_verdict=shielded("on_step_without_verdict", on_step_without_verdict),
            on_confirm=shielded("on_confirm", on_confirm),
            problem=lambda: self.channel.problem,
            is_observer=is_observer,
            takes_texts=takes_texts,
            producer=f"client-{secrets.token_hex(9)}",
            tenant_stop=TenantStop(),
        )

    async def open(self) -> ClientCore:
        self.welcome = await self.channel.open()
        return self

    async def start_session(
        self, id: str | None, start: dict[str, Any] | None, world: dict[str, Any] | None = None
    ) -> SessionCore:
        """Starts a session or, without `start`, continues one. Raises `queue_full`, `closed`, `session_already_started`."""
        if self._is_closed:
            raise closed_error()
        name = self._whole(id or str(uuid.uuid4()))
        check("id", name, ID, "1–160 letters, digits or `._:/@+=~-`")
        known = self._sessions.get(name)
        if known and start is None:
            return known
        if known:
            raise PlimsollError("session_already_started", f"session `{name}` is open: use a new id for each session")
        if len(self._sessions) >= SESSIONS_MAX:
            raise PlimsollError("queue_full", f"{SESSIONS_MAX} sessions are open: end those that are over")
        session = SessionCore(
            name,
            self._link,
            is_resumed=start is None,
            start=start,
            world=world,
            on_end=lambda: void(self._sessions.pop(name, None)),
        )
        self._sessions[name] = session
        return session

    async def counts(self) -> Stats:
        self.stats.queued = self._outbound.size()
        return self.stats

    async def close(self) -> None:
        """Sends what waits, for at most `CLOSE_S` seconds. Safe to call twice."""
        if self._is_closed:
            return
        self._is_closed = True
        for session in list(self._sessions.values()):
            session.close()
        await self._outbound.flush(0.2 if self.channel.problem else CLOSE_S)
        self._outbound.stop()
        await self.channel.close()

    def _whole(self, id: str) -> str:
        prefix = self.welcome.session_prefix
        return id if id.startswith(prefix) else prefix + id

    def _receive(self, session_id: str, decision: dict[str, Any]) -> None:
        session = self._sessions.get(session_id)
        # Repeats share an id but may differ: each is the current answer.
        is_repeat = decision["kind"] == "repeat"
        if session is None or (not is_repeat and decision["id"] in self._recent):
            return
        if not is_repeat:
            self._recent[decision["id"]] = None
            while len(self._recent) > RECENT_MAX:
                self._recent.pop(next(iter(self._recent)))
        session.receive(decision)

    def _ask_again(self) -> None:
        for session in list(self._sessions.values()):
            session.ask_again()

    def _count_retry(self) -> None:
        self.stats.retried += 1


def void(_: object) -> None:
    return None


def shielded(name: str, callback: Callable[..., Any] | None) -> Callable[..., None]:
    """A callback whose errors become warnings: they must not end the connection."""

    def call(*args: Any) -> None:
        if callback is None:
            return
        try:
            returned = callback(*args)
            if isinstance(returned, Awaitable):
                with contextlib.suppress(AttributeError):
                    returned.close()  # type: ignore[attr-defined]
                warnings.warn(f"plimsoll: `{name}` must be a plain function, not `async`", RuntimeWarning, stacklevel=1)
        except Exception as error:
            warnings.warn(f"plimsoll: `{name}` failed: {error}", RuntimeWarning, stacklevel=1)

    return call


