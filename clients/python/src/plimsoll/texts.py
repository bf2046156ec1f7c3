"""What is read of the texts of a step: its arguments as they are judged, and the text of what it returned."""

from __future__ import annotations

import dataclasses
import hashlib
import hmac
import json
import math
import re
from collections.abc import Mapping
from typing import Any

from .errors import PlimsollError

#: Characters of a text that are read, at its beginning and at its end.
HEAD_CHARS = 65_536
TAIL_CHARS = 16_384
CUT = "\n…\n"

#: Characters of the arguments of one step, as JSON.
ARGUMENTS_CHARS_MAX = 256 * 1024
ARGUMENTS_DEPTH_MAX = 100
RESULT_DEPTH_MAX = 32
VALUES_MAX = 65_536

#: Integers that every JSON parser keeps.
INTEGER_MAX = 2**53

ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@+=~-]{0,159}")
TOOL = re.compile(r"[\x21-\x7e]{1,200}")
LINE = re.compile(r"[^\x00-\x1f\x7f-\x9f]*")


def invalid(message: str) -> PlimsollError:
    return PlimsollError("schema_invalid", message)


def check(name: str, value: str, pattern: re.Pattern[str], expected: str, chars_max: int = 200) -> None:
    """Raises `schema_invalid` unless all of `value` matches."""
    if not isinstance(value, str) or len(value) > chars_max or not pattern.fullmatch(value):
        raise invalid(f"`{name}`: expected {expected}, got `{value!r:.60}`")


def frozen_arguments(tool: str, arguments: Mapping[str, Any] | None) -> dict[str, Any]:
    """A copy of the arguments that later changes do not reach: what is judged is what runs.

    Raises `schema_invalid` for values that JSON cannot hold exactly, and `event_oversize`.
    """
    copy = frozen({} if arguments is None else arguments, f"argument of `{tool}`")
    if not isinstance(copy, dict):
        raise invalid(f"the arguments of `{tool}`: expected a mapping of names to values")
    size = len(json.dumps(copy, ensure_ascii=False))
    if size > ARGUMENTS_CHARS_MAX:
        raise PlimsollError(
            "event_oversize", f"the arguments of `{tool}` are {size} characters; the limit is {ARGUMENTS_CHARS_MAX}"
        )
    return copy


def frozen(value: Any, at: str, depth: int = 0) -> Any:
    """A copy of a value that JSON holds. `at` names it in errors. Raises `schema_invalid`."""
    if depth > ARGUMENTS_DEPTH_MAX:
        raise invalid(f"{at} is more than {ARGUMENTS_DEPTH_MAX} levels deep")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, int):
        if abs(value) > INTEGER_MAX:
            raise invalid(f"{at} is `{value}`, whose digits would be lost: pass it as a string")
        return int(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise invalid(f"{at} is `{value}`, which JSON cannot hold: pass it as a string")
        return float(value)
    if isinstance(value, Mapping):
        for name in value:
            if not isinstance(name, str):
                raise invalid(f"{at} has the name `{name!r:.60}`, which is not a string")
        return {name: frozen(each, f"{at}.{name}"[:200], depth + 1) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [frozen(each, at, depth + 1) for each in value]
    raise invalid(f"{at} is a `{type(value).__name__}`, which JSON cannot hold: pass text, numbers, lists or mappings")


def digest_of(key: bytes, arguments: Mapping[str, Any]) -> str:
    """Equal for equal arguments under one key, which never leaves the process. The gateway makes its own if it gets the texts."""
    canonical = json.dumps(arguments, sort_keys=True, separators=(",", ":"))
    return hmac.new(key, canonical.encode(), hashlib.sha256).hexdigest()


def text_of(value: object) -> tuple[str, bool]:
    """The text in a result, and whether nothing of it is missing.

    Strings are unchanged; lists and mappings have a line for each member (`key: value`). A long text keeps its beginning and end.
    """
    if isinstance(value, str):
        return bounded(value), True
    lines: list[str] = []
    is_whole = _write(lines, value, 0)
    return bounded("".join(lines)), is_whole


def bounded(text: str) -> str:
    if len(text) <= HEAD_CHARS + TAIL_CHARS:
        return text
    return text[:HEAD_CHARS] + CUT + text[-TAIL_CHARS:]


def _write(lines: list[str], value: object, depth: int) -> bool:
    """Appends the lines of `value`. False if it may contain more than its text."""
    if len(lines) >= VALUES_MAX or depth > RESULT_DEPTH_MAX:
        return False
    plain = _plain(value)
    if isinstance(plain, Mapping):
        return all([_write_member(lines, name, each, depth) for name, each in plain.items()])
    if isinstance(plain, (list, tuple, set, frozenset)):
        return all([_write(lines, each, depth + 1) for each in plain])
    if plain is None:
        lines.append("\n")
    elif isinstance(plain, bool):
        lines.append("true\n" if plain else "false\n")
    else:
        lines.append(f"{plain}\n")
    return isinstance(plain, (str, int, float, type(None)))


def _write_member(lines: list[str], name: object, value: object, depth: int) -> bool:
    is_nested = isinstance(_plain(value), (Mapping, list, tuple, set, frozenset))
    lines.append(f"{name}:\n" if is_nested else f"{name}: ")
    return _write(lines, value, depth + 1)


def _plain(value: object) -> object:
    """Dataclasses and models as mappings, bytes as text, errors as their message."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, (bytes, bytearray)):
        return bytes(value).decode("utf-8", "replace")
    if isinstance(value, BaseException):
        return str(value)
    dump = getattr(value, "model_dump", None)
    if callable(dump) and not isinstance(value, type):
        return dump()
    return value
