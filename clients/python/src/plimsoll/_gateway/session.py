"""A session whose state is held by the monitors."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ..answers import Answer, Decision, Stats, answer_of, is_runnable
from ..errors import PlimsollError, closed_error
from ..fail_modes import FailMode
from ..texts import digest_of
from .approvals import Approvals, StepKey
from .history import History, codes_of
from .memory import Journal, StopMemory, TenantStop
from .outbound import Outbound, Outgoing

Outcome = Literal["completed", "failed", "cancelled"]

#: Steps of a session that may be open at a time: the engine's limit.
OPEN_MAX = 32

#: How long a step waits for open steps of this session that must be over first, seconds.
PREREQUISITES_S = 60.0

#: Events of a client that may wait. Completions may use as many again: what ran must be reported.
QUEUE_MAX = 10_000

#: Proposals kept to be sent again after a lost connection.
ASKED_MAX = 2 * OPEN_MAX

#: Abandoned proposals kept of a session, to recognise their late decisions.
ABANDONED_MAX = 64


@dataclass(frozen=True)
class Step:
    """A tool call as it is judged."""

    tool: str
    arguments: dict[str, Any]
    call_id: str
    description: str | None = None
    labels: Mapping[str, Any] | None = None
    evidence: str | None = None
    trace: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Result:
    """What is reported of a step that ran. `text` is None if it returned nothing to read."""

    is_error: bool = False
    text: str | None = None
    is_whole: bool = True
    arguments: dict[str, Any] | None = None
    labels: Mapping[str, Any] | None = None
    taint: str | None = None


@dataclass
class Link:
    """What the sessions of one client share."""

    outbound: Outbound
    stats: Stats
    fail_mode_of: Callable[[str, Mapping[str, Any] | None], FailMode]
    on_step_without_verdict: Callable[[str, Step, FailMode, str], None]
    on_confirm: Callable[[Answer], None]
    problem: Callable[[], PlimsollError | None]
    is_observer: bool
    takes_texts: bool
    producer: str
    tenant_stop: TenantStop


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
        self, id: str, link: Link, *, is_resumed: bool, on_end: Callable[[], None], start: dict[str, Any] | None = None
    ) -> None:
        self.id = id
        self._link, self._is_resumed, self._on_end = link, is_resumed, on_end
        # A resumed session restarts its numbers, under a name that has used none.
        self._producer = f"{link.producer}.{secrets.token_hex(4)}" if is_resumed else link.producer
        self._seq = 0
        self._state: Literal["open", "ended", "closed"] = "open"
        # Random: equal arguments have equal digests in this session, and nobody else can check a guess.
        self._key = secrets.token_bytes(32)
        self._proposals: dict[str, _Open] = {}
        self._abandoned: dict[str, _Open] = {}
        self._asked: dict[str, Outgoing] = {}
        self._digests: dict[str, tuple[str, str]] = {}
        self._running: dict[str, asyncio.Future[None]] = {}
        self._journal, self._stops = Journal(), StopMemory()
        self._steps_over = 0
        self._approvals = Approvals(self._expired, lambda: self._steps_over, self._release)
        self._history = History(link.outbound, self._renew)
        if start is not None:
            beside = {key: start.pop(key) for key in ("user", "task") if start.get(key) is not None}
            if not link.takes_texts:
                beside.pop("task", None)
            self._send("session.started", {k: v for k, v in start.items() if v is not None}, beside)

    # What callers do

    def instruct(self, text: str) -> None:
        self._use(QUEUE_MAX)
        self._send("session.instructed", {}, {"task": text} if self._link.takes_texts else {})

    async def ask(self, step: Step, timeout: float, approval_timeout: float | None) -> Answer:
        """Proposes a step, and waits for steps that must be over first and, if wanted, for a human."""
        deadline = _now() + PREREQUISITES_S
        while True:
            answer = self._approvals.earlier(self._request_key(step))
            if answer:
                self._note_running(answer)
            else:
                if len(self._running) >= OPEN_MAX:
                    await self._until_over(list(self._running), deadline, asyncio.FIRST_COMPLETED)
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
                self._note_running(answer)
                return answer
            if answer.may_run or not await self._may_ask_again(answer, deadline):
                return answer

    async def wait_for_approval(self, answer: Answer, timeout: float | None) -> Answer:
        self._assert_open()
        settled = await self._approvals.wait(answer, timeout)
        if not settled.needs_approval:
            self._approvals.take(settled)
        self._note_running(settled)
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
            "argumentsDigest": None if result.arguments is None else digest_of(self._key, result.arguments),
        }
        texts = {"arguments": result.arguments, "result": result.text} if self._link.takes_texts else {}
        self._send("step.completed", members, texts)
        self._steps_over += 1
        self._over(answer.call_id)

    def end(self, outcome: Outcome) -> None:
        if self._state != "open":
            return
        self._leave("ended", PlimsollError("session_ended", self._ended_message()))
        self._report_journal()
        self._send("session.ended", {"outcome": outcome})

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
        step = self._digests.get(decision["callId"])
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
            self._approvals.ask(decision, self._request_key(waiting.step))
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
            self._send("step.completed", members)
            self._over(decision["callId"])

    # Proposals

    async def _propose(self, step: Step, timeout: float) -> Answer:
        self._assert_open()
        key = self._key_of(step)
        self._digests[step.call_id] = key
        while len(self._digests) > 4 * OPEN_MAX + ABANDONED_MAX:
            self._digests.pop(next(iter(self._digests)))
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
        self._running[step.call_id] = asyncio.get_running_loop().create_future()
        try:
            answer = await asyncio.wait_for(asyncio.shield(proposal.answer), timeout)
        except asyncio.TimeoutError:
            answer = self._give_up(proposal, "timeout", self._timeout_message(timeout))
        except asyncio.CancelledError:
            self._give_up(proposal, None, "")
            self._over(step.call_id)
            raise
        self._note_running(answer)
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
            texts = {"arguments": step.arguments, "description": step.description}
        outgoing = self._send("step.proposed", members, texts, step.trace)
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
        """The answer of the fail mode, counted and journalled."""
        is_stopped = self._is_resumed or self._stops.covers(self._key_of(step)) or self._link.tenant_stop.holds
        cannot_report = self._state != "open" or self._journal.is_full()
        mode = "closed" if is_stopped or cannot_report else self._link.fail_mode_of(step.tool, step.labels)
        if mode == "open":
            labels = {"labels": dict(step.labels)} if step.labels else {}
            self._journal.add({"callId": step.call_id, "tool": step.tool, **labels})
            self._link.stats.failed_open += 1
        else:
            self._link.stats.failed_closed += 1
        self._link.on_step_without_verdict(self.id, step, mode, cause)
        if mode == "open":
            return Answer(step.call_id, step.tool, "allow", True, "fail_open", cause=why)
        return Answer(step.call_id, step.tool, "block", False, "fail_closed", cause=why)

    def _timeout_message(self, timeout: float) -> str:
        problem = self._link.problem()
        if problem:
            return f"no verdict came: {problem}"
        return f"no verdict came within {timeout:g} s: check that a monitor runs behind the gateway"

    def _renew(self, event: dict[str, Any]) -> dict[str, Any]:
        """With a new id, so that a refusal of the first sending is not taken for the answer to this one."""
        proposal = self._proposals.pop(event["id"], None)
        if proposal is None:
            return event
        renewed = {**event, "id": _new_id()}
        self._proposals[renewed["id"]] = proposal
        asked = self._asked.get(event["callId"])
        if asked:
            self._asked[event["callId"]] = Outgoing(renewed, asked.beside, is_sent=True)
        return renewed

    # Open steps

    async def _may_ask_again(self, answer: Answer, deadline: float) -> bool:
        """Waits for what blocks a step only for now: steps of this session that run, or their number."""
        decision = answer.decision or {}
        awaited = [call_id for call_id in decision.get("waitFor", []) if call_id in self._running]
        if awaited:
            return await self._until_over(awaited, deadline, asyncio.ALL_COMPLETED)
        is_full = answer.by == "decision" and "too_many_open_calls" in codes_of(decision)
        return is_full and await self._until_over(list(self._running), deadline, asyncio.FIRST_COMPLETED)

    async def _until_over(self, call_ids: list[str], deadline: float, how_many: str) -> bool:
        waits = [self._running[each] for each in call_ids if each in self._running]
        if not waits:
            return False
        done, pending = await asyncio.wait(waits, timeout=max(0, deadline - _now()), return_when=how_many)
        self._assert_open()
        return bool(done) and (how_many == asyncio.FIRST_COMPLETED or not pending)

    def _note_running(self, answer: Answer) -> None:
        if not answer.may_run:
            self._over(answer.call_id)
        elif answer.call_id not in self._running:
            self._running[answer.call_id] = asyncio.get_running_loop().create_future()

    def _over(self, call_id: str) -> None:
        running = self._running.pop(call_id, None)
        if running and not running.done():
            running.set_result(None)

    # Events

    def _send(
        self,
        type: str,
        members: dict[str, Any],
        texts: Mapping[str, Any] | None = None,
        trace: Mapping[str, str] | None = None,
    ) -> Outgoing:
        event = {
            "schema": 1,
            "id": _new_id(),
            "sessionId": self.id,
            "producer": self._producer,
            "seq": self._seq,
            "time": int(time.time() * 1000),
            "type": type,
            **{name: value for name, value in members.items() if value is not None},
        }
        self._seq += 1
        present = {name: value for name, value in (texts or {}).items() if value is not None}
        outgoing = Outgoing(event, {**({"texts": present} if present else {}), **({"trace": trace} if trace else {})})
        self._history.add(outgoing)
        self._link.outbound.push(outgoing)
        return outgoing

    def _report_journal(self) -> None:
        """No proposal will report these steps."""
        for step in self._journal.take_all():
            self._send("step.completed", {**step, "outcome": "ok"})

    # Life

    def _leave(self, state: Literal["ended", "closed"], error: PlimsollError) -> None:
        self._state = state
        for proposal in list(self._proposals.values()):
            answer = self._give_up(proposal, "closed", str(error))
            if not proposal.answer.done():
                proposal.answer.set_result(answer)
        self._approvals.close()
        for call_id in list(self._running):
            self._over(call_id)
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

    def _key_of(self, step: Step) -> tuple[str, str]:
        return step.tool, digest_of(self._key, step.arguments)

    def _request_key(self, step: Step) -> StepKey:
        """An approval is not for other claims either."""
        return (*self._key_of(step), json.dumps([step.labels, step.evidence], sort_keys=True, default=dict))

    def _expired(self) -> None:
        self._link.stats.expired += 1


def _new_id() -> str:
    return f"e-{uuid.uuid4().hex}"


def _now() -> float:
    return asyncio.get_running_loop().time()
