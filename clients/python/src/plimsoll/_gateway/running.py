"""The steps of one session that run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from ..answers import Answer
from .history import codes_of

#: Steps of a session that may be open at a time: the engine's limit.
OPEN_MAX = 32

#: How long a step waits for open steps of this session that must be over first, seconds.
PREREQUISITES_S = 60.0


class Running:
    """`assert_open` raises once the session is over, for those that have waited."""

    def __init__(self, assert_open: Callable[[], None]) -> None:
        self._assert_open = assert_open
        self._running: dict[str, asyncio.Future[None]] = {}

    def add(self, call_id: str) -> None:
        self._running[call_id] = asyncio.get_running_loop().create_future()

    def note(self, answer: Answer) -> None:
        if not answer.may_run:
            self.over(answer.call_id)
        elif answer.call_id not in self._running:
            self.add(answer.call_id)

    def over(self, call_id: str) -> None:
        running = self._running.pop(call_id, None)
        if running and not running.done():
            running.set_result(None)

    def all_over(self) -> None:
        for call_id in list(self._running):
            self.over(call_id)

    async def until_room(self, deadline: float) -> None:
        if len(self._running) >= OPEN_MAX:
            await self._until_over(list(self._running), deadline, asyncio.FIRST_COMPLETED)

    async def may_ask_again(self, answer: Answer, deadline: float) -> bool:
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


def prerequisites_deadline() -> float:
    """Until when a step that is asked now waits for others."""
    return _now() + PREREQUISITES_S


def _now() -> float:
    return asyncio.get_running_loop().time()
