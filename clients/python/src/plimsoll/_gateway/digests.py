"""The digests of what one session proposes."""

from __future__ import annotations

import json
import secrets
from typing import Any

from ..texts import digest_of
from .approvals import StepKey
from .running import OPEN_MAX
from .step import Step

#: Abandoned proposals kept of a session, to recognise their late decisions.
ABANDONED_MAX = 64

#: Proposals whose digests are kept: those that may be open or abandoned.
DIGESTS_MAX = 4 * OPEN_MAX + ABANDONED_MAX


class Digests:
    """By a key of the session: nobody else can compare them with those of another."""

    def __init__(self) -> None:
        # Random: equal arguments have equal digests in this session, and nobody else can check a guess.
        self._key = secrets.token_bytes(32)
        self._by_call: dict[str, tuple[str, str]] = {}

    def of(self, arguments: dict[str, Any]) -> str:
        return digest_of(self._key, arguments)

    def key_of(self, step: Step) -> tuple[str, str]:
        return step.tool, self.of(step.arguments)

    def request_key(self, step: Step) -> StepKey:
        """An approval is not for other claims either."""
        return (*self.key_of(step), json.dumps([step.labels, step.evidence], sort_keys=True, default=dict))

    def note(self, step: Step) -> tuple[str, str]:
        """Keeps the digest of a proposed step for its late decisions."""
        key = self.key_of(step)
        self._by_call[step.call_id] = key
        while len(self._by_call) > DIGESTS_MAX:
            self._by_call.pop(next(iter(self._by_call)))
        return key

    def of_call(self, call_id: str) -> tuple[str, str] | None:
        return self._by_call.get(call_id)
