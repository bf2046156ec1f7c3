"""The world of the tests: a real gateway with a monitor, in a process of its own (clients/cases/README.md)."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import plimsoll
import pytest

ROOT = Path(__file__).parents[3]


@dataclass(frozen=True)
class World:
    url: str
    key: str
    approverKey: str
    control: str

    def relay(self, mode: str) -> None:
        """`hold`: decisions wait; `cut`: there is no connection; `join`: everything passes."""
        self._post("/relay", {"mode": mode})

    def approve(self, session_id: str, resolution: str = "approved") -> None:
        """Answers the last approval request of a session."""
        self._post("/approve", {"sessionId": session_id, "resolution": resolution})

    def sent(self, session_id: str) -> list[dict[str, Any]]:
        """Every event of a session that was sent, with what was beside it."""
        sent: list[dict[str, Any]] = httpx.get(f"{self.control}/sent", params={"session": session_id}).json()
        return sent

    def connect(self, **options: Any) -> plimsoll.Client:
        """A client whose timeout only bounds a failure, unless a test sets one."""
        return plimsoll.connect(**{"url": self.url, "key": self.key, "timeout": 20.0, **options})

    def connect_async(self, **options: Any) -> Any:
        return plimsoll.connect_async(**{"url": self.url, "key": self.key, "timeout": 20.0, **options})

    def _post(self, address: str, body: dict[str, Any]) -> None:
        reply = httpx.post(self.control + address, json=body)
        assert reply.status_code == 200, reply.text


@pytest.fixture(scope="session")
def running_world() -> Iterator[World]:
    command = ["node", str(ROOT / "test/dist/clients/world.js")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin and process.stdout
        yield World(**json.loads(process.stdout.readline()))
        process.stdin.close()


@pytest.fixture
def world(running_world: World) -> Iterator[World]:
    yield running_world
    running_world.relay("join")


def eventually(check: Callable[[], object], timeout: float = 5.0) -> None:
    """Returns once `check` raises no AssertionError and is not False."""
    until = time.monotonic() + timeout
    while True:
        try:
            assert check() is not False, "not in time"
            return
        except AssertionError:
            if time.monotonic() > until:
                raise
            time.sleep(0.02)


@contextmanager
def fails(code: str, says: str = ".") -> Iterator[None]:
    """A context in which `code` is raised."""
    with pytest.raises(plimsoll.PlimsollError, match=says) as raised:
        yield
    assert raised.value.code == code
