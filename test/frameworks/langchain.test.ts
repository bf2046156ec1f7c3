import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StateGraph, MessagesAnnotation, START } from '@langchain/langgraph'
import { ToolNode } from '@langchain/langgraph/prebuilt'
import { createPlimsollMiddleware, guardTools } from '@plimsoll/client/langchain'
import { AIMessage, createAgent, tool, toolErrorMiddleware, ToolMessage, type BaseMessage } from 'langchain'
import * as z from 'zod'
import { testFramework, type Drive } from './contract.js'
import { createDesk, DESK_TASK, type Script } from './desk.js'
import { langchainModel, langchainTools } from './agents/langchain-agent.js'

const LIST = { tool: 'list_files', arguments: { path: '/desk' } }
const DELETE = { tool: 'delete_file', arguments: { path: '/desk/ledger.txt' } }

const GO = { messages: [{ role: 'user', content: 'Go.' }] }

const drive: Drive = async (desk, script) => {
  const plimsoll = createPlimsollMiddleware(desk.session, { onConfirm: desk.onConfirm })
  const agent = createAgent({
    model: langchainModel(script),
    tools: langchainTools(desk.tools),
    // The first makes tools' errors the model's to read; ours goes last.
    middleware: [toolErrorMiddleware({ onError: String }), plimsoll],
  })
  return reportedIn(await agent.invoke(GO))
}

/** The same without `createAgent`: a graph of its own, with LangGraph's node for tools. */
const driveGraph: Drive = async (desk, script) => {
  const model = langchainModel(script)
  const tools = guardTools(desk.session, langchainTools(desk.tools), { onConfirm: desk.onConfirm })
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('model', async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
    .addNode('tools', new ToolNode(tools))
    .addEdge(START, 'model')
    .addConditionalEdges('model', ({ messages }) => (callsIn(messages.at(-1)) > 0 ? 'tools' : '__end__'))
    .addEdge('tools', 'model')
    .compile()
  return reportedIn(await graph.invoke(GO))
}

const callsIn = (message: BaseMessage | undefined): number =>
  AIMessage.isInstance(message) ? (message.tool_calls?.length ?? 0) : 0

const reportedIn = ({ messages }: { readonly messages: readonly BaseMessage[] }): readonly string[] =>
  messages.filter((message) => ToolMessage.isInstance(message)).map(({ text }) => text)

testFramework('LangChain', drive)
testFramework('LangGraph', driveGraph)

test('accepts ids that the model made up', async (t) => {
  const desk = await createDesk(t)
  await drive(desk, [[{ ...LIST, id: 'call \u0000 ünï' }], [{ ...LIST, id: 'x'.repeat(1_000) }]])
  assert.deepEqual(desk.ran, [LIST, LIST])
})

test('a tool that returns an error counts as failed', async (t) => {
  const desk = await createDesk(t)
  const broken = tool(
    (_values, { toolCall }) =>
      new ToolMessage({ status: 'error', content: 'the disk is gone', tool_call_id: toolCall?.id ?? '' }),
    { name: 'list_files', description: 'Lists files.', schema: z.looseObject({}) },
  )
  const others = langchainTools(desk.tools.filter(({ name }) => name !== 'list_files'))
  const agent = createAgent({
    model: langchainModel([[LIST], [DELETE]]),
    tools: [broken, ...others],
    middleware: [createPlimsollMiddleware(desk.session)],
  })
  const [, reported] = reportedIn(await agent.invoke(GO))
  assert.match(reported ?? '', /`delete_file` was blocked/)
})

test('two concurrent calls with one id are separate steps', async (t) => {
  const desk = await createDesk(t)
  const [first, second] = await drive(desk, [
    [
      { ...LIST, id: 'a' },
      { ...LIST, arguments: { path: '/elsewhere' }, id: 'a' },
    ],
  ])
  assert.deepEqual(desk.ran, [LIST])
  assert.match(first ?? '', /ledger/)
  assert.match(second ?? '', /was blocked/)
})

test('assigns each call to the session of its thread', async (t) => {
  const desk = await createDesk(t)
  const other = await desk.guard.startSession({ category: 'research_comms', task: DESK_TASK })
  const sessions = new Map([
    ['a', desk.session],
    ['b', other],
  ])
  const read = { tool: 'read_email', arguments: { id: 7 } }
  const send = { tool: 'send_email', arguments: { to: 'ann@example.org', body: 'Hello.' } }
  const middleware = createPlimsollMiddleware(
    ({ runtime }) => {
      const session = sessions.get(String(runtime.configurable?.thread_id))
      assert.ok(session)
      return session
    },
    { approvalMs: 0 },
  )
  const tools = langchainTools(desk.tools)
  for (const [thread, script] of [
    ['a', [[read]]],
    ['b', [[send]]],
  ] satisfies [string, Script][]) {
    const agent = createAgent({ model: langchainModel(script), tools, middleware: [middleware] })
    await agent.invoke(GO, { configurable: { thread_id: thread } })
  }
  assert.deepEqual(desk.ran, [read, send], 'what `a` has read is nothing to `b`')
})
