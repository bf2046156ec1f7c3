import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer, PlimsollClient, ProposedStep, Session } from '@plimsoll/client'
import { type Decision, type Verdict, PlimsollError, VERDICTS } from '@plimsoll/contracts'
import { type Ending, type FleetDecision, createSchedule } from './agent.js'
import { runFleet } from './fleet.js'
import { sampleScenario } from './sample-scenario.js'
import type { Act } from './scenario.js'

const NAMES: ReadonlySet<string> = new Set(VERDICTS)

/** A client whose verdict is the step's tool name, else allow. It notes what ran and how sessions ended. */
function scriptedClient(notes: string[], reported: Partial<Decision> = {}, resolved: Verdict = 'allow') {
  const answer = (step: ProposedStep, verdict: Verdict): Answer => ({
    callId: step.callId ?? '',
    tool: step.tool,
    verdict,
    mayRun: verdict === 'allow' || verdict === 'warn',
    by: 'decision',
    decision: { id: `${step.callId}`, ...reported } as Decision,
  })
  const session = (id: string): Session => ({
    id,
    instruct: () => assert.fail('the fleet gives no instructions'),
    propose: async (step, options) => {
      options?.signal?.throwIfAborted()
      return answer(step, NAMES.has(step.tool) ? (step.tool as Verdict) : 'allow')
    },
    resolution: async (asked) => answer(asked, resolved),
    ask: () => assert.fail('the fleet requests reviews itself'),
    run: () => assert.fail('the fleet runs its steps itself'),
    addTools: () => undefined,
    complete: async ({ callId, tool }, result) => {
      notes.push(`${id} ran ${callId} ${tool} ${result?.outcome ?? '-'}`)
    },
    handover: () => ({ root: id, inherits: {} }),
    end: async (outcome) => {
      notes.push(`${id} ${outcome}`)
    },
  })
  const client: PlimsollClient = {
    startSession: async (options) => session(options?.id ?? ''),
    resumeSession: () => assert.fail('the fleet resumes no session'),
    stats: () => assert.fail('the fleet reads no stats'),
    close: async () => undefined,
  }
  return client
}

/** Reads, then delivers through `tool`. */
const scenarioOf = (tool: string) =>
  sampleScenario(
    { read: [['read_file', 'ledger']], share: [[tool, 'ann']] },
    { things: { ledger: 'sensitive' } },
  )

const settings = { seed: 7, concurrency: 1, name: 'f' }

/** Endings of forty sessions, and what happened in them. */
async function play(
  tool: string,
  given: Partial<Parameters<typeof runFleet>[0]> = {},
  reported?: Partial<Decision>,
) {
  const notes: string[] = []
  const endings: Ending[] = []
  const client = scriptedClient(notes, reported)
  const onEnd = (_: unknown, ending: Ending) => endings.push(ending)
  await runFleet({ ...settings, client, scenarios: [scenarioOf(tool)], sessions: 40, onEnd, ...given })
  return { notes, endings, delivered: notes.filter((note) => note.includes(` ${tool} ok`)).length }
}

test('runs steps that may run, and no others', async () => {
  const warned = await play('warn')
  assert.equal(warned.delivered, 40)
  assert.ok(warned.endings.every(({ outcome, hasLeaked }) => outcome === 'completed' && hasLeaked))
  const blocked = await play('block')
  assert.equal(blocked.delivered, 0)
  assert.ok(blocked.endings.every(({ outcome, hasLeaked }) => outcome === 'failed' && !hasLeaked))
})

test('runs blocked steps where it does not obey', async () => {
  assert.equal((await play('block', { obeys: false })).delivered, 40)
})

test('a session is violated when a step that ran raised it to that level', async () => {
  const risk = { level: 'violated' } as Decision['risk']
  assert.ok((await play('warn', {}, { risk })).endings.every(({ isViolated }) => isViolated))
  assert.ok((await play('warn')).endings.every(({ isViolated }) => !isViolated))
})

test('requests a review on confirm, and follows the new verdict', async () => {
  for (const [resolved, runs] of [
    ['allow', true],
    ['block', false],
  ] as const) {
    const notes: string[] = []
    const asked: string[] = []
    const received: string[] = []
    await runFleet({
      ...settings,
      client: scriptedClient(notes, {}, resolved),
      scenarios: [scenarioOf('confirm')],
      sessions: 40,
      submitReview: async (_, { resolution }) => void asked.push(resolution),
      onDecision: ({ answers, answer }: FleetDecision) =>
        answers === 'review' && received.push(answer.verdict),
    })
    assert.ok(asked.length > 20 && asked.includes('approved') && asked.includes('denied'))
    assert.deepEqual(
      received,
      asked.map(() => resolved),
    )
    assert.equal(notes.filter((note) => note.includes(' confirm ok')).length > 0, runs)
  }
})

test('requests no review without a reviewer', async () => {
  assert.equal((await play('confirm')).delivered, 0)
})

test('plays the same sessions for a seed at any concurrency, and others for another seed', async () => {
  const played = async (seed: number, concurrency: number) => {
    const notes: string[] = []
    await runFleet({ client: scriptedClient(notes), seed, concurrency, sessions: 40, name: 'f' })
    return notes.sort()
  }
  assert.deepEqual(await played(1, 1), await played(1, 8))
  assert.notDeepEqual(await played(1, 1), await played(2, 1))
})

test('plays until the abort, and cancels running sessions', async () => {
  const notes: string[] = []
  const abort = new AbortController()
  let decisions = 0
  let started = 0
  const { sessions } = await runFleet({
    ...settings,
    client: scriptedClient(notes),
    concurrency: 3,
    signal: abort.signal,
    onSession: () => void started++,
    onDecision: () => {
      if (++decisions === 100) abort.abort()
    },
  })
  assert.ok(decisions < 110)
  assert.equal(started, sessions)
  assert.ok(notes.some((note) => note.endsWith('cancelled')))
  assert.equal(notes.filter((note) => !note.includes(' ran ')).length, sessions)
})

test('waits for room in the client, and reports each wait', async () => {
  const notes: string[] = []
  const client = scriptedClient(notes)
  let refusals = 0
  let reported = 0
  const full: PlimsollClient = {
    ...client,
    startSession: async (options) => {
      if (refusals++ < 2) throw new PlimsollError('queue_full', 'full')
      return client.startSession(options)
    },
  }
  await runFleet({ ...settings, client: full, sessions: 1, onFull: () => void reported++ })
  assert.equal(reported, 2)
  assert.ok(notes.length > 0)
})

test('rejects with the client error, after every agent has stopped', async () => {
  const notes: string[] = []
  const client = scriptedClient(notes)
  let started = 0
  const failing: PlimsollClient = {
    ...client,
    startSession: async (options) => {
      if (++started === 5) throw new Error('no more')
      return client.startSession(options)
    },
  }
  await assert.rejects(runFleet({ ...settings, client: failing, concurrency: 2 }), /no more/)
  const count = notes.length
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(notes.length, count)
})

test('starts sessions with their agent, category and task', async () => {
  const started: unknown[] = []
  const client = scriptedClient([])
  const listening: PlimsollClient = {
    ...client,
    startSession: async (options) => {
      started.push(options)
      return client.startSession(options)
    },
  }
  const act: Act = ['allow', 'ann']
  const scenarios = [
    sampleScenario({ read: [act], report: [act] }, { goal: 'read it', things: { ann: 'public' } }),
  ]
  await runFleet({ ...settings, client: listening, scenarios, sessions: 1, agents: 1, tenants: ['acme'] })
  assert.deepEqual(started, [
    { id: 'acme~f:sample:1', agent: 'agent-1', category: 'sysadmin', task: 'read it', sendTask: true },
  ])
})

test('a step is due by the schedule, or when it is proposed without one', async () => {
  const scenarios = [scenarioOf('allow')]
  const decisionsWith = async (given: Partial<Parameters<typeof runFleet>[0]>) => {
    const received: FleetDecision[] = []
    const onDecision = (decision: FleetDecision) => void received.push(decision)
    await runFleet({ ...settings, client: scriptedClient([]), scenarios, sessions: 5, onDecision, ...given })
    return received
  }
  // The clock is far ahead of the schedule: every step is late.
  let now = 0
  const pace = createSchedule(1_000, () => now)
  now = 1e6
  const scheduled = await decisionsWith({ pace })
  assert.deepEqual(
    scheduled.map(({ dueAt }) => dueAt),
    scheduled.map((_, i) => i),
  )
  for (const { dueAt, proposedAt, answeredAt } of await decisionsWith({})) {
    assert.equal(dueAt, proposedAt)
    assert.ok(answeredAt >= proposedAt)
  }
})
