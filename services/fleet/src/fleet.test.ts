import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer, PlimsollClient, ProposedStep, Session } from '@plimsoll/client'
import type { Decision, Verdict } from '@plimsoll/contracts'
import type { FleetDecision } from './agent.js'
import { runFleet } from './fleet.js'
import type { Scenario, ScriptedStep } from './scenario.js'

/** A client whose verdict on a step is the step's tool name, and which writes down what was done with it. */
function scriptedClient(notes: string[], resolved: Verdict = 'allow'): PlimsollClient {
  const answer = (step: ProposedStep, verdict: Verdict): Answer => ({
    callId: step.callId ?? '',
    tool: step.tool,
    verdict,
    mayRun: verdict === 'allow' || verdict === 'warn',
    by: 'decision',
    decision: { id: `${step.callId}` } as Decision,
  })
  const session = (id: string): Session => ({
    id,
    propose: async (step, options) => {
      options?.signal?.throwIfAborted()
      return answer(step, step.tool as Verdict)
    },
    resolution: async (asked) => answer(asked, resolved),
    complete: async ({ callId, tool }, result) => {
      notes.push(`${id} ran ${callId} ${tool} ${result?.outcome ?? '-'}`)
    },
    end: async (outcome) => {
      notes.push(`${id} ${outcome}`)
    },
  })
  return {
    startSession: async (options) => session(options?.id ?? ''),
    stats: () => assert.fail('the fleet needs no counts'),
    close: async () => undefined,
  }
}

const scenarioOf = (name: string, safe: readonly ScriptedStep[], drifting = safe): Scenario => ({
  name,
  category: 'sysadmin',
  task: 'none',
  steps: { safe, drifting },
})

const settings = { seed: 7, concurrency: 1, pauseMs: 0 }

test('completes what may run, goes on after a block, and gives up where the script says so', async () => {
  const notes: string[] = []
  const safe: ScriptedStep[] = [
    { tool: 'allow', result: { outcome: 'error' } },
    { tool: 'block' },
    { tool: 'warn' },
  ]
  const drifting: ScriptedStep[] = [{ tool: 'block', whenStopped: 'give up' }, { tool: 'allow' }]
  const client = scriptedClient(notes)
  await runFleet({
    ...settings,
    client,
    scenarios: [scenarioOf('a', safe, drifting)],
    sessions: 2,
    name: 'f',
  })
  assert.deepEqual(notes.map((note) => note.replace(/:\d /, ' ')).sort(), [
    'f:a:drifting failed',
    'f:a:safe completed',
    'f:a:safe ran call-1 allow error',
    'f:a:safe ran call-3 warn -',
  ])
})

test('has a human asked on confirm, and waits for what comes of it', async (t) => {
  const review = { resolution: 'approved', by: 'Ada', reason: 'fine' } as const
  const steps: ScriptedStep[] = [{ tool: 'confirm', review }, { tool: 'confirm' }]
  for (const [resolved, ran] of [
    ['allow', 2],
    ['block', 0],
  ] as const)
    await t.test(`resolved to ${resolved}`, async () => {
      const notes: string[] = []
      const reviews: string[] = []
      const heard: string[] = []
      await runFleet({
        ...settings,
        client: scriptedClient(notes, resolved),
        scenarios: [scenarioOf('a', steps)],
        sessions: 1,
        submitReview: async (decision, { resolution, by }) =>
          void reviews.push(`${decision.id} ${resolution} ${by}`),
        onDecision: ({ answers, answer }: FleetDecision) => heard.push(`${answers} ${answer.verdict}`),
      })
      assert.deepEqual(reviews, ['call-1 approved Ada', 'call-2 denied the night desk'])
      assert.equal(notes.filter((note) => note.includes(' ran ')).length, ran)
      assert.deepEqual(heard, [
        'proposal confirm',
        `review ${resolved}`,
        'proposal confirm',
        `review ${resolved}`,
      ])
    })
})

test('asks nobody where nobody reviews', async () => {
  const notes: string[] = []
  const scenarios = [scenarioOf('a', [{ tool: 'confirm' }, { tool: 'allow' }])]
  await runFleet({ ...settings, client: scriptedClient(notes), scenarios, sessions: 1, name: 'f' })
  assert.equal(notes.filter((note) => note.includes(' ran ')).length, 1)
})

test('plays the same sessions for the same seed, whatever runs beside them, and others for another', async () => {
  const played = async (seed: number, concurrency: number) => {
    const notes: string[] = []
    await runFleet({ client: scriptedClient(notes), seed, concurrency, pauseMs: 0, sessions: 40, name: 'f' })
    return notes.sort()
  }
  assert.deepEqual(await played(1, 1), await played(1, 8))
  assert.notDeepEqual(await played(1, 1), await played(2, 1))
})

test('plays until it is aborted, and cancels what is under way', async () => {
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

test('rejects with the error of its client, after every agent has stopped', async () => {
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
