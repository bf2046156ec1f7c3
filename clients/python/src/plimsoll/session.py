"""One run of an agent on a task, for threads (`Session`) and for coroutines (`AsyncSession`)."""

from __future__ import annotations

import inspect
import uuid
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from copy import deepcopy
from types import TracebackType
from typing import Any, Literal, TypeVar, Union, overload

from ._gateway.client import ClientCore, LoopThread
from ._gateway.session import Outcome, SessionCore
from ._gateway.step import Result, Step
from .answers import Answer
from .errors import PlimsollError
from .texts import ID, TOOL, bounded, check, frozen_arguments, text_of
from .trace import current_trace

T = TypeVar("T")

#: How long a step waits for its verdict, seconds.
TIMEOUT_S = 2.0

Arguments = Union[Mapping[str, Any], None]
Labels = Union[Mapping[str, Any], None]
Taint = Literal["none", "data", "instructions"]
Evidence = Literal["present", "absent", "unknown"]

_UNSET: Any = object()


class BaseSession:
    """What both kinds of session share."""

    def __init__(self, core: SessionCore, client: ClientCore, thread: LoopThread, timeout: float) -> None:
        self._core, self._client, self._thread, self._timeout = core, client, thread, timeout

    @property
    def id(self) -> str:
        return self._core.id

    def _asking(
        self, step: Step, timeout: float | None = None, approval_timeout: float | None = 0.0
    ) -> Coroutine[Any, Any, Answer]:
        return self._core.ask(step, self._timeout if timeout is None else timeout, approval_timeout)

    async def _completing(self, answer: Answer, result: Result) -> None:
        self._core.complete(answer, result)

    async def _reporting(self, answer: Answer, result: Result) -> None:
        """As `complete`, for a step that has run: a failure to report it must not lose its result."""
        try:
            self._core.complete(answer, result)
        except PlimsollError:
            self._client.stats.unreported += 1

    async def _instructing(self, text: str) -> None:
        self._core.instruct(bounded(text))

    async def _ending(self, outcome: Outcome) -> None:
        self._core.end(outcome)


class Session(BaseSession):
    """A session for threads. Every method may be called from any thread.

    Methods raise `PlimsollError`: `schema_invalid` for values that no event can hold, `session_ended` after `end`, and `closed`.
    """

    def instruct(self, text: str) -> None:
        """Reports what the user says after the task; it counts like the task. Never pass text of an agent or a tool."""
        self._thread.call(self._instructing(text))

    def propose(
        self,
        tool: str,
        arguments: Arguments = None,
        *,
        timeout: float | None = None,
        approval_timeout: float | None = 0.0,
        description: str | None = None,
        labels: Labels = None,
        evidence: Evidence | None = None,
        call_id: str | None = None,
    ) -> Answer:
        """Asks before a step runs. Run it only if the answer's `may_run` is true, then call `complete`.

        Waits `timeout` seconds for the verdict (default: the client's); then the fail mode of the tool's capability answers. Waits
        `approval_timeout` seconds for a human: not at all by default, None as long as the policy permits. A call like one that waits for
        an approval does not ask the human again, and runs once it is approved.
        """
        step = make_step(tool, arguments, description, labels, evidence, call_id)
        return self._thread.call(self._asking(step, timeout, approval_timeout))

    def wait_for_approval(self, answer: Answer, timeout: float | None = None) -> Answer:
        """The answer once a human has decided or the request has expired; the same `confirm` after `timeout` seconds."""
        return self._thread.call(self._core.wait_for_approval(answer, timeout))

    def complete(
        self,
        answer: Answer,
        result: object = _UNSET,
        *,
        error: bool = False,
        arguments: Arguments = None,
        labels: Labels = None,
        taint: Taint | None = None,
        is_whole: bool = True,
    ) -> None:
        """Reports that a step ran, and what it returned. `arguments`: those that ran, if they may differ from the proposed ones."""
        reported = make_result(answer.tool, result, error, arguments, labels, taint, is_whole)
        self._thread.call(self._completing(answer, reported))

    def run(
        self,
        tool: str,
        function: Callable[..., T],
        arguments: Arguments = None,
        *,
        timeout: float | None = None,
        approval_timeout: float | None = 0.0,
        description: str | None = None,
        labels: Labels = None,
        evidence: Evidence | None = None,
        call_id: str | None = None,
    ) -> T:
        """Proposes a step, calls `function(**arguments)` if it may run, reports the result and returns it.

        The function gets a copy of the arguments that were judged. Raises `StepBlocked` (`ApprovalRequired` if a human can approve it),
        and what the function raises.

        >>> session.run("send_email", send_email, {"to": "ann@example.com", "body": "Hello"})  # doctest: +SKIP
        """
        step = make_step(tool, arguments, description, labels, evidence, call_id)
        answer = self._thread.call(self._asking(step, timeout, approval_timeout))
        answer.raise_if_blocked()
        try:
            value = function(**deepcopy(step.arguments))
        except BaseException as error:
            # A tool's error may contain what it has read.
            self._thread.call(self._reporting(answer, ran(step, str(error), is_error=True)))
            raise
        self._thread.call(self._reporting(answer, ran(step, value)))
        return value

    def end(self, outcome: Outcome = "completed") -> None:
        """Ends the session. Safe to call twice."""
        self._thread.call(self._ending(outcome))

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end("completed" if error is None else "failed")


class AsyncSession(BaseSession):
    """A session for coroutines, of any event loop. Its methods are those of `Session`."""

    async def instruct(self, text: str) -> None:
        """Reports what the user says after the task; it counts like the task. Never pass text of an agent or a tool."""
        await self._thread.acall(self._instructing(text))

    async def propose(
        self,
        tool: str,
        arguments: Arguments = None,
        *,
        timeout: float | None = None,
        approval_timeout: float | None = 0.0,
        description: str | None = None,
        labels: Labels = None,
        evidence: Evidence | None = None,
        call_id: str | None = None,
    ) -> Answer:
        """Asks before a step runs, as `Session.propose` does. Cancelled, the step must not run."""
        step = make_step(tool, arguments, description, labels, evidence, call_id)
        return await self._thread.acall(self._asking(step, timeout, approval_timeout))

    async def wait_for_approval(self, answer: Answer, timeout: float | None = None) -> Answer:
        """The answer once a human has decided or the request has expired; the same `confirm` after `timeout` seconds."""
        return await self._thread.acall(self._core.wait_for_approval(answer, timeout))

    async def complete(
        self,
        answer: Answer,
        result: object = _UNSET,
        *,
        error: bool = False,
        arguments: Arguments = None,
        labels: Labels = None,
        taint: Taint | None = None,
        is_whole: bool = True,
    ) -> None:
        """Reports that a step ran, and what it returned."""
        reported = make_result(answer.tool, result, error, arguments, labels, taint, is_whole)
        await self._thread.acall(self._completing(answer, reported))

    @overload
    async def run(
        self, tool: str, function: Callable[..., Awaitable[T]], arguments: Arguments = None, **options: Any
    ) -> T: ...
    @overload
    async def run(self, tool: str, function: Callable[..., T], arguments: Arguments = None, **options: Any) -> T: ...

    async def run(self, tool: str, function: Callable[..., Any], arguments: Arguments = None, **options: Any) -> Any:
        """As `Session.run`, with the same options; `function` may be a coroutine function."""
        step, terms = split_options(tool, arguments, options)
        answer = await self._thread.acall(self._asking(step, **terms))
        answer.raise_if_blocked()
        try:
            value = function(**deepcopy(step.arguments))
            if inspect.isawaitable(value):
                value = await value
        except BaseException as error:
            await self._thread.acall(self._reporting(answer, ran(step, str(error), is_error=True)))
            raise
        await self._thread.acall(self._reporting(answer, ran(step, value)))
        return value

    async def end(self, outcome: Outcome = "completed") -> None:
        """Ends the session. Safe to call twice."""
        await self._thread.acall(self._ending(outcome))

    async def __aenter__(self) -> AsyncSession:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.end("completed" if error is None else "failed")


def split_options(tool: str, arguments: Arguments, options: dict[str, Any]) -> tuple[Step, dict[str, Any]]:
    names: tuple[str, ...] = ("timeout", "approval_timeout")
    terms = {name: options.pop(name) for name in names if name in options}
    return make_step(tool, arguments, **options), terms


def make_step(
    tool: str,
    arguments: Arguments,
    description: str | None = None,
    labels: Labels = None,
    evidence: Evidence | None = None,
    call_id: str | None = None,
) -> Step:
    """Raises `schema_invalid` and `event_oversize`: what cannot be examined must not run."""
    check("tool", tool, TOOL, "1–200 visible ASCII characters")
    name = call_id or f"call-{uuid.uuid4().hex}"
    check("call_id", name, ID, "1–160 letters, digits or `._:/@+=~-`")
    return Step(tool, frozen_arguments(tool, arguments), name, description, labels, evidence, current_trace())


def make_result(
    tool: str,
    result: object = _UNSET,
    error: bool = False,
    arguments: Arguments = None,
    labels: Labels = None,
    taint: Taint | None = None,
    is_whole: bool = True,
) -> Result:
    text, whole = (None, True) if result is _UNSET else text_of(result)
    that_ran = None if arguments is None else frozen_arguments(tool, arguments)
    return Result(error, text, whole and is_whole, that_ran, labels, taint)


def ran(step: Step, value: object, is_error: bool = False) -> Result:
    """What is reported of a step that ran with the arguments that were judged."""
    text, is_whole = text_of(value)
    return Result(is_error, text, is_whole, step.arguments)
