"""Google's Agent Development Kit: a verdict before each tool call. `pip install plimsoll[google-adk]`"""

from __future__ import annotations

from typing import Any

from google.adk.plugins import BasePlugin
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.tool_context import ToolContext
from pydantic_core import to_jsonable_python

from ._adapter import Asked, Guard, Refused, SessionSource, areport

#: Calls that run at a time. Of those that end without a callback, the oldest are dropped.
RUNNING_MAX = 1_000


class PlimsollPlugin(BasePlugin):
    """Asks `session` before each tool of the runner's agents runs, and answers the model if it may not.

    Put it last, so that it judges the final arguments. `session` may be a function that finds the session of a tool's context.
    `approval_timeout`: seconds that a step waits for a human. By default the model learns at once that the step waits; the same call
    runs once it is approved.

    >>> App(name="clerk", root_agent=agent, plugins=[PlimsollPlugin(session)])  # doctest: +SKIP
    """

    def __init__(self, session: SessionSource[ToolContext], *, approval_timeout: float | None = 0.0) -> None:
        super().__init__(name="plimsoll")
        self._guard = Guard(session, approval_timeout)
        self._running: dict[tuple[str, str | None], Asked] = {}

    async def before_tool_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext
    ) -> dict[str, Any] | None:
        asked = await self._guard.aask(tool_context, tool.name, tool_args, tool.description)
        if isinstance(asked, Refused):
            return {"error": asked.message}
        self._running[_key(tool_context)] = asked
        while len(self._running) > RUNNING_MAX:
            self._running.pop(next(iter(self._running)))
        return None

    async def after_tool_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext, result: dict[str, Any]
    ) -> dict[str, Any] | None:
        await self._report(tool_context, tool_args, result, is_error=False)
        return None

    async def on_tool_error_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext, error: Exception
    ) -> dict[str, Any] | None:
        await self._report(tool_context, tool_args, str(error), is_error=True)
        return None

    async def _report(
        self, tool_context: ToolContext, arguments: dict[str, Any], result: object, *, is_error: bool
    ) -> None:
        # None if the step was refused: what comes back then is the refusal.
        asked = self._running.pop(_key(tool_context), None)
        if asked:
            ran = to_jsonable_python(arguments, fallback=str)
            await areport(asked.with_arguments(ran), result, is_error=is_error)


def _key(tool_context: ToolContext) -> tuple[str, str | None]:
    return tool_context.invocation_id, tool_context.function_call_id
