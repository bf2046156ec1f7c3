"""CrewAI."""

from __future__ import annotations

import json
import os
import uuid
from typing import Any

os.environ.update(CREWAI_DISABLE_TELEMETRY="true", OTEL_SDK_DISABLED="true", CREWAI_TRACING_ENABLED="false")

from crewai import Agent, BaseLLM, Crew, Task  # noqa: E402
from crewai.tools import tool  # noqa: E402
from plimsoll.crewai import guard_tools  # noqa: E402

from .script import Script, Tools, Transcript  # noqa: E402


class ScriptedModel(BaseLLM):
    model: str = "scripted"
    script: Any = None
    messages: Any = None

    def call(self, messages: Any, *_: Any, **__: Any) -> Any:
        self.messages = messages
        calls = [
            {"id": uuid.uuid4().hex, "type": "function", "function": {"name": name, "arguments": json.dumps(args)}}
            for name, args in self.script.next()
        ]
        return calls or self.script.final

    def supports_function_calling(self) -> bool:
        return True


def readme_names(tools: Tools, script: Script) -> dict[str, Any]:
    """What the README's example takes as given."""
    own = [tool(each.__name__)(each) for each in tools.all()]
    return {"model": ScriptedModel(model="scripted", script=script), "tools": own}


def drive(session: Any, tools: Tools, script: Script, **options: Any) -> Transcript:
    model = ScriptedModel(model="scripted", script=script)
    own = [tool(each.__name__)(each) for each in tools.all()]
    agent = Agent(role="clerk", goal="do it", backstory="", llm=model, tools=guard_tools(session, own, **options))
    task = Task(description="do it", expected_output="a word", agent=agent)
    final = Crew(agents=[agent], tasks=[task]).kickoff().raw
    return Transcript([str(m["content"]) for m in model.messages if m["role"] == "tool"], final)


DRIVERS = {"crewai": drive}
