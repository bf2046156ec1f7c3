"""Plimsoll: a verdict before each tool call of an agent runs.

>>> import plimsoll
>>> with plimsoll.connect() as client:  # doctest: +SKIP
...     with client.start_session(task="Answer Ann's mail") as session:
...         mail = session.run("read_email", read_email, {"id": 7})
"""

from .answers import Answer, ApprovalRequired, Decision, Stats, StepBlocked, Verdict
from .approvals import ApprovalQueue, ApprovalRequest
from .client import AsyncClient, Client, StepWithoutVerdict, connect, connect_async
from .errors import PlimsollError
from .fail_modes import FAIL_MODES, Capability, FailMode
from .session import AsyncSession, Session

__version__ = "0.1.0"

__all__ = [
    "FAIL_MODES",
    "Answer",
    "ApprovalQueue",
    "ApprovalRequest",
    "ApprovalRequired",
    "AsyncClient",
    "AsyncSession",
    "Capability",
    "Client",
    "Decision",
    "FailMode",
    "PlimsollError",
    "Session",
    "Stats",
    "StepBlocked",
    "StepWithoutVerdict",
    "Verdict",
    "connect",
    "connect_async",
]
