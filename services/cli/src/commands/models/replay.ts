import { randomBytes } from 'node:crypto'
import { type Verdict, EVIDENCES, PlimsollError } from '@plimsoll/contracts'
import { OBSERVER_PARTS } from '@plimsoll/labels'
import { monitorSettings } from '@plimsoll/monitor'
import { createLogger } from '@plimsoll/runtime'
import { type AblationRow, ABLATION } from '@plimsoll/trainer'
import { defineCommand, environmentOf , choice, duration, flag, integer, json, list, noFlag, text } from '../../command.js'
import { textTable } from '../../format/text.js'
import { within } from '../../deployment.js'
import { whenRunning } from '../../own-monitor.js'
import { type ReplayFigures, type Truth, TRUTHS, reportText } from './replay-report.js'
import { runReplay } from './run-replay.js'
import { openEmbedded, openKafka, parseParts } from './transport.js'
import { whatIf } from './what-if.js'

export interface ReplayRow {
  readonly name: string
  readonly figures: ReplayFigures
}

const JUDGED = ['unsafe', 'safe'] as const satisfies readonly Truth[]
const STOPPED = [
  ['blocked', 'block'],
  ['asked', 'confirm'],
] as const satisfies readonly (readonly [string, Verdict])[]
const CELLS = JUDGED.flatMap((truth) => STOPPED.map(([name, verdict]) => ({ truth, name, verdict })))

/** A row for each part that is added: what the line knew, and what became of violated and of safe sessions. */
export function ablationTable(rows: readonly ReplayRow[]): string {
  const heads = CELLS.map(({ truth, name }) => `${truth} ${name}`)
  return [
    'Steps at the line, by evidence of sensitive data; sessions by the worst that the line said in them, and by the worst verdict of all.\n',
    textTable([
      [
        'what is told of a step',
        ...EVIDENCES,
        ...heads.map((head) => `line: ${head}`),
        ...heads.map((head) => `all: ${head}`),
        'steps/s',
      ],
      ...rows.map(rowOf),
    ]),
    sessionCounts(rows),
  ].join('\n')
}

function rowOf({ name, figures }: ReplayRow): (string | number)[] {
  const { line, sessionsByWorstVerdict, stepsPerSecond } = figures
  const stepsOf = (evidence: (typeof EVIDENCES)[number]): number =>
    TRUTHS.reduce((sum, truth) => sum + line.stepsByEvidence[evidence][truth], 0)
  return [
    name,
    ...EVIDENCES.map(stepsOf),
    ...CELLS.map(({ truth, verdict }) => line.sessionsByWorstVerdict[truth][verdict]),
    ...CELLS.map(({ truth, verdict }) => sessionsByWorstVerdict[truth]?.[verdict] ?? 0),
    stepsPerSecond,
  ]
}

function sessionCounts([first]: readonly ReplayRow[]): string {
  const each = Object.entries(first?.figures.byTruth ?? {}).map(
    ([truth, { sessions }]) => `${sessions} ${truth}`,
  )
  return `${each.join(', ')} sessions in each row\n`
}

/** What `replay` was asked, as far as it says which kind of a replay is meant. */
export interface Asked {
  readonly policy: string | undefined
  readonly against: string | undefined
  readonly catalogue: readonly string[]
  readonly html: string | undefined
  readonly topic: boolean
  readonly since: number | undefined
  readonly without: readonly string[]
  readonly fold: number | undefined
  readonly model: string | undefined
  readonly via: string
  readonly ablation: boolean
  readonly 'no-monitor': boolean
  readonly run: string | undefined
  readonly 'category-from': string
}

/**
 * What is of no use in the one kind of a replay is refused: it would be skipped.
 *
 * @throws PlimsollError `usage_invalid`
 */
export function assertOneKind(asked: Asked, files: readonly string[]): void {
  const refused = asked.policy === undefined ? ofWhatIf(asked) : ofPlay(asked)
  if (refused.length > 0)
    throw new PlimsollError(
      'usage_invalid',
      `${refused.join(', ')} ${asked.policy === undefined ? 'goes with' : 'does not go with'} \`--policy\``,
    )
  if (asked.topic) return assertLogged(asked, files)
  if (asked.since !== undefined) throw new PlimsollError('usage_invalid', '`--since` goes with `--topic`')
  if (files.length === 0) throw new PlimsollError('usage_invalid', '`--traces` is missing')
}

/** The log has its own sessions, told as their clients told them, under the bundle and the catalogue that they were pinned to. */
function assertLogged({ without, fold, model, catalogue }: Asked, files: readonly string[]): void {
  const refused = named({
    traces: files.length > 0,
    without: without.length > 0,
    fold: fold !== undefined,
    model: model !== undefined,
    catalogue: catalogue.length > 0,
  })
  if (refused.length > 0)
    throw new PlimsollError('usage_invalid', `${refused.join(', ')} does not go with \`--topic\``)
}

const named = (given: Readonly<Record<string, boolean>>): string[] =>
  Object.entries(given).flatMap(([name, isGiven]) => (isGiven ? [`\`--${name}\``] : []))

const ofWhatIf = ({ against, catalogue, html, topic }: Asked): string[] =>
  named({
    against: against !== undefined,
    catalogue: catalogue.length > 0,
    html: html !== undefined,
    topic,
  })

const ofPlay = (asked: Asked): string[] =>
  named({
    'via kafka': asked.via === 'kafka',
    ablation: asked.ablation,
    'no-monitor': asked['no-monitor'],
    run: asked.run !== undefined,
    'category-from none': asked['category-from'] === 'none',
  })

export const replay = defineCommand({
  name: 'replay',
  summary:
    'plays recorded sessions through the real pipeline and counts the verdicts, or shows what another policy would decide',
  description: 'Each recorded session becomes a session of its own: client, log, monitor, store, decisions. Every step is proposed; what would be stopped is counted, and the recorded agent goes on. The client sees tasks, arguments and results as it would at work, under a key of the run; descriptions of tools come from `tools.json` beside the recordings, where there is one. With `--policy` each session is judged under two policies, in this process. It shows what would newly be blocked, confirmed, warned of or allowed: by spec, by tool, with examples, and what that means for sessions known to be safe or harmful.',
  operands: [['[FILE...]', 'more recorded sessions']],
  options: {
    traces: list('FILE', 'recorded sessions'),
    via: choice(['embedded', 'kafka'], 'in this process, or over Kafka and Redis', 'embedded'),
    policy: text('FILE', 'a policy to try: shows what it would decide otherwise'),
    against: text('FILE', 'with `--policy`: the policy that it is held against; the first of PLIMSOLL_POLICIES, or the one that ships, if left out'),
    catalogue: list('FILE', `with \`--policy\`: ${CATALOGUE_HELP}; the first of PLIMSOLL_CATALOGUES if left out`),
    topic: flag('with `--policy`: the sessions of the event log that the environment names, in place of recorded ones; each is held against what it was pinned to'),
    since: duration('with `--topic`: how far back the log is read; all of it if left out'),
    examples: integer('N', 'with `--policy`: so many steps are shown of each way in which a spec makes a difference, in safe and in harmful sessions each', { min: 0, max: 100, default: 1 }),
    html: text('FILE', 'with `--policy`: writes a page too'),
    json,
    limit: integer('N', 'plays so many sessions at most', { min: 1, max: 100_000_000 }),
    fold: integer('N', 'plays the sessions of this fold alone', { min: 0, max: 4 }),
    categoryFrom: choice(['hint', 'none'], 'the category that a session declares', 'hint'),
    concurrency: integer('N', 'sessions at a time', { min: 1, max: 5000, default: 64 }),
    run: text('NAME', 'what session ids begin with; another in each run if left out'),
    model: text('BUNDLE', 'the bundle that its own monitor decides by: a file, or `default` or `paper60` for one that ships; that of the settings if left out'),
    without: list('PART', `what the client does not report of a step: ${OBSERVER_PARTS.join(', ')}`),
    ablation: flag('what each part adds: plays all once with tool names only, then with one part more in each row'),
    monitor: noFlag('with `--via kafka`: leaves the deciding to the monitors that run already'),
  },
  environment: environmentOf(monitorSettings),
  examples: [
    ['--traces sessions.jsonl.gz --limit 100', 'a hundred sessions, in this process'],
    [
      '--traces sessions.jsonl.gz --fold 4 --via kafka --json',
      'fold 4 over Kafka and Redis, with a monitor of its own',
    ],
    [
      '--traces sessions.jsonl.gz --fold 4 --ablation',
      'what arguments, content, provenance and instructions add',
    ],
    [
      '--policy new.yaml --against old.yaml --traces sessions.jsonl.gz',
      'what the new policy would decide otherwise',
    ],
  ],
  async run(values, operands, context) {
    const { env, stdout, stderr, signal } = context
    const files = [...values.traces, ...operands]
    assertOneKind(values, files)
    const { policy } = values
    if (policy !== undefined) return whatIf({ ...values, policy, files }, context)
    const rows = rowsOf(values)
    const { via, ablation, run = `replay-${randomBytes(4).toString('hex')}` } = values
    const logger = createLogger({ level: 'warn', write: (line) => stderr.write(line) })
    const play = (run: string, without: AblationRow['without']) =>
      within(async (onRelease) => {
        const model = values.model
        const open =
          via === 'kafka'
            ? openKafka(env, !!values.monitor, model, logger, onRelease)
            : openEmbedded(model, logger, onRelease)
        const transport = await open
        if (transport.own) await whenRunning(transport.own, signal)
        const { fold, limit, concurrency } = values
        const hasCategory = values.categoryFrom === 'hint'
        const plan = { files, fold, limit, run, hasCategory, concurrency, without }
        return runReplay(plan, transport, stderr, signal)
      })
    const played: ReplayRow[] = []
    for (const [n, { name, without }] of rows.entries()) {
      if (signal.aborted) break
      const ownRun = ablation ? `${run}-${n}` : run
      played.push({ name, figures: await play(ownRun, without) })
    }
    stdout.write(values.json ? jsonText({ run, via }, played, ablation) : humanText(played, ablation))
    if (signal.aborted) stderr.write('interrupted: these are not all sessions\n')
    return played.some(({ figures }) => figures.withoutVerdict > 0) || signal.aborted ? 1 : 0
  },
})

interface RowOptions {
  readonly without: readonly string[]
  readonly ablation: boolean
  readonly via: 'embedded' | 'kafka'
  readonly model: string | undefined
  readonly 'no-monitor': boolean
}

function rowsOf({
  without,
  ablation,
  via,
  model,
  'no-monitor': hasNone,
}: RowOptions): readonly AblationRow[] {
  if (hasNone && model !== undefined)
    throw new PlimsollError('usage_invalid', '`--model` is for a monitor of its own: not with `--no-monitor`')
  if (hasNone && via !== 'kafka')
    throw new PlimsollError('usage_invalid', '`--no-monitor` goes with `--via kafka`')
  if (!ablation) return [{ name: 'all', without: parseParts(without) }]
  if (without.length > 0 || via === 'kafka')
    throw new PlimsollError(
      'usage_invalid',
      '`--ablation` goes without `--without`, and not with `--via kafka`',
    )
  return ABLATION
}

/** An ablation's rows; else the figures of the one. */
function jsonText(about: object, played: readonly ReplayRow[], isAblation: boolean): string {
  const figures = isAblation ? { rows: played } : played[0]?.figures
  return `${JSON.stringify({ ...about, ...figures })}\n`
}

function humanText(played: readonly ReplayRow[], isAblation: boolean): string {
  return isAblation ? ablationTable(played) : played.map(({ figures }) => reportText(figures)).join('\n')
}
