"""What becomes of a step of a session that gets no verdict."""

from __future__ import annotations

from ..answers import Answer
from .link import Link
from .memory import Journal, StopMemory
from .step import Step


class WithoutVerdict:
    def __init__(self, session_id: str, link: Link, journal: Journal, stops: StopMemory, *, is_resumed: bool) -> None:
        self._session_id, self._link, self._is_resumed = session_id, link, is_resumed
        self._journal, self._stops = journal, stops

    def answer(self, step: Step, key: tuple[str, str], cause: str, why: str, *, is_open: bool) -> Answer:
        """The answer of the fail mode, counted and journalled."""
        is_stopped = self._is_resumed or self._stops.covers(key) or self._link.tenant_stop.holds
        cannot_report = not is_open or self._journal.is_full()
        mode = "closed" if is_stopped or cannot_report else self._link.fail_mode_of(step.tool, step.labels)
        if mode == "open":
            labels = {"labels": dict(step.labels)} if step.labels else {}
            self._journal.add({"callId": step.call_id, "tool": step.tool, **labels})
            self._link.stats.failed_open += 1
        else:
            self._link.stats.failed_closed += 1
        self._link.on_step_without_verdict(self._session_id, step, mode, cause)
        if mode == "open":
            return Answer(step.call_id, step.tool, "allow", True, "fail_open", cause=why)
        return Answer(step.call_id, step.tool, "block", False, "fail_closed", cause=why)

    def timeout_message(self, timeout: float) -> str:
        problem = self._link.problem()
        if problem:
            return f"no verdict came: {problem}"
        return f"no verdict came within {timeout:g} s: check that a monitor runs behind the gateway"
