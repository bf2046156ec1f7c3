import { access, constants } from 'node:fs/promises'
import path from 'node:path'
import { PlimsollError, STATE_SPACES } from '@plimsoll/contracts'
import { readDocument } from '@plimsoll/policy'
import { fitFromFiles } from '@plimsoll/trainer'
import { defineCommand } from '../command.js'
import { createProgress } from '../progress.js'
import { followFit } from './follow-fit.js'

export const fit = defineCommand({
  name: 'fit',
  summary: 'fits a model bundle to recorded sessions',
  description: [
    'Reads recorded sessions (JSON lines, gzipped where the name ends in .gz), labels their tools through a catalogue and writes a',
    'bundle that `monitor` can be given. Sessions of the test split and of fold 4 are left out.',
  ],
  operands: { name: 'FILE', help: 'more recorded sessions', min: 0, max: 1000 },
  options: {
    traces: { type: 'list', value: 'FILE', help: 'recorded sessions' },
    out: { type: 'text', value: 'BUNDLE', help: 'where the bundle is written', required: true },
    target: {
      type: 'choice',
      choices: ['observed', 'modelled'],
      help: 'what counts as violated: the recorded truth, or the cascade',
      default: 'observed',
    },
    space: { type: 'choice', choices: STATE_SPACES, help: 'the states of the chain', default: 'paper60' },
    catalogue: { type: 'text', value: 'FILE', help: 'the tool catalogue; that of Plimsoll if left out' },
  },
  examples: [
    ['--traces sessions.jsonl.gz --out bundle.json', 'fits to the recorded truth, over the 60 safety states'],
    [
      '--traces a.jsonl b.jsonl --out b.json --target modelled --space paper5',
      'fits to the cascade, over the 5 risk levels',
    ],
  ],
  async run({ traces, out, target, space, catalogue: file }, operands, { stdout, stderr, signal }) {
    const files = [...traces, ...operands]
    if (files.length === 0) throw new PlimsollError('usage_invalid', '`--traces` is missing')
    await assertWritable(out)
    const catalogue = await readDocument('catalogue', file)
    const progress = createProgress(stderr, 'fit')
    const hooks = followFit(progress, space === 'flow')
    const settings = { files, catalogue, out, target, space, signal, ...hooks } as const
    const fitted = await fitFromFiles(settings).catch((error: unknown) => {
      progress.end()
      if (signal.aborted) return undefined
      throw error
    })
    if (!fitted) {
      stderr.write('stopped before the end: no bundle was written\n')
      return 1
    }
    progress.end()
    const { bundle, version } = fitted
    const { traces: used, transitions, violations } = bundle.aggregate
    stdout.write(`${out}: bundle \`${bundle.name}\`, version ${version}\n`)
    stdout.write(`${used} sessions, ${transitions} steps, ${violations} violations; `)
    stdout.write(`chains: aggregate, ${Object.keys(bundle.categories).join(', ')}\n`)
    return 0
  },
})

/** Fitting takes a while: told before, not after. */
async function assertWritable(file: string): Promise<void> {
  await access(path.dirname(path.resolve(file)), constants.W_OK).catch((cause: unknown) => {
    throw new PlimsollError('usage_invalid', `\`${file}\` cannot be written`, { cause })
  })
}
