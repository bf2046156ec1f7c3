"""The numbered events of one session on their way to the monitors."""

from __future__ import annotations

import time
import uuid
from collections.abc import Mapping
from typing import Any

from .history import History
from .outbound import Outbound, Outgoing


class Events:
    """Numbers them without a gap, so that the monitors see what is missing."""

    def __init__(self, session_id: str, producer: str, outbound: Outbound, history: History) -> None:
        self._session_id, self._producer, self._outbound, self._history = session_id, producer, outbound, history
        self._seq = 0

    def send(
        self,
        type: str,
        members: dict[str, Any],
        texts: Mapping[str, Any] | None = None,
        trace: Mapping[str, str] | None = None,
    ) -> Outgoing:
        event = {
            "schema": 1,
            "id": new_id(),
            "sessionId": self._session_id,
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
        self._outbound.push(outgoing)
        return outgoing


def new_id() -> str:
    return f"e-{uuid.uuid4().hex}"
