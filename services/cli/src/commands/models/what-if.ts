import { writeFile } from 'node:fs/promises'
import { type Cause, VERDICT_CHANGES } from '@plimsoll/comparison'
import { type Policy, type RegisteredDocument, type Versions, VERDICTS, versionOf } from '@plimsoll/contracts'
import { NO_CONTROLS, controlsBefore, createControlView } from '@plimsoll/engine'
import type { ObserverPart } from '@plimsoll/labels'
import { monitorSettings, readRuleDocuments } from '@plimsoll/monitor'
import {
  type RulesCache,
  compileRules,
  createRulesCache,
  disclosuresOf,
  readCatalogue,
  readDocument,
} from '@plimsoll/policy'
import { type Registry, kafkaSettings, openRegistry } from '@plimsoll/runtime'
import {
  type Compared,
  type DecisionDiff,
  type DiffExample,
  type TopicDiff,
  tablesPage,
  whatIfFiles,
  whatIfTopic,
} from '@plimsoll/measure'
import { TOPIC_RECORDS_MAX } from '@plimsoll/fit'
import { assertWritable } from '../../assert-writable.js'
import type { Context, ExitCode } from '../../command.js'
import { configOf, openLog, within } from '../../deployment.js'
import { type Progress, createProgress } from '../../format/progress.js'
import { jsonLine, leftTable, percent, plainText, textTable } from '../../format/text.js'
import { effectText } from '../operate/timeline-text.js'

/** A share as `12 of 97 (12.4%, 7.2–20.4%)`, its 95% interval included; `none` where there was nothing to count. */
export function shareText({ n, of, rate, low, high }: Compared['old']): string {
  if (of === 0) return 'none to count'
  return `${n} of ${of} (${percent(rate)}, ${percent(low)}–${percent(high)})`
}

/** A table: its head, then rows. */
export type Rows = readonly (readonly (string | number)[])[]

/** Tables of specs and tools show so many. */
const ROWS_MAX = 40

export const CHANGE_WORDS = {
  blocked: 'newly blocked',
  asked: 'newly asked',
  warned: 'newly warned',
  eased: 'milder',
} as const

const HOW_WORDS = {
  speaks: 'matches',
  harsher: 'is more severe',
  lifts_no_more: 'no longer lifts it',
  silent: 'no longer matches',
  milder: 'is milder',
  lifts: 'lifts it',
} as const

export const causeText = ({ source, code, how }: Cause): string => `${source} ${code} ${HOW_WORDS[how]}`

export const changeRows = ({ changes }: DecisionDiff): Rows => [
  ['what would change', 'steps', 'sessions'],
  ...VERDICT_CHANGES.map((kind) => [CHANGE_WORDS[kind], changes[kind].steps, changes[kind].sessions]),
]

/** Steps by both verdicts. */
export const verdictRows = ({ verdicts }: DecisionDiff): Rows => [
  ['steps by old verdict (rows) and new (columns)', ...VERDICTS],
  ...VERDICTS.map((old) => [old, ...VERDICTS.map((candidate) => verdicts[old][candidate])]),
]

export const specRows = ({ bySpec }: DecisionDiff): Rows => [
  [
    'cause',
    ...VERDICT_CHANGES.map((kind) => CHANGE_WORDS[kind]),
    'sessions',
    'safe sessions',
    'violated sessions, in time',
  ],
  ...bySpec
    .slice(0, ROWS_MAX)
    .map((spec) => [
      causeText(spec),
      ...VERDICT_CHANGES.map((kind) => spec.steps[kind]),
      spec.sessions,
      spec.safeSessions,
      spec.violatedSessions,
    ]),
]

export const toolRows = ({ byTool }: DecisionDiff): Rows => [
  ['tool', ...VERDICT_CHANGES.map((kind) => CHANGE_WORDS[kind])],
  ...byTool
    .slice(0, ROWS_MAX)
    .map(({ tool, steps }) => [tool, ...VERDICT_CHANGES.map((kind) => steps[kind])]),
]

/** What it would mean for safe and for violated sessions; each share with its 95% interval (Wilson). */
export function truthRows({ safe, violated }: DecisionDiff): Rows {
  const row = (name: string, { old, candidate, newly, noLonger }: Compared) => [
    name,
    ...[old, candidate, newly, noLonger].map(shareText),
  ]
  return [
    ['share of sessions', 'old', 'new', 'new only', 'old only'],
    row('safe, a step blocked', safe.stopped),
    row('safe, blocked or confirmed', safe.disturbed),
    row('violated, blocked in time', violated.stopped),
    row('violated, blocked or confirmed in time', violated.caught),
  ]
}

/** The limit of every diff. */
export const GOES_ON =
  'A recording cannot show what an agent does after a block. Each step is judged as if all earlier steps had run.'

/** A diff for a human. */
export function diffText(diff: DecisionDiff): string {
  const { sessions, steps, changed, otherReasons, safe, unknown } = diff
  const head = `${changed.steps} of ${steps} steps would get another verdict, in ${changed.sessions} of ${sessions} sessions; ${otherReasons} more would get the same verdict for other reasons\n`
  const approvals = `approval requests in each safe session: ${safe.approvals.old.toFixed(2)} old, ${safe.approvals.candidate.toFixed(2)} new; ${unknown} sessions have no known outcome and are in no row\n`
  return [
    head + unlabelledText(diff),
    textTable(changeRows(diff)),
    textTable(verdictRows(diff)),
    ...(diff.bySpec.length > 0 ? [table(specRows(diff)), table(toolRows(diff))] : []),
    leftTable(truthRows(diff)) + approvals,
    examplesText(diff),
    `${GOES_ON}\n`,
  ].join('\n')
}

/** Nothing where the catalogue knows all tools. */
export function unlabelledText({ unlabelled, steps }: DecisionDiff): string {
  if (unlabelled.steps === 0) return ''
  const tools = unlabelled.tools === 1 ? '1 tool' : `${unlabelled.tools} tools`
  return `${unlabelled.steps} of ${steps} steps use ${tools} without labels, so specs that read labels may change more than is shown. List the tools with \`plimsoll label check\`, and label them in a catalogue: for recorded sessions add \`--catalogue\`, for the log activate it.\n`
}

export const examplesText = ({ examples }: DecisionDiff): string => examples.map(exampleText).join('')

const table = (rows: Rows): string => textTable(rows.map((row) => row.map((cell) => plainText(String(cell)))))

function exampleText({ session, step, tool, truth, causes, old, candidate }: DiffExample): string {
  const reasons = (side: DiffExample['old']) =>
    side.reasons.map(({ source, code, verdict, message, effect, liftedBy }) => {
      const lifted = liftedBy === undefined ? '' : `, lifted by ${liftedBy}`
      return `      ${source} ${code} (${verdict}${lifted}): ${message}${effectText(effect)}`
    })
  return [
    `  ${session}, step ${step}, ${tool} (${truth}): ${causes.map(causeText).join('; ')}`,
    `    old: ${old.verdict}`,
    ...reasons(old),
    `    new: ${candidate.verdict}`,
    ...reasons(candidate),
  ]
    .map((line) => `${plainText(line)}\n`)
    .join('')
}

/** A diff as one page that needs nothing else. `about`: what was compared. */
export const diffPage = (about: string, diff: DecisionDiff): string =>
  tablesPage({
    title: 'What another policy would decide differently',
    paragraphs: [
      about,
      `${diff.changed.steps} of ${diff.steps} steps, in ${diff.changed.sessions} of ${diff.sessions} sessions.`,
      ...[unlabelledText(diff)].filter((text) => text !== ''),
      GOES_ON,
    ],
    tables: [
      ['What would change', changeRows(diff)],
      ['Verdicts', verdictRows(diff)],
      ['By cause', specRows(diff)],
      ['By tool', toolRows(diff)],
      ['Safe and violated sessions', truthRows(diff)],
    ],
    report: examplesText(diff),
  })

const ruleSettings = {
  bundles: monitorSettings.bundles,
  policies: monitorSettings.policies,
  catalogues: monitorSettings.catalogues,
}
export const topicSettings = { ...kafkaSettings, ...ruleSettings, signingKey: monitorSettings.signingKey }

export interface WhatIfOptions {
  readonly files: readonly string[]
  readonly policy: string
  /** The policy to compare with; default: that of the settings, or of each session in the log. */
  readonly against: string | undefined
  readonly model: string | undefined
  /** Files that add to the shipped catalogues. */
  readonly catalogue: readonly string[]
  readonly without: readonly ObserverPart[]
  readonly fold: number | undefined
  readonly limit: number | undefined
  /** Takes the sessions of the event log in place of recorded ones. */
  readonly topic: boolean
  /** How far back the log is read, milliseconds; default: all of it. */
  readonly since: number | undefined
  readonly html: string | undefined
  readonly json: boolean
}

interface WhatIfResult {
  /** What was compared, for a script. */
  readonly about: Readonly<Record<string, unknown>>
  /** The same for a human. */
  readonly head: string
  readonly diff: DecisionDiff
}

/** Steps that are shown of each way in which a spec makes a difference, in safe and in harmful sessions each. */
const EXAMPLES_MAX = 1

/** Shows what another policy would decide differently in recorded sessions, or in those of the log. */
export async function whatIf(options: WhatIfOptions, context: Context): Promise<ExitCode> {
  const { html, json, topic } = options
  const { stdout, stderr, signal } = context
  if (html !== undefined) await assertWritable(html)
  const progress = createProgress(stderr, 'what if')
  const diffing = topic ? overTopic(options, context, progress) : overFiles(options, context, progress)
  const { about, head, diff } = await diffing.finally(() => progress.end())
  if (html !== undefined) await writeFile(html, diffPage(head, diff))
  stdout.write(json ? jsonLine({ ...about, diff }) : `${head}\n${diffText(diff)}`)
  if (signal.aborted) stderr.write('interrupted: some sessions were not compared\n')
  return signal.aborted ? 1 : 0
}

async function overFiles(
  { files, policy: file, against, model, catalogue: catalogues, without, fold, limit }: WhatIfOptions,
  { env, signal }: Context,
  progress: Progress,
): Promise<WhatIfResult> {
  const config = configOf(ruleSettings, env)
  const [bundle, catalogue, oldPolicy, policy] = await Promise.all([
    readDocument('bundle', model ?? config.bundles?.[0]),
    readCatalogue(catalogues.length > 0 ? catalogues : config.catalogues?.slice(0, 1)),
    readDocument('policy', against ?? config.policies?.[0]),
    readDocument('policy', file),
  ])
  const diff = await whatIfFiles({
    files,
    old: compileRules({ bundle, catalogue, policy: oldPolicy }),
    candidate: compileRules({ bundle, catalogue, policy }),
    catalogue,
    disclose: [oldPolicy, policy].flatMap((each) => disclosuresOf(each)),
    without,
    fold,
    limit,
    examplesMax: EXAMPLES_MAX,
    onProgress: ({ bytesRead, bytesTotal, traces, steps }) =>
      progress.update(bytesRead / bytesTotal, `${traces} sessions, ${steps} steps`),
    signal,
  })
  const [old, candidate] = [aboutOf(oldPolicy), aboutOf(policy)]
  return { about: { old, candidate }, head: `old: ${textOf(old)}; new: ${textOf(candidate)}`, diff }
}

async function overTopic(
  { policy: file, against: againstFile, since, limit }: WhatIfOptions,
  { env, signal }: Context,
  progress: Progress,
): Promise<WhatIfResult> {
  const policy = await readDocument('policy', file)
  const against = againstFile === undefined ? undefined : await readDocument('policy', againstFile)
  const config = configOf(topicSettings, env)
  const { diff, census, unpinned } = await within(async (onRelease) => {
    const { log, topics } = openLog(config, onRelease)
    await log.ping()
    const { signingKey } = config
    const registry = await openRegistry({ log, topic: topics.registry, signingKey, watch: false, signal })
    onRelease(() => registry.close())
    const known = [policy, ...(against ? [against] : [])].map((document): RegisteredDocument => ({
      kind: 'policy',
      version: versionOf(document),
      document,
    }))
    const rulesCache = createRulesCache({
      defaults: await readRuleDocuments(config),
      document: (version) => known.find((each) => each.version === version) ?? registry.document(version),
    })
    return whatIfTopic({
      log,
      topic: topics.events,
      signingKey,
      pinsOf: pinsFrom(registry, rulesCache),
      rulesOf: (pins) => {
        const old = rulesCache.rules({ ...pins, policy: against ? versionOf(against) : pins.policy })
        const candidate = rulesCache.rules({ ...pins, policy: versionOf(policy) })
        return old && candidate ? { old, candidate } : undefined
      },
      fromMs: since === undefined ? undefined : Date.now() - since,
      recordsMax: TOPIC_RECORDS_MAX,
      limit,
      examplesMax: EXAMPLES_MAX,
      onProgress: (share, sessions, steps) => progress.update(share, `${sessions} sessions, ${steps} steps`),
      signal,
    })
  })
  const candidate = aboutOf(policy)
  const old = against && aboutOf(against)
  const head = `old: ${old ? textOf(old) : 'the policy of each session'}; new: ${textOf(candidate)}\n${censusText(census, unpinned)}`
  return { about: { old: old ?? null, candidate, census, unpinned }, head, diff }
}

/** The versions of a session, by the last report of its partition: recent changes have their offsets in it, older ones apply from the start. */
function pinsFrom(registry: Registry, { defaults }: RulesCache) {
  return (partition: number, startedAt: bigint, endedAt: bigint): Versions => {
    const log = registry.report(partition)?.controls ?? NO_CONTROLS
    const pins = createControlView(controlsBefore(log, startedAt)).activeOver(defaults)
    return createControlView(controlsBefore(log, endedAt)).upgradedVersions(pins, startedAt)
  }
}

function censusText(census: TopicDiff['census'], unpinned: number): string {
  const { records, sessions, unfinished, withoutStart, unplayable, tooLong, crowdedOut } = census
  const left = unfinished + unplayable + tooLong + crowdedOut + unpinned
  return `${records} records, ${sessions} finished sessions; left out: ${left} sessions (${unfinished} unfinished, ${unpinned} pinned to documents that the registry lacks), ${withoutStart} events of sessions that started earlier`
}

const aboutOf = (policy: Policy) => ({ name: policy.name, version: versionOf(policy) })
const textOf = ({ name, version }: ReturnType<typeof aboutOf>): string =>
  `policy \`${plainText(name)}\` ${version}`
