import { type Bundle, type StateSpace, PlimsollError, STATE_SPACES } from '@plimsoll/contracts'
import { monitorSettings } from '@plimsoll/monitor'
import { defaultDocuments, readCatalogue } from '@plimsoll/policy'
import { kafkaSettings } from '@plimsoll/runtime'
import {
  type FitFromFilesOptions,
  type FittedTopic,
  type FlowPhase,
  type LogCensus,
  bundleText,
  fitFromFiles,
  fitTopic,
  writeWhole,
} from '@plimsoll/trainer'
import { assertWritable } from '../../assert-writable.js'
import {
  type Context,
  catalogueOption,
  defineCommand,
  environmentOf,
  choice,
  duration,
  flag,
  list,
  requiredText,
  text,
} from '../../command.js'
import { configOf, openLog, within } from '../../deployment.js'
import { fitLive, liveSettings, liveText } from './fit-live.js'
import { durationText } from '../../format/text.js'
import { type Progress, createProgress } from '../../format/progress.js'

/** What was read of the log, and what of it was left out. */
export function censusText(census: LogCensus): string {
  const { records, sessions, steps, neverRan, denied, labelled: reported, violated, violatedByStep } = census
  const left = Object.entries(LEFT_OUT).flatMap(([name, what]) => {
    const count = census[name as keyof typeof LEFT_OUT]
    return count > 0 ? [`${count} ${what}`] : []
  })
  return [
    `${records} records: ${sessions} sessions that ended, ${steps} steps that ran, ${neverRan} proposals that never did (${denied} denied)\n`,
    `said of ${reported} sessions what really happened: ${violated} did harm, ${violatedByStep} by a step that is known\n`,
    left.length > 0 ? `left out: ${left.join(', ')}\n` : '',
  ].join('')
}

const LEFT_OUT = {
  unfinished: 'sessions that have not ended',
  withoutStart: 'events of sessions whose start was not read',
  tooLong: 'sessions of too many events',
  crowdedOut: 'sessions for which there was no room',
  unplayable: 'sessions that the engine refuses',
  unread: 'records that are no event of a session',
} as const satisfies Partial<Record<keyof LogCensus, string>>

/** The share that `--budget` gives; undefined where it is left out. Throws `usage_invalid` where it is none above 0, to 1. */
export function parseBudget(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const budget = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN
  if (budget > 0 && budget <= 1) return budget
  throw new PlimsollError('usage_invalid', `\`--budget\` is a share above 0, to 1, not \`${text}\``)
}

/** In the space `flow` reading and playing sessions is about this much of the work: a third of a small fit, nearly half of a large one. */
const READ_SHARE = 0.4

/** What is done once all sessions are read, and how much of the work is done as it begins. */
const PHASES = {
  sample: [READ_SHARE, 'reading the sample'],
  scorers: [0.42, 'growing trees'],
  chains: [0.68, 'counting transitions'],
  thresholds: [0.7, 'choosing thresholds'],
  labelsOnly: [0.72, 'the same for sessions without any report'],
} as const satisfies Record<FlowPhase, readonly [number, string]>

/** Shows how far a fit has come: sessions and steps read, steps a second, and how long the rest of the reading takes. */
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

export interface FilesOrder {
  readonly files: readonly string[]
  readonly out: string
  readonly target: 'observed' | 'modelled'
  readonly space: StateSpace
  /** Share of the safe sessions in which a step may ask a human; the trainer's where it is left out. */
  readonly budget: number | undefined
  /** Files of catalogues that label, besides those that ship. */
  readonly catalogues: readonly string[]
}

/** A fitted bundle; undefined where anyone who wanted it has stopped it. */
export type Fitted =
  { readonly bundle: Bundle; readonly version: string; readonly census?: LogCensus } | undefined

/** Fits to recorded sessions, with a bar on `stderr`, and writes the bundle. */
export async function fitFiles(
  { files, out, target, space, budget, catalogues }: FilesOrder,
  { stderr, signal }: Pick<Context, 'stderr' | 'signal'>,
): Promise<Fitted> {
  if (files.length === 0) throw new PlimsollError('usage_invalid', '`--traces` is missing')
  const catalogue = await readCatalogue(catalogues)
  const progress = createProgress(stderr, 'fit')
  const hooks = followFit(progress, space === 'flow')
  const settings = {
    files,
    catalogue,
    out,
    target,
    space,
    signal,
    ...hooks,
    ...(budget !== undefined && { budget }),
  } as const
  return fitFromFiles(settings)
    .catch((error: unknown) => {
      if (signal.aborted) return undefined
      throw error
    })
    .finally(() => progress.end())
}

/** What `fit --topic` reads of the monitors' environment. */
export const topicSettings = { ...kafkaSettings, signingKey: monitorSettings.signingKey }

export interface TopicOrder {
  readonly out: string
  readonly target: 'observed' | 'modelled'
  readonly space: StateSpace
  readonly budget: number | undefined
  readonly catalogues: readonly string[]
  readonly onlyLabelled: boolean
  /** How far back, milliseconds; all that there is where it is left out. */
  readonly since: number | undefined
}

/** Fits to the event log of the deployment that the environment names, with a bar on `stderr`; undefined where it was stopped. */
export async function fitLog(
  { out, target, space, budget, catalogues, onlyLabelled, since }: TopicOrder,
  { env, stderr, signal }: Context,
): Promise<FittedTopic | undefined> {
  const config = configOf(topicSettings, env)
  const documents = { ...(await defaultDocuments()), catalogue: await readCatalogue(catalogues) }
  const progress = createProgress(stderr, 'fit')
  const { onProgress, onPhase } = followFit(progress, space === 'flow')
  const fitting = within(async (onRelease) => {
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
  })
  const fitted = await fitting
    .catch((error: unknown) => {
      if (signal.aborted) return undefined
      throw error
    })
    .finally(() => progress.end())
  if (fitted) await writeWhole(out, bundleText(fitted.bundle))
  return fitted
}

export const fit = defineCommand({
  name: 'fit',
  summary:
    'fits a model bundle to recorded sessions or to the event log, or the chains of one to what monitors counted',
  description:
    'Reads recorded sessions (JSON lines, gzipped where the name ends in .gz), labels their tools through a catalogue and writes a bundle that `monitor` can be given. Sessions of the test split and of fold 4 are left out. With `--topic` the sessions are those of the event log: what ran was completed, and what really happened `sessions label` has said. With `--from-live` estimates the chains of the active bundle from what the monitors have counted in Redis; its space, target, scorers and thresholds stay.',
  operands: [['[FILE...]', 'more recorded sessions']],
  options: {
    traces: list('FILE', 'recorded sessions'),
    fromLive: flag('from what monitors counted, in place of recorded sessions'),
    topic: flag(
      'from the event log of the deployment that the environment names, in place of recorded sessions',
    ),
    since: duration('with `--topic`: how far back the log is read; all of it if left out'),
    onlyLabelled: flag(
      'with `--topic`: leaves out sessions without a label of what really happened; otherwise they count as safe',
    ),
    out: requiredText('BUNDLE', 'where the bundle is written'),
    target: choice(
      ['observed', 'modelled'],
      'what counts as violated: the recorded truth, or the cascade',
      'observed',
    ),
    space: choice(STATE_SPACES, 'the states of the chain', 'paper60'),
    budget: text(
      'SHARE',
      'share of the safe sessions of a category in which a step may ask a human for its hazard; 0.05 if left out. Warnings, blocks and bands stand in proportion',
    ),
    catalogue: catalogueOption,
    model: text(
      'BUNDLE',
      'with `--from-live`: the bundle that the sessions are pinned to, or `default` for the one that ships; the first of PLIMSOLL_BUNDLES if left out',
    ),
  },
  environment: environmentOf({ ...topicSettings, ...liveSettings }),
  examples: [
    ['--traces sessions.jsonl.gz --out bundle.json', 'fits to the recorded truth, over the 60 safety states'],
    [
      '--traces a.jsonl b.jsonl --out b.json --target modelled --space paper5',
      'fits to the cascade, over the 5 risk levels',
    ],
    ['--topic --since 30d --space flow --out ours.json', 'to the sessions of the last month'],
    ['--from-live --out live.json', 'how the fleet goes now, for `publish` and `activate`'],
  ],
  async run(values, operands, { env, stdout, stderr, signal }) {
    const { traces, out, target, space, catalogue, model } = values
    const budget = parseBudget(values.budget)
    const files = [...traces, ...operands]
    const isLive = values.fromLive
    if ([isLive, values.topic, files.length > 0].filter(Boolean).length > 1)
      throw new PlimsollError(
        'usage_invalid',
        'recorded sessions, `--topic` and `--from-live` do not go together',
      )
    if (isLive && budget !== undefined)
      throw new PlimsollError('usage_invalid', '`--from-live` keeps the thresholds: `--budget` is of no use')
    assertOfUse(values)
    await assertWritable(out)
    if (isLive) {
      const refitted = await fitLive({ out, model }, { env })
      stdout.write(`${out}: bundle \`${refitted.bundle.name}\`, version ${refitted.version}\n`)
      stdout.write(liveText(refitted))
      return 0
    }
    const order = { out, target, space, budget, catalogues: catalogue }
    const log = { ...order, onlyLabelled: values.onlyLabelled, since: values.since }
    const fitted: Fitted = values.topic
      ? await fitLog(log, { env, stdout, stderr, signal })
      : await fitFiles({ ...order, files }, { stderr, signal })
    if (!fitted) {
      stderr.write('stopped before the end: no bundle was written\n')
      return 1
    }
    const { bundle, version } = fitted
    const { traces: used, transitions, violations } = bundle.aggregate
    stdout.write(`${out}: bundle \`${bundle.name}\`, version ${version}\n`)
    if (fitted.census) stdout.write(censusText(fitted.census))
    stdout.write(`${used} sessions, ${transitions} steps, ${violations} violations; `)
    stdout.write(`chains: aggregate, ${Object.keys(bundle.categories).join(', ')}\n`)
    return 0
  },
})

interface FitOptions {
  readonly topic: boolean
  readonly fromLive: boolean
  readonly since: number | undefined
  readonly onlyLabelled: boolean
  readonly model: string | undefined
}

/** What goes with one source of sessions alone is refused beside another: it would be skipped. */
function assertOfUse({ topic, fromLive: isLive, since, onlyLabelled, model }: FitOptions): void {
  for (const [option, isGiven, source, isThere] of [
    ['--since', since !== undefined, '--topic', topic],
    ['--only-labelled', onlyLabelled, '--topic', topic],
    ['--model', model !== undefined, '--from-live', isLive],
  ] as const)
    if (isGiven && !isThere) throw new PlimsollError('usage_invalid', `\`${option}\` goes with \`${source}\``)
}
