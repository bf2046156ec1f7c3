"""The OpenAI Agents SDK: a verdict before each function tool. `pip install plimsoll[openai-agents]`"""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from typing import Any

from agents import FunctionTool, Tool
from agents.tool import maybe_invoke_function_tool_failure_error_function, set_function_tool_failure_error_function
from agents.tool_context import ToolContext

from ._adapter import Guard, Refused, SessionSource, arun
from .errors import PlimsollError


def guard_tools(
    session: SessionSource[ToolContext[Any]], tools: Sequence[Tool], *, approval_timeout: float | None = 0.0
) -> list[Tool]:
    """The tools of an agent, each of which asks `session` before it runs, and answers the model if it may not.

    Tools that the model's provider runs pass unchanged: they cannot be stopped here. Raises `config_invalid` for others that this process
    runs and that are no function tools (shell, patches, computer, custom): they would run without a verdict. `session` may be a function
    that finds the session of a tool's context. `approval_timeout`: seconds that a step waits for a human. By default the model learns at once that the step
    waits; the same call runs once it is approved.

    >>> Agent(name="clerk", tools=guard_tools(session, [read_email, send_email]))  # doctest: +SKIP
    """
    guard = Guard(session, approval_timeout)
    return [_guarded(guard, tool) if isinstance(tool, FunctionTool) else _hosted(tool) for tool in tools]


#: Tools that the model's provider runs, by the names of their classes: older releases of the SDK have fewer.
HOSTED = frozenset(
    {
        "CodeInterpreterTool",
        "FileSearchTool",
        "HostedMCPTool",
        "ImageGenerationTool",
        "ProgrammaticToolCallingTool",
        "ToolSearchTool",
        "WebSearchTool",
    }
)


def _hosted(tool: Tool) -> Tool:
    kind = type(tool).__name__
    # A shell without an executor is in a container of the provider.
    is_container = kind == "ShellTool" and getattr(tool, "executor", None) is None
    if kind in HOSTED or is_container:
        return tool
    raise PlimsollError(
        "config_invalid",
        f"`guard_tools`: a `{kind}` runs here and cannot be judged before it does: give the agent a function tool that does the same",
    )


def _guarded(guard: Guard[ToolContext[Any]], tool: FunctionTool) -> FunctionTool:
    # The inner copy raises, so that a failure is reported as one. The outer copy then answers the model as the tool would have.
    inner = copy.copy(tool)
    set_function_tool_failure_error_function(inner, None)

    async def invoke(context: ToolContext[Any], text: str) -> Any:
        arguments = _parsed(text)
        if arguments is None:
            return f"`{tool.name}` was not run: its arguments are no JSON object"
        asked = await guard.aask(context, tool.name, arguments, tool.description)
        if isinstance(asked, Refused):
            return asked.message
        try:
            return await arun(asked, lambda: inner.on_invoke_tool(context, json.dumps(asked.arguments)))
        except Exception as error:
            said = await maybe_invoke_function_tool_failure_error_function(
                function_tool=tool, context=context, error=error
            )
            if said is None:
                raise
            return said

    outer = copy.copy(tool)
    outer.on_invoke_tool = invoke
    return outer


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        arguments = json.loads(text or "{}")
    except ValueError:
        return None
    return arguments if isinstance(arguments, dict) else None


