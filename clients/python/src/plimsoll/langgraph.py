"""LangGraph and LangChain: a verdict before each tool call. `pip install plimsoll[langgraph]`"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Union

from langchain.agents.middleware import AgentMiddleware
from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import ToolMessage
from langgraph.errors import GraphBubbleUp
from langgraph.types import Command

from ._adapter import Asked, Guard, Refused, SessionSource, areport, report

ToolAnswer = Union[ToolMessage, Command[Any]]


class PlimsollMiddleware(AgentMiddleware[Any, Any, Any]):
    """Asks `session` before each tool of the agent runs, and answers the model if it may not.

    Put it last, so that it judges the final arguments. `session` may be a function that finds the session of a request.
    `approval_timeout`: seconds that a step waits for a human. By default the model learns at once that the step waits; the same call
    runs once it is approved.

    >>> create_agent(model, tools, middleware=[PlimsollMiddleware(session)])  # doctest: +SKIP

    For a graph of your own:

    >>> plimsoll = PlimsollMiddleware(session)  # doctest: +SKIP
    >>> ToolNode(tools, wrap_tool_call=plimsoll.wrap_tool_call, awrap_tool_call=plimsoll.awrap_tool_call)  # doctest: +SKIP
    """

    def __init__(self, session: SessionSource[ToolCallRequest], *, approval_timeout: float | None = 0.0) -> None:
        super().__init__()
        self._guard = Guard(session, approval_timeout)

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], ToolAnswer]) -> ToolAnswer:
        asked = self._guard.ask(request, *_call_of(request))
        if isinstance(asked, Refused):
            return _refusal(request, asked)
        try:
            answer = handler(_judged(request, asked))
        except BaseException as error:
            report(asked, str(error), is_error=not isinstance(error, GraphBubbleUp))
            raise
        report(asked, _text_of(answer), is_error=_is_error(answer))
        return answer

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[ToolAnswer]]
    ) -> ToolAnswer:
        asked = await self._guard.aask(request, *_call_of(request))
        if isinstance(asked, Refused):
            return _refusal(request, asked)
        try:
            answer = await handler(_judged(request, asked))
        except BaseException as error:
            await areport(asked, str(error), is_error=not isinstance(error, GraphBubbleUp))
            raise
        await areport(asked, _text_of(answer), is_error=_is_error(answer))
        return answer


def _call_of(request: ToolCallRequest) -> tuple[str, dict[str, Any], str | None]:
    tool = request.tool
    return request.tool_call["name"], request.tool_call["args"], tool.description if tool else None


def _judged(request: ToolCallRequest, asked: Asked) -> ToolCallRequest:
    """The request with the arguments that were judged."""
    return request.override(tool_call={**request.tool_call, "args": asked.arguments})


def _refusal(request: ToolCallRequest, refused: Refused) -> ToolMessage:
    call = request.tool_call
    return ToolMessage(refused.message, name=call["name"], tool_call_id=call["id"] or "", status="error")


def _is_error(answer: ToolAnswer) -> bool:
    return isinstance(answer, ToolMessage) and answer.status == "error"


def _text_of(answer: ToolAnswer) -> object:
    if isinstance(answer, ToolMessage):
        return answer.content
    return answer.update
