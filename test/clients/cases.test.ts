/** The cases that every client must pass, run by the client in TypeScript. */
import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { type Answer, type PlimsollClient, type Session, StepBlocked, explain } from '@plimsoll/client'
import { type GatewayClientOptions, connectGateway } from '@plimsoll/client/gateway'
import { projectRoot } from '../support/paths.js'
import { waitUntil } from '../support/wait-until.js'
import { type World, withWorld } from './world.js'

const folder = path.join(projectRoot, 'clients/cases')
const files = readdirSync(folder).filter((file) => file.endsWith('.json'))

type Members = Readonly<Record<string, unknown>>
type StepOf = Parameters<Session['propose']>[0]

interface Over {
  readonly url?: string
  readonly key?: string
}

interface Expected extends Members {
  readonly error?: string
  readonly says?: string
  readonly throws?: string
}

/** One operation. Its first member names it; clients/cases/README.md describes all. */
interface Operation {
  readonly connect?: Over
  readonly start?: Members
  readonly instruct?: string
  readonly propose?: StepOf
  readonly run?: StepOf
  readonly complete?: string
  readonly wait?: string
  readonly approve?: 'approved' | 'denied'
  readonly relay?: 'hold' | 'cut' | 'join'
  readonly end?: 'completed' | 'failed'
  readonly stats?: Members
  readonly as?: string
  readonly timeoutMs?: number
  readonly result?: unknown
  readonly returns?: unknown
  readonly throws?: string
  readonly expect?: Expected
}

interface ClientCase {
  readonly case: string
  readonly client?: Partial<GatewayClientOptions>
  readonly do: readonly Operation[]
  readonly sent?: { readonly events?: readonly Members[]; readonly lacks?: readonly string[] }
}

test('the cases of the clients', (t) =>
  withWorld(async (world) => {
    for (const file of files) {
      const each = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as ClientCase
      await t.test(`${file}: ${each.case}`, () => play(each, world))
    }
  }))

const post = async (world: World, address: string, body: object): Promise<void> => {
  const reply = await fetch(world.control + address, { method: 'POST', body: JSON.stringify(body) })
  assert.equal(reply.status, 200, await reply.text())
}

/** Long, since it only bounds a failure. */
const TIMEOUT_MS = 20_000

async function play({ client: options = {}, do: operations, sent }: ClientCase, world: World): Promise<void> {
  const { url, key } = world
  const connect: State['connect'] = (over = {}) => {
    const { key: credential = key, ...rest } = over
    return connectGateway({ url, credential, timeoutMs: TIMEOUT_MS, ...options, ...rest })
  }
  const client = await connect()
  try {
    const state: State = { world, client, connect, session: undefined, answers: new Map() }
    for (const operation of operations) await perform(operation, state)
    if (sent) await waitUntil('what is sent', () => isSent(sent, state), { timeoutMs: 5_000 })
  } finally {
    await post(world, '/relay', { mode: 'join' })
    await client.close()
  }
}

interface State {
  readonly world: World
  readonly client: PlimsollClient
  readonly connect: (over?: Over) => Promise<PlimsollClient>
  session: Session | undefined
  readonly answers: Map<string, Answer>
}

async function perform(operation: Operation, state: State): Promise<void> {
  const { expect = {}, as } = operation
  let ran: unknown
  const execute = (values: unknown) => {
    ran = values
    if (operation.throws !== undefined) throw new Error(operation.throws)
    return operation.returns
  }
  try {
    const outcome = await outcomeOf(operation, state, execute)
    assert.equal(undefined, expect.error, `expected \`${expect.error}\``)
    if (isAnswer(outcome)) {
      if (as !== undefined) state.answers.set(as, outcome)
      for (const name of ['verdict', 'mayRun', 'by'] as const)
        if (name in expect) assert.equal(outcome[name], expect[name], JSON.stringify(outcome))
      assertSays(explain(outcome), expect)
    } else if ('value' in expect) assert.deepEqual(outcome, expect['value'])
  } catch (error) {
    if (error instanceof assert.AssertionError || !(error instanceof Error)) throw error
    if (expect.throws !== undefined) assert.match(error.message, new RegExp(expect.throws))
    else assert.equal((error as { code?: unknown }).code, expect.error, error.stack)
    if (error instanceof StepBlocked) assertSays(error.message, expect)
  }
  if (operation.run && 'error' in expect) assert.equal(ran, undefined, 'it ran')
  if ('ran' in expect) assert.deepEqual({ ...(ran as object) }, expect['ran'])
}

const isAnswer = (value: unknown): value is Answer =>
  typeof value === 'object' && value !== null && 'mayRun' in value

function assertSays(message: string, { says }: Expected): void {
  if (says !== undefined) assert.match(message, new RegExp(says))
}

async function outcomeOf(
  operation: Operation,
  state: State,
  execute: (values: unknown) => unknown,
): Promise<unknown> {
  const { world, client, answers } = state
  const { connect, start, relay, approve, stats, timeoutMs } = operation
  if (connect) return (await state.connect(connect)).close()
  if (start) return void (state.session = await client.startSession(start))
  if (relay) return post(world, '/relay', { mode: relay })
  const { session } = state
  assert.ok(session, 'the case starts a session first')
  if (approve) return post(world, '/approve', { sessionId: session.id, resolution: approve })
  const { propose, run, complete, wait, instruct, end } = operation
  if (propose) return session.propose(propose, { timeoutMs })
  if (run) return session.run(run, execute, { approvalMs: timeoutMs ?? 0 })
  const answer = answers.get(complete ?? wait ?? '')
  if (wait !== undefined && answer) return session.resolution(answer, { timeoutMs })
  if (complete !== undefined && answer) return session.complete(answer, { result: operation.result })
  if (instruct !== undefined) return session.instruct(instruct)
  if (end) return session.end(end)
  assert.ok(stats, `no such operation: ${JSON.stringify(operation)}`)
  const counted = client.stats() as unknown as Members
  for (const [name, count] of Object.entries(stats)) assert.equal(counted[name], count, name)
  return undefined
}

/** Whether the session's records have the expected ones, in order, and no text that must stay. Rejects with what is missing. */
async function isSent(sent: NonNullable<ClientCase['sent']>, { world, session }: State): Promise<boolean> {
  const reply = await fetch(`${world.control}/sent?session=${encodeURIComponent(session?.id ?? '')}`)
  const records = (await reply.json()) as unknown[]
  let at = 0
  for (const expected of sent.events ?? []) {
    while (at < records.length && !matches(records[at], expected)) at++
    assert.ok(at++ < records.length, `not sent: ${JSON.stringify(expected)} in ${JSON.stringify(records)}`)
  }
  for (const text of sent.lacks ?? []) assert.ok(!JSON.stringify(records).includes(text), `\`${text}\` left`)
  return true
}

/** Whether `value` has all members of `expected`; null: it has none of that name. */
function matches(value: unknown, expected: unknown): boolean {
  if (expected === null) return value === undefined
  if (typeof expected !== 'object') return value === expected
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(expected).every(([name, each]) => matches((value as Members)[name], each))
}
