/**
 * `node scripts/evaluate-instructions.mjs [--families] [--goals]`: how much of the instruction-like text of recorded sessions is found
 * in templates that the fit does not know, as a table in Markdown. `--families` holds out whole families of templates; `--goals`
 * moreover the attackers' goals and the users' tasks of one fold after the other.
 */
import path from 'node:path'
import { prepare, root } from './prepare.mjs'

const flags = new Set(process.argv.slice(2))
await prepare(['services/trainer'])
const trainer = await import('../services/trainer/dist/index.js')
const {
  evaluateHeldOut,
  findTraces,
  GENERATED,
  generateSamples,
  INSTRUCTION_SEED,
  recordedResults,
  sampled,
} = trainer

const folder = findTraces(process.env, root)
if (folder === undefined) {
  process.stderr.write('no recorded sessions at PLIMSOLL_TRACES or ../shared/traces\n')
  process.exit(1)
}
const file = (name) => path.join(folder, `${name}.jsonl.gz`)
const results = await recordedResults([file('agentdojo')])
const others = sampled(
  await recordedResults([file('intercode'), file('tau_bench')]),
  ({ heldOut }) => !heldOut,
)
const made = [...generateSamples(GENERATED, INSTRUCTION_SEED)]
const holdOuts = flags.has('--families')
  ? trainer.holdOutFamilies(results)
  : trainer.holdOutTemplates(results)

const share = ({ flagged, of }) => (of === 0 ? '–' : `${((100 * flagged) / of).toFixed(2)}% of ${of}`)
const print = ({ held, first, free, later, values, threshold }) =>
  process.stdout.write(
    `| ${[held, share(first), share(free), share(later), share(values), threshold].join(' | ')} |\n`,
  )
const sum = (name, all) => {
  const total = (key) => ({
    flagged: all.reduce((n, figures) => n + figures[key].flagged, 0),
    of: all.reduce((n, figures) => n + figures[key].of, 0),
  })
  return {
    held: name,
    first: total('first'),
    free: total('free'),
    later: total('later'),
    values: total('values'),
    threshold: '',
  }
}

process.stdout.write(
  '| held out | found | other results flagged | later results flagged | values inside | threshold |\n|---|---|---|---|---|---|\n',
)
for (const holdOut of holdOuts) {
  if (!flags.has('--goals')) {
    print(evaluateHeldOut(results, holdOut, made, others))
    continue
  }
  const folds = [0, 1, 2, 3, 4].map((fold) =>
    evaluateHeldOut(results, { ...holdOut, learns: (result) => result.fold !== fold }, made, others),
  )
  print(sum(holdOut.name, folds))
}
