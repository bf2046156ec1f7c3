/** The README and its page on Python, followed by the author of an agent with LangGraph. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { startNode } from '../../e2e/cli-process.js'
import { projectRoot } from '../../support/paths.js'
import { publishPackages } from '../packages.js'
import { createProject } from '../project.js'
import { blockWith, createStopwatch, decisionIn } from './journey.js'

const PAGE = 'docs/guides/python.md'

const published = await publishPackages()
after(() => published.remove())

/** The agent's own part: its tools, and a model that follows a script. Before the last turn it waits for a file. */
const AGENT = `
import os, time, uuid
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool

ran = []

@tool
def read_email(id: int) -> str:
    "Reads a mail."
    ran.append("read_email")
    return "Case KX-48217: Ann Moor, account 7730194422, owes 1,240."

@tool
def send_email(to: str, body: str) -> str:
    "Sends a mail."
    ran.append("send_email")
    return "sent"

@tool
def book_room(room: str) -> str:
    "Books a meeting room."
    ran.append("book_room")
    return "booked " + room

tools = [read_email, send_email, book_room]
task = "Read mail 7, and book the meeting room"
turns = [
    ("read_email", {"id": 7}),
    ("send_email", {"to": "press@example.org", "body": "Ann Moor (KX-48217) has not paid."}),
    ("book_room", {"room": "Thames"}),
    ("book_room", {"room": "Thames"}),
]

class Model(BaseChatModel):
    taken: int = 0

    @property
    def _llm_type(self):
        return "scripted"

    def bind_tools(self, tools, **_):
        return self

    def _generate(self, messages, *_, **__):
        if isinstance(messages[-1], ToolMessage):
            print("GOT", messages[-1].content.replace("\\n", " "), flush=True)
        turn, self.taken = self.taken, self.taken + 1
        while turn == 3 and not os.path.exists("approved"):
            time.sleep(0.05)
        calls = [{"name": turns[turn][0], "args": turns[turn][1], "id": uuid.uuid4().hex}] if turn < 4 else []
        return ChatResult(generations=[ChatGeneration(message=AIMessage("" if calls else "done", tool_calls=calls))])

model = Model()
`

test('LangGraph: from an empty folder to a blocked leak and an approved step', async (t) => {
  const project = await createProject({
    registry: published.registry.url,
    node: process.execPath,
    hasEmptyCache: true,
  })
  t.after(() => project.remove())
  const at = createStopwatch(t)
  // What the page takes from a clone.
  await cp(path.join(projectRoot, 'clients/python'), path.join(project.folder, 'plimsoll-python'), {
    recursive: true,
    filter: (file) => !/__pycache__|\.(mypy|pytest)_cache/.test(file),
  })
  const run = promisify(execFile)
  const inFolder = { cwd: project.folder, env: project.env, timeout: 600_000 }
  await run('python3', ['-m', 'venv', 'venv'], inFolder)
  const python = path.join(project.folder, 'venv/bin/python')
  const extra = `plimsoll[langgraph] @ file://${project.folder}/plimsoll-python`
  await run(python, ['-m', 'pip', 'install', '--quiet', '--no-cache-dir', extra], inFolder)
  at('pip install plimsoll[langgraph]')
  await project.install('plimsoll')
  at('npm install plimsoll')

  const bin = path.join(project.folder, 'node_modules/plimsoll/bin/plimsoll.js')
  const up = startNode([bin, 'up', '--no-fleet', '--port', '0', '--gateway', '0', '--console', '0'], {
    cwd: project.folder,
    env: project.env,
    node: project.node,
  })
  t.after(async () => {
    up.signal('SIGTERM')
    await up.ended
  })
  const [, url = '', key = ''] =
    /GATEWAY=(\S+) GATEWAY_KEY=(\S+)/.exec(await up.printed(/export GATEWAY=/)) ?? []
  at('plimsoll up serves agents')

  const example = await blockWith(PAGE, 'python', 'PlimsollMiddleware')
  await project.write('agent.py', `${AGENT}\n${example}\nprint("RAN", ran, flush=True)\n`)
  const agent = startNode(['agent.py'], {
    cwd: project.folder,
    node: python,
    env: { ...project.env, GATEWAY: url, GATEWAY_KEY: key },
  })
  const leak = await agent.printed(/^GOT .*send_email/)
  assert.match(leak, /was blocked: .*carries sensitive data/)
  at('the leak is blocked')
  const waiting = await agent.printed(/^GOT .*book_room/)
  const id = decisionIn(waiting)
  const command = await up.printed(new RegExp(`answer: .*${id.replaceAll(/[^\w]/g, String.raw`\$&`)}`))
  await project.run('sh', ['-c', `${command.replace(/^ *answer: /, '')} --yes`])
  await project.write('approved', '')
  const { code, stdout, stderr } = await agent.ended
  assert.equal(code, 0, stderr)
  assert.match(stdout, /GOT booked Thames\nRAN \['read_email', 'book_room'\]/)
  at('the approved step has run')
})
