import { randomBytes } from 'node:crypto'
import { PlimsollError } from '@plimsoll/contracts'
import { OBSERVER_PARTS } from '@plimsoll/labels'
import { monitorSettings } from '@plimsoll/monitor'
import {
  type Values,
  catalogueOption,
  choice,
  defineCommand,
  duration,
  environmentOf,
  flag,
  integer,
  json,
  noFlag,
  text,
  words,
  tracesOption,
} from '../../command.js'
import { jsonLine } from '../../format/text.js'
import { reportText } from './replay-report.js'
import { runReplay } from './run-replay.js'
import { upgrade } from './upgrade.js'
import { whatIf } from './what-if.js'

const options = {
  traces: tracesOption,
  via: choice(['embedded', 'kafka'], 'where it runs: in this process, or over Kafka and Redis', 'embedded'),
  policy: text('FILE', 'a new policy: shows the steps that it would decide differently'),
  against: text(
    'FILE',
    'with `--policy`: the old policy; default: the first of PLIMSOLL_POLICIES, or the shipped one',
  ),
  catalogue: catalogueOption,
  topic: flag(
    'reads the event log instead of files. With `--policy`: compares with the versions that each session is pinned to. Without: compares what this release decides with the recorded decisions',
  ),
  since: duration('with `--topic`: how far back to read the log; default: all of it'),
  html: text('FILE', 'with `--policy`: also writes an HTML page'),
  json,
  limit: integer('N', 'plays at most N sessions', { min: 1, max: 100_000_000 }),
  fold: integer('N', 'plays only the sessions of fold N', { min: 0, max: 4 }),
  model: text(
    'BUNDLE',
    'the bundle: a file, or `default` or `paper60` for a shipped one; default: the one of the settings',
  ),
  without: words('PART', OBSERVER_PARTS, 'parts of a step that the client does not report'),
  monitor: noFlag('with `--via kafka`: starts no monitor; running monitors decide'),
}

type ReplayOptions = Values<typeof options>

/** Options that have no effect together are refused. Throws `usage_invalid`. */
function assertCompatible(values: ReplayOptions, files: readonly string[]): void {
  const refuse = (problem: string): never => {
    throw new PlimsollError('usage_invalid', problem)
  }
  const { policy, topic, against, catalogue, html, via, monitor, since, without, fold, model } = values
  const hasPolicy = policy !== undefined
  const needPolicy = { against, catalogue: catalogue.length > 0, html }
  const needNoPolicy = { 'via kafka': via === 'kafka', 'no-monitor': !monitor }
  const needNoTopic = {
    traces: files.length > 0,
    without: without.length > 0,
    fold,
    model,
    catalogue: catalogue.length > 0,
  }
  if (!hasPolicy) for (const name of given(needPolicy)) refuse(`${name} needs \`--policy\``)
  const needsNoMonitor = hasPolicy ? '--policy' : '--topic'
  if (hasPolicy || topic)
    for (const name of given(needNoPolicy)) refuse(`omit ${name}: \`${needsNoMonitor}\` does not use it`)
  if (topic) for (const name of given(needNoTopic)) refuse(`omit ${name}: \`--topic\` does not use it`)
  if (!topic && since !== undefined) refuse('`--since` needs `--topic`')
  if (!topic && files.length === 0) refuse('there are no recorded sessions: name files with `--traces`')
  if (!monitor && model !== undefined)
    refuse('omit `--no-monitor`: only the monitor that this command starts uses `--model`')
  if (!monitor && via !== 'kafka') refuse('`--no-monitor` needs `--via kafka`')
}

const given = (options: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(options).flatMap(([name, value]) =>
    value === undefined || value === false ? [] : [`\`--${name}\``],
  )

export const replay = defineCommand({
  name: 'replay',
  summary: 'plays recorded sessions through a monitor and counts the verdicts, or compares two policies',
  description:
    'Plays each recorded session through client, log, monitor and store. The client proposes every step and sees tasks, arguments and results as in production; tool descriptions come from a `tools.json` beside the recordings. A stopped step is counted, and the recorded agent continues. With `--policy` it judges each session under two policies. It shows which steps would get another verdict: by spec, by tool, with examples, and for safe and harmful sessions. With `--topic` and no `--policy` it decides the event log again, by the documents that sessions were pinned to. It shows which verdicts an upgrade changes, by the version of the engine that decided.',
  operands: [['[FILE...]', 'more recorded sessions']],
  options,
  environment: environmentOf(monitorSettings),
  examples: [
    ['--traces sessions.jsonl.gz --limit 100', 'a hundred sessions, in this process'],
    [
      '--traces sessions.jsonl.gz --fold 4 --via kafka --json',
      'fold 4 over Kafka and Redis, with a monitor of its own',
    ],
    [
      '--policy new.yaml --against old.yaml --traces sessions.jsonl.gz',
      'the steps that the new policy would decide differently',
    ],
    ['--topic --since 7d', 'the verdicts of the last week that this release would change'],
  ],
  async run(values, operands, context) {
    const { stdout, stderr, signal } = context
    const files = [...values.traces, ...operands]
    assertCompatible(values, files)
    const { policy, via, json, without, fold, limit, model } = values
    if (policy !== undefined) return whatIf({ ...values, policy, files }, context)
    if (values.topic) return upgrade(values, context)
    // Where sessions of earlier runs are kept, each run needs ids of its own.
    const run = via === 'embedded' ? 'replay' : `replay-${randomBytes(4).toString('hex')}`
    const plan = { files, fold, limit, via, model, without, run, hasMonitor: values.monitor }
    const figures = await runReplay(plan, context)
    stdout.write(json ? jsonLine({ run, via, ...figures }) : reportText(figures))
    if (signal.aborted) stderr.write('interrupted: some sessions were not played\n')
    return figures.withoutVerdict > 0 || signal.aborted ? 1 : 0
  },
})
