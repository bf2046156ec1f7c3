"""The approval requests of one session, and what became of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..answers import Answer, Decision, answer_of, is_runnable
from ..errors import PlimsollError

#: Requests kept of a session. The engine lets at most 32 calls wait.
REQUESTS_MAX = 64

#: Expiry of a request whose decision states none, and how long an approved step that has not run stays approved, seconds.
TTL_S = 900.0


@dataclass
class Request:
    """`waiting`, until a decision or its deadline settles it."""

    decision: Decision
    #: Tool and digest of the arguments.
    step: tuple[str, str]
    #: On this process's clock, which differs from the log's.
    deadline: float
    outcome: Answer | None = None
    waits: set[asyncio.Future[Answer]] = field(default_factory=set)
    timer: asyncio.TimerHandle | None = None


class Approvals:
    def __init__(self, on_expired: Callable[[], None]) -> None:
        self._requests: dict[str, Request] = {}
        self._on_expired = on_expired
        self._loop = asyncio.get_running_loop()

    def ask(self, decision: Decision, step: tuple[str, str]) -> None:
        """Notes a decision that requests an approval."""
        request = Request(decision, step, self._loop.time() + _remaining_s(decision))
        if len(self._requests) >= REQUESTS_MAX:
            done = next((key for key, each in self._requests.items() if each.outcome), next(iter(self._requests)))
            self._finish(self._requests.pop(done), _expired(decision))
        self._requests[decision["callId"]] = request
        self._arm(request)

    def settle(self, decision: Decision) -> bool:
        """Takes the decision on an approval. False if it comes too late for its step to run."""
        request = self._requests.get(decision["callId"])
        if request is None or request.outcome:
            return False
        if decision["verdict"] != "confirm" or is_runnable(decision):
            self._finish(request, answer_of(decision))
        else:
            request.decision = decision
        request.deadline = self._loop.time() + _remaining_s(decision)
        self._arm(request)
        return True

    def is_awaited(self, call_id: str) -> bool:
        request = self._requests.get(call_id)
        return request is not None and request.outcome is None

    def standing(self, step: tuple[str, str]) -> Answer | None:
        """The answer to an earlier call like this: `confirm` while it waits, then the approval, for one run."""
        for call_id, request in list(self._requests.items()):
            if request.step != step:
                continue
            if request.outcome is None:
                return answer_of(request.decision)
            if request.outcome.may_run:
                self._drop(call_id)
                return request.outcome
        return None

    async def wait(self, answer: Answer, timeout: float | None) -> Answer:
        """The answer after the approval. The `confirm` itself after `timeout` seconds, or if another call like it has used the approval.

        Raises `approval_unknown`.
        """
        if not answer.needs_approval:
            return answer
        request = self._requests.get(answer.call_id)
        if request is None:
            raise PlimsollError(
                "approval_unknown", f"call `{answer.call_id}` waits for no approval here: propose the step again"
            )
        if request.outcome is None:
            wait: asyncio.Future[Answer] = self._loop.create_future()
            request.waits.add(wait)
            try:
                await asyncio.wait_for(wait, timeout)
            except asyncio.TimeoutError:
                return answer_of(request.decision)
            finally:
                request.waits.discard(wait)
        if request.outcome and request.outcome.may_run:
            if self._requests.get(answer.call_id) is not request:
                return answer_of(request.decision)
            self._drop(answer.call_id)
        return request.outcome or answer

    def close(self) -> None:
        """Answers `block` to everything that waits."""
        for call_id, request in list(self._requests.items()):
            self._finish(request, _expired(request.decision))
            self._drop(call_id)

    def _arm(self, request: Request) -> None:
        if request.timer:
            request.timer.cancel()
        request.timer = self._loop.call_at(request.deadline, self._lapse, request)

    def _lapse(self, request: Request) -> None:
        """Ends the wait for an answer; an approved step that nobody ran must be proposed again."""
        if request.outcome is None:
            self._finish(request, _expired(request.decision))
            self._on_expired()
        elif request.outcome.may_run and self._requests.get(request.decision["callId"]) is request:
            self._drop(request.decision["callId"])

    def _finish(self, request: Request, outcome: Answer) -> None:
        request.outcome = request.outcome or outcome
        for wait in request.waits:
            if not wait.done():
                wait.set_result(request.outcome)

    def _drop(self, call_id: str) -> None:
        request = self._requests.pop(call_id, None)
        if request and request.timer:
            request.timer.cancel()


def _remaining_s(decision: Decision) -> float:
    """From differences of the log's clock only."""
    expires_at: Any = decision.get("expiresAt")
    return TTL_S if expires_at is None else max(0.0, (expires_at - decision["time"]) / 1000)


def _expired(asked: Decision) -> Answer:
    return Answer(asked["callId"], asked["tool"], "block", False, "fail_closed", asked)
