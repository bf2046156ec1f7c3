/**
 * What the shipped policy stops and what it asks honest sessions, of harm that was never seen: node scripts/stopping-figures.mjs KIND [FOLD…]
 *
 * KIND is a kind of folds of `plimsoll eval`: `attack`, `harm`, `suite`, … In each fold bundle and detector of instructions are fitted to what the
 * fold lets them see (minutes, a processor each); then every session of AgentDojo that it keeps back is played blindly under the policy and the catalogue
 * that ship. Violating steps count as stopped if they need approval or are blocked, safe sessions as asked if any of their steps does. With
 * numbers of folds those alone; what is measured is kept under .cache/stopping, and the tables show what there is.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { prepare, root } from './prepare.mjs'

await prepare()
const built = (name) => import(path.join(root, name))
const { compileRules, defaultDocuments } = await built('shared/policy/dist/index.js')
const {
  evaluationObserver,
  fitFlowBundle,
  play,
  playedSessions,
  readCorpus,
  shippedRecordings,
  unscoredStage,
} = await built('services/trainer/dist/index.js')
const { FOLD_KINDS, foldDetector, foldsIn, testedIn, trainingIn } = await built(
  'services/evaluation/dist/index.js',
)

const [kind = 'attack', ...numbers] = process.argv.slice(2)
if (!FOLD_KINDS.includes(kind)) {
  process.stderr.write(`no folds \`${kind}\`: there are ${FOLD_KINDS.join(', ')}\n`)
  process.exit(1)
}
const cache = path.join(root, '.cache/stopping')
mkdirSync(cache, { recursive: true })
const fileOf = (n) => path.join(cache, `${kind}-${n}.json`)

/** The sources that block a step or need its approval. */
const restrictingIn = ({ reasons }) =>
  reasons
    .filter(
      ({ verdict, liftedBy }) => liftedBy === undefined && (verdict === 'confirm' || verdict === 'block'),
    )
    .map(({ source }) => source)

const traces = path.resolve(root, process.env.PLIMSOLL_TRACES || '../shared/traces')
const documents = await defaultDocuments()
const corpus = await readCorpus(shippedRecordings(traces))
const folds = foldsIn(kind, corpus, documents.catalogue)
const asked =
  numbers.length > 0 ? numbers.map(Number) : folds.map((_, n) => n).filter((n) => !existsSync(fileOf(n)))
for (const n of asked) writeFileSync(fileOf(n), JSON.stringify(await measured(folds[n])))

/** What becomes of each session that the fold keeps back. */
async function measured(fold) {
  process.stderr.write(`${kind}: ${fold.name}\n`)
  const training = trainingIn(corpus, fold)
  const detector = foldDetector(corpus, training)
  const sight = { instructions: detector }
  const recordings = training.map((n) => corpus.recordings[n])
  const bundle = await fitFlowBundle({
    sessions: playedSessions(recordings, unscoredStage(documents, sight)),
    name: 'fold',
    madeWith: { catalogue: 'fold', instructions: 'fold' },
    heldOut: () => false,
  })
  const stage = {
    rules: compileRules({ ...documents, bundle }),
    observer: evaluationObserver(documents.catalogue, sight),
  }
  const sessions = []
  for (const n of testedIn(corpus, fold)) {
    const { blind, truth, about } = corpus.recordings[n]
    if (about.source !== 'agentdojo' || (truth.unsafe && truth.violatedAt === undefined)) continue
    const by = []
    play(blind, stage, { stepped: ({ decision }) => void by.push(restrictingIn(decision)) })
    const sources = truth.unsafe ? (by[truth.violatedAt] ?? []) : [...new Set(by.flat())]
    sessions.push({ suite: about.suite, unsafe: truth.unsafe, sources })
  }
  return { name: fold.name, sessions }
}

const share = (part, whole) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)}% of ${whole}`)
const rowOf = (name, sessions) => {
  const [unsafe, safe] = [sessions.filter((each) => each.unsafe), sessions.filter((each) => !each.unsafe)]
  const hit = (list) => list.filter(({ sources }) => sources.length > 0).length
  return [name, share(hit(unsafe), unsafe.length), share(hit(safe), safe.length)]
}
const table = ([head, ...rows]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')

const results = folds.flatMap((_, n) =>
  existsSync(fileOf(n)) ? [JSON.parse(readFileSync(fileOf(n), 'utf8'))] : [],
)
const all = results.flatMap(({ sessions }) => sessions)
const byName = (a, b) => (a < b ? -1 : 1)
const suites = [...new Set(all.map(({ suite }) => suite))].sort(byName)
const sources = [...new Set(all.flatMap((each) => each.sources))].sort(byName)
const bySource = (list, source) => list.filter((each) => each.sources.includes(source))
const alone = (list, source) =>
  bySource(list, source).filter((each) => each.sources.every((one) => one === source))
const [unsafe, safe] = [all.filter((each) => each.unsafe), all.filter((each) => !each.unsafe)]
process.stdout.write(
  `${table([
    [`folds by ${kind}`, 'violating steps stopped', 'safe sessions asked or blocked'],
    ...results.map(({ name, sessions }) => rowOf(name, sessions)),
    ...suites.map((suite) =>
      rowOf(
        suite,
        all.filter((each) => each.suite === suite),
      ),
    ),
    rowOf('**all**', all),
  ])}\n\n${table([
    ['by', 'violating steps', 'and by nothing else', 'safe sessions', 'and by nothing else'],
    ...sources.map((source) => [
      `\`${source}\``,
      ...[unsafe, safe].flatMap((list) => [
        share(bySource(list, source).length, list.length),
        share(alone(list, source).length, list.length),
      ]),
    ]),
  ])}\n`,
)
