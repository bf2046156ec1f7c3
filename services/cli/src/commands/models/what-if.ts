import { writeFile } from 'node:fs/promises'
import {
  type Policy,
  type RegisteredDocument,
  type Versions,
  VERDICTS,
  topicsOf,
  versionOf,
} from '@plimsoll/contracts'
import { type Cause, VERDICT_CHANGES } from '@plimsoll/comparison'
import { NO_CONTROLS, controlsBefore, createControlView } from '@plimsoll/engine'
import { monitorSettings, readRuleDocuments } from '@plimsoll/monitor'
import { type RulesCache, createRulesCache, readDocument } from '@plimsoll/policy'
import {
  type Registry,
  checkKafkaSettings,
  kafkaSettings,
  openRegistry,
  parseConfig,
} from '@plimsoll/runtime'
import { createKafkaLog, kafkaConnectionOf } from '@plimsoll/runtime/kafka'
import {
  type Compared,
  type DecisionDiff,
  type DiffExample,
  type TopicDiff,
  TOPIC_RECORDS_MAX,
  tablesPage,
  whatIfTopic,
} from '@plimsoll/trainer'
import { assertWritable } from '../../assert-writable.js'
import type { Context, ExitCode } from '../../command.js'
import { jsonLine, leftTable, plainText, textTable } from '../../format/text.js'
import { within } from '../../deployment.js'
import { createProgress } from '../../format/progress.js'
import { type DocumentFiles, type FilesOrder, diffFiles, documentsOf, ruleSettings } from '../../what-if/what-if-files.js'

/** A share as `12 of 97 (12.4%, 7.2–20.4%)`, its 95% interval included; `none` where there was nothing to count. */
export function shareText({ n, of, rate, low, high }: Compared['old']): string {
  if (of === 0) return 'none to count'
  return `${n} of ${of} (${percent(rate)}, ${percent(low)}–${percent(high)})`
}

const percent = (share: number): string => `${(share * 100).toFixed(1)}%`

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
  lifts_no_more: 'lifts it no more',
  silent: 'is silent now',
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
  ['steps, old verdict down, new across', ...VERDICTS],
  ...VERDICTS.map((old) => [old, ...VERDICTS.map((candidate) => verdicts[old][candidate])]),
]

export const specRows = ({ bySpec }: DecisionDiff): Rows => [
  [
    'what makes the difference',
    ...VERDICT_CHANGES.map((kind) => CHANGE_WORDS[kind]),
    'sessions',
    'safe ones',
    'violated, in time',
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

/** What it would mean for honest sessions and for harmful ones; each share with its 95% interval (Wilson). */
export function truthRows({ safe, violated }: DecisionDiff): Rows {
  const row = (name: string, { old, candidate, newly, noLonger }: Compared) => [
    name,
    ...[old, candidate, newly, noLonger].map(shareText),
  ]
  return [
    ['share of sessions', 'old', 'new', 'under new alone', 'under old alone'],
    row('safe, a step blocked', safe.stopped),
    row('safe, blocked or confirmed', safe.disturbed),
    row('violated, blocked in time', violated.stopped),
    row('violated, blocked or confirmed in time', violated.caught),
  ]
}

/** Said with every diff: what it cannot tell. */
export const GOES_ON =
  'A recording cannot show what an agent would do after a block: each step is judged as if all steps before it had run.'

/** A diff for a human. */
export function diffText(diff: DecisionDiff): string {
  const { sessions, steps, changed, otherReasons, safe, unknown } = diff
  const head = `${changed.steps} of ${steps} steps would be decided otherwise, in ${changed.sessions} of ${sessions} sessions; ${otherReasons} more alike for other reasons\n`
  const approvals = `approval requests a safe session: ${safe.approvals.old.toFixed(2)} old, ${safe.approvals.candidate.toFixed(2)} new; whether ${unknown} more sessions did harm is not known\n`
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
  return `${unlabelled.steps} of ${steps} steps are of ${tools} that the catalogue does not label, which hides what specs by labels would change: \`plimsoll label check\` lists the tools; --catalogue takes another catalogue, sessions of the log go by the one that is active\n`
}

export const examplesText = ({ examples }: DecisionDiff): string => examples.map(exampleText).join('')

const table = (rows: Rows): string => textTable(rows.map((row) => row.map((cell) => plainText(String(cell)))))

function exampleText({ session, step, tool, truth, causes, old, candidate }: DiffExample): string {
  const reasons = (side: DiffExample['old']) =>
    side.reasons.map(({ source, code, verdict, message, liftedBy }) => {
      const lifted = liftedBy === undefined ? '' : `, lifted by ${liftedBy}`
      return `      ${source} ${code} (${verdict}${lifted}): ${message}`
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
    title: 'What another policy would decide otherwise',
    paragraphs: [
      about,
      `${diff.changed.steps} of ${diff.steps} steps, in ${diff.changed.sessions} of ${diff.sessions} sessions.`,
      ...[unlabelledText(diff)].filter((text) => text !== ''),
      GOES_ON,
    ],
    tables: [
      ['What would change', changeRows(diff)],
      ['Verdicts', verdictRows(diff)],
      ['By what makes the difference', specRows(diff)],
      ['By tool', toolRows(diff)],
      ['Honest sessions and harmful ones', truthRows(diff)],
    ],
    report: examplesText(diff),
  })

export const whatIfTopicSettings = {
  ...kafkaSettings,
  ...ruleSettings,
  signingKey: monitorSettings.signingKey,
}

export interface TopicOrder {
  readonly policy: Policy
  /** Held against in place of what sessions were pinned to. */
  readonly against: Policy | undefined
  /** How far back, milliseconds; all that there is where it is left out. */
  readonly since: number | undefined
  readonly limit: number | undefined
  readonly examples: number
}

/** The diff over the sessions of the deployment that the environment names, with a bar on `stderr`. */
export async function diffTopic(order: TopicOrder, { env, stderr, signal }: Context): Promise<TopicDiff> {
  const config = parseConfig(whatIfTopicSettings, env, { prefixes: [], checks: [checkKafkaSettings] })
  const { since, limit, examples } = order
  const progress = createProgress(stderr, 'what if')
  const reading = within(async (onRelease) => {
    const log = createKafkaLog(kafkaConnectionOf(config))
    onRelease(() => log.close())
    await log.ping()
    const topics = topicsOf(config.topicPrefix)
    const { signingKey } = config
    const registry = await openRegistry({ log, topic: topics.registry, signingKey, watch: false, signal })
    onRelease(() => registry.close())
    const known = [order.policy, ...(order.against ? [order.against] : [])].map(registered)
    const rulesCache = createRulesCache({
      defaults: await readRuleDocuments(config),
      document: (version) => known.find((each) => each.version === version) ?? registry.document(version),
    })
    return whatIfTopic({
      log,
      topic: topics.events,
      signingKey,
      pinsOf: pinsFrom(registry, rulesCache),
      rulesOf: bothSides(order, rulesCache),
      fromMs: since === undefined ? undefined : Date.now() - since,
      recordsMax: TOPIC_RECORDS_MAX,
      limit,
      examplesMax: examples,
      onProgress: (share, sessions, steps) => progress.update(share, `${sessions} sessions, ${steps} steps`),
      signal,
    })
  })
  return reading.finally(() => progress.end())
}

const registered = (document: Policy): RegisteredDocument => ({
  kind: 'policy',
  version: versionOf(document),
  document,
})

/** What the partition last told of its controls; the latest changes have their place there, older ones count from the beginning. */
function pinsFrom(registry: Registry, { defaults }: RulesCache) {
  return (partition: number, startedAt: bigint, endedAt: bigint): Versions => {
    const log = registry.report(partition)?.controls ?? NO_CONTROLS
    const pins = createControlView(controlsBefore(log, startedAt)).activeOver(defaults)
    return createControlView(controlsBefore(log, endedAt)).upgradedVersions(pins, startedAt)
  }
}

function bothSides({ policy, against }: TopicOrder, rulesCache: RulesCache) {
  const candidateVersion = versionOf(policy)
  const againstVersion = against && versionOf(against)
  return (pins: Versions) => {
    const old = rulesCache.rules({ ...pins, policy: againstVersion ?? pins.policy })
    const candidate = rulesCache.rules({ ...pins, policy: candidateVersion })
    return old && candidate ? { old, candidate } : undefined
  }
}

export const readOptionalPolicy = (file: string | undefined): Promise<Policy> | undefined =>
  file === undefined ? undefined : readDocument('policy', file)

export interface WhatIfOrder extends DocumentFiles, Omit<FilesOrder, 'documents'> {
  /** The sessions of the event log, in place of recorded ones. */
  readonly topic: boolean
  readonly since: number | undefined
  readonly html: string | undefined
  readonly json: boolean
}

/** What was compared, and what came of it. */
interface WhatIfResult {
  /** For a script. */
  readonly about: Readonly<Record<string, unknown>>
  /** For a human. */
  readonly head: string
  readonly diff: DecisionDiff
}

/** Tells what another policy would decide otherwise over recorded sessions, or over those of the log. */
export async function whatIf(order: WhatIfOrder, context: Context): Promise<ExitCode> {
  const { html, json } = order
  const { stdout, stderr, signal } = context
  if (html !== undefined) await assertWritable(html)
  const { about, head, diff } = await (order.topic ? overTopic(order, context) : overFiles(order, context))
  if (html !== undefined) await writeFile(html, diffPage(head, diff))
  stdout.write(json ? jsonLine({ ...about, diff }) : `${head}\n${diffText(diff)}`)
  if (signal.aborted) stderr.write('interrupted: these are not all sessions\n')
  return signal.aborted ? 1 : 0
}

async function overFiles(order: WhatIfOrder, context: Context): Promise<WhatIfResult> {
  const documents = await documentsOf(order, context.env)
  const diff = await diffFiles({ ...order, documents }, context)
  const [old, candidate] = [aboutOf(documents.old.policy), aboutOf(documents.candidate.policy)]
  return { about: { old, candidate }, head: `old: ${textOf(old)}; new: ${textOf(candidate)}`, diff }
}

async function overTopic(order: WhatIfOrder, context: Context): Promise<WhatIfResult> {
  const policy = await readDocument('policy', order.policy)
  const against = await readOptionalPolicy(order.against)
  const { diff, census, unpinned } = await diffTopic({ ...order, policy, against }, context)
  const candidate = aboutOf(policy)
  const old = against && aboutOf(against)
  const head = `old: ${old ? textOf(old) : 'what each session was pinned to'}; new: ${textOf(candidate)}\n${censusText(census, unpinned)}`
  return { about: { old: old ?? null, candidate, census, unpinned }, head, diff }
}

function censusText(census: TopicDiff['census'], unpinned: number): string {
  const { records, sessions, unfinished, withoutStart, unplayable, tooLong, crowdedOut } = census
  const left = unfinished + unplayable + tooLong + crowdedOut + unpinned
  return `${records} records, ${sessions} sessions that ended; left out: ${left} sessions (${unfinished} not ended, ${unpinned} pinned to documents that are not at hand), ${withoutStart} events of sessions that began before`
}

const aboutOf = (policy: Policy) => ({ name: policy.name, version: versionOf(policy) })
const textOf = ({ name, version }: ReturnType<typeof aboutOf>): string =>
  `policy \`${plainText(name)}\` ${version}`
