"""What the client promises beyond the cases of all clients."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import warnings
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import plimsoll
import pytest
from conftest import World, eventually, fails

CUSTOMER = "Case KX-48217: Ann Moor, account 7730194422, owes 1,240."
LEAK = {"to": "press@example.org", "body": "Ann Moor (KX-48217) has not paid."}
REFUND = {"amount": 12}


def test_coroutines(world: World) -> None:
    async def get_customer(id: int) -> str:
        await asyncio.sleep(0)
        return CUSTOMER

    async def agent() -> None:
        async with world.connect_async() as client, client.start_session(category="data_handling") as session:
            assert await session.run("get_customer", get_customer, {"id": 7}) == CUSTOMER
            with pytest.raises(plimsoll.StepBlocked, match="sensitive data"):
                await session.run("send_email", print, LEAK)
            with pytest.raises(plimsoll.ApprovalRequired, match="plimsoll approve"):
                await session.run("refund_everyone", print, REFUND)
            asked = await session.propose("refund_everyone", REFUND)
            assert (await session.wait_for_approval(asked, timeout=0.05)).needs_approval
            world.approve(session.id)
            assert (await session.wait_for_approval(asked, timeout=20)).may_run
            assert (await client.stats()).proposed == 3

    asyncio.run(agent())


def test_one_client_serves_threads_and_loops(world: World) -> None:
    with world.connect() as client:
        session = client.start_session(category="data_handling")
        answers: list[bool] = []
        threads = [
            threading.Thread(target=lambda: answers.append(session.propose("read_file", {"path": "a"}).may_run))
            for _ in range(20)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert answers == [True] * 20


def test_two_calls_do_not_run_on_one_approval(world: World) -> None:
    with world.connect() as client:
        session = client.start_session()
        ran: list[int] = []

        def call() -> None:
            try:
                session.run("refund_everyone", lambda amount: ran.append(amount), REFUND, approval_timeout=3)
            except plimsoll.ApprovalRequired:
                pass

        assert session.propose("refund_everyone", REFUND).needs_approval
        threads = [threading.Thread(target=call) for _ in range(2)]
        for thread in threads:
            thread.start()
        world.approve(session.id)
        for thread in threads:
            thread.join()
        assert ran == [12]


def test_a_session_of_another_process(world: World) -> None:
    with world.connect() as first, world.connect(timeout=0.5) as second:
        session = first.start_session(category="data_handling")
        session.run("get_customer", lambda id: CUSTOMER, {"id": 7})
        eventually(lambda: first.stats().queued == 0)
        resumed = second.resume_session(session.id)
        assert resumed.propose("send_email", LEAK, timeout=20).verdict == "block"
        world.relay("hold")
        assert resumed.propose("read_file", {"path": "a"}).by == "fail_closed"


def test_the_context_of_a_session_ends_it(world: World) -> None:
    with world.connect() as client:
        with pytest.raises(ZeroDivisionError), client.start_session() as session:
            session.run("read_file", lambda path: 1 / 0, {"path": "a"})
        eventually(lambda: outcomes(world, session) == ["error", "failed"])


def outcomes(world: World, session: plimsoll.Session) -> list[str]:
    return [each["event"]["outcome"] for each in world.sent(session.id) if "outcome" in each["event"]]


def test_what_ran_is_reported_at_exit_though_nothing_was_closed(world: World) -> None:
    script = f"""
import plimsoll
client = plimsoll.connect({world.url!r}, {world.key!r}, timeout=20)
session = client.start_session()
session.run("read_file", lambda path: "text", {{"path": "a"}})
print(session.id)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    sent = world.sent(done.stdout.strip())
    assert [each["event"]["type"] for each in sent][:3] == ["session.started", "step.proposed", "step.completed"]


def test_a_forked_process_is_refused_and_does_not_hang(world: World) -> None:
    script = f"""
import os, plimsoll
client = plimsoll.connect({world.url!r}, {world.key!r}, timeout=20)
session = client.start_session()
if os.fork() == 0:
    try:
        session.propose("read_file")
    except plimsoll.PlimsollError as error:
        print(error, flush=True)
    os._exit(0)
os.wait()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert "connect in each process" in done.stdout


def test_callbacks_cannot_stop_the_client(world: World) -> None:
    seen: list[plimsoll.StepWithoutVerdict] = []
    problems: list[str] = []

    def on_confirm(answer: plimsoll.Answer) -> None:
        try:
            client.start_session()
        except plimsoll.PlimsollError as error:
            problems.append(str(error))
        raise RuntimeError("mine")

    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        with world.connect(on_confirm=on_confirm, on_step_without_verdict=seen.append) as client:
            session = client.start_session()
            assert session.propose("refund_everyone", REFUND).needs_approval
            world.relay("hold")
            assert session.propose("read_file", timeout=0.2).by == "fail_open"
    assert problems == ["a callback of the client must not call it: use a thread of your own"]
    assert [str(each.message) for each in warned] == ["plimsoll: `on_confirm` failed: mine"]
    assert [(each.tool, each.mode, each.cause) for each in seen] == [("read_file", "open", "timeout")]


def test_own_tools_have_capabilities(world: World) -> None:
    with world.connect(timeout=0.2, capabilities={"look_up": "read", "crm_*": "write"}) as client:
        session = client.start_session()
        world.relay("hold")
        by = [session.propose(tool).by for tool in ("look_up", "crm_add", "another")]
        assert by == ["fail_open", "fail_closed", "fail_closed"]


def test_a_cancelled_step_does_not_run_and_holds_no_place(world: World) -> None:
    async def agent() -> None:
        async with world.connect_async() as client, client.start_session() as session:
            world.relay("hold")
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(session.run("read_file", print, {"path": "a"}), 0.2)
            world.relay("join")
            eventually(lambda: outcomes(world, session) == ["error"])

    asyncio.run(agent())


def test_closing_answers_what_waits(world: World) -> None:
    client = world.connect()
    session = client.start_session()
    world.relay("hold")
    answers: list[plimsoll.Answer] = []
    waiting = threading.Thread(target=lambda: answers.append(session.propose("send_email", {"to": "a@example.com"})))
    waiting.start()
    eventually(lambda: client.stats().proposed == 1)
    client.close()
    waiting.join(5)
    assert [answer.by for answer in answers] == ["fail_closed"]
    with fails("closed", "connect again"):
        session.propose("read_file")
    with fails("closed"):
        client.start_session()
    client.close()


def test_closes_at_once_while_the_gateway_is_away(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    # Where it waited for the gateway, it would wait longer than the tests may take.
    monkeypatch.setattr("plimsoll._gateway.client.CLOSE_S", 3_600)
    with world.connect(timeout=0.2) as client:
        session = client.start_session()
        world.relay("cut")
        session.propose("read_file")


@dataclass
class Customer:
    name: str


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"n": 2**53 + 1}, "digits would be lost: pass it as a string"),
        ({"n": float("nan")}, "JSON cannot hold"),
        ({"n": Decimal(1)}, "is a `Decimal`"),
        ({"n": {"m": [Customer("Ann")]}}, "argument of `read_file`.n.m is a `Customer`"),
        ({"n": {1: 2}}, "not a string"),
        ([], "expected a mapping"),
    ],
)
def test_arguments_that_cannot_be_judged_do_not_run(arguments: Any, says: str, world: World) -> None:
    with world.connect() as client, client.start_session() as session:
        with fails("schema_invalid", says):
            session.run("read_file", lambda **_: pytest.fail("it ran"), arguments)
        deep: Any = {}
        for _ in range(200):
            deep = {"a": deep}
        with fails("schema_invalid", "levels deep"):
            session.propose("read_file", deep)
        with fails("event_oversize", "the limit is 262144"):
            session.propose("read_file", {"a": "x" * 300_000})
        assert session.propose("read_file", {"a": "é🚢\ud800 \u0000"}).may_run


def test_the_tool_cannot_change_what_was_judged(world: World) -> None:
    given = {"path": ["a"]}
    with world.connect() as client, client.start_session() as session:
        session.run("read_file", lambda path: path.append("b"), given)
        assert given == {"path": ["a"]}


def test_a_tool_that_changes_its_arguments_is_no_other_step(world: World) -> None:
    with world.connect() as client:
        session = client.start_session()
        session.run("read_file", lambda paths: paths.clear(), {"paths": ["a"]})

        def digests() -> list[str]:
            return [each["event"].get("argumentsDigest") for each in world.sent(session.id)[1:]]

        eventually(lambda: len(digests()) == 2)
        assert len(set(digests())) == 1


def test_results_that_are_no_json_are_read(world: World) -> None:
    with world.connect() as client, client.start_session() as session:
        session.run("read_file", lambda: [Customer("Ann"), b"bytes", Decimal("1.5"), {"k"}, object], {})
        session.run("read_file", lambda: "x" * 200_000, {})

        def texts() -> list[str]:
            done = [each for each in world.sent(session.id) if each["event"]["type"] == "step.completed"]
            assert len(done) == 2
            assert done[0]["event"]["signals"] == {"partial": 1}, "an object may hold more than its text"
            return [each["texts"]["result"] for each in done]

        eventually(texts)
        first, second = texts()
        assert first.startswith("name: Ann\nbytes\n1.5\nk\n")
        assert len(second) == 65_536 + 3 + 16_384


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"mode": "watch"}, "`mode`: expected `enforce` or `observe`, got `watch`"),
        ({"timeout": 0}, "`timeout`: expected seconds"),
        ({"fail_modes": {"read": "ajar"}}, "expected one of open, closed, got `ajar`"),
        ({"fail_modes": {"fly": "open"}}, "got `fly`"),
        ({"capabilities": {"look_up": "look"}}, "got `look`"),
    ],
)
def test_bad_options(options: dict[str, Any], says: str, world: World) -> None:
    with fails("config_invalid", says):
        world.connect(**options)


def test_without_a_key_it_says_where_to_get_one(monkeypatch: pytest.MonkeyPatch, world: World) -> None:
    monkeypatch.delenv("GATEWAY_KEY", raising=False)
    monkeypatch.setenv("GATEWAY", world.url)
    with fails("config_invalid", "set GATEWAY_KEY"):
        plimsoll.connect()
    monkeypatch.setenv("GATEWAY_KEY", world.key)
    plimsoll.connect().close()


def test_a_key_may_be_a_function_also_a_coroutine(world: World) -> None:
    async def token() -> str:
        return world.key

    world.connect(key=token).close()
    world.connect(key=lambda: world.key).close()


def test_a_key_function_that_fails_is_called_again(world: World) -> None:
    calls: list[int] = []

    def key() -> str:
        calls.append(1)
        if len(calls) == 2:
            raise LookupError("the vault is away")
        return world.key

    with plimsoll.connect(url=world.url, key=key, timeout=20.0) as client:
        session = client.start_session()
        world.relay("cut")
        eventually(lambda: len(calls) >= 2)
        world.relay("join")
        assert session.propose("read_file", {"path": "a"}).by == "decision"


def test_threads_end_with_their_client(world: World) -> None:
    for _ in range(3):
        world.connect().close()
        with fails("unauthenticated", "check `key` or GATEWAY_KEY"):
            world.connect(key="wrong")
    eventually(lambda: not [each for each in threading.enumerate() if each.name == "plimsoll"])
