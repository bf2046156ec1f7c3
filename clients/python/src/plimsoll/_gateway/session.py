"""A session whose state is held by the monitors."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from ..answers import Answer, Decision, answer_of, is_runnable
from ..errors import PlimsollError, closed_error
from .approvals import Approvals
from .digests import ABANDONED_MAX, Digests
from .events import Events, new_id
from .history import History, codes_of
from .link import Link
from .memory import Journal, StopMemory
from .outbound import Outgoing
from .running import OPEN_MAX, Running, prerequisites_deadline
from .step import Result, Step
from .without_verdict import WithoutVerdict

Outcome = Literal["completed", "failed", "cancelled"]

#: Events of a client that may wait. Completions may use as many again: what ran must be reported.
QUEUE_MAX = 10_000

#: Proposals kept to be sent again after a lost connection.
ASKED_MAX = 2 * OPEN_MAX


@dataclass
class _Open:
    """A proposal that a caller waits for, or has given up."""

    step: Step
    answer: asyncio.Future[Answer]
    #: Set when nobody waits any more: whether its step ran.
    ran: bool | None = None


class SessionCore:
    """`open` until it is ended, or closed with its client."""

    def __init__(
        self,
        id: str,
        link: Link,
        *,
        is_resumed: bool,
        on_end: Callable[[], None],
        start: dict[str, Any] | None = None,
        world: dict[str, Any] | None = None,
    ) -> None:
        self.id = id
        # The world stands beside each step, as a gateway keeps no text.
        self._link, self._on_end, self._world = link, on_end, world
        # A resumed session restarts its numbers, under a name that has used none.
        producer = f"{link.producer}.{secrets.token_hex(4)}" if is_resumed else link.producer
        self._state: Literal["open", "ended", "closed"] = "open"
        self._proposals: dict[str, _Open] = {}
        self._abandoned: dict[str, _Open] = {}
        self._asked: dict[str, Outgoing] = {}
        self._digests = Digests()
        self._running = Running(self._assert_open)
        self._journal, self._stops = Journal(), StopMemory()
        self._without_verdict = WithoutVerdict(id, link, self._journal, self._stops, is_resumed=is_resumed)
        self._steps_over = 0
        self._approvals = Approvals(self._expired, lambda: self._steps_over, self._release)
        self._history = History(link.outbound, self._renew)
        self._events = Events(id, producer, link.outbound, self._history)
        if start is not None:
            beside = {key: start.pop(key) for key in ("user", "task") if start.get(key) is not None}
            if not link.takes_texts:
                beside.pop("task", None)
            self._events.send("session.started", {k: v for k, v in start.items() if v is not None}, beside)

    # What callers do

    def instruct(self, text: str) -> None:
        self._use(QUEUE_MAX)
        self._events.send("session.instructed", {}, {"task": text} if self._link.takes_texts else {})

    async def ask(self, step: Step, timeout: float, approval_timeout: float | None) -> Answer:
        """Proposes a step, and waits for steps that must be over first and, if wanted, for a human."""
        deadline = prerequisites_deadline()
        while True:
            answer = self._approvals.earlier(self._digests.request_key(step))
            if answer:
                self._running.note(answer)
            else:
                await self._running.until_room(deadline)
                answer = await self._propose(step, timeout)
            if answer.needs_approval:
                self._link.on_confirm(answer)
                if approval_timeout == 0:
                    return answer
                answer = await self._approvals.wait(answer, approval_timeout)
                self._assert_open()
                if answer.needs_approval:
                    return answer
                if answer.by == "decision" and not self._approvals.take(answer):
                    continue
                self._running.note(answer)
                return answer
            if answer.may_run or not await self._running.may_ask_again(answer, deadline):
                return answer

    async def wait_for_approval(self, answer: Answer, timeout: float | None) -> Answer:
        self._assert_open()
        settled = await self._approvals.wait(answer, timeout)
        if not settled.needs_approval:
            self._approvals.take(settled)
        self._running.note(settled)
        return settled

    def complete(self, answer: Answer, result: Result) -> None:
        self._use(2 * QUEUE_MAX)
        journalled = self._journal.remove(answer.call_id)
        labels = {**((journalled or {}).get("labels") or {}), **(result.labels or {})}
        signals = None if result.is_whole else {"partial": 1}
        members = {
            "callId": answer.call_id,
            "tool": answer.tool,
            "outcome": "error" if result.is_error else "ok",
            "labels": labels or None,
            "taint": result.taint,
            "signals": signals,
            "argumentsDigest": None if result.arguments is None else self._digests.of(result.arguments),
        }
        texts = {"arguments": result.arguments, "result": result.text} if self._link.takes_texts else {}
        self._events.send("step.completed", members, texts)
        self._steps_over += 1
        self._running.over(answer.call_id)

    def end(self, outcome: Outcome) -> None:
        if self._state != "open":
            return
        self._leave("ended", PlimsollError("session_ended", self._ended_message()))
        self._report_journal()
        self._events.send("session.ended", {"outcome": outcome})

    def close(self) -> None:
        """Answers everything open by the fail mode, and reports what ran."""
        if self._state == "open":
            self._leave("closed", closed_error())
            self._report_journal()

    # What the monitors answer

    def receive(self, decision: Decision) -> None:
        if decision["kind"] == "alert":
            return
        self._link.tenant_stop.note(decision)
        step = self._digests.of_call(decision["callId"])
        if step:
            self._stops.note(decision, step)
        if decision["kind"] == "approval":
            return self._receive_approval(decision)
        if decision["kind"] != "refusal":
            self._history.confirm(decision["eventId"])
        elif decision["eventId"] in self._proposals and decision["mode"] == "enforce":
            resent = self._history.resent
            if self._history.heal(decision):
                self._link.stats.resent += self._history.resent - resent
                return
        self._receive_answer(decision)

    def ask_again(self) -> None:
        """Decisions may have been missed: proposes everything awaited again. The monitors recognise it and repeat their answer."""
        self._asked = {call_id: each for call_id, each in self._asked.items() if self._is_awaited(each)}
        for outgoing in self._asked.values():
            if outgoing.is_sent:
                self._link.outbound.push(Outgoing(outgoing.event, outgoing.beside))

    def _is_awaited(self, outgoing: Outgoing) -> bool:
        event = outgoing.event
        return event["id"] in self._proposals or self._approvals.is_awaited(event["callId"])

    def _receive_approval(self, decision: Decision) -> None:
        if self._approvals.settle(decision):
            if "approval_expired" in codes_of(decision):
                self._link.stats.expired += 1
        else:
            self._link.stats.late += 1
            self._release_if_runnable(decision)

    def _receive_answer(self, decision: Decision) -> None:
        waiting = self._proposals.pop(decision["eventId"], None)
        if waiting is None:
            if decision["kind"] != "repeat" or not self._approvals.settle(decision):
                self._receive_late(decision)
            return
        self._link.stats.decided += 1
        answer = answer_of(decision)
        if answer.needs_approval:
            self._approvals.ask(decision, self._digests.request_key(waiting.step))
        if not waiting.answer.done():
            waiting.answer.set_result(answer)

    def _receive_late(self, decision: Decision) -> None:
        """The caller went on without this decision, but the monitor counts with it."""
        given_up = self._abandoned.get(decision["eventId"])
        if given_up is None or decision["kind"] == "refusal":
            return
        del self._abandoned[decision["eventId"]]
        if self._link.is_observer:
            return
        self._link.stats.late += 1
        if given_up.ran and is_runnable(decision):
            self._journal.remove(decision["callId"])
        elif not given_up.ran:
            self._release_if_runnable(decision)

    def _release_if_runnable(self, decision: Decision) -> None:
        """Completes a call that the monitor counts as running and that will never run: it would hold its place."""
        if is_runnable(decision):
            self._release(decision)

    def _release(self, decision: Decision) -> None:
        if self._state == "open":
            members = {"callId": decision["callId"], "tool": decision["tool"], "outcome": "error"}
            self._events.send("step.completed", members)
            self._running.over(decision["callId"])

    # Proposals

    async def _propose(self, step: Step, timeout: float) -> Answer:
        self._assert_open()
        key = self._digests.note(step)
        self._link.stats.proposed += 1
        if self._link.outbound.size() >= QUEUE_MAX:
            return self._fail(step, "queue_full", "the queue of the client is full")
        event = self._propose_event(step, key[1])
        proposal = _Open(step, asyncio.get_running_loop().create_future())
        if self._link.is_observer:
            self._link.stats.observed += 1
            self._abandon(event["id"], proposal, ran=True)
            return Answer(step.call_id, step.tool, "allow", True, "observe")
        self._proposals[event["id"]] = proposal
        self._running.add(step.call_id)
        try:
            answer = await asyncio.wait_for(asyncio.shield(proposal.answer), timeout)
        except asyncio.TimeoutError:
            answer = self._give_up(proposal, "timeout", self._without_verdict.timeout_message(timeout))
        except asyncio.CancelledError:
            self._give_up(proposal, None, "")
            self._running.over(step.call_id)
            raise
        self._running.note(answer)
        return answer

    def _propose_event(self, step: Step, digest: str) -> dict[str, Any]:
        without_verdict = self._journal.take()
        members = {
            "callId": step.call_id,
            "tool": step.tool,
            "argumentsDigest": digest,
            "labels": dict(step.labels) if step.labels else None,
            "evidence": {"sensitive": step.evidence} if step.evidence else None,
            "withoutVerdict": without_verdict or None,
        }
        texts: dict[str, Any] = {}
        if self._link.takes_texts:
            # Sent even if they are empty: without them the gateway would not know that there are none.
            texts = {"arguments": step.arguments, "description": step.description, "world": self._world}
        outgoing = self._events.send("step.proposed", members, texts, step.trace)
        if len(self._asked) >= ASKED_MAX:
            self._asked = {call_id: each for call_id, each in self._asked.items() if self._is_awaited(each)}
        self._asked[step.call_id] = outgoing
        return outgoing.event

    def _give_up(self, proposal: _Open, cause: str | None, why: str) -> Answer:
        event_id = next((id for id, each in self._proposals.items() if each is proposal), None)
        if event_id is None:
            return proposal.answer.result()
        del self._proposals[event_id]
        answer = Answer(proposal.step.call_id, proposal.step.tool, "block", False, "fail_closed")
        if cause is not None:
            answer = self._fail(proposal.step, cause, why)
        self._abandon(event_id, proposal, ran=answer.may_run)
        return answer

    def _abandon(self, event_id: str, proposal: _Open, *, ran: bool) -> None:
        proposal.ran = ran
        self._abandoned[event_id] = proposal
        while len(self._abandoned) > ABANDONED_MAX:
            self._abandoned.pop(next(iter(self._abandoned)))

    def _fail(self, step: Step, cause: str, why: str) -> Answer:
        key, is_open = self._digests.key_of(step), self._state == "open"
        return self._without_verdict.answer(step, key, cause, why, is_open=is_open)

    def _renew(self, event: dict[str, Any]) -> dict[str, Any]:
        """With a new id, so that a refusal of the first sending is not taken for the answer to this one."""
        proposal = self._proposals.pop(event["id"], None)
        if proposal is None:
            return event
        renewed = {**event, "id": new_id()}
        self._proposals[renewed["id"]] = proposal
        asked = self._asked.get(event["callId"])
        if asked:
            self._asked[event["callId"]] = Outgoing(renewed, asked.beside, is_sent=True)
        return renewed

    def _report_journal(self) -> None:
        """No proposal will report these steps."""
        for step in self._journal.take_all():
            self._events.send("step.completed", {**step, "outcome": "ok"})

    # Life

    def _leave(self, state: Literal["ended", "closed"], error: PlimsollError) -> None:
        self._state = state
        for proposal in list(self._proposals.values()):
            answer = self._give_up(proposal, "closed", str(error))
            if not proposal.answer.done():
                proposal.answer.set_result(answer)
        self._approvals.close()
        self._running.all_over()
        self._on_end()

    def _use(self, queue_max: int) -> None:
        self._assert_open()
        if self._link.outbound.size() >= queue_max:
            raise PlimsollError("queue_full", f"{queue_max} events wait to be sent: is the gateway reachable?")

    def _assert_open(self) -> None:
        if self._state == "ended":
            raise PlimsollError("session_ended", self._ended_message())
        if self._state == "closed":
            raise closed_error()

    def _ended_message(self) -> str:
        return f"session `{self.id}` has ended: start another with `client.start_session()`"

    def _expired(self) -> None:
        self._link.stats.expired += 1
