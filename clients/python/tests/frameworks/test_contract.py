"""What every adapter promises, on the real framework with a scripted model, against a real gateway.

FRAMEWORKS names those to run, by default all five; one that is not installed is a failure.
"""

from __future__ import annotations

import importlib
import os
import re
import threading
from collections.abc import Callable, Iterator
from typing import Any

import plimsoll
import pytest
from conftest import ROOT, World, eventually

from .script import CUSTOMER, LEAK, READ, REFUND, Script, Tools, Transcript

ALL = "langgraph,openai_agents,crewai,pydantic_ai,google_adk"
MODULES = [
    importlib.import_module(f"frameworks.drive_{framework}") for framework in os.environ.get("FRAMEWORKS", ALL).split(",")
]
DRIVERS = [
    pytest.param(drive, id=name) for module in MODULES for name, drive in module.DRIVERS.items()
]

Drive = Callable[..., Transcript]
with_drive = pytest.mark.parametrize("drive", DRIVERS)


@pytest.fixture
def client(world: World) -> Iterator[plimsoll.Client]:
    with world.connect() as client:
        yield client


@pytest.fixture
def session(client: plimsoll.Client) -> plimsoll.Session:
    return client.start_session(category="data_handling")


@with_drive
def test_allowed_step_runs(drive: Drive, session: plimsoll.Session, world: World) -> None:
    tools = Tools()
    assert drive(session, tools, Script([[READ]])) == Transcript([CUSTOMER], "done")
    assert tools.ran == [READ]
    eventually(lambda: result_of("get_customer", world, session) == ("ok", CUSTOMER))


@with_drive
def test_leak_is_blocked_and_the_agent_goes_on(drive: Drive, session: plimsoll.Session) -> None:
    tools = Tools()
    transcript = drive(session, tools, Script([[READ], [LEAK], [READ]]))
    assert re.match("`send_email` was blocked: .*sensitive data.*; instead: ", transcript.answers[1])
    assert (tools.ran, transcript.final) == ([READ, READ], "done")


@with_drive
def test_a_tool_that_no_catalogue_knows_asks_at_once(drive: Drive, session: plimsoll.Session) -> None:
    tools = Tools()
    transcript = drive(session, tools, Script([[REFUND]]))
    said = "`refund_everyone` waits for approval: .*no catalogue labels.* plimsoll approve '(.*#.*)'"
    assert re.match(said, transcript.answers[0]), transcript
    assert (tools.ran, transcript.final) == ([], "done")


@with_drive
def test_the_same_call_runs_once_it_is_approved(drive: Drive, session: plimsoll.Session, world: World) -> None:
    tools = Tools()
    approve = approving(session, world)
    transcript = drive(session, tools, Script([[REFUND], [REFUND], [REFUND]], before={1: approve}))
    assert transcript.answers[1] == "refunded 12"
    assert "waits for approval" in transcript.answers[0] and "waits for approval" in transcript.answers[2]
    assert tools.ran == [REFUND]


@with_drive
def test_waits_for_a_human_if_wanted(drive: Drive, session: plimsoll.Session, world: World) -> None:
    tools = Tools()
    human = threading.Thread(target=approving(session, world, settled=False))
    human.start()
    transcript = drive(session, tools, Script([[REFUND]]), approval_timeout=20.0)
    human.join()
    assert (transcript.answers, tools.ran) == (["refunded 12"], [REFUND])


@with_drive
def test_parallel_calls_run(drive: Drive, session: plimsoll.Session) -> None:
    tools = Tools()
    calls = [("get_customer", {"id": id}) for id in (7, 8, 9)]
    transcript = drive(session, tools, Script([[*calls, LEAK]]))
    assert transcript.answers[:3] == [CUSTOMER] * 3
    assert sorted(args["id"] for _, args in tools.ran) == [7, 8, 9]
    assert re.search("send_email` (was blocked|waits)", transcript.answers[3])


@with_drive
def test_a_failing_tool_is_reported_as_a_failure(drive: Drive, session: plimsoll.Session, world: World) -> None:
    tools = Tools()
    try:
        drive(session, tools, Script([[("read_file", {"path": "a"})]]))
    except Exception as error:
        assert "cannot parse" in str(error), "the framework's own way"
    assert tools.ran[0] == ("read_file", {"path": "a"})

    def is_reported() -> bool:
        outcome, text = result_of("read_file", world, session)
        return outcome == "error" and CUSTOMER in text

    eventually(is_reported)


@with_drive
def test_without_a_verdict_only_reads_run(drive: Drive, world: World) -> None:
    with world.connect(timeout=0.5) as client:
        session = client.start_session(category="data_handling")
        world.relay("hold")
        tools = Tools()
        transcript = drive(session, tools, Script([[READ], [LEAK]]))
        assert (tools.ran, transcript.answers[0]) == ([READ], CUSTOMER)
        assert "was not run: no verdict came" in transcript.answers[1]
        assert client.stats().failed_open == client.stats().failed_closed == 1


@with_drive
def test_nothing_runs_in_an_ended_session(drive: Drive, session: plimsoll.Session) -> None:
    session.end()
    tools = Tools()
    try:
        drive(session, tools, Script([[READ]]))
    except Exception as error:
        assert "has ended" in str(error)
    assert tools.ran == []


@with_drive
def test_one_agent_serves_many_sessions(drive: Drive, client: plimsoll.Client, world: World) -> None:
    session = client.start_session(category="data_handling")
    calls: list[Any] = []

    def session_of(call: Any) -> plimsoll.Session:
        calls.append(call)
        return session

    assert drive(session_of, Tools(), Script([[READ]])).answers == [CUSTOMER]
    assert len(calls) == 1


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__.removeprefix("frameworks.drive_"))
def test_the_example_of_the_readme_runs(module: Any, session: plimsoll.Session) -> None:
    text = (ROOT / "clients/python/README.md").read_text("utf-8")
    adapter = module.__name__.replace("frameworks.drive_", "plimsoll.")
    (example,) = (each for each in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if f"from {adapter} import" in each)
    assert len(example.splitlines()) <= 10
    tools = Tools()
    names = {"session": session, "task": "do it", **module.readme_names(tools, Script([[READ], [LEAK]]))}
    exec(compile(example, "README.md", "exec"), names)
    if hasattr(module, "run_readme"):
        module.run_readme(names)
    assert tools.ran == [READ]


def result_of(tool: str, world: World, session: plimsoll.Session) -> tuple[str, str]:
    """What was reported of a tool."""
    completed = [each for each in world.sent(session.id) if each["event"]["type"] == "step.completed"]
    of_tool = [each for each in completed if each["event"]["tool"] == tool]
    assert of_tool, "not reported yet"
    return of_tool[0]["event"]["outcome"], of_tool[0]["texts"]["result"]


def approving(session: plimsoll.Session, world: World, settled: bool = True) -> Callable[[], None]:
    """A human who approves, once the step has asked. With `settled`, waits until the approval has come."""

    def requests() -> list[Any]:
        return list(session._core._approvals._requests.values())

    def approve() -> None:
        eventually(lambda: len(requests()) == 1)
        world.approve(session.id)
        if settled:
            eventually(lambda: requests()[0].outcome is not None)

    return approve


