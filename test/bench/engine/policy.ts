import { logged, type Event, type Policy, type Spec } from '@plimsoll/contracts'
import { encodeState, step, type Rules, type SessionState } from '@plimsoll/engine'
import { compileRules, defaultDocuments, readDocument } from '@plimsoll/policy'
import { microsOf, quantile, type Report } from '../report.js'
import { sessionEvents } from '../pipeline/sessions.js'
import { createCedarCheck } from './cedar.js'

/**
 * The engine alone, by the time that one event takes: a hundred specs with a memory, each looking at every step; beside it Cedar, whose
 * hundred policies remember nothing.
 */
export async function benchPolicy(): Promise<Report> {
  const documents = await defaultDocuments()
  const paper60 = await readDocument('bundle', 'paper60')
  const rulesFor = (specs: Policy['specs'], bundle = paper60) =>
    compileRules({ ...documents, bundle, policy: { ...documents.policy, specs } })
  const specs = temporalSpecs(100)
  const none = timesOf(rulesFor([]))
  const hundred = timesOf(rulesFor(specs))
  const cedar = cedarTimes()
  const thirty = rulesFor(temporalSpecs(30))
  const quantileMicros = (ms: readonly number[], p: number) => microsOf(quantile(ms, p))
  return {
    name: 'policy',
    figures: {
      'proposal, no specs, p50 µs': quantileMicros(none.proposed, 0.5),
      'proposal, no specs, p99 µs': quantileMicros(none.proposed, 0.99),
      'proposal, 100 specs with a memory, p50 µs': quantileMicros(hundred.proposed, 0.5),
      'proposal, 100 specs with a memory, p99 µs': quantileMicros(hundred.proposed, 0.99),
      'completion, 100 specs with a memory, p50 µs': quantileMicros(hundred.completed, 0.5),
      'completion, 100 specs with a memory, p99 µs': quantileMicros(hundred.completed, 0.99),
      'proposal, the same, default bundle, p50 µs': quantileMicros(
        timesOf(rulesFor(specs, documents.bundle)).proposed,
        0.5,
      ),
      'Cedar in WASM, a request by 100 policies, p50 µs': quantileMicros(cedar, 0.5),
      'Cedar in WASM, a request by 100 policies, p99 µs': quantileMicros(cedar, 0.99),
      'proposal by 100 specs with a memory, times Cedar, p50': ratio(
        quantile(hundred.proposed, 0.5) / quantile(cedar, 0.5),
      ),
      'record, what 30 specs with a memory add, bytes': recordBytes(thirty) - recordBytes(rulesFor([])),
    },
  }
}

const ratio = (value: number): number => Math.round(value * 1000) / 1000

const CEDAR_CALLS = 20_000
const CEDAR_WARM_UP = 2_000

/** Milliseconds of each request, warm. */
function cedarTimes(): number[] {
  const check = createCedarCheck()
  for (let i = 0; i < CEDAR_WARM_UP; i++) check()
  return Array.from({ length: CEDAR_CALLS }, () => {
    const began = performance.now()
    check()
    return performance.now() - began
  })
}

/** Specs in turn of every kind that remembers, on all tools; none blocks, so that sessions go on. */
function temporalSpecs(count: number): Spec[] {
  const reads = { capability: ['read' as const] }
  const kinds: readonly ((id: string) => Spec)[] = [
    (id) => ({ id, tier: 'confirmation', verdict: 'warn', tools: ['*'], after: { tools: ['never_*'] } }),
    (id) => ({
      id,
      tier: 'confirmation',
      verdict: 'warn',
      tools: ['never_*'],
      after: { ...reads, within: { steps: 8 } },
    }),
    (id) => ({
      id,
      tier: 'confirmation',
      verdict: 'warn',
      tools: ['*'],
      atMost: { times: 1000, per: { seconds: 3600 } },
    }),
    (id) => ({
      id,
      tier: 'confirmation',
      verdict: 'warn',
      tools: ['*'],
      atMost: { times: 1000, per: 'session' },
    }),
    (id) => ({
      id,
      tier: 'blocklist',
      flow: { from: { confidentiality: ['credentials'] }, to: { capability: ['network'] } },
    }),
    (id) => ({
      id,
      tier: 'mustlist',
      tools: ['never_*'],
      followedBy: { step: { tools: ['*'] }, within: { steps: 4 } },
    }),
    (id) => ({
      id,
      tier: 'confirmation',
      verdict: 'warn',
      tools: ['*'],
      between: { from: { tools: ['never_*'] }, to: reads },
    }),
    (id) => ({
      id,
      tier: 'mustlist',
      verdict: 'warn',
      tools: ['never_*'],
      requires: { ...reads, within: { seconds: 60 } },
    }),
  ]
  return Array.from({ length: count }, (_, i) => (kinds[i % kinds.length] ?? temporalSpec)(`spec-${i}`))
}

const temporalSpec = (id: string): Spec => ({
  id,
  tier: 'confirmation',
  tools: ['*'],
  atMost: { times: 0, per: 'session' },
})

interface Times {
  readonly proposed: readonly number[]
  readonly completed: readonly number[]
}

const SESSIONS = 256
const STEPS = 12
const ROUNDS = 40

function timesOf(rules: Rules): Times {
  const sessions = Array.from({ length: SESSIONS }, (_, i) => sessionEvents(`bench-${i}`, STEPS))
  play(rules, sessions)
  const rounds = Array.from({ length: ROUNDS }, () => play(rules, sessions))
  return {
    proposed: rounds.flatMap(({ proposed }) => proposed),
    completed: rounds.flatMap(({ completed }) => completed),
  }
}

function play(rules: Rules, sessions: readonly (readonly Event[])[]) {
  const times = { proposed: [] as number[], completed: [] as number[] }
  for (const events of sessions) {
    let state: SessionState | undefined
    for (const [i, event] of events.entries()) {
      const input = logged(event, 1_000 + i * 500)
      const began = performance.now()
      ;({ state } = step(state, input, rules))
      const took = performance.now() - began
      if (event.type === 'step.proposed') times.proposed.push(took)
      if (event.type === 'step.completed') times.completed.push(took)
    }
  }
  return times
}

/** Bytes of the record of a session under way. */
function recordBytes(rules: Rules): number {
  let state: SessionState | undefined
  for (const [i, event] of sessionEvents('bench-record', STEPS).slice(0, -1).entries())
    ({ state } = step(state, logged(event, Date.UTC(2026, 0, 1) + i * 500), rules))
  if (!state) throw new Error('the bench session has no state')
  return Buffer.byteLength(encodeState(state))
}
