/**
 * `node scripts/fit-shipped.mjs bundles|instructions|conduct|categories|orders`: fits what ships to the recorded sessions at PLIMSOLL_TRACES, else at
 * ../shared/traces, and writes it. After a change of catalogue, detectors, features or fitting; then `npm run reference`, whose
 * samples are judged by the bundles.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { prepare, root } from './prepare.mjs'

await prepare()
const lab = await import('../lab/fit/dist/index.js')
const { readDocument, SHIPPED_BUNDLES } = await import('../shared/policy/dist/index.js')

const folder = lab.findTraces(process.env, root)
const modelFile = (name) => path.join(root, 'shared/labels/models', `${name}.json`)
const recordings = (...names) => names.map((name) => path.join(folder, `${name}.jsonl.gz`))

function write(file, text, note) {
  writeFileSync(file, text)
  process.stdout.write(`${file}: ${Buffer.byteLength(text)} bytes, ${note}\n`)
}

const fits = {
  bundles: async () => {
    const catalogue = await readDocument('catalogue')
    for (const [name, file] of Object.entries(SHIPPED_BUNDLES)) {
      const bundle = await lab.fitShippedBundle(name, lab.shippedRecordings(folder), catalogue)
      write(file, lab.bundleText(bundle), `${bundle.aggregate.traces} sessions`)
    }
  },
  // The ordinary results of these sources are known to hold no instruction.
  instructions: async () => {
    const files = recordings('agentdojo', 'intercode', 'tau_bench', 'stepshield', 'miniswe')
    const model = await lab.fitShippedInstructions(files)
    write(modelFile('instructions'), `${JSON.stringify(model)}\n`, `threshold ${model.threshold}`)
  },
  // Before the bundles: their scorer of conduct is fitted to the scores of texts.
  conduct: async () => {
    const model = await lab.fitShippedConductText(lab.shippedRecordings(folder))
    write(modelFile('conduct'), `${JSON.stringify(model)}\n`, `bias ${model.bias}`)
  },
  categories: async () => {
    const files = recordings('agentdojo', 'openagentsafety', 'tau_bench', 'intercode')
    const model = await lab.fitShippedCategories(files)
    write(modelFile('categories'), `${JSON.stringify(model)}\n`, `${model.kinds.length} kinds of work`)
  },
  // From lines of our own, without recordings.
  orders: () => {
    const samples = lab.parseOrderSamples(readFileSync(path.join(root, 'lab/fit/data/orders.tsv'), 'utf8'))
    write(modelFile('orders'), `${JSON.stringify(lab.fitOrderModel(samples))}\n`, `${samples.length} tasks`)
  },
}

const fit = fits[process.argv[2]]
if (fit === undefined || folder === undefined) {
  const problem = fit ? 'no recorded sessions at PLIMSOLL_TRACES or ../shared/traces' : 'name one'
  process.stderr.write(`fit-shipped.mjs: ${problem}: ${Object.keys(fits).join(', ')}\n`)
  process.exit(2)
}
await fit()
