"""What a host declares of where the agent's programs run (docs/decisions/20261127-worlds.md)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from .texts import frozen, invalid

FOLDER = re.compile(r"/[^/].*|[A-Za-z]:[\\/][^\\/].*", re.DOTALL)
ABOVE = re.compile(r"(?:^|[\\/])\.\.(?:[\\/]|$)")
HOST = re.compile(r"(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*")
NAME = re.compile(r"\w[\w.:/@-]{1,127}", re.ASCII)


def checked_world(world: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """A copy of the world that later changes do not reach. Raises `schema_invalid` for what a gateway would refuse with each step."""
    if world is None:
        return None
    copy = frozen(world, "world")
    if not isinstance(copy, dict):
        raise invalid("`world`: expected a mapping such as `{'folder': '/srv/app'}`")
    for name, value in copy.items():
        is_right, expected = MEMBERS.get(name, (_never, f"one of {', '.join(MEMBERS)} as the member"))
        if not is_right(value):
            raise invalid(f"`world.{name}`: expected {expected}, got `{value!r:.60}`")
    return copy


def _is_network(value: Any) -> bool:
    if value == "none":
        return True
    return isinstance(value, dict) and list(value) == ["hosts"] and _are(value["hosts"], HOST, 253, 1, 256)


def _is_folder(value: Any) -> bool:
    is_path = isinstance(value, str) and len(value) <= 1024 and FOLDER.fullmatch(value) is not None
    return is_path and ABOVE.search(value) is None


def _are(value: Any, pattern: re.Pattern[str], chars_max: int, least: int, most: int) -> bool:
    if not isinstance(value, list) or not least <= len(value) <= most:
        return False
    return all(isinstance(each, str) and len(each) <= chars_max and pattern.fullmatch(each) for each in value)


def _never(_: Any) -> bool:
    return False


#: The members: whether a value is one, and what else is expected.
MEMBERS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "network": (_is_network, "`none`, or `hosts` with a list of 1–256 host names"),
    "disposable": (lambda value: value is True, "`True`, or no such member"),
    "folder": (_is_folder, "an absolute path below the root without `..`, such as `/srv/app`"),
    "production": (
        lambda value: _are(value, NAME, 128, 0, 64),
        "up to 64 names of 2–128 letters, digits and `._:/@-`",
    ),
}
