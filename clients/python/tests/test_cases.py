"""The cases that every client must pass: clients/cases."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import plimsoll
import pytest
from conftest import ROOT, World, eventually

CASES = sorted((ROOT / "clients/cases").glob("*.json"))


@pytest.mark.parametrize("file", CASES, ids=lambda file: file.stem)
def test_case(file: Path, world: World) -> None:
    case = json.loads(file.read_text("utf-8"))
    with world.connect(**options_of(case.get("client", {}))) as client:
        player = Player(world, client)
        for operation in case["do"]:
            player.perform(operation)
        if "sent" in case:
            eventually(lambda: player.assert_sent(case["sent"]))
        world.relay("join")


def options_of(client: dict[str, Any]) -> dict[str, Any]:
    names = {"timeoutMs": "timeout", "failModes": "fail_modes"}
    return {names.get(name, name): seconds(name, value) for name, value in client.items()}


def seconds(name: str, value: Any) -> Any:
    return value / 1000 if name.endswith("Ms") else value


def snake(name: str) -> str:
    return re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


class Player:
    def __init__(self, world: World, client: plimsoll.Client) -> None:
        self.world, self.client = world, client
        self.session: Any = None
        self.answers: dict[str, plimsoll.Answer] = {}
        self.ran: Any = None

    def perform(self, operation: dict[str, Any]) -> None:
        expect = operation.get("expect", {})
        self.ran = None
        try:
            outcome = self.outcome_of(operation)
        except plimsoll.PlimsollError as error:
            assert error.code == expect.get("error"), error
            self.assert_says(str(error), expect)
        except ToolFailed as error:
            assert re.search(expect["throws"], str(error))
        else:
            assert "error" not in expect, outcome
            if isinstance(outcome, plimsoll.Answer):
                self.answers[operation.get("as", "")] = outcome
                got = {"verdict": outcome.verdict, "mayRun": outcome.may_run, "by": outcome.by}
                assert {**got, **{name: expect[name] for name in got if name in expect}} == got, outcome
                self.assert_says(outcome.message, expect)
            elif "value" in expect:
                assert outcome == expect["value"]
        if "run" in operation and "error" in expect:
            assert self.ran is None, "it ran"
        if "ran" in expect:
            assert self.ran == expect["ran"]

    @staticmethod
    def assert_says(message: str, expect: dict[str, Any]) -> None:
        assert re.search(expect.get("says", ""), message), message

    def outcome_of(self, operation: dict[str, Any]) -> Any:
        match operation:
            case {"connect": over}:
                return self.world.connect(**over).close()
            case {"start": start}:
                self.session = self.client.start_session(**start)
            case {"relay": mode}:
                self.world.relay(mode)
            case {"approve": resolution}:
                self.world.approve(self.session.id, resolution)
            case {"propose": step}:
                return self.session.propose(**step_of(step), **timeout_of(operation))
            case {"run": step}:
                wait = {"approval_timeout": operation.get("timeoutMs", 0) / 1000}
                return self.session.run(function=self.tool_of(operation), **step_of(step), **wait)
            case {"wait": name}:
                return self.session.wait_for_approval(self.answers[name], **timeout_of(operation))
            case {"complete": name}:
                return self.session.complete(self.answers[name], operation["result"])
            case {"instruct": text}:
                return self.session.instruct(text)
            case {"end": outcome}:
                return self.session.end(outcome)
            case {"stats": counts}:
                stats = self.client.stats()
                assert {name: getattr(stats, snake(name)) for name in counts} == counts
            case _:
                raise AssertionError(f"no such operation: {operation}")
        return None

    def tool_of(self, operation: dict[str, Any]) -> Any:
        def tool(**arguments: Any) -> Any:
            self.ran = arguments
            if "throws" in operation:
                raise ToolFailed(operation["throws"])
            return operation["returns"]

        return tool

    def assert_sent(self, sent: dict[str, Any]) -> None:
        records = self.world.sent(self.session.id)
        rest = iter(records)
        for expected in sent.get("events", []):
            assert any(matches(record, expected) for record in rest), f"not sent: {expected} in {records}"
        for text in sent.get("lacks", []):
            assert text not in json.dumps(records), f"`{text}` left"


class ToolFailed(Exception):
    pass


def step_of(step: dict[str, Any]) -> dict[str, Any]:
    return {snake(name): value for name, value in step.items()}


def timeout_of(operation: dict[str, Any]) -> dict[str, float]:
    return {"timeout": operation["timeoutMs"] / 1000} if "timeoutMs" in operation else {}


def matches(value: Any, expected: Any) -> bool:
    """Whether `value` has all members of `expected`; None: it has none of that name."""
    if isinstance(expected, dict):
        return isinstance(value, dict) and all(matches(value.get(name), each) for name, each in expected.items())
    if isinstance(expected, list):
        return isinstance(value, list) and all(matches(*pair) for pair in zip(value, expected, strict=False))
    return bool(value == expected)
