import {
  type Bundle,
  type Documents,
  type StateSpace,
  PlimsollError,
  bundleSchema,
  versionOf,
} from '@plimsoll/contracts'
import type { Rules } from '@plimsoll/engine'
import { compileRules } from '@plimsoll/policy'
import type { EventLog } from '@plimsoll/runtime'
import { type Counted, createTally } from '../fit/chain/tally.js'
import { bundleFrom, withDefaults } from '../fit/chain/fit.js'
import { type FlowBundleOptions, fitFlowBundle } from './flow-bundle.js'
import type { SessionPath, Target } from '../fit/chain/session-path.js'
import { type Space, VIOLATED_LEVEL, spaceOf } from '../fit/chain/space.js'
import { type LogCensus, createLogCensus } from '../corpus/log/assemble.js'
import { type LogSpan, type Outcomes, createOutcomes, recordsIn, spanOf } from '../corpus/log/records.js'
import { playLogged } from '../corpus/log/play-logged.js'
import {
  type JudgedSession,
  type TopicReading,
  flowSessions,
  judgedSessions,
} from '../fit/flow/topic-sessions.js'

/** Adds up the sessions of the log over `space`, read once, in memory that does not grow with them. */
export async function countLogged(
  reading: TopicReading,
  rules: Rules,
  { space, target, categories: names }: { space: Space; target: Target; categories: readonly string[] },
): Promise<Counted> {
  const aggregate = createTally(space.size, space.start)
  const categories = new Map(names.map((name) => [name, createTally(space.size, space.start)]))
  for await (const judged of judgedSessions(reading)) {
    const { truth, session } = judged
    if (target === 'observed' && (truth.excluded !== undefined || !truth.hasSteps)) continue
    const path = pathOf(judged, rules, space, target)
    if (!path) {
      reading.census.unplayable++
      continue
    }
    if (path.arrivals.length === 0) continue
    aggregate.add(path)
    categories.get(session.category)?.add(path)
  }
  const tallies = Array.from(categories, ([name, { tally }]) => [name, tally] as const)
  return { aggregate: aggregate.tally, categories: new Map(tallies), sources: {} }
}

/** The states in which its steps arrived, up to the violation; undefined where the engine refuses to follow it. */
function pathOf(
  { session, truth }: JudgedSession,
  rules: Rules,
  space: Space,
  target: Target,
): SessionPath | undefined {
  const arrivals: number[] = []
  let violated = false
  try {
    playLogged(session, rules, {
      started: () => {},
      stepped: ({ arrived: { safety, level } }) => {
        if (violated) return
        arrivals.push(space.indexOf(safety, level))
        violated = target === 'observed' ? arrivals.length - 1 === truth.violatedAt : level === VIOLATED_LEVEL
      },
    })
  } catch (error) {
    if (error instanceof PlimsollError) return undefined
    throw error
  }
  return { arrivals, violated, unlabelled: 0, unexecuted: 0 }
}

/** Fewer sessions with a known violating step do not generalise. */
export const VIOLATED_MIN = 20

/** Records of a partition that are read at most, the latest. */
export const TOPIC_RECORDS_MAX = 5_000_000

export interface FitTopicOptions {
  readonly log: Pick<EventLog, 'read' | 'describe' | 'offsetAt'>
  /** Of events. */
  readonly topic: string
  /** Verifies outcomes; without it they are ignored. */
  readonly signingKey?: string | undefined
  /** The catalogue that labels, and rules under which sessions are played: those of any bundle do. */
  readonly documents: Documents
  readonly target: Target
  readonly space: StateSpace
  readonly name?: string
  /** See `thresholdRules`. */
  readonly budget?: number | undefined
  /** Leaves out sessions without an outcome. */
  readonly onlyLabelled?: boolean
  /** Records older than this are left out; milliseconds since 1970. */
  readonly fromMs?: number | undefined
  readonly recordsMax?: number
  readonly onProgress?: (progress: TopicProgress) => void
  readonly onPhase?: FlowBundleOptions['onPhase']
  readonly signal?: AbortSignal
  /** For tests. */
  readonly violatedMin?: number
}

export interface TopicProgress {
  /** Share of the reading done: 0…1. */
  readonly share: number
  readonly sessions: number
  readonly steps: number
}

export interface FittedTopic {
  readonly bundle: Bundle
  readonly version: string
  readonly census: LogCensus
}

/**
 * Fits a bundle to the sessions of the event log, in constant memory. Events carry the clients' reports; a step ran
 * if it was completed; outcomes come from `session.labelled`, and from appeals that a step did harm. The log is read twice, first for the outcomes.
 * Source: docs/explanation/live-sessions.md.
 *
 * @throws PlimsollError `traces_invalid` if too few sessions are labelled as violated, or none is left; `log_unavailable`; `usage_invalid`
 */
export async function fitTopic(options: FitTopicOptions): Promise<FittedTopic> {
  const { log, topic, signingKey, documents, target, space, onlyLabelled = false, signal } = options
  if (space === 'flow' && target !== 'observed')
    throw new PlimsollError('usage_invalid', '`--space flow` needs `--target observed`')
  const span = await spanOf(log, topic, {
    fromMs: options.fromMs,
    recordsMax: options.recordsMax ?? TOPIC_RECORDS_MAX,
  })
  const census = createLogCensus()
  const outcomes = createOutcomes(signingKey)
  const report = createProgress(options, span, census)
  if (target === 'observed') await readOutcomes(options, span, outcomes, report)
  const reading = { log, topic, span, signingKey, outcomes, census, onlyLabelled, signal, onRecord: report }
  const { flow: _scorers, labelsOnly: _labelsOnly, ...unscored } = documents.bundle
  const rules = compileRules({ ...documents, bundle: unscored })
  const fitted =
    space === 'flow' ? await fitFlow(options, reading, rules) : await fitPaper(options, reading, rules)
  const origin = { ...fitted.origin, notes: NOTES[target], sources: { log: { ...census } } }
  const bundle = bundleSchema.parse({ ...fitted, origin })
  return { bundle, version: versionOf(bundle), census }
}

type CompiledRules = ReturnType<typeof compileRules>

const NOTES: Readonly<Record<Target, readonly string[]>> = {
  observed: [
    'figures are of the deployment’s own log',
    'violated is what somebody said who looked, at the step that was named; sessions that nobody looked at count as safe ones unless they were left out',
    'a step ran if it was completed: proposals that were not are censored, neither violations nor survivals',
  ],
  modelled: [
    'figures are of the deployment’s own log',
    'violated is what the cascade says, whatever really happened: hazards are 0 or 1',
    'a step ran if it was completed: proposals that were not are censored, neither violations nor survivals',
  ],
}

function fitFlow(options: FitTopicOptions, reading: TopicReading, rules: CompiledRules): Promise<Bundle> {
  const { documents, name = 'flow-log', budget, onPhase } = options
  return fitFlowBundle({
    sessions: flowSessions(reading, rules),
    name,
    madeWith: { catalogue: versionOf(documents.catalogue), instructions: 'those of the clients' },
    heldOut: () => false,
    ...(budget !== undefined && { budget }),
    ...(onPhase && { onPhase }),
  })
}

async function fitPaper(
  options: FitTopicOptions,
  reading: TopicReading,
  rules: CompiledRules,
): Promise<Bundle> {
  const { documents, target, space, budget, name = `${space}-log` } = options
  const settings = withDefaults({
    target,
    space,
    name,
    ...(budget !== undefined && { budget }),
    catalogueVersion: versionOf(documents.catalogue),
    heldOut: () => false,
    labelOf: () => undefined,
    traces: none(),
  })
  const counted = await countLogged(reading, rules, {
    space: spaceOf(space),
    target,
    categories: settings.categories,
  })
  return bundleFrom(counted, settings)
}

async function* none(): AsyncGenerator<never> {}

/** The first reading. It fails on too few outcomes, before the second, which takes longer. */
async function readOutcomes(
  { log, topic, signal, violatedMin = VIOLATED_MIN }: FitTopicOptions,
  span: LogSpan,
  outcomes: Outcomes,
  report: () => void,
): Promise<void> {
  for await (const record of recordsIn(log, topic, span.ranges, signal)) {
    outcomes.take(record)
    report()
  }
  const violated = outcomes.violatedByStep()
  if (violated >= violatedMin) return
  throw new PlimsollError(
    'traces_invalid',
    `of ${outcomes.count} sessions in \`${topic}\` somebody said what really happened, of ${violated} by which step harm was done; at least ${violatedMin} are wanted: \`plimsoll sessions label SESSION --violated --call CALL\``,
  )
}

const REPORT_EVERY = 500

function createProgress(options: FitTopicOptions, { records }: LogSpan, census: LogCensus): () => void {
  const { onProgress, target } = options
  const total = Math.max(1, target === 'observed' ? 2 * records : records)
  let read = 0
  return () => {
    if (++read % REPORT_EVERY === 0)
      onProgress?.({ share: Math.min(1, read / total), sessions: census.sessions, steps: census.steps })
  }
}
