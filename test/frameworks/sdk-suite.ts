import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { createGuard, type Answer, type Guard, type Session } from '@plimsoll/client'
import { guardTools, type GuardToolsOptions } from '@plimsoll/client/ai-sdk'
import type { generateText, ModelMessage, stepCountIs, streamText, tool, ToolSet } from 'ai'
import { z } from 'zod'
import { agentDocuments } from './documents.js'
import { scriptedModel, type Shown, type Turn } from './sdk-model.js'

/** What is used of the package; the types are those of major 7. */
export interface Sdk {
  readonly generateText: typeof generateText
  readonly streamText: typeof streamText
  readonly stepCountIs: typeof stepCountIs
  readonly tool: typeof tool
}

export interface SuiteOptions {
  readonly sdk: Sdk
  readonly specificationVersion: 'v3' | 'v4'
}

const LETTER = 'Case KX-48217: Ann Moor, account 7730194422, owes 1,240.'
const LEAK = { to: 'press@example.org', body: 'Ann Moor (KX-48217), account 7730194422, has not paid.' }

/** One for all tests: to make its rules takes longer than any of them. */
const GUARD = agentDocuments().then((documents) => createGuard({ documents }))

/** What an agent of the SDK may do behind `guardTools`, whatever its major. */
export function declareSdkSuite({ sdk, specificationVersion }: SuiteOptions): void {
  const { tool, stepCountIs } = sdk
  const isSeven = specificationVersion === 'v4'

  interface World {
    readonly guard: Guard
    readonly session: Session
    /** Tools that ran, in their order, with their input. */
    readonly ran: (readonly [tool: string, input: unknown])[]
    run(turns: readonly Turn[], more?: Partial<RunOptions>): Promise<Ran>
  }

  interface RunOptions extends GuardToolsOptions {
    readonly messages: ModelMessage[]
    readonly abortSignal: AbortSignal
    readonly tools: ToolSet
  }

  interface Ran {
    readonly text: string
    readonly shown: readonly Shown[]
    readonly messages: ModelMessage[]
  }

  async function createWorld(t: TestContext): Promise<World> {
    const guard = await GUARD
    const session = await guard.startSession({ category: 'research_comms' })
    t.after(() => session.end())
    const ran: [string, unknown][] = []
    const noting = (name: string, does: (input: unknown) => unknown) =>
      tool({
        description: `does ${name}`,
        inputSchema: z.looseObject({}),
        execute: async (input: unknown) => {
          ran.push([name, input])
          return does(input)
        },
      })
    const own: ToolSet = {
      read_email: noting('read_email', () => LETTER),
      send_email: noting('send_email', () => 'sent'),
      refund: noting('refund', () => 'refunded'),
      wipe_disk: noting('wipe_disk', () => 'wiped'),
      list_files: noting('list_files', () => {
        throw new Error('no such folder')
      }),
    }
    const run: World['run'] = async (turns, { messages, abortSignal, tools = {}, ...options } = {}) => {
      const { model, shown } = scriptedModel(specificationVersion, turns)
      const start: ModelMessage[] = messages ?? [{ role: 'user', content: 'see to it' }]
      const { text, response } = await sdk.generateText({
        model,
        messages: start,
        stopWhen: stepCountIs(10),
        ...(abortSignal && { abortSignal }),
        ...guardTools(session, { ...own, ...tools }, options),
      })
      return { text, shown: shown(), messages: [...start, ...response.messages] }
    }
    return { guard, session, ran, run }
  }

  const call = (id: string, name: string, input: unknown = {}) => ({ id, tool: name, input })
  const refund = call('c1', 'refund', { amount: 3 })
  const reasonOf = ({ output }: Shown) => String(output.reason ?? output.value)

  test('what may run runs, and the model is shown its result', async (t) => {
    const { ran, run, guard } = await createWorld(t)
    const { proposed } = guard.stats()
    const { text, shown } = await run([[call('c1', 'read_email', { id: 7 })], 'read'])
    assert.deepEqual(ran, [['read_email', { id: 7 }]])
    assert.deepEqual([text, shown[0]?.output.value], ['read', LETTER])
    assert.equal(guard.stats().proposed - proposed, 1)
  })

  test('what is blocked does not run; the model is told why and what would do instead, and goes on', async (t) => {
    const { ran, run, guard } = await createWorld(t)
    const { proposed } = guard.stats()
    const { text, shown } = await run([[call('c1', 'wipe_disk')], 'sorry'])
    assert.deepEqual([ran, text], [[], 'sorry'])
    assert.equal(shown[0]?.output.type, isSeven ? 'execution-denied' : 'error-text')
    assert.match(shown.map(reasonOf).join(), /`wipe_disk` was blocked: .*; instead: delete single files/)
    assert.equal(guard.stats().proposed - proposed, 1)
  })

  test('what was read is known where it is sent on', async (t) => {
    const { ran, run } = await createWorld(t)
    const { shown } = await run([[call('c1', 'read_email')], [call('c2', 'send_email', LEAK)], 'done'])
    assert.deepEqual(
      ran.map(([name]) => name),
      ['read_email'],
    )
    assert.match(reasonOf(shown[1] ?? assert.fail()), /carries sensitive data/)
  })

  test('reading and sending in one turn does not race past the line', async (t) => {
    const { ran, run } = await createWorld(t)
    await run([[call('c1', 'read_email')], 'read'])
    const { shown } = await run([[call('c2', 'read_email'), call('c3', 'send_email', LEAK)], 'done'])
    assert.deepEqual(
      ran.map(([name]) => name),
      ['read_email', 'read_email'],
    )
    assert.match(shown.map(reasonOf).join(), /`send_email` was blocked/)
  })

  test('what asks a human waits for the deployment’s approvers', async (t) => {
    const { guard, ran, run } = await createWorld(t)
    const { promise: running, asked } = firstAsked((onConfirm) => run([[refund], 'done'], { onConfirm }))
    const answer = await asked
    assert.deepEqual(ran, [])
    await guard.approve(answer, { by: 'ada', resolution: 'approved' })
    assert.equal((await running).text, 'done')
    assert.deepEqual(ran, [['refund', { amount: 3 }]])
  })

  test('what a human denies does not run', async (t) => {
    const { guard, ran, run } = await createWorld(t)
    const deny = (answer: Answer) => void guard.approve(answer, { by: 'ada', resolution: 'denied' })
    const { shown } = await run([[refund], 'done'], { onConfirm: deny })
    assert.deepEqual(ran, [])
    assert.match(shown.map(reasonOf).join(), /`refund` was blocked: .*denied/)
  })

  test('a call that waits is given up with its run', async (t) => {
    const { ran, run } = await createWorld(t)
    const giving = new AbortController()
    const running = run([[refund], 'done'], {
      abortSignal: giving.signal,
      onConfirm: () => giving.abort(new Error('enough')),
    })
    await assert.rejects(running, /enough/)
    assert.deepEqual(ran, [])
  })

  test('a tool that throws has failed, for the model and for the session', async (t) => {
    const { run, session } = await createWorld(t)
    const outcomes: unknown[] = []
    const { complete } = session
    Object.assign(session, {
      complete: (answer: Answer, result: unknown) => {
        outcomes.push(result)
        return complete(answer)
      },
    })
    const { shown } = await run([[call('c1', 'list_files')], 'done'])
    assert.match(shown.map(reasonOf).join(), /no such folder/)
    assert.deepEqual(outcomes, [{ outcome: 'error', result: 'no such folder' }])
  })

  test('a tool that streams its results streams them still, and the session is told the last', async (t) => {
    const { session, run } = await createWorld(t)
    const read_email = tool({
      inputSchema: z.looseObject({}),
      async *execute() {
        yield 'Case'
        yield LETTER
      },
    })
    const turns: Turn[] = [[call('c1', 'read_email')], 'read']
    const { model } = scriptedModel(specificationVersion, turns)
    const guarded = guardTools(session, { read_email })
    const { fullStream } = sdk.streamText({ model, prompt: 'read', stopWhen: stepCountIs(5), ...guarded })
    const outputs: unknown[] = []
    for await (const part of fullStream) if (part.type === 'tool-result') outputs.push(part.output)
    assert.deepEqual(outputs, ['Case', LETTER, LETTER])
    const { shown } = await run([[call('c2', 'send_email', LEAK)], 'done'])
    assert.match(shown.map(reasonOf).join(), /carries sensitive data/)
  })

  interface Asking extends Ran {
    /** What a user says to the request, for the next run. */
    readonly said: (approved: boolean) => ModelMessage[]
  }

  async function askUser({ run }: World, options: GuardToolsOptions): Promise<Asking> {
    const first = await run([[refund]], options)
    const request = partsOf(first.messages).find((part) => part.type === 'tool-approval-request')
    assert.ok(request)
    const { approvalId } = request
    const said = (approved: boolean): ModelMessage[] => [
      ...first.messages,
      { role: 'tool', content: [{ type: 'tool-approval-response', approvalId, approved }] },
    ]
    return { ...first, said }
  }

  /** Has `approve` note what it is asked, and approve it as ada. */
  const guardingBy = ({ guard }: World, approved: Answer[] = []): GuardToolsOptions => ({
    approve: async (answer) => {
      approved.push(answer)
      await guard.approve(answer, { by: 'ada', resolution: 'approved' })
    },
  })

  test('the application’s own user is asked, and approves', async (t) => {
    const world = await createWorld(t)
    const guarding = guardingBy(world)
    const { said } = await askUser(world, guarding)
    assert.deepEqual(world.ran, [])
    const { text } = await world.run(['done'], { ...guarding, messages: said(true) })
    assert.deepEqual([text, world.ran], ['done', [['refund', { amount: 3 }]]])
  })

  test('the application’s own user is asked, and denies', async (t) => {
    const world = await createWorld(t)
    const guarding = guardingBy(world)
    const { said } = await askUser(world, guarding)
    const { shown } = await world.run(['done'], { ...guarding, messages: said(false) })
    assert.deepEqual([world.ran, shown[0]?.output.type], [[], 'execution-denied'])
  })

  test('an approval is for one run', async (t) => {
    const world = await createWorld(t)
    const approved: Answer[] = []
    const guarding = guardingBy(world, approved)
    const { said } = await askUser(world, guarding)
    for (let i = 0; i < 2; i++)
      await world.run(['done'], { ...guarding, messages: said(true), approvalMs: 50 })
    assert.deepEqual([world.ran.length, approved.length], [1, 1])
  })

  test('what a user approved is not what runs where its input is another by then', async (t) => {
    const world = await createWorld(t)
    const approved: Answer[] = []
    const guarding = guardingBy(world, approved)
    const { said } = await askUser(world, guarding)
    const messages = structuredClone(said(true))
    for (const part of partsOf(messages)) if (part.type === 'tool-call') part.input = { amount: 3_000 }
    const { shown } = await world.run(['done'], { ...guarding, messages, approvalMs: 50 })
    assert.deepEqual([world.ran, approved], [[], []])
    assert.match(shown.map(reasonOf).join(), /`refund` waits for approval/)
  })
}

const partsOf = (messages: readonly ModelMessage[]) =>
  messages.flatMap((message) =>
    message.role === 'assistant' && typeof message.content !== 'string' ? message.content : [],
  )

/** What `begin` begins, and what it asks a human first. */
function firstAsked<T>(begin: (onConfirm: (asked: Answer) => void) => Promise<T>) {
  let promise: Promise<T> | undefined
  const asked = new Promise<Answer>((resolve, reject) => {
    promise = begin(resolve)
    promise.catch(reject)
  })
  assert.ok(promise)
  return { promise, asked }
}
