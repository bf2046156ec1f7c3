"""The errors of this package. Their codes are those of docs/reference/errors.md."""

from __future__ import annotations

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


def closed_error() -> PlimsollError:
    return PlimsollError("closed", "the client is closed: connect again")
