import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHooks } from '@plimsoll/client/mastra'
import { testFramework } from './contract.js'
import { createDesk } from './desk.js'
import { agentAt, mastraModel, mastraTools } from './agents/mastra-agent.js'
import { assertAnswersAtOnce, LEAK, READ, runExample, TASK, UNKNOWN } from './agents/readme-example.js'
import { wordsOf } from './sdk-model.js'

const REFUND = { tool: 'refund', arguments: { amount: 3 } }

export function declareMastraSuite(): void {
  testFramework(
    'Mastra',
    async (desk, script) => {
      const { agent, shown } = agentAt(desk, script)
      const hooks = createHooks(desk.session, { onConfirm: desk.onConfirm })
      await agent.generate('Go.', { maxSteps: 10, hooks })
      return shown().map(wordsOf)
    },
    { knowsTools: false },
  )

  test('hooks on the agent find the session of each call', async (t) => {
    const desk = await createDesk(t)
    const seen: string[] = []
    const { agent } = agentAt(desk, [[{ tool: 'list_files', arguments: {} }]])
    const { beforeToolCall, afterToolCall } = createHooks(({ toolName }) => {
      seen.push(toolName)
      return desk.session
    })
    await agent.generate('Go.', { hooks: { beforeToolCall, afterToolCall } })
    assert.deepEqual([seen, desk.ran.length], [['list_files'], 1])
  })

  test('a call that waits is given up with its run', async (t) => {
    const desk = await createDesk(t)
    const giving = new AbortController()
    const { agent } = agentAt(desk, [[REFUND]])
    const hooks = createHooks(desk.session, { onConfirm: () => giving.abort(new Error('enough')) })
    await agent.generate('Go.', { hooks, abortSignal: giving.signal }).catch(() => {})
    assert.deepEqual(desk.ran, [])
  })

  test('an approved call does not run when its input has changed meanwhile', async (t) => {
    const desk = await createDesk(t, { resolution: 'approved' })
    const input = { amount: 3 }
    const { beforeToolCall } = createHooks(desk.session, {
      onConfirm: (asked) => {
        input.amount = 3_000
        return desk.onConfirm(asked)
      },
    })
    await assert.rejects(
      async () => beforeToolCall({ toolName: 'refund', input, context: { toolCallId: 'c1' } }),
      /is not the input that was proposed/,
    )
  })

  test('a streaming call is checked too', async (t) => {
    const desk = await createDesk(t)
    const { agent, shown } = agentAt(desk, [[REFUND]])
    const hooks = createHooks(desk.session, { onConfirm: desk.onConfirm })
    const { text } = await agent.stream('Go.', { hooks })
    assert.equal(await text, 'done')
    assert.deepEqual(desk.ran, [])
    assert.match(shown().map(wordsOf).join(), /`refund` was blocked/)
  })

  test("README's agent of Mastra may not mail what it has read", async (t) => {
    const desk = await createDesk(t)
    const { model, shown } = mastraModel(LEAK)
    const tools = mastraTools(desk.tools)
    await runExample(t, '@plimsoll/client/mastra', { client: desk.guard, task: TASK, model, tools })
    assert.deepEqual(desk.ran, [READ])
    assert.match(shown().map(wordsOf).join(), /sensitive data/)
  })

  test("README's agent of Mastra never waits for a human whom nobody asks", async (t) => {
    const desk = await createDesk(t)
    const { model, shown } = mastraModel(UNKNOWN)
    const given = { client: desk.guard, task: TASK, model, tools: mastraTools(desk.tools) }
    await assertAnswersAtOnce(runExample(t, '@plimsoll/client/mastra', given), () =>
      shown().map(wordsOf).join(),
    )
    assert.deepEqual(desk.ran, [])
  })
}
