"""The events of one session that may have to be sent again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..answers import Decision
from .outbound import Outbound, Outgoing

#: Events kept until a decision shows that the monitor has them.
EVENTS_MAX = 64

#: How often in a row a gap is filled. After that, the refusal is the answer.
HEALS_MAX = 3


class History:
    """`renew` gives an event that is sent again a new id if a caller waits for its answer."""

    def __init__(self, outbound: Outbound, renew: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        self._outbound, self._renew = outbound, renew
        self._kept: list[Outgoing] = []
        self._heals = 0
        self.resent = 0

    def add(self, outgoing: Outgoing) -> None:
        self._kept = [*self._kept[1 - EVENTS_MAX :], outgoing]

    def confirm(self, event_id: str) -> None:
        """Notes that the monitor has folded an event, and so all before it."""
        self._heals = 0
        at = next((i for i, each in enumerate(self._kept) if each.event["id"] == event_id), None)
        if at is not None:
            self._kept = self._kept[at + 1 :]

    def heal(self, refusal: Decision) -> bool:
        """Sends again what `refusal` shows to be missing. False if that cannot help, so that the refusal is the answer."""
        missing = missing_from(refusal)
        if missing is None or self._heals >= HEALS_MAX:
            return False
        at = next((i for i, each in enumerate(self._kept) if each.event["seq"] == missing), None)
        again = [] if at is None else [each for each in self._kept[at:] if each.is_sent]
        if not again:
            return False
        self._heals += 1
        renewed = {each.event["seq"]: Outgoing(self._renew(each.event), each.beside) for each in again}
        self._kept = [renewed.get(each.event["seq"], each) for each in self._kept]
        self._outbound.push_first(list(renewed.values()))
        self.resent += len(renewed)
        return True


def codes_of(decision: Decision) -> set[str]:
    return {reason["code"] for reason in decision["reasons"]}


def missing_from(refusal: Decision) -> int | None:
    """The number from which the monitor misses events, if it says so."""
    codes = codes_of(refusal)
    if "session_state_lost" in codes:
        return 0
    expected = refusal.get("expectedSeq")
    return expected if "sequence_gap" in codes and isinstance(expected, int) else None
