"""Connects to a gateway, for threads (`connect`) and for coroutines (`connect_async`)."""

from __future__ import annotations

import dataclasses
import os
import weakref
from collections.abc import Awaitable, Callable, Generator, Mapping
from types import TracebackType
from typing import Any, Generic, Literal, Protocol, TypeVar

from ._gateway.channel import Credential
from ._gateway.client import ClientCore, LoopThread
from ._gateway.step import Step
from .answers import Answer, Stats
from .errors import PlimsollError
from .fail_modes import Capability, FailMode, create_fail_modes
from .session import TIMEOUT_S, AsyncSession, Session
from .texts import ID, LINE, bounded, check
from .world import checked_world

#: Where a gateway listens by default.
URL = "http://127.0.0.1:9465"


@dataclasses.dataclass(frozen=True)
class StepWithoutVerdict:
    """A step that the fail mode answered."""

    session_id: str
    call_id: str
    tool: str
    #: `open`: it was allowed to run, and is reported with the next step.
    mode: FailMode
    cause: Literal["timeout", "queue_full", "closed"]


def connect(
    url: str | None = None,
    key: Credential | None = None,
    *,
    timeout: float = TIMEOUT_S,
    redact: bool = False,
    fail_modes: Mapping[Capability, FailMode] | None = None,
    capabilities: Mapping[str, Capability] | None = None,
    mode: Literal["enforce", "observe"] = "enforce",
    on_confirm: Callable[[Answer], None] | None = None,
    on_step_without_verdict: Callable[[StepWithoutVerdict], None] | None = None,
    on_disconnect: Callable[[PlimsollError], None] | None = None,
) -> Client:
    """Connects to a gateway.

    `url` and `key` default to the variables GATEWAY and GATEWAY_KEY, and `url` to `http://127.0.0.1:9465`. `key` may be a function that
    returns a token of the gateway's OIDC issuer; it is called before each connection.

    - `timeout`: seconds that a step waits for its verdict.
    - `redact`: keep all texts in this process. Without it the gateway reads them, reports fingerprints, and forgets them.
    - `fail_modes`: whether a step may run without a verdict, by capability. By default only `read` may.
    - `capabilities`: those of your own tools. The tools of the shipped catalogue are known; others do not run without a verdict.
    - `mode`: `observe` lets every step run at once. Nothing can stop these agents.
    - `on_confirm`: called for each answer that waits for a human. Callbacks run in the client's thread and must not call it.

    Raises `PlimsollError`: `config_invalid`, `unauthenticated`, `forbidden` or `gateway_unavailable`. After a lost connection it
    reconnects; meanwhile the fail modes answer.
    """
    options = {key: value for key, value in locals().items() if key not in ("url", "key")}
    thread = LoopThread()
    try:
        core = _core(url, key, **options)
        return Client(thread.call(core.open()), thread, timeout)
    except BaseException:
        thread.stop()
        raise


def connect_async(url: str | None = None, key: Credential | None = None, **options: Any) -> Opening[AsyncClient]:
    """As `connect`, with the same options, to be awaited or used in `async with`.

    >>> async with connect_async() as client:  # doctest: +SKIP
    ...     async with client.start_session(task="Answer Ann's mail") as session:
    ...         await session.run("read_email", read_email, {"id": 7})
    """

    async def open_client() -> AsyncClient:
        thread = LoopThread()
        try:
            core = _core(url, key, **options)
            return AsyncClient(await thread.acall(core.open()), thread, options.get("timeout", TIMEOUT_S))
        except BaseException:
            thread.stop()
            raise

    return Opening(open_client)


def _core(
    url: str | None,
    key: Credential | None,
    *,
    timeout: float = TIMEOUT_S,
    redact: bool = False,
    fail_modes: Mapping[Capability, FailMode] | None = None,
    capabilities: Mapping[str, Capability] | None = None,
    mode: str = "enforce",
    on_confirm: Callable[[Answer], None] | None = None,
    on_step_without_verdict: Callable[[StepWithoutVerdict], None] | None = None,
    on_disconnect: Callable[[PlimsollError], None] | None = None,
) -> ClientCore:
    if mode not in ("enforce", "observe"):
        raise PlimsollError("config_invalid", f"`mode`: expected `enforce` or `observe`, got `{mode}`")
    if not timeout > 0:
        raise PlimsollError("config_invalid", f"`timeout`: expected seconds, more than 0, got `{timeout}`")

    def without_verdict(session_id: str, step: Step, fail_mode: FailMode, cause: Any) -> None:
        if on_step_without_verdict:
            on_step_without_verdict(StepWithoutVerdict(session_id, step.call_id, step.tool, fail_mode, cause))

    return ClientCore(
        url=os.environ.get("GATEWAY", URL) if url is None else url,
        credential=os.environ.get("GATEWAY_KEY", "") if key is None else key,
        fail_mode_of=create_fail_modes(fail_modes, capabilities),
        is_observer=mode == "observe",
        takes_texts=not redact,
        on_disconnect=on_disconnect,
        on_confirm=on_confirm,
        on_step_without_verdict=without_verdict,
    )


class _Closable(Protocol):
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...


C = TypeVar("C", bound=_Closable)


class Opening(Generic[C]):
    """Something that is opened when it is awaited or entered."""

    def __init__(self, opener: Callable[[], Awaitable[C]]) -> None:
        self._opener = opener
        self._opened: C | None = None

    def __await__(self) -> Generator[Any, None, C]:
        return self._opener().__await__()

    async def __aenter__(self) -> C:
        self._opened = await self._opener()
        return self._opened

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._opened is not None:
            await self._opened.__aexit__(kind, error, trace)


class _BaseClient:
    def __init__(self, core: ClientCore, thread: LoopThread, timeout: float) -> None:
        self._core, self._thread, self._timeout = core, thread, timeout
        # Steps that ran must be reported even if nobody closes the client.
        self._at_exit = weakref.finalize(self, _close, core, thread)

    @property
    def url(self) -> str:
        return self._core.channel.url


class Client(_BaseClient):
    """A connection to a gateway for many sessions. Every method may be called from any thread."""

    def start_session(
        self,
        *,
        task: str | None = None,
        category: str | None = None,
        agent: str | None = None,
        user: str | None = None,
        world: Mapping[str, Any] | None = None,
        id: str | None = None,
    ) -> Session:
        """Starts the session of one run of an agent. End it, or use it in `with`.

        - `task`: what the user wants, in the user's words. Values in it may be sent to; verdicts are better with it.
        - `category`: selects the chain of the prediction, such as `research_comms`.
        - `user`: whom the agent works for, at most 200 characters.
        - `world`: where the agent's programs run, such as `{"folder": "/srv/app", "network": "none"}`; gateways believe hosts alone.

        Raises `schema_invalid`, `session_already_started`, `queue_full` and `closed`.
        """
        return self._session(self._core.start_session(id, _start(task, category, agent, user), checked_world(world)))

    def resume_session(self, id: str, *, world: Mapping[str, Any] | None = None) -> Session:
        """Continues a session that another process started. Without a verdict nothing of it runs: what was blocked is unknown here.

        - `world`: as for `start_session`; what that declared is not known here.
        """
        return self._session(self._core.start_session(id, None, checked_world(world)))

    def stats(self) -> Stats:
        """Counts since the client was connected."""
        return dataclasses.replace(self._thread.call(self._core.counts()))

    def close(self) -> None:
        """Sends what waits, then closes. Open steps are answered by the fail mode. Safe to call twice."""
        self._at_exit()

    def _session(self, work: Any) -> Session:
        return Session(self._thread.call(work), self._core, self._thread, self._timeout)

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncClient(_BaseClient):
    """A connection to a gateway for many sessions, for coroutines of any event loop. Its methods are those of `Client`."""

    def start_session(
        self,
        *,
        task: str | None = None,
        category: str | None = None,
        agent: str | None = None,
        user: str | None = None,
        world: Mapping[str, Any] | None = None,
        id: str | None = None,
    ) -> Opening[AsyncSession]:
        """As `Client.start_session`, to be awaited or used in `async with`."""
        return self._session(id, _start(task, category, agent, user), checked_world(world))

    def resume_session(self, id: str, *, world: Mapping[str, Any] | None = None) -> Opening[AsyncSession]:
        """As `Client.resume_session`."""
        return self._session(id, None, checked_world(world))

    async def stats(self) -> Stats:
        """Counts since the client was connected."""
        return dataclasses.replace(await self._thread.acall(self._core.counts()))

    async def close(self) -> None:
        """Sends what waits, then closes. Safe to call twice."""
        if self._at_exit.alive:
            await self._thread.acall(self._core.close())
            self._at_exit.detach()
            self._thread.stop()

    def _session(
        self, id: str | None, start: dict[str, Any] | None, world: dict[str, Any] | None
    ) -> Opening[AsyncSession]:
        async def open_session() -> AsyncSession:
            core = await self._thread.acall(self._core.start_session(id, start, world))
            return AsyncSession(core, self._core, self._thread, self._timeout)

        return Opening(open_session)

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def _start(task: str | None, category: str | None, agent: str | None, user: str | None) -> dict[str, Any]:
    if category is not None:
        check("category", category, LINE, "1–64 characters on one line", 64)
    if agent is not None:
        check("agent", agent, ID, "1–160 letters, digits or `._:/@+=~-`")
    if user is not None:
        check("user", user, LINE, "1–200 characters on one line")
    return {
        "category": category,
        "agent": agent,
        "user": user,
        "task": None if task is None else bounded(task),
    }


def _close(core: ClientCore, thread: LoopThread) -> None:
    try:
        thread.call(core.close())
    except PlimsollError:
        return  # Of another process, or from its own thread: nothing can be sent.
    thread.stop()


