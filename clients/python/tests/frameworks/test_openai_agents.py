"""What only the adapter of the OpenAI Agents SDK promises."""

from __future__ import annotations

from typing import Any, cast

import plimsoll
import pytest
from conftest import World

agents = pytest.importorskip("agents")


async def nothing(*_: Any) -> str:
    raise AssertionError("it ran")


def local_tools() -> list[Any]:
    return [
        agents.LocalShellTool(executor=nothing),
        agents.ShellTool(executor=nothing),
        agents.ApplyPatchTool(editor=cast(Any, object())),
    ]


@pytest.mark.parametrize("at", range(3))
def test_tools_that_run_here_unjudged_are_refused(at: int, world: World) -> None:
    from plimsoll.openai_agents import guard_tools

    with world.connect() as client:
        session = client.start_session()
        with pytest.raises(plimsoll.PlimsollError, match="cannot be judged") as raised:
            guard_tools(session, [local_tools()[at]])
        assert raised.value.code == "config_invalid"


def test_tools_of_the_provider_pass_unchanged(world: World) -> None:
    from plimsoll.openai_agents import guard_tools

    with world.connect() as client:
        hosted = [agents.WebSearchTool()]
        assert guard_tools(client.start_session(), hosted) == hosted
