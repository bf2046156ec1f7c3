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


#: What a step is recognised by if it is asked for again.
StepKey = tuple[str, ...]


@dataclass
class Request:
    """`waiting`, until a decision or its deadline settles it."""

    decision: Decision
    #: The tool, the digest of the arguments, and what the caller claims of them.
    step: StepKey
    #: On this process's clock, which differs from the log's.
    deadline: float
    outcome: Answer | None = None
    #: Steps of the session that were over when the outcome came.
    over: int = 0
    #: Whether a call has got the outcome.
    is_taken: bool = False
    waits: set[asyncio.Future[Answer]] = field(default_factory=set)
    timer: asyncio.TimerHandle | None = None


class Approvals:
    """`steps_over`: how many steps of the session are over. `on_outdated` ends an approved call that will not run."""

    def __init__(
        self, on_expired: Callable[[], None], steps_over: Callable[[], int], on_outdated: Callable[[Decision], None]
    ) -> None:
        self._requests: dict[str, Request] = {}
        self._on_expired, self._steps_over, self._on_outdated = on_expired, steps_over, on_outdated
        self._loop = asyncio.get_running_loop()

    def ask(self, decision: Decision, step: StepKey) -> None:
        """Notes a decision that requests an approval."""
        request = Request(decision, step, self._loop.time() + _remaining_s(decision))
        if len(self._requests) >= REQUESTS_MAX:
            done = next((key for key, each in self._requests.items() if each.outcome), next(iter(self._requests)))
            dropped = self._requests.pop(done)
            self._finish(dropped, _expired(dropped.decision))
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

    def earlier(self, step: StepKey) -> Answer | None:
        """The answer to an earlier call like this: `confirm` while it waits, then what the human said, for one call.

        Not an approval from before another step of the session was over: what that step has read was not judged. The step must be
        proposed again.
        """
        for request in list(self._requests.values()):
            if request.step != step or request.is_taken:
                continue
            if request.outcome is None:
                return answer_of(request.decision)
            if request.outcome.by != "decision" or not self.take(request.outcome):
                continue
            if not request.outcome.may_run or request.over == self._steps_over():
                return request.outcome
            self._on_outdated(request.decision)
        return None

    def take(self, answer: Answer) -> bool:
        """Notes that a call has got the answer of the human. False if another one has it: an approval is for one."""
        request = self._requests.get(answer.call_id)
        if request is None or request.is_taken:
            return False
        request.is_taken = True
        return True

    async def wait(self, answer: Answer, timeout: float | None) -> Answer:
        """The answer of the human; the `confirm` itself after `timeout` seconds. Raises `approval_unknown`."""
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
        return request.outcome or answer

    def close(self) -> None:
        """Answers `block` to everything that waits."""
        for request in list(self._requests.values()):
            self._finish(request, _expired(request.decision))
            request.is_taken = True
            if request.timer:
                request.timer.cancel()

    def _arm(self, request: Request) -> None:
        if request.timer:
            request.timer.cancel()
        request.timer = self._loop.call_at(request.deadline, self._lapse, request)

    def _lapse(self, request: Request) -> None:
        """Ends the wait for an answer. A step that was approved long ago and has not run must be proposed again."""
        if request.outcome is None:
            self._finish(request, _expired(request.decision))
            self._on_expired()
        request.is_taken = True

    def _finish(self, request: Request, outcome: Answer) -> None:
        if request.outcome is None:
            request.outcome, request.over = outcome, self._steps_over()
        for wait in request.waits:
            if not wait.done():
                wait.set_result(request.outcome)


def _remaining_s(decision: Decision) -> float:
    """From differences of the log's clock only."""
    expires_at: Any = decision.get("expiresAt")
    return TTL_S if expires_at is None else max(0.0, (expires_at - decision["time"]) / 1000)


def _expired(asked: Decision) -> Answer:
    return Answer(asked["callId"], asked["tool"], "block", False, "fail_closed", asked)
