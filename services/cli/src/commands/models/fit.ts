import { type Bundle, type StateSpace, PlimsollError, STATE_SPACES } from '@plimsoll/contracts'
import { monitorSettings } from '@plimsoll/monitor'
import { defaultDocuments, readCatalogue } from '@plimsoll/policy'
import { kafkaSettings } from '@plimsoll/runtime'
import {
  type FitFromFilesOptions,
  type FlowPhase,
  type LogCensus,
  bundleText,
  fitFromFiles,
  fitTopic,
  writeWhole,
} from '@plimsoll/fit'
import { assertWritable } from '../../assert-writable.js'
import {
  type Context,
  type Output,
  catalogueOption,
  defineCommand,
  environmentOf,
  choice,
  duration,
  flag,
  requiredText,
  text,
  tracesOption,
} from '../../command.js'
import { configOf, openLog, within } from '../../deployment.js'
import { fitLive, liveSettings, liveText } from './fit-live.js'
import { durationText } from '../../format/text.js'
import { type Progress, createProgress } from '../../format/progress.js'

/** What was read from the log, and what was left out. */
export function censusText(census: LogCensus): string {
  const { records, sessions, steps, neverRan, denied, labelled: reported, violated, violatedByStep } = census
  const left = Object.entries(LEFT_OUT).flatMap(([name, what]) => {
    const count = census[name as keyof typeof LEFT_OUT]
    return count > 0 ? [`${count} ${what}`] : []
  })
  return [
    `${records} records: ${sessions} finished sessions, ${steps} steps ran, ${neverRan} did not run (${denied} denied)\n`,
    `${reported} sessions have a label: ${violated} did harm, ${violatedByStep} of them with a known step\n`,
    left.length > 0 ? `left out: ${left.join(', ')}\n` : '',
  ].join('')
}

const LEFT_OUT = {
  unfinished: 'unfinished sessions',
  withoutStart: 'events of sessions that started earlier',
  tooLong: 'sessions with too many events',
  crowdedOut: 'sessions beyond the memory limit',
  unplayable: 'sessions that the engine refuses',
  unread: 'records that are not session events',
} as const satisfies Partial<Record<keyof LogCensus, string>>

/** The share of `--budget`. Throws `usage_invalid` unless it is above 0 and at most 1. */
export function parseBudget(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const budget = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN
  if (budget > 0 && budget <= 1) return budget
  throw new PlimsollError('usage_invalid', `\`--budget\` is \`${text}\`: give a share above 0 and at most 1`)
}

/** Share of reading in the work, for the space `flow`: a third of a small fit, nearly half of a large one. */
const READ_SHARE = 0.4

/** The phases after reading, with the share of the work that is done when each begins. */
const PHASES = {
  sample: [READ_SHARE, 'reading the sample'],
  scorers: [0.42, 'fitting trees'],
  chains: [0.68, 'counting transitions'],
  thresholds: [0.7, 'choosing thresholds'],
  labelsOnly: [0.72, 'fitting again for labels-only sessions'],
} as const satisfies Record<FlowPhase, readonly [number, string]>

/** Shows the progress of a fit: sessions and steps read, steps a second, and the time left for reading. */
export function followFit(
  progress: Progress,
  isFlow: boolean,
  now: () => number = () => performance.now(),
): Required<Pick<FitFromFilesOptions, 'onProgress' | 'onPhase'>> {
  const began = now()
  return {
    onProgress: ({ bytesRead, bytesTotal, traces, steps }) => {
      const elapsedMs = now() - began
      const share = bytesTotal > 0 ? bytesRead / bytesTotal : undefined
      const left = share ? `, ${durationText((elapsedMs * (1 - share)) / share)} left` : ''
      const rate = Math.round((1000 * steps) / Math.max(elapsedMs, 1))
      const note = `${traces} sessions, ${steps} steps, ${rate} a second${left}`
      progress.update(share === undefined ? undefined : (isFlow ? READ_SHARE : 1) * share, note)
    },
    onPhase: (phase) => {
      const [share, note] = PHASES[phase]
      progress.update(share, note)
    },
  }
}

/** What `fit --topic` reads of the monitors' environment. */
const topicSettings = { ...kafkaSettings, signingKey: monitorSettings.signingKey }

export const fit = defineCommand({
  name: 'fit',
  summary: 'fits a model bundle to recorded sessions, the event log, or the counts of the monitors',
  description:
    'Reads recorded sessions (JSON lines, gzipped if the name ends in .gz), labels their tools with a catalogue, and writes a bundle for `monitor`. Skips the sessions of the test split and of fold 4, so that you can measure with them. `--topic` reads the sessions of the event log instead, with the outcomes from `sessions label`. `--from-live` updates only the chains of the active bundle, from the counts of the monitors in Redis.',
  operands: [['[FILE...]', 'more recorded sessions']],
  options: {
    traces: tracesOption,
    fromLive: flag('updates the chains of a bundle from the counts of the monitors'),
    topic: flag('reads the sessions of the event log instead of files'),
    since: duration('with `--topic`: how far back to read the log; default: all of it'),
    onlyLabelled: flag(
      'with `--topic`: skips sessions without a label from `sessions label`; otherwise they count as safe',
    ),
    out: requiredText('BUNDLE', 'the file to write'),
    target: choice(
      ['observed', 'modelled'],
      'what counts as a violation: the recorded outcome (`observed`), or the risk level `violated` (`modelled`)',
      'observed',
    ),
    space: choice(STATE_SPACES, 'the states of the chain', 'paper60'),
    budget: text(
      'SHARE',
      'the share of safe sessions of a category in which the hazard of a step may ask a human; default 0.05. The thresholds of warnings, blocks and bands follow it',
    ),
    catalogue: catalogueOption,
    model: text(
      'BUNDLE',
      'with `--from-live`: the bundle to update, a file or `default` for the shipped one; default: the first of PLIMSOLL_BUNDLES',
    ),
  },
  environment: environmentOf({ ...topicSettings, ...liveSettings }),
  examples: [
    [
      '--traces sessions.jsonl.gz --out bundle.json',
      'fits to the recorded outcomes, over the 60 safety states',
    ],
    [
      '--traces a.jsonl b.jsonl --out b.json --target modelled --space paper5',
      'fits to the risk level `violated`, over the 5 risk levels',
    ],
    ['--topic --since 30d --space flow --out ours.json', 'fits to the sessions of the last month'],
    [
      '--from-live --out live.json',
      'updates the chains from your live sessions; then `publish` and `control activate`',
    ],
  ],
  async run(values, operands, context) {
    const { stdout, stderr } = context
    const { traces, topic, fromLive, out, model } = values
    const files = [...traces, ...operands]
    const budget = parseBudget(values.budget)
    assertCompatible(values, files)
    await assertWritable(out)
    if (fromLive) {
      const refitted = await fitLive({ out, model }, context)
      stdout.write(`${out}: bundle \`${refitted.bundle.name}\`, version ${refitted.version}\n`)
      stdout.write(liveText(refitted))
      return 0
    }
    const fitted = await (topic ? fitLog : fitFiles)({ ...values, files, budget }, context)
    if (!fitted) {
      stderr.write('stopped before the end: no bundle was written\n')
      return 1
    }
    const { bundle, version, census } = fitted
    const { traces: used, transitions, violations } = bundle.aggregate
    stdout.write(`${out}: bundle \`${bundle.name}\`, version ${version}\n`)
    if (census) stdout.write(censusText(census))
    stdout.write(`${used} sessions, ${transitions} steps, ${violations} violations; `)
    stdout.write(`chains: aggregate, ${Object.keys(bundle.categories).join(', ')}\n`)
    return 0
  },
})

interface FitOptions {
  readonly files: readonly string[]
  readonly topic: boolean
  readonly fromLive: boolean
  readonly out: string
  readonly target: 'observed' | 'modelled'
  readonly space: StateSpace
  /** Share of the safe sessions in which a step may ask a human. */
  readonly budget: number | undefined
  /** Files of catalogues that add to the shipped ones. */
  readonly catalogue: readonly string[]
  readonly onlyLabelled: boolean
  /** How far back the log is read, milliseconds; default: all of it. */
  readonly since: number | undefined
}

/** Undefined if it was stopped. */
type Fitted = { readonly bundle: Bundle; readonly version: string; readonly census?: LogCensus } | undefined

/** Fits to recorded sessions, and writes the bundle. */
async function fitFiles(options: FitOptions, { stderr, signal }: Context): Promise<Fitted> {
  const { files, out, target, space, budget } = options
  const catalogue = await readCatalogue(options.catalogue)
  const common = { files, catalogue, out, target, space, signal, ...(budget !== undefined && { budget }) }
  return stoppable(stderr, space, signal, (hooks) => fitFromFiles({ ...common, ...hooks }))
}

/** Fits to the event log, and writes the bundle. */
async function fitLog(options: FitOptions, { env, stderr, signal }: Context): Promise<Fitted> {
  const { out, target, space, budget, onlyLabelled, since } = options
  const config = configOf(topicSettings, env)
  const documents = { ...(await defaultDocuments()), catalogue: await readCatalogue(options.catalogue) }
  const fitted = await stoppable(stderr, space, signal, ({ onProgress, onPhase }) =>
    within(async (onRelease) => {
      const { log, topics } = openLog(config, onRelease)
      await log.ping()
      return fitTopic({
        log,
        topic: topics.events,
        signingKey: config.signingKey,
        documents,
        target,
        space,
        budget,
        onlyLabelled,
        fromMs: since === undefined ? undefined : Date.now() - since,
        onProgress: ({ share, sessions, steps }) =>
          onProgress({ file: '', bytesRead: share, bytesTotal: 1, traces: sessions, steps }),
        onPhase,
        signal,
      })
    }),
  )
  if (fitted) await writeWhole(out, bundleText(fitted.bundle))
  return fitted
}

/** The result of `work`, with a progress bar; undefined if `signal` stopped it. */
async function stoppable<T>(
  stderr: Output,
  space: StateSpace,
  signal: AbortSignal,
  work: (hooks: ReturnType<typeof followFit>) => Promise<T>,
): Promise<T | undefined> {
  const progress = createProgress(stderr, 'fit')
  return work(followFit(progress, space === 'flow'))
    .catch((error: unknown) => {
      if (signal.aborted) return undefined
      throw error
    })
    .finally(() => progress.end())
}

type Given = Pick<FitOptions, 'topic' | 'fromLive' | 'since' | 'onlyLabelled'> & {
  readonly model: string | undefined
  readonly budget: string | undefined
}

/** Options that have no effect together are refused. Throws `usage_invalid`. */
function assertCompatible(given: Given, files: readonly string[]): void {
  const { topic, fromLive, since, onlyLabelled, model, budget } = given
  const refuse = (problem: string): never => {
    throw new PlimsollError('usage_invalid', problem)
  }
  const sources = [fromLive, topic, files.length > 0].filter(Boolean).length
  if (sources === 0)
    refuse('there are no recorded sessions: name files with `--traces`, or use `--topic` or `--from-live`')
  if (sources > 1) refuse('use only one of `--traces`, `--topic` and `--from-live`')
  if (fromLive && budget !== undefined) refuse('omit `--budget`: `--from-live` keeps the thresholds')
  if (!topic && since !== undefined) refuse('`--since` needs `--topic`')
  if (!topic && onlyLabelled) refuse('`--only-labelled` needs `--topic`')
  if (!fromLive && model !== undefined) refuse('`--model` needs `--from-live`')
}
