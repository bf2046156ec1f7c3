/**
 * Measures one run of runs.mjs: node scripts/figures/measure.mjs NAME SAMPLE OUT.json
 *
 * SAMPLE is a factor on the run's own sample. The recordings are at PLIMSOLL_TRACES, else at ../shared/traces; all is built already.
 */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../prepare.mjs'
import { RUNS } from './runs.mjs'

const built = (name) => import(path.join(root, name, 'dist/index.js'))
const { evaluateFiles } = await built('lab/measure')
const { compileRules, defaultDocuments } = await built('shared/policy')
const { createPlayer, evaluationObserver, findTraces, labelUnlisted, readCorpus, rememberedViews, viewsOf } =
  await built('lab/fit')
const labels = await built('shared/labels')

/** Recorded sessions declare their category: nothing is looked for. */
const PARTS = labels.OBSERVER_PARTS.filter((part) => part !== 'category')

const [name, factorText, out] = process.argv.slice(2)
const factor = Number(factorText)
const run = RUNS.find((each) => each.name === name)
const sample = (run.sample ?? 1) * factor
const folder = findTraces(process.env, root)
const files = run.files.map((file) => path.join(folder, `${file}.jsonl.gz`))
const documents = await defaultDocuments()

const evaluated = (more = {}) =>
  evaluateFiles({
    files,
    documents,
    sample,
    isModel: false,
    group: 'suite',
    targets: ['observed'],
    // A quick try: most of the time of small samples goes into fitting a detector in each fold.
    ...(factor > 1 && { detector: 'made-up' }),
    ...run.options,
    ...more,
  })

const KINDS = {
  eval: () => evaluated(),
  // Of the recordings, and of the scenarios of the simulated fleet.
  chains: async () => {
    const { playScenarios, scenarioChains } = await import(
      path.join(root, 'services/cli/dist/commands/models/scenario-chains.js')
    )
    const result = await evaluated()
    return { ...result, chains: [...result.chains, ...scenarioChains(await playScenarios(documents))] }
  },
  without: async () => {
    const rows = []
    for (const parts of [[], ...PARTS.map((part) => [part]), PARTS])
      rows.push({ parts, result: await evaluated({ without: parts }) })
    return { rows }
  },
  learning: async () => {
    const rows = []
    for (const each of run.samples) rows.push(await evaluated({ sample: each * factor }))
    return { rows }
  },
  cost,
}

/** Microseconds a step of client and engine, each alone, over sessions that were played once before to warm up. */
async function cost() {
  const { recordings } = await readCorpus(files, undefined, sample)
  const { catalogue } = labelUnlisted(documents.catalogue, recordings)
  const rules = compileRules({ ...documents, catalogue })
  const measured = (views) => {
    const times = []
    const player = createPlayer(rules, views)
    for (const { blind } of recordings) player(blind, { stepped: ({ us }) => void times.push(us) })
    times.sort((a, b) => a - b)
    const at = (share) => times[Math.floor(share * (times.length - 1))]
    return {
      steps: times.length,
      mean: times.reduce((sum, us) => sum + us, 0) / times.length,
      p50: at(0.5),
      p90: at(0.9),
      p99: at(0.99),
    }
  }
  const viewsOver = (without) => viewsOf(evaluationObserver(catalogue, { without }))
  const remembered = rememberedViews(viewsOver([]))
  measured(remembered)
  // Each twice: the first time warms up.
  const rows = [
    ['engine', remembered],
    ['client and engine', viewsOver([])],
  ]
  for (const part of PARTS) rows.push([`client without ${part}, and engine`, viewsOver([part])])
  return { rows: rows.map(([of, views]) => (measured(views), { of, ...measured(views) })) }
}

const began = performance.now()
const before = process.cpuUsage()
const result = await KINDS[run.kind]()
const { user, system } = process.cpuUsage(before)
const spent = { seconds: (performance.now() - began) / 1000, processorSeconds: (user + system) / 1e6 }
writeFileSync(out, JSON.stringify({ name, sample, spent, result }))
