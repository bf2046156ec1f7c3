"""What a client remembers for the time when no verdict comes."""

from __future__ import annotations

from collections import deque
from typing import Any

from ..answers import Decision, is_runnable

#: Steps that ran without a verdict and are not reported yet. When it is full, the fail mode is closed.
STEPS_MAX = 256

#: Steps reported with one proposal.
REPORTED_MAX = 16

#: Stopped steps kept of a session. Beyond that, nothing of it runs without a verdict.
STOPPED_MAX = 1_024


class Journal:
    """Steps that ran without a verdict and are still to be reported."""

    def __init__(self) -> None:
        self._steps: deque[dict[str, Any]] = deque()

    def is_full(self) -> bool:
        return len(self._steps) >= STEPS_MAX

    def add(self, step: dict[str, Any]) -> None:
        self._steps.append(step)

    def take(self, count: int = REPORTED_MAX) -> list[dict[str, Any]]:
        return [self._steps.popleft() for _ in range(min(count, len(self._steps)))]

    def take_all(self) -> list[dict[str, Any]]:
        return self.take(STEPS_MAX)

    def remove(self, call_id: str) -> dict[str, Any] | None:
        step = next((each for each in self._steps if each["callId"] == call_id), None)
        if step:
            self._steps.remove(step)
        return step


class StopMemory:
    """Steps that decisions of one session have stopped: without a verdict they do not run, whatever their fail mode."""

    def __init__(self) -> None:
        self._steps: set[tuple[str, str]] = set()
        self._tools: set[str] = set()

    def note(self, decision: Decision, step: tuple[str, str]) -> None:
        if is_runnable(decision):
            return
        if any(r["source"] == "blocklist" and r.get("liftedBy") is None for r in decision["reasons"]):
            # The blocklist may match the tool whatever its arguments.
            self._tools.add(step[0])
        self._steps.add(step)

    def covers(self, step: tuple[str, str]) -> bool:
        is_full = len(self._steps) >= STOPPED_MAX
        return is_full or step in self._steps or step[0] in self._tools


class TenantStop:
    """Whether the tenant of a client is stopped, by the latest decision on any of its sessions."""

    def __init__(self) -> None:
        self._time = -1
        self.holds = False

    def note(self, decision: Decision) -> None:
        is_stop = any(reason["source"] == "stop" for reason in decision["reasons"])
        if not is_stop and (self._time < 0 or decision["kind"] in ("refusal", "repeat")):
            return
        if decision["time"] >= self._time:
            self._time, self.holds = decision["time"], is_stop
