"""The approval requests of a gateway, for programs through which humans answer them: a chat, a web page."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import httpx

from .answers import Decision
from .client import URL
from .errors import PlimsollError

#: How long a request may take, seconds: the gateway waits up to 10 for the decision on an answer.
TIMEOUT_S = 20.0


@dataclass(frozen=True)
class ApprovalRequest:
    """A step that waits for a human."""

    decision_id: str
    session_id: str
    tool: str
    #: The reasons, and what the step may destroy.
    message: str
    #: The step for a human, with its arguments; empty if another process has them.
    lines: list[str]
    #: Milliseconds since 1970 on the log's clock.
    expires_at: int


class ApprovalQueue:
    """Lists and answers open approval requests, in the name of the principal of `key`, which needs `approves: true`.

    Keep that key from agents: an agent that has it answers for itself. Raises `PlimsollError`: `gateway_unavailable`, `unauthenticated`,
    `forbidden`, and `approval_unknown` for requests that were answered or have expired.

    >>> with ApprovalQueue(key=key_of_ada) as queue:  # doctest: +SKIP
    ...     for request in queue.open():
    ...         print(request.message, *request.lines, sep="\\n")
    ...         queue.approve(request.decision_id)
    """

    def __init__(self, url: str | None = None, *, key: str) -> None:
        self._url = (os.environ.get("GATEWAY", URL) if url is None else url).rstrip("/")
        self._http = httpx.Client(headers={"authorization": f"Bearer {key}"}, timeout=TIMEOUT_S)

    def open(self) -> list[ApprovalRequest]:
        """The open requests of the tenant, the first to expire first."""
        return [
            ApprovalRequest(
                decision_id=each["decisionId"],
                session_id=each["sessionId"],
                tool=each["tool"],
                message=each["message"],
                lines=each["lines"],
                expires_at=each["expiresAt"],
            )
            for each in self._post("list", {})["approvals"]
        ]

    def approve(self, decision_id: str, reason: str | None = None) -> Decision | None:
        """Approves a step: it lifts the reasons that were shown, for its arguments, once.

        Returns the new decision, or None if no monitor decided in time.
        """
        return self._answer(decision_id, "approved", reason)

    def deny(self, decision_id: str, reason: str | None = None) -> Decision | None:
        """Denies a step. Returns the new decision, or None if no monitor decided in time."""
        return self._answer(decision_id, "denied", reason)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> ApprovalQueue:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _answer(self, decision_id: str, resolution: str, reason: str | None) -> Decision | None:
        body = {"decisionId": decision_id, "resolution": resolution, **({"reason": reason} if reason else {})}
        decision: Decision | None = self._post("answer", body).get("decision")
        return decision

    def _post(self, name: str, body: dict[str, Any]) -> dict[str, Any]:
        try:
            reply = self._http.post(f"{self._url}/v1/approvals/{name}", json=body)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise PlimsollError(
                "gateway_unavailable", f"no gateway answers at `{self._url}` ({error}): check the address"
            ) from error
        try:
            answer: dict[str, Any] = reply.json()
            if reply.is_success:
                return answer
            code, message = answer["error"]["code"], answer["error"]["message"]
        except (ValueError, KeyError, TypeError) as error:
            problem = f"`{self._url}` answers with status {reply.status_code}: check that a Plimsoll gateway is there"
            raise PlimsollError("gateway_unavailable", problem) from error
        raise PlimsollError(code, message)
