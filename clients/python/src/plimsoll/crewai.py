"""CrewAI: a verdict before each tool call. `pip install plimsoll[crewai]`"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from crewai.tools import BaseTool
from pydantic import PrivateAttr
from pydantic_core import to_jsonable_python

from ._adapter import Guard, Refused, SessionSource, arun, run


def guard_tools(
    session: SessionSource[BaseTool], tools: Sequence[BaseTool], *, approval_timeout: float | None = 0.0
) -> list[BaseTool]:
    """The tools of an agent or task, each of which asks `session` before it runs, and answers the model if it may not.

    CrewAI's cache of results is off for them: each call is judged. `session` may be a function that finds the session of a tool.
    `approval_timeout`: seconds that a step waits for a human. By default the model learns at once that the step waits; the same call
    runs once it is approved.

    >>> Agent(role="clerk", tools=guard_tools(session, [read_email, send_email]))  # doctest: +SKIP
    """
    guard = Guard(session, approval_timeout)
    return [_guarded(guard, tool) for tool in tools]


class GuardedTool(BaseTool):
    """A tool that asks before it runs."""

    _guard: Guard[BaseTool] = PrivateAttr()
    _tool: BaseTool = PrivateAttr()

    def _run(self, **kwargs: Any) -> Any:
        # Validated arguments may be models or dates: judged is their JSON.
        asked = self._guard.ask(self._tool, self.name, to_jsonable_python(kwargs), self.description)
        if isinstance(asked, Refused):
            return asked.message

        def execute() -> Any:
            value = self._tool._run(**kwargs)
            return asyncio.run(value) if asyncio.iscoroutine(value) else value

        return run(asked, execute)

    async def _arun(self, **kwargs: Any) -> Any:
        asked = await self._guard.aask(self._tool, self.name, to_jsonable_python(kwargs), self.description)
        if isinstance(asked, Refused):
            return asked.message
        return await arun(asked, lambda: self._tool._arun(**kwargs))


def _guarded(guard: Guard[BaseTool], tool: BaseTool) -> GuardedTool:
    guarded = GuardedTool(
        name=tool.name,
        description=tool.description,
        args_schema=tool.args_schema,
        env_vars=tool.env_vars,
        result_as_answer=tool.result_as_answer,
        max_usage_count=tool.max_usage_count,
        cache_function=_never,
    )
    guarded._guard, guarded._tool = guard, tool
    return guarded


def _never(_arguments: Any = None, _result: Any = None) -> bool:
    """Whether a result is kept: a refusal must not outlive its reason."""
    return False
