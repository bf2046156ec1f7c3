"""Google's Agent Development Kit."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

from google.adk.agents import LlmAgent
from google.adk.apps import App
from google.adk.models import BaseLlm, LlmRequest, LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types
from plimsoll.google_adk import PlimsollPlugin

from .script import Script, Tools, Transcript


class ScriptedModel(BaseLlm):
    script: Any

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        calls = await asyncio.to_thread(self.script.next)
        parts = [types.Part(function_call=types.FunctionCall(name=name, args=args)) for name, args in calls]
        content = types.Content(role="model", parts=parts or [types.Part(text=self.script.final)])
        yield LlmResponse(content=content)


async def run(session: Any, tools: Tools, script: Script, options: dict[str, Any]) -> Transcript:
    agent = LlmAgent(name="clerk", model=ScriptedModel(model="scripted", script=script), tools=[*tools.all()])
    return await run_app(App(name="clerk", root_agent=agent, plugins=[PlimsollPlugin(session, **options)]))


async def run_app(app: App) -> Transcript:
    runner = InMemoryRunner(app=app)
    own = await runner.session_service.create_session(app_name="clerk", user_id="ann")
    message = types.Content(role="user", parts=[types.Part(text="do it")])
    transcript = Transcript([], "")
    async for event in runner.run_async(user_id="ann", session_id=own.id, new_message=message):
        for response in event.get_function_responses():
            answer = response.response or {}
            transcript.answers.append(str(answer.get("result", answer.get("error"))))
        if event.is_final_response() and event.content and event.content.parts:
            transcript.final = event.content.parts[0].text or ""
    return transcript


def drive(session: Any, tools: Tools, script: Script, **options: Any) -> Transcript:
    return asyncio.run(run(session, tools, script, options))


def readme_names(tools: Tools, script: Script) -> dict[str, Any]:
    """What the README's example takes as given."""
    return {"model": ScriptedModel(model="scripted", script=script), "tools": tools.all()}


def run_readme(names: dict[str, Any]) -> None:
    """The README's example ends with an app, which a runner takes."""
    asyncio.run(run_app(names["app"]))


DRIVERS = {"google adk": drive}
