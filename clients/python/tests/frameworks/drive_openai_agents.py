"""The OpenAI Agents SDK, run by threads and by coroutines."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncIterator
from typing import Any

from agents import Agent, Model, ModelResponse, Runner, Usage, function_tool, set_tracing_disabled
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText
from plimsoll.openai_agents import guard_tools

from .script import Script, Tools, Transcript

set_tracing_disabled(True)


class ScriptedModel(Model):
    def __init__(self, script: Script) -> None:
        self.script = script

    async def get_response(self, *_: Any, **__: Any) -> ModelResponse:
        output: list[Any] = [
            ResponseFunctionToolCall(type="function_call", name=name, arguments=json.dumps(args), call_id=uuid.uuid4().hex)
            for name, args in await asyncio.to_thread(self.script.next)
        ]
        if not output:
            text = ResponseOutputText(type="output_text", text=self.script.final, annotations=[])
            output = [
                ResponseOutputMessage(id="m", type="message", role="assistant", status="completed", content=[text])
            ]
        return ModelResponse(output=output, usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> AsyncIterator[Any]:
        raise NotImplementedError


def readme_names(tools: Tools, script: Script) -> dict[str, Any]:
    """What the README's example takes as given."""
    return {"model": ScriptedModel(script), "tools": [function_tool(each) for each in tools.all()]}


def agent_of(session: Any, tools: Tools, script: Script, options: dict[str, Any]) -> Agent[Any]:
    own = [function_tool(each) for each in tools.all()]
    return Agent(name="clerk", model=ScriptedModel(script), tools=guard_tools(session, own, **options))


def transcript_of(result: Any) -> Transcript:
    answers = [str(item["output"]) for item in result.to_input_list() if item.get("type") == "function_call_output"]
    return Transcript(answers, result.final_output)


def drive(session: Any, tools: Tools, script: Script, **options: Any) -> Transcript:
    return transcript_of(Runner.run_sync(agent_of(session, tools, script, options), "do it"))


def drive_async(session: Any, tools: Tools, script: Script, **options: Any) -> Transcript:
    return transcript_of(asyncio.run(Runner.run(agent_of(session, tools, script, options), "do it")))


DRIVERS = {"openai agents": drive, "openai agents, async": drive_async}
