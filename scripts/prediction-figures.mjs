/**
 * Makes docs/reference/prediction-figures.md from recorded sessions: node scripts/prediction-figures.mjs [--sample N] [--parallel N] [NAME…]
 *
 * Measures the runs of scripts/figures/runs.mjs, two at a time, and writes the page after each. What is under .cache/prediction of this
 * very code, bundle and recordings is not measured again, except the runs that are named. `--sample N` takes one session in N of what each
 * run takes: a quick try of the whole page. The figures that the prose links to the page are written too.
 */
import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { barSection } from './figures/bars.mjs'
import { joined, namesOf } from './figures/markdown.mjs'
import { createResults } from './figures/results.mjs'
import { RUNS } from './figures/runs.mjs'
import { sectionOf } from './figures/sections.mjs'
import { prepare, root } from './prepare.mjs'

const PAGE = 'docs/reference/prediction-figures.md'

const { values, positionals: named } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'string', default: '1' }, parallel: { type: 'string', default: '2' } },
})
const [factor, parallel] = [Number(values.sample), Number(values.parallel)]
const unknown = named.find((name) => !RUNS.some((run) => run.name === name))
if (unknown !== undefined || !(factor >= 1) || !(parallel >= 1))
  end(`no run \`${unknown}\`: there are ${RUNS.map(({ name }) => name).join(', ')}`)

await prepare()
const { findTraces } = await import('../lab/fit/dist/index.js')
const { readDocument } = await import('../shared/policy/dist/index.js')
const { versionOf } = await import('../shared/contracts/dist/index.js')
const { writeLinkedFigures } = await import('../test/dist/reference/linked-figures.js')

const traces = findTraces(process.env, root)
if (traces === undefined) end('no recorded sessions at PLIMSOLL_TRACES or ../shared/traces')
const results = createResults(traces, factor)
const bundle = await readDocument('bundle')

for (const run of RUNS) if (named.includes(run.name)) results.forget(run)
const missing = RUNS.filter((run) => !results.has(run) && (named.length === 0 || named.includes(run.name)))
await measureAll(missing)
await writePage()

/** The longest first, `parallel` at a time; then those that need the machine for themselves. */
async function measureAll(runs) {
  const together = runs.filter(({ isAlone }) => !isAlone).sort((a, b) => b.weight - a.weight)
  const worker = async () => {
    for (let run = together.shift(); run; run = together.shift()) await measure(run)
  }
  await Promise.all(Array.from({ length: parallel }, worker))
  for (const run of runs.filter(({ isAlone }) => isAlone)) await measure(run)
}

async function measure(run) {
  process.stderr.write(`${run.name} …\n`)
  const file = results.fileOf(run)
  const args = ['scripts/figures/measure.mjs', run.name, String(factor), file]
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  const code = await new Promise((resolve) => child.once('close', resolve))
  const isChanged = results.fileOf(run) !== file
  if (code !== 0 || isChanged) {
    process.exitCode = 1
    rmSync(file, { force: true })
    const why = code === 0 ? 'code, bundle or recordings changed meanwhile' : `code ${code}`
    return void process.stderr.write(`${run.name} failed: ${why}\n`)
  }
  const { spent } = results.read(run)
  const minutes = (seconds) => (seconds / 60).toFixed(1)
  process.stderr.write(
    `${run.name}: ${minutes(spent.seconds)} min, ${minutes(spent.processorSeconds)} of a processor\n`,
  )
  await writePage()
}

async function writePage() {
  const has = RUNS.filter((run) => results.has(run))
  const notRun = RUNS.filter((run) => !results.has(run)).map(({ name }) => name)
  const days = namesOf(has.map((run) => results.at(run).toISOString().slice(0, 10)))
  const minutes = has.reduce((sum, run) => sum + results.read(run).spent.processorSeconds, 0) / 60
  const page = [
    '# Prediction: the figures',
    `Made by \`node scripts/prediction-figures.mjs\` on ${days.join(' and ')}, in ${minutes.toFixed(0)} minutes of a processor, with the bundle \`${bundle.name}\`, version \`${versionOf(bundle)}\`. What each figure means is explained in [prediction](../explanation/prediction.md).`,
    ...(factor > 1
      ? [
          `**A quick try**: one session in ${factor} of what the page is made of, and a detector of instructions fitted once, to made-up texts.`,
        ]
      : []),
    'AUC is of the violating call, over all and within groups; *early*: strictly before it; *matched*: at equal length; then detection at 5% and 1% false positives, read off the curve within groups. Where a source does not name the violating step, AUC is of whole sessions.',
    barSection(results),
    ...has.map((run) => sectionOf(run, results.read(run))),
    ...(notRun.length > 0 ? [`Not run yet: ${notRun.join(', ')}.`] : []),
  ]
  writeFileSync(path.join(root, PAGE), `${joined(page)}\n`)
  writeLinkedFigures()
}

function end(problem) {
  process.stderr.write(`prediction-figures.mjs: ${problem}\n`)
  process.exit(2)
}
