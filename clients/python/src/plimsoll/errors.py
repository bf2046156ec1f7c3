"""The errors of this package. Their codes are those of docs/reference/errors.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .answers import Answer

#: Codes that a later attempt may not meet.
RETRYABLE = frozenset({"gateway_unavailable", "log_unavailable", "queue_full"})


class PlimsollError(Exception):
    """What went wrong and what to do, in one line.

    `code` is stable and meant for programs; `retryable` says whether the same call may succeed later.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.retryable = code in RETRYABLE


class StepBlocked(PlimsollError):
    """The step may not run. The message is meant for the model that proposed it."""

    def __init__(self, answer: Answer) -> None:
        super().__init__("step_blocked", answer.message)
        self.answer = answer


class ApprovalRequired(StepBlocked):
    """The step waits for a human. Once it is approved, the same call runs: make it again."""


def closed_error() -> PlimsollError:
    return PlimsollError("closed", "the client is closed: connect again")
