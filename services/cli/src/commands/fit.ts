import { PlimsollError, STATE_SPACES } from '@plimsoll/contracts'
import { LIVE_KAPPA } from '@plimsoll/trainer'
import { assertWritable } from '../assert-writable.js'
import { catalogueOption } from '../catalogue-option.js'
import { defineCommand } from '../command.js'
import { environmentOf } from '../environment.js'
import { censusText } from '../fit/census-text.js'
import { parseBudget } from '../fit/budget.js'
import { fitFiles, type Fitted } from '../fit/fit-files.js'
import { fitLive, liveSettings } from '../fit/fit-live.js'
import { liveText } from '../fit/live-text.js'
import { fitLog, topicSettings } from '../fit/fit-topic.js'

export const fit = defineCommand({
  name: 'fit',
  summary:
    'fits a model bundle to recorded sessions or to the event log, or the chains of one to what monitors counted',
  description: [
    'Reads recorded sessions (JSON lines, gzipped where the name ends in .gz), labels their tools through a catalogue and writes a',
    'bundle that `monitor` can be given. Sessions of the test split and of fold 4 are left out.',
    'With `--topic` the sessions are those of the event log: what ran was completed, and what really happened `sessions label` has said. With',
    '`--from-live` the chains of the bundle that runs are estimated anew from what the monitors have counted in Redis; its space,',
    'target, scorers and thresholds stay.',
  ],
  operands: { name: 'FILE', help: 'more recorded sessions', min: 0, max: 1000 },
  options: {
    traces: { type: 'list', value: 'FILE', help: 'recorded sessions' },
    'from-live': { type: 'flag', help: 'from what monitors counted, in place of recorded sessions' },
    topic: {
      type: 'flag',
      help: 'from the event log of the deployment that the environment names, in place of recorded sessions',
    },
    since: { type: 'duration', help: 'with `--topic`: how far back the log is read; all of it if left out' },
    'only-labelled': {
      type: 'flag',
      help: 'with `--topic`: leaves out sessions of which nobody has said what really happened; else they count as safe ones that nobody has looked at',
    },
    out: { type: 'text', value: 'BUNDLE', help: 'where the bundle is written', required: true },
    target: {
      type: 'choice',
      choices: ['observed', 'modelled'],
      help: 'what counts as violated: the recorded truth, or the cascade',
      default: 'observed',
    },
    space: { type: 'choice', choices: STATE_SPACES, help: 'the states of the chain', default: 'paper60' },
    budget: {
      type: 'text',
      value: 'SHARE',
      help: 'share of the safe sessions of a category in which a step may ask a human for its hazard; 0.05 if left out. Warnings, blocks and bands stand in proportion',
    },
    catalogue: catalogueOption,
    model: {
      type: 'text',
      value: 'BUNDLE',
      help: 'with `--from-live`: the bundle that the sessions are pinned to, or `default` for the one that ships; the first of PLIMSOLL_BUNDLES if left out',
    },
    months: {
      type: 'integer',
      value: 'N',
      help: 'with `--from-live`: how many months back, this one included',
      min: 1,
      max: 4,
      default: 2,
    },
    kappa: {
      type: 'integer',
      value: 'STEPS',
      help: 'with `--from-live`: how much of each row of the present bundle counts beside the live steps',
      min: 1,
      max: 1_000_000,
      default: LIVE_KAPPA,
    },
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
    const { traces, out, target, space, catalogue, model, months, kappa } = values
    const budget = parseBudget(values.budget)
    const files = [...traces, ...operands]
    const isLive = values['from-live']
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
      const refitted = await fitLive({ out, model, months, kappa }, { env })
      stdout.write(`${out}: bundle \`${refitted.bundle.name}\`, version ${refitted.version}\n`)
      stdout.write(liveText(refitted))
      return 0
    }
    const order = { out, target, space, budget, catalogues: catalogue }
    const log = { ...order, onlyTold: values['only-labelled'], since: values.since }
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

interface Given {
  readonly topic: boolean
  readonly 'from-live': boolean
  readonly since: number | undefined
  readonly 'only-labelled': boolean
  readonly model: string | undefined
}

/** What goes with one source of sessions alone is refused beside another: it would be passed over. */
function assertOfUse({
  topic,
  'from-live': isLive,
  since,
  'only-labelled': onlyLabelled,
  model,
}: Given): void {
  for (const [option, isGiven, source, isThere] of [
    ['--since', since !== undefined, '--topic', topic],
    ['--only-labelled', onlyLabelled, '--topic', topic],
    ['--model', model !== undefined, '--from-live', isLive],
  ] as const)
    if (isGiven && !isThere) throw new PlimsollError('usage_invalid', `\`${option}\` goes with \`${source}\``)
}
