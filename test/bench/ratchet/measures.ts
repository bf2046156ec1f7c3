import { type Event, type LoggedEvent, logged } from '@plimsoll/contracts'
import { OBSERVER_PARTS, createGuard, type Guard } from '@plimsoll/client'
import { type RulesCache, type SessionState, advance, encodeState } from '@plimsoll/engine'
import { type Observer, createObserver, keyOfRoot } from '@plimsoll/labels'
import { compileRules, createPinnedRules, defaultDocuments } from '@plimsoll/policy'
import { STARTED, reportedStep } from '../engine/reported.js'
import { type TextStep, textSteps } from '../engine/step-text.js'
import { sessionEvents } from '../pipeline/sessions.js'

/** Something that the product does, and a neighbour that does the least that could stand in its place. */
export interface Measure {
  readonly name: string
  readonly neighbour: string
  /** Does it once for each item of a fixed list. */
  readonly work: () => unknown
  /** The same with the neighbour. */
  readonly beside: () => unknown
}

/** Bytes of a session record, and of the events that it stands for. */
export interface RecordSize {
  readonly record: number
  readonly events: number
}

const CALLS = 12
const SEED = 20_261_122
const TEXT_STEPS = 24

/** The measures of the short form; each is warm after a few hundred calls. */
export async function createMeasures(): Promise<{
  measures: Measure[]
  records: Record<string, RecordSize>
}> {
  const documents = await defaultDocuments()
  const rules = createPinnedRules(compileRules(documents))
  const observer = createObserver({
    catalogue: documents.catalogue,
    key: keyOfRoot('a key of the bench', 'ratchet'),
  })
  const steps = textSteps(SEED, TEXT_STEPS)
  const labelled = Array.from({ length: 3 }, (_, i) => sessionEvents(`ratchet-${i}`, CALLS))
  const reported = [0, CALLS].map((from) => reportedEvents(observer, steps.slice(from, from + CALLS)))
  return {
    measures: [
      foldOf('engine, labels only', rules, labelled),
      foldOf('engine, texts reported', rules, reported),
      guardOf('guard, labels only', await createGuard({ without: OBSERVER_PARTS })),
      guardOf('guard, texts read', await createGuard()),
      clientOf(observer, steps.slice(0, 3)),
    ],
    records: {
      'labels only': recordSize(rules, labelled[0] ?? []),
      'texts reported': recordSize(rules, reported[0] ?? []),
    },
  }
}

/** A session whose client has read its texts; without its end, so that the record is that of a session under way. */
const reportedEvents = (observer: Observer, steps: readonly TextStep[]): Event[] => [
  STARTED,
  ...steps.flatMap((step, i) => {
    const { proposed, completed } = reportedStep(observer, step, i)
    return [proposed, completed]
  }),
]

function foldOf(name: string, rules: RulesCache, sessions: readonly (readonly Event[])[]): Measure {
  const inputs = sessions.map((events) => events.map((event) => logged(event, 1_000)))
  return {
    name,
    neighbour: 'an empty fold',
    work: () => {
      let state: SessionState | undefined
      for (const session of inputs) {
        state = undefined
        for (const input of session) state = advance(state, input, rules).state
      }
      return state
    },
    beside: () => {
      let state: EmptyState | undefined
      for (const session of inputs) {
        state = undefined
        for (const input of session) state = emptyFold(state, input)
      }
      return state
    },
  }
}

interface EmptyState {
  readonly seq: number
  readonly time: number
  readonly calls: ReadonlyMap<string, string>
}

/** Keeps the calls of the session under their ids, and decides nothing. */
function emptyFold(state: EmptyState | undefined, { event, hash }: LoggedEvent): EmptyState {
  const calls = new Map(state?.calls)
  if (event.type === 'step.proposed') calls.set(event.callId, `${event.tool} ${hash}`)
  return { seq: event.seq, time: event.time, calls }
}

const ARGUMENTS = {
  to: 'press@example.org',
  subject: 'Harbour dues',
  body: 'The dues of next year. '.repeat(8),
}

function guardOf(name: string, guard: Guard): Measure {
  return {
    name,
    neighbour: 'an empty handler',
    work: async () => {
      const session = await guard.startSession({ category: 'research_comms' })
      for (let call = 0; call < CALLS; call++) {
        const answer = await session.propose({ tool: 'list_files', arguments: ARGUMENTS })
        await session.complete(answer)
      }
      await session.end()
    },
    beside: async () => {
      for (let call = 0; call < CALLS; call++)
        await emptyHandler({ tool: 'list_files', arguments: ARGUMENTS })
    },
  }
}

/** What any handler of a call pays that keeps a copy of its arguments. */
const emptyHandler = async (step: unknown): Promise<unknown> => JSON.parse(JSON.stringify(step))

function clientOf(observer: Observer, steps: readonly TextStep[]): Measure {
  return {
    name: 'client, 2 kB of arguments and 8 kB of result',
    neighbour: 'JSON.stringify',
    work: () => {
      for (const step of steps) {
        observer.proposed(step)
        observer.completed({ tool: step.tool, result: step.result, outcome: 'ok' })
      }
    },
    beside: () => {
      let length = 0
      for (const step of steps) length += JSON.stringify(step).length
      return length
    },
  }
}

function recordSize(rules: RulesCache, events: readonly Event[]): RecordSize {
  let state: SessionState | undefined
  for (const event of events.filter(({ type }) => type !== 'session.ended'))
    state = advance(state, logged(event, 1_000), rules).state
  if (!state) throw new Error('the bench session has no state')
  const bytes = (text: string) => Buffer.byteLength(text)
  return { record: bytes(encodeState(state)), events: bytes(JSON.stringify(events)) }
}
