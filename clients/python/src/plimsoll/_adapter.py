"""What the adapters of all frameworks share: ask before a tool runs, answer the model if it may not, and report what it returned."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar, Union

from ._gateway.step import Step
from .answers import Answer
from .errors import PlimsollError
from .session import AsyncSession, Session, make_step, ran
from .texts import frozen_arguments

T = TypeVar("T")
Call = TypeVar("Call")

AnySession = Union[Session, AsyncSession]
#: A session, or a function that finds the session of a call, so that one agent serves many.
SessionSource = Union[AnySession, Callable[[Call], AnySession]]

#: Errors of a call that the model can do something about. Others are the host's.
FOR_THE_MODEL = frozenset({"schema_invalid", "event_oversize"})


@dataclass(frozen=True)
class Refused:
    """The step may not run; the message is for the model."""

    message: str


@dataclass(frozen=True)
class Asked:
    """A step that may run, with the arguments that were judged."""

    session: AnySession
    step: Step
    answer: Answer

    @property
    def arguments(self) -> dict[str, Any]:
        """A copy: what a tool changes in it is not what was judged."""
        return deepcopy(self.step.arguments)

    def with_arguments(self, arguments: Mapping[str, Any]) -> Asked:
        """With those that ran, for frameworks in which others may change them after the verdict: it counts as another step then."""
        return replace(self, step=replace(self.step, arguments=frozen_arguments(self.step.tool, arguments)))


@dataclass(frozen=True)
class Guard(Generic[Call]):
    """Asks the session of each call. `approval_timeout`: seconds that a step waits for a human; None: as long as the policy permits."""

    session: SessionSource[Call]
    approval_timeout: float | None = 0.0

    def _session_of(self, call: Call) -> AnySession:
        source = self.session
        return source if isinstance(source, (Session, AsyncSession)) else source(call)

    def ask(
        self, call: Call, tool: str, arguments: Mapping[str, Any] | None, description: str | None = None
    ) -> Asked | Refused:
        """Raises `session_ended` and `closed`: the tool must not run then."""
        session = self._session_of(call)
        step = _step(tool, arguments, description)
        if isinstance(step, Refused):
            return step
        answer = session._thread.call(session._asking(step, None, self.approval_timeout))
        return Asked(session, step, answer) if answer.may_run else Refused(answer.message)

    async def aask(
        self, call: Call, tool: str, arguments: Mapping[str, Any] | None, description: str | None = None
    ) -> Asked | Refused:
        session = self._session_of(call)
        step = _step(tool, arguments, description)
        if isinstance(step, Refused):
            return step
        answer = await session._thread.acall(session._asking(step, None, self.approval_timeout))
        return Asked(session, step, answer) if answer.may_run else Refused(answer.message)


def _step(tool: str, arguments: Mapping[str, Any] | None, description: str | None) -> Step | Refused:
    try:
        return make_step(tool, arguments, description or None)
    except PlimsollError as error:
        if error.code in FOR_THE_MODEL:
            return Refused(str(error))
        raise


def report(asked: Asked, value: object, *, is_error: bool = False) -> None:
    result = ran(asked.step, value, is_error)
    asked.session._thread.call(asked.session._reporting(asked.answer, result))


async def areport(asked: Asked, value: object, *, is_error: bool = False) -> None:
    result = ran(asked.step, value, is_error)
    await asked.session._thread.acall(asked.session._reporting(asked.answer, result))


def run(asked: Asked, execute: Callable[[], T]) -> T:
    """Runs the tool and reports what it returned or raised."""
    try:
        value = execute()
    except BaseException as error:
        report(asked, str(error), is_error=True)
        raise
    report(asked, value)
    return value


async def arun(asked: Asked, execute: Callable[[], Awaitable[T]]) -> T:
    try:
        value = await execute()
    except BaseException as error:
        await areport(asked, str(error), is_error=True)
        raise
    await areport(asked, value)
    return value
