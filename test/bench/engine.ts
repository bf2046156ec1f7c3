import { logged, type Event } from '@plimsoll/contracts'
import { advance, decodeState, encodeState, type RuleBook, type SessionState } from '@plimsoll/engine'
import { compileRules, createRuleBook, defaultDocuments } from '@plimsoll/policy'
import { microsOf, perSecond, type Report } from './report.js'
import { provenanceFigures } from './provenance.js'
import { scorerFigures } from './scorer.js'
import { sessionEvents } from './sessions.js'

/** The engine alone, on one core, no JSON but where it is named. Figures: steps (tool proposals) and events a second. */
export async function benchEngine(): Promise<Report> {
  const book = createRuleBook(compileRules(await defaultDocuments()))
  const sessions = Array.from({ length: 256 }, (_, i) => sessionEvents(`bench-${i}`, 12))
  const proposals = sessions.flat().filter(({ type }) => type === 'tool.proposed').length
  const events = sessions.flat().length
  run(book, sessions, 20)
  const rounds = 200
  const cpu = process.cpuUsage()
  const seconds = run(book, sessions, rounds)
  const { user, system } = process.cpuUsage(cpu)
  const cpuSeconds = (user + system) / 1e6
  return {
    name: 'engine',
    figures: {
      'events (proposals, completions, starts, ends), events/s': perSecond(events * rounds, seconds),
      'the same, events per second of CPU': perSecond(events * rounds, cpuSeconds),
      'proposals alone, steps/s': perSecond(...proposalsAlone(book)),
      'whole tool calls (proposal and completion), calls/s': perSecond(proposals * rounds, seconds),
      'the same, calls per second of CPU': perSecond(proposals * rounds, cpuSeconds),
      'record encode + decode, µs': codecMicros(book, sessions[0] ?? []),
      ...provenanceFigures(),
      ...scorerFigures(60, 3),
    },
  }
}

function run(book: RuleBook, sessions: readonly Event[][], rounds: number): number {
  const start = performance.now()
  for (let round = 0; round < rounds; round++) for (const events of sessions) fold(book, events)
  return (performance.now() - start) / 1000
}

function fold(book: RuleBook, events: readonly Event[]): SessionState | undefined {
  let state: SessionState | undefined
  for (const event of events) state = advance(state, logged(event, 1_000), book).state
  return state
}

/** One proposal again and again from the state of a session under way. */
function proposalsAlone(book: RuleBook): [count: number, seconds: number] {
  const [started, ...rest] = sessionEvents('bench-alone', 3)
  const state = fold(book, started ? [started, ...rest.slice(0, 4)] : [])
  const proposal = rest[4]
  if (!state || proposal?.type !== 'tool.proposed') throw new Error('the bench session has no third proposal')
  const input = logged(proposal, 1_000)
  const times = (count: number) => {
    const start = performance.now()
    for (let i = 0; i < count; i++) advance(state, input, book)
    return (performance.now() - start) / 1000
  }
  times(200_000)
  const count = 2_000_000
  return [count, times(count)]
}

function codecMicros(book: RuleBook, events: readonly Event[]): number {
  const state = fold(book, events.slice(0, 9))
  if (!state) throw new Error('the bench session has no state')
  const count = 100_000
  const start = performance.now()
  for (let i = 0; i < count; i++) decodeState(encodeState(state))
  return microsOf((performance.now() - start) / count)
}
