"""Whether a step may run when no verdict comes, by what its tool can do."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from importlib.resources import files
from typing import Any, Literal

from .errors import PlimsollError

Capability = Literal["read", "write", "execute", "network"]
FailMode = Literal["open", "closed"]

CAPABILITIES: tuple[Capability, ...] = ("read", "write", "execute", "network")

FAIL_MODES: Mapping[Capability, FailMode] = {
    "read": "open",
    "write": "closed",
    "execute": "closed",
    "network": "closed",
}


def shipped_capabilities() -> dict[str, Capability]:
    """By tool name or pattern, the capabilities of the catalogue that ships with Plimsoll."""
    listed: dict[Capability, list[str]] = json.loads(files("plimsoll").joinpath("capabilities.json").read_text("utf-8"))
    return {name: capability for capability, names in listed.items() for name in names}


def create_fail_modes(
    modes: Mapping[Capability, FailMode] | None, capabilities: Mapping[str, Capability] | None
) -> Callable[[str, Mapping[str, Any] | None], FailMode]:
    """Returns the fail mode of a tool, or of the capability that a call claims if that is higher. Closed for tools that nobody labels."""
    for name, value, allowed in [
        *((f"fail_modes[{key!r}]", mode, ("open", "closed")) for key, mode in (modes or {}).items()),
        *(("fail_modes", key, CAPABILITIES) for key in modes or {}),
        *((f"capabilities[{key!r}]", each, CAPABILITIES) for key, each in (capabilities or {}).items()),
    ]:
        if value not in allowed:
            raise PlimsollError("config_invalid", f"`{name}`: expected one of {', '.join(allowed)}, got `{value}`")
    all_modes = {**FAIL_MODES, **(modes or {})}
    known = {**shipped_capabilities(), **(capabilities or {})}
    patterns = {name: each for name, each in known.items() if "*" in name}

    def fail_mode_of(tool: str, labels: Mapping[str, Any] | None) -> FailMode:
        capability = known.get(tool) or next((c for p, c in patterns.items() if _matches(p, tool)), None)
        if capability is None:
            return "closed"
        claimed = (labels or {}).get("capability")
        higher = CAPABILITIES[CAPABILITIES.index(capability) :]
        return all_modes[next((each for each in higher if each == claimed), capability)]

    return fail_mode_of


def _matches(pattern: str, tool: str) -> bool:
    """Only `*` is special."""
    return fnmatchcase(tool, pattern.replace("[", "[[]").replace("?", "[?]"))
