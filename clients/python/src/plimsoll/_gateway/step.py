"""A step, before its verdict and after it ran."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Step:
    """A tool call as it is judged."""

    tool: str
    arguments: dict[str, Any]
    call_id: str
    description: str | None = None
    labels: Mapping[str, Any] | None = None
    evidence: str | None = None
    trace: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Result:
    """What is reported of a step that ran. `text` is None if it returned nothing to read."""

    is_error: bool = False
    text: str | None = None
    is_whole: bool = True
    arguments: dict[str, Any] | None = None
    labels: Mapping[str, Any] | None = None
    taint: str | None = None
