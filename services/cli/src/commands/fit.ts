import { PlimsollError, STATE_SPACES } from '@plimsoll/contracts'
import { LIVE_KAPPA } from '@plimsoll/trainer'
import { defineCommand } from '../command.js'
import { environmentOf } from '../environment.js'
import { fitFiles } from '../fit/fit-files.js'
import { fitLive, liveSettings } from '../fit/fit-live.js'
import { liveText } from '../fit/live-text.js'
import { assertWritable } from '../fit/write-out.js'

export const fit = defineCommand({
  name: 'fit',
  summary: 'fits a model bundle to recorded sessions, or the chains of one to what monitors counted',
  description: [
    'Reads recorded sessions (JSON lines, gzipped where the name ends in .gz), labels their tools through a catalogue and writes a',
    'bundle that `monitor` can be given. Sessions of the test split and of fold 4 are left out.',
    'With `--from-live` the chains of the bundle that runs are estimated anew from what the monitors have counted in Redis; its space,',
    'target, scorers and thresholds stay.',
  ],
  operands: { name: 'FILE', help: 'more recorded sessions', min: 0, max: 1000 },
  options: {
    traces: { type: 'list', value: 'FILE', help: 'recorded sessions' },
    'from-live': { type: 'flag', help: 'from what monitors counted, in place of recorded sessions' },
    out: { type: 'text', value: 'BUNDLE', help: 'where the bundle is written', required: true },
    target: {
      type: 'choice',
      choices: ['observed', 'modelled'],
      help: 'what counts as violated: the recorded truth, or the cascade',
      default: 'observed',
    },
    space: { type: 'choice', choices: STATE_SPACES, help: 'the states of the chain', default: 'paper60' },
    catalogue: { type: 'text', value: 'FILE', help: 'the tool catalogue; that of Plimsoll if left out' },
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
  environment: environmentOf(liveSettings),
  examples: [
    ['--traces sessions.jsonl.gz --out bundle.json', 'fits to the recorded truth, over the 60 safety states'],
    [
      '--traces a.jsonl b.jsonl --out b.json --target modelled --space paper5',
      'fits to the cascade, over the 5 risk levels',
    ],
    ['--from-live --out live.json', 'how the fleet goes now, for `publish` and `activate`'],
  ],
  async run(values, operands, { env, stdout, stderr, signal }) {
    const { traces, out, target, space, catalogue, model, months, kappa } = values
    const files = [...traces, ...operands]
    const isLive = values['from-live']
    if (isLive && files.length > 0)
      throw new PlimsollError('usage_invalid', '`--from-live` takes no recorded sessions')
    await assertWritable(out)
    if (isLive) {
      const refitted = await fitLive({ out, model, months, kappa }, { env })
      stdout.write(`${out}: bundle \`${refitted.bundle.name}\`, version ${refitted.version}\n`)
      stdout.write(liveText(refitted))
      return 0
    }
    const fitted = await fitFiles({ files, out, target, space, catalogue }, { stderr, signal })
    if (!fitted) {
      stderr.write('stopped before the end: no bundle was written\n')
      return 1
    }
    const { bundle, version } = fitted
    const { traces: used, transitions, violations } = bundle.aggregate
    stdout.write(`${out}: bundle \`${bundle.name}\`, version ${version}\n`)
    stdout.write(`${used} sessions, ${transitions} steps, ${violations} violations; `)
    stdout.write(`chains: aggregate, ${Object.keys(bundle.categories).join(', ')}\n`)
    return 0
  },
})
