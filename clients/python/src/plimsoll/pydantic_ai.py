"""Pydantic AI: a verdict before each tool call. `pip install plimsoll[pydantic-ai]`"""

from __future__ import annotations

from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tools import ToolDefinition
from pydantic_core import to_jsonable_python

from ._adapter import Guard, Refused, SessionSource, arun


class PlimsollCapability(AbstractCapability[Any]):
    """Asks `session` before each tool of the agent runs, also those of toolsets and MCP servers, and answers the model if it may not.

    Put it last, so that it judges the final arguments. `session` may be a function that finds the session of a run's context.
    `approval_timeout`: seconds that a step waits for a human. By default the model learns at once that the step waits; the same call
    runs once it is approved.

    >>> Agent(model, tools=[read_email, send_email], capabilities=[PlimsollCapability(session)])  # doctest: +SKIP
    """

    def __init__(self, session: SessionSource[RunContext[Any]], *, approval_timeout: float | None = 0.0) -> None:
        self._guard = Guard(session, approval_timeout)

    async def wrap_tool_execute(
        self,
        ctx: RunContext[Any],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: dict[str, Any],
        handler: Any,
    ) -> Any:
        # Validated arguments may be models or dates: judged is their JSON.
        asked = await self._guard.aask(ctx, call.tool_name, to_jsonable_python(args), tool_def.description)
        if isinstance(asked, Refused):
            return asked.message
        return await arun(asked, lambda: handler(args))
