import { logged, type Event } from '@plimsoll/contracts'
import { shadowOf } from '@plimsoll/comparison'
import {
  advance,
  decodeState,
  encodeState,
  matchFingerprints,
  type RulesCache,
  type SessionState,
} from '@plimsoll/engine'
import type { Observer } from '@plimsoll/labels'
import { compileRules, createPinnedRules, defaultDocuments } from '@plimsoll/policy'
import { microsOf, quantile } from '../report.js'
import { type ReportedStep, STARTED, reportedStep } from './reported.js'
import type { TextStep } from './step-text.js'

const CALLS_BEFORE = 8
const TIMES = 1_000
const ROUNDS = 40

/**
 * What fingerprints and signals cost the monitor, in a session that has seen eight steps: the same proposal and completion folded with
 * them and without, medians of rounds, and the difference.
 */
export async function monitorFigures(
  observer: Observer,
  steps: readonly TextStep[],
): Promise<Readonly<Record<string, number>>> {
  const pinnedRules = createPinnedRules(compileRules(await defaultDocuments()))
  const state = stateAfter(
    steps.slice(0, CALLS_BEFORE).map((step, i) => reportedStep(observer, step, i)),
    pinnedRules,
  )
  const step = steps[CALLS_BEFORE]
  if (!step) throw new Error('the bench has too few steps')
  const next = reportedStep(observer, step, CALLS_BEFORE)
  const fingerprints = next.proposed.type === 'step.proposed' ? (next.proposed.fingerprints ?? []) : []
  const rich = folded(state, next, pinnedRules)
  const plain = folded(state, { proposed: bare(next.proposed), completed: bare(next.completed) }, pinnedRules)
  return {
    'monitor: fingerprints remembered, characters': state.sources.length,
    'monitor: a step with its fingerprints and signals, µs': rich,
    'monitor: the same step without, µs': plain,
    'monitor: what they cost, µs': Math.round((rich - plain) * 100) / 100,
    'monitor: a candidate in shadow beside it, µs': micros(() => beside(state, next, pinnedRules)),
    'monitor: matching alone, µs': micros(() => matchFingerprints(state.sources, fingerprints)),
  }
}

function bare(event: Event): Event {
  if (event.type === 'step.proposed') {
    const { fingerprints: _fingerprints, signals: _signals, ...rest } = event
    return rest
  }
  if (event.type !== 'step.completed') return event
  const { fingerprints: _fingerprints, instructed: _instructed, signals: _signals, ...rest } = event
  return rest
}

function stateAfter(steps: readonly ReportedStep[], pinnedRules: RulesCache): SessionState {
  let state: SessionState | undefined
  for (const event of [STARTED, ...steps.flatMap(({ proposed, completed }) => [proposed, completed])])
    state = advance(state, logged(event, 1_000), pinnedRules).state
  if (!state) throw new Error('the bench session has no state')
  // As a monitor has it: out of its record.
  const decoded = decodeState(encodeState(state))
  if (decoded.kind !== 'state') throw new Error(`the bench session's record is ${decoded.kind}`)
  return decoded.state
}

function folded(state: SessionState, { proposed, completed }: ReportedStep, pinnedRules: RulesCache): number {
  return micros(() => {
    const after = advance(state, logged(proposed, 1_000), pinnedRules).state
    advance(after, logged(completed, 1_000), pinnedRules)
  })
}

const NOW = { timeMs: 1_000, readings: undefined }

/** What a monitor makes of a step beside its verdict, where a candidate is tried. */
function beside(state: SessionState, { proposed }: ReportedStep, { active }: RulesCache): void {
  if (proposed.type === 'step.proposed') shadowOf(state, proposed, active, active, NOW)
}

/** Microseconds of processor time of one call, the median of rounds: a clock would count what other processes do. */
function micros(call: () => unknown): number {
  const rounds: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage()
    for (let i = 0; i < TIMES; i++) call()
    const { user, system } = process.cpuUsage(before)
    rounds.push((user + system) / 1000 / TIMES)
  }
  return microsOf(quantile(rounds, 0.5))
}
