"""Pydantic AI."""

from __future__ import annotations

import asyncio
from typing import Any

from plimsoll.pydantic_ai import PlimsollCapability
from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from .script import Script, Tools, Transcript


def model_of(script: Script) -> FunctionModel:
    async def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        calls = [ToolCallPart(name, args) for name, args in await asyncio.to_thread(script.next)]
        return ModelResponse(calls or [TextPart(script.final)])

    return FunctionModel(answer)


def readme_names(tools: Tools, script: Script) -> dict[str, Any]:
    """What the README's example takes as given."""
    return {"model": model_of(script), "tools": tools.all()}


def agent_of(session: Any, tools: Tools, script: Script, options: dict[str, Any]) -> Agent[None, str]:
    return Agent(model_of(script), tools=tools.all(), capabilities=[PlimsollCapability(session, **options)])


def transcript_of(result: Any) -> Transcript:
    parts = [part for message in result.all_messages() for part in message.parts]
    return Transcript([str(part.content) for part in parts if isinstance(part, ToolReturnPart)], result.output)


def drive(session: Any, tools: Tools, script: Script, **options: Any) -> Transcript:
    return transcript_of(agent_of(session, tools, script, options).run_sync("do it"))


DRIVERS = {"pydantic ai": drive}
