import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Answer } from '@plimsoll/client'
import { guardTools, type GuardToolsOptions } from '@plimsoll/client/ai-sdk'
import type { ModelMessage } from 'ai'
import { z } from 'zod'
import { testFramework } from './contract.js'
import { createDesk, LETTER, type Desk, type Script } from './desk.js'
import { assertAnswersAtOnce, LEAK, READ, runExample, TASK, UNKNOWN } from './agents/readme-example.js'
import { runSdk, sdkTools, type SdkMajor, type SdkRun } from './agents/sdk-agent.js'
import { scriptedModel, turnsOf, wordsOf } from './sdk-model.js'

const REFUND = { tool: 'refund', arguments: { amount: 3 } }
const LIST = { tool: 'list_files', arguments: { path: '/desk' } }
const DELETE = { tool: 'delete_file', arguments: { path: '/desk/ledger.txt' } }
const SEND = { tool: 'send_email', arguments: { to: 'press@example.org', body: LETTER } }

/** What an agent of the Vercel AI SDK may do behind `guardTools`, whatever its major. */
export function declareSdkSuite(major: SdkMajor): void {
  const { sdk, specificationVersion } = major
  const isSeven = specificationVersion === 'v4'
  const run = ({ tools, session }: Desk, script: Script, more: Partial<SdkRun> = {}) =>
    runSdk(major, { tools, session, script, ...more })

  testFramework(`Vercel AI SDK ${isSeven ? 7 : 6}`, async (desk, script) => {
    const { shown } = await run(desk, script, { onConfirm: desk.onConfirm })
    return shown.map(wordsOf)
  })

  test('a blocked call is proposed once; major 7 reports it as denied', async (t) => {
    const desk = await createDesk(t)
    const { shown } = await run(desk, [[DELETE]])
    assert.deepEqual(
      shown.map(({ output }) => output.type),
      [isSeven ? 'execution-denied' : 'error-text'],
    )
    assert.equal(desk.guard.stats().proposed, 1)
  })

  test('a call that waits is given up with its run', async (t) => {
    const desk = await createDesk(t)
    const giving = new AbortController()
    const onConfirm = () => giving.abort(new Error('enough'))
    await assert.rejects(run(desk, [[REFUND]], { abortSignal: giving.signal, onConfirm }), /enough/)
    assert.deepEqual(desk.ran, [])
  })

  test('a tool that streams its results still streams them, and the session gets the last', async (t) => {
    const desk = await createDesk(t)
    const read_email = sdk.tool({
      inputSchema: z.looseObject({}),
      async *execute() {
        yield 'Case'
        yield LETTER
      },
    })
    const { model } = scriptedModel(specificationVersion, turnsOf([[{ tool: 'read_email', arguments: {} }]]))
    const { fullStream } = sdk.streamText({
      model,
      prompt: 'Go.',
      stopWhen: sdk.stepCountIs(5),
      ...guardTools(desk.session, { read_email }),
    })
    const outputs: unknown[] = []
    for await (const part of fullStream) if (part.type === 'tool-result') outputs.push(part.output)
    assert.deepEqual(outputs, ['Case', LETTER, LETTER])
    const { shown } = await run(desk, [[SEND]])
    assert.match(shown.map(wordsOf).join(), /sensitive data/)
  })

  test('a tool fills in defaults of its input, and asks its own user as before', async (t) => {
    const desk = await createDesk(t)
    const filled: unknown[] = []
    const list_files = sdk.tool({
      inputSchema: z.object({ path: z.string().optional() }),
      needsApproval: ({ path }) => path === '/etc',
      execute: async (input) => {
        input.path ??= '/desk'
        filled.push(input)
        return 'ledger.txt'
      },
    })
    const paths = [undefined, '/etc'].map((path) => ({ tool: 'list_files', arguments: { path } }))
    const { model } = scriptedModel(specificationVersion, turnsOf([paths]))
    const { content } = await sdk.generateText({
      model,
      prompt: 'Go.',
      ...guardTools(desk.session, { list_files }),
    })
    assert.deepEqual(filled, [{ path: '/desk' }])
    assert.equal(content.filter(({ type }) => type === 'tool-approval-request').length, 1)
  })

  test('a call approved by the application’s user in a later turn is checked then', async (t) => {
    for (const isOver of [false, true]) {
      const desk = await createDesk(t)
      const tools = sdkTools(sdk, desk.tools)
      Object.assign(tools.list_files ?? {}, { needsApproval: true })
      const turn = async (messages: ModelMessage[], script: Script) => {
        const { model, shown } = scriptedModel(specificationVersion, turnsOf(script))
        const { response } = await sdk.generateText({ model, messages, ...guardTools(desk.session, tools) })
        return { shown: shown(), messages: [...messages, ...response.messages] }
      }
      const asked = await turn([{ role: 'user', content: 'Go.' }], [[LIST]])
      if (isOver) await desk.session.end()
      const { shown } = await turn(saidTo(asked.messages, true), [])
      assert.deepEqual(desk.ran, isOver ? [] : [LIST])
      assert.match(shown.map(wordsOf).join(), isOver ? /has ended/ : /ledger/)
    }
  })

  test("README's agent may not mail what it has read", async (t) => {
    const desk = await createDesk(t)
    const { model, shown } = scriptedModel(specificationVersion, turnsOf(LEAK))
    const given = { client: desk.guard, task: TASK, model, tools: sdkTools(sdk, desk.tools) }
    await runExample(t, '@plimsoll/client/ai-sdk', given, (code) =>
      isSeven ? code : code.replace("from 'ai'", "from 'ai-6'"),
    )
    assert.deepEqual(desk.ran, [READ])
    assert.match(shown().map(wordsOf).join(), /sensitive data/)
  })

  test("README's agent never waits for a human whom nobody asks", async (t) => {
    const desk = await createDesk(t)
    const { model, shown } = scriptedModel(specificationVersion, turnsOf(UNKNOWN))
    const given = { client: desk.guard, task: TASK, model, tools: sdkTools(sdk, desk.tools) }
    const edit = (code: string) => (isSeven ? code : code.replace("from 'ai'", "from 'ai-6'"))
    await assertAnswersAtOnce(runExample(t, '@plimsoll/client/ai-sdk', given, edit), () =>
      shown().map(wordsOf).join(),
    )
    assert.deepEqual(desk.ran, [])
  })

  interface Asking {
    readonly desk: Desk
    readonly options: GuardToolsOptions
    /** Answers that the application has approved. */
    readonly approved: readonly Answer[]
    /** What a user says to the request, for the next run. */
    readonly said: (approved: boolean) => ModelMessage[]
  }

  async function askUser(t: TestContext): Promise<Asking> {
    const desk = await createDesk(t)
    const approved: Answer[] = []
    const approve = async (answer: Answer) => {
      approved.push(answer)
      await desk.guard.approve(answer, { by: 'ada', resolution: 'approved' })
    }
    const { messages } = await run(desk, [[REFUND]], { approve })
    assert.deepEqual(desk.ran, [])
    const said = (approved: boolean) => saidTo(messages, approved)
    return { desk, options: { approve, approvalMs: 50 }, approved, said }
  }

  test('the application’s own user is asked, and approves, for one run', async (t) => {
    const { desk, options, approved, said } = await askUser(t)
    for (let i = 0; i < 2; i++) await run(desk, [], { ...options, messages: said(true) })
    assert.deepEqual([desk.ran, approved.length], [[REFUND], 1])
  })

  test('the application’s own user is asked, and denies', async (t) => {
    const { desk, options, said } = await askUser(t)
    const { shown } = await run(desk, [], { ...options, messages: said(false) })
    assert.deepEqual([desk.ran, shown[0]?.output.type], [[], 'execution-denied'])
  })

  test('an approved call does not run when its input has changed', async (t) => {
    const { desk, options, approved, said } = await askUser(t)
    const messages = structuredClone(said(true))
    for (const part of partsOf(messages)) if (part.type === 'tool-call') part.input = { amount: 3_000 }
    const { shown } = await run(desk, [], { ...options, messages })
    assert.deepEqual([desk.ran, approved], [[], []])
    assert.match(shown.map(wordsOf).join(), /`refund` waits for approval/)
  })
}

/** `messages`, and what a user says to the request in them. */
function saidTo(messages: readonly ModelMessage[], approved: boolean): ModelMessage[] {
  const request = partsOf(messages).find((part) => part.type === 'tool-approval-request')
  assert.ok(request)
  const { approvalId } = request
  return [...messages, { role: 'tool', content: [{ type: 'tool-approval-response', approvalId, approved }] }]
}

const partsOf = (messages: readonly ModelMessage[]) =>
  messages.flatMap((message) =>
    message.role === 'assistant' && typeof message.content !== 'string' ? message.content : [],
  )
