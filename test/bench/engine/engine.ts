import { hashOfEvent, logged, type Event, type LoggedEvent } from '@plimsoll/contracts'
import { advance, decodeState, encodeState, type RulesCache, type SessionState } from '@plimsoll/engine'
import { compileRules, createPinnedRules, defaultDocuments } from '@plimsoll/policy'
import { microsOf, perSecond, type Report } from '../report.js'
import { provenanceFigures } from './provenance.js'
import { scorerFigures } from './scorer.js'
import { sessionEvents } from '../pipeline/sessions.js'

/**
 * The engine alone, on one core, no JSON but where it is named, the hashes of events supplied as its callers do. Figures: steps (tool
 * proposals) and events a second.
 */
export async function benchEngine(): Promise<Report> {
  const pinnedRules = createPinnedRules(compileRules(await defaultDocuments()))
  const sessions = Array.from({ length: 256 }, (_, i) => sessionEvents(`bench-${i}`, 12))
  const proposals = sessions.flat().filter(({ type }) => type === 'step.proposed').length
  const events = sessions.flat().length
  const inputs = sessions.map((list) => list.map((event) => logged(event, 1_000)))
  run(pinnedRules, inputs, 20)
  const rounds = 200
  const cpu = process.cpuUsage()
  const seconds = run(pinnedRules, inputs, rounds)
  const { user, system } = process.cpuUsage(cpu)
  const cpuSeconds = (user + system) / 1e6
  return {
    name: 'engine',
    figures: {
      'events (proposals, completions, starts, ends), events/s': perSecond(events * rounds, seconds),
      'the same, events per second of CPU': perSecond(events * rounds, cpuSeconds),
      'hash of an event, µs': hashMicros(sessions[0] ?? []),
      'proposals alone, steps/s': perSecond(...proposalsAlone(pinnedRules)),
      'whole tool calls (proposal and completion), calls/s': perSecond(proposals * rounds, seconds),
      'the same, calls per second of CPU': perSecond(proposals * rounds, cpuSeconds),
      'record encode + decode, µs': codecMicros(pinnedRules, sessions[0] ?? []),
      ...provenanceFigures(),
      ...scorerFigures(60, 3),
    },
  }
}

function run(pinnedRules: RulesCache, sessions: readonly LoggedEvent[][], rounds: number): number {
  const start = performance.now()
  for (let round = 0; round < rounds; round++) for (const inputs of sessions) fold(pinnedRules, inputs)
  return (performance.now() - start) / 1000
}

function fold(pinnedRules: RulesCache, inputs: readonly LoggedEvent[]): SessionState | undefined {
  let state: SessionState | undefined
  for (const input of inputs) state = advance(state, input, pinnedRules).state
  return state
}

function hashMicros(events: readonly Event[]): number {
  const rounds = 20_000
  for (const event of events) hashOfEvent(event)
  const start = performance.now()
  for (let round = 0; round < rounds; round++) for (const event of events) hashOfEvent(event)
  return microsOf((performance.now() - start) / (rounds * events.length))
}

/** One proposal again and again from the state of a session under way. */
function proposalsAlone(pinnedRules: RulesCache): [count: number, seconds: number] {
  const [started, ...rest] = sessionEvents('bench-alone', 3).map((event) => logged(event, 1_000))
  const state = fold(pinnedRules, started ? [started, ...rest.slice(0, 4)] : [])
  const input = rest[4]
  if (!state || input?.event.type !== 'step.proposed')
    throw new Error('the bench session has no third proposal')
  const times = (count: number) => {
    const start = performance.now()
    for (let i = 0; i < count; i++) advance(state, input, pinnedRules)
    return (performance.now() - start) / 1000
  }
  times(200_000)
  const count = 2_000_000
  return [count, times(count)]
}

function codecMicros(pinnedRules: RulesCache, events: readonly Event[]): number {
  const state = fold(
    pinnedRules,
    events.slice(0, 9).map((event) => logged(event, 1_000)),
  )
  if (!state) throw new Error('the bench session has no state')
  const count = 100_000
  const start = performance.now()
  for (let i = 0; i < count; i++) decodeState(encodeState(state))
  return microsOf((performance.now() - start) / count)
}
