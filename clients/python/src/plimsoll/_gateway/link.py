"""What a client gives to its sessions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..answers import Answer, Stats
from ..errors import PlimsollError
from ..fail_modes import FailMode
from .memory import TenantStop
from .outbound import Outbound
from .step import Step


@dataclass
class Link:
    """What the sessions of one client share."""

    outbound: Outbound
    stats: Stats
    fail_mode_of: Callable[[str, Mapping[str, Any] | None], FailMode]
    on_step_without_verdict: Callable[[str, Step, FailMode, str], None]
    on_confirm: Callable[[Answer], None]
    problem: Callable[[], PlimsollError | None]
    is_observer: bool
    takes_texts: bool
    producer: str
    tenant_stop: TenantStop
