"""LangGraph: agents of LangChain, called and awaited, and a graph of one's own."""

from __future__ import annotations

import asyncio
import uuid
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from plimsoll.langgraph import PlimsollMiddleware

from .script import Script, Tools, Transcript


class ScriptedModel(BaseChatModel):
    script: Any

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **_: Any) -> Any:
        return self

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        calls = [{"name": name, "args": args, "id": uuid.uuid4().hex} for name, args in self.script.next()]
        message = AIMessage("" if calls else self.script.final, tool_calls=calls)
        return ChatResult(generations=[ChatGeneration(message=message)])


def input_of() -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": "do it"}]}


def transcript_of(state: dict[str, Any]) -> Transcript:
    messages = state["messages"]
    return Transcript([str(m.content) for m in messages if isinstance(m, ToolMessage)], str(messages[-1].content))


def readme_names(tools: Tools, script: Script) -> dict[str, Any]:
    """What the README's example takes as given."""
    return {"model": ScriptedModel(script=script), "tools": [tool(each) for each in tools.all()]}


def agent_of(session: Any, tools: Tools, script: Script, options: dict[str, Any]) -> Any:
    middleware = [PlimsollMiddleware(session, **options)]
    return create_agent(ScriptedModel(script=script), [tool(each) for each in tools.all()], middleware=middleware)


def drive(session: Any, tools: Tools, script: Script, **options: Any) -> Transcript:
    return transcript_of(agent_of(session, tools, script, options).invoke(input_of()))


def drive_async(session: Any, tools: Tools, script: Script, **options: Any) -> Transcript:
    return transcript_of(asyncio.run(agent_of(session, tools, script, options).ainvoke(input_of())))


def drive_graph(session: Any, tools: Tools, script: Script, **options: Any) -> Transcript:
    model = ScriptedModel(script=script)
    plimsoll = PlimsollMiddleware(session, **options)
    node = ToolNode(
        [tool(each) for each in tools.all()],
        wrap_tool_call=plimsoll.wrap_tool_call,
        awrap_tool_call=plimsoll.awrap_tool_call,
    )
    graph = StateGraph(MessagesState)
    graph.add_node("model", lambda state: {"messages": [model.invoke(state["messages"])]})
    graph.add_node("tools", node)
    graph.add_edge(START, "model")
    graph.add_conditional_edges("model", tools_condition)
    graph.add_edge("tools", "model")
    return transcript_of(graph.compile().invoke(input_of()))


DRIVERS = {"langchain": drive, "langchain, async": drive_async, "a graph": drive_graph}
