/**
 * Makes docs/explanation/configurations.md and its plot from recorded sessions: node scripts/configuration-figures.mjs [--json]
 *
 * Three ways of writing a policy, each by its specs alone and with prediction, on those sessions that nothing which ships was fitted to.
 * The recordings: at PLIMSOLL_TRACES, else ../shared/traces. `--json` prints the figures and writes nothing.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { scatterPlots } from './configuration-plot.mjs'
import { prepare, root } from './prepare.mjs'

const PAGE = 'docs/explanation/configurations.md'
const PLOT = 'docs/explanation/configurations.svg'
const CONFIGURATIONS = ['blocklist-heavy', 'allowlist-heavy', 'confirmation-heavy']
const SOURCES = ['agentdojo', 'tau_bench', 'intercode', 'openagentsafety']
/** What stands between the two is written; the rest of the page is by hand. */
const BEGIN = '<!-- made by scripts/configuration-figures.mjs -->'
const END = '<!-- end of what is made -->'
/** Prediction and the line keep silent. */
const SILENT = {
  integrity: { untrusted: 'allow', instructed: 'allow', irreversible: 'allow' },
  irreversible: 'allow',
  line: { present: 'allow', absent: 'allow', unknown: 'allow' },
  hazard: ['allow', 'allow', 'allow'],
  forward: { verdicts: ['allow', 'allow', 'allow'], hysteresis: 0.05 },
}

await prepare()
const { findTraces, isHeldOut, tradeOffs } = await import('../services/trainer/dist/index.js')
const { compileRules, disclosuresOf, readDocument } = await import('../shared/policy/dist/index.js')

const folder = findTraces(process.env, root)
if (folder === undefined) {
  process.stderr.write('no recorded sessions at PLIMSOLL_TRACES or ../shared/traces\n')
  process.exit(1)
}

const [bundle, catalogue, shipped] = await Promise.all(
  ['bundle', 'catalogue', 'policy'].map((kind) => readDocument(kind)),
)
const policies = await Promise.all(
  CONFIGURATIONS.map((name) =>
    readDocument('policy', path.join(root, 'examples/configurations', `${name}.yaml`)),
  ),
)
const rulesOf = (policy) => compileRules({ bundle, catalogue, policy })
const alone = Object.fromEntries(
  policies.map((policy) => [`${policy.name}, specs alone`, rulesOf({ ...policy, ...SILENT })]),
)
const together = Object.fromEntries(
  policies.map((policy) => [`${policy.name}, with prediction`, rulesOf(policy)]),
)
const sides = { 'prediction alone': rulesOf(shipped), ...paired(alone, together) }

const figures = await measure('held out', sides, isHeldOut)
const all = await measure('all', alone, () => true)

function measure(what, sides, isTaken) {
  let last = 0
  return tradeOffs({
    files: SOURCES.map((source) => path.join(folder, `${source}.jsonl.gz`)),
    sides,
    catalogue,
    disclose: policies.flatMap((policy) => disclosuresOf(policy)),
    isTaken,
    onProgress: ({ bytesRead, bytesTotal }) => {
      const percent = Math.floor((100 * bytesRead) / bytesTotal)
      if (percent >= last + 10) process.stderr.write(`${what}: ${(last = percent)}%\n`)
    },
  })
}

/** Each of the one before its like among the other. */
function paired(one, other) {
  const others = Object.entries(other)
  return Object.fromEntries(Object.entries(one).flatMap((entry, n) => [entry, others[n]]))
}

if (process.argv.includes('--json')) {
  process.stdout.write(`${JSON.stringify({ heldOut: figures, all })}\n`)
} else {
  writePage()
}

function writePage() {
  const file = path.join(root, PAGE)
  const sections = [
    ...SOURCES.map((source) => `### ${source}, held out\n\n${table(figures, source)}`),
    ...SOURCES.map((source) => `### ${source}, all sessions, specs alone\n\n${table(all, source)}`),
  ]
  const text = readFileSync(file, 'utf8')
  const [before] = text.split(BEGIN)
  const after = text.split(END)[1]
  if (before === undefined || after === undefined)
    throw new Error(`${PAGE}: the marks of the tables are gone`)
  writeFileSync(file, `${before}${BEGIN}\n\n${sections.join('\n\n')}\n\n${END}${after}`)
  writeFileSync(path.join(root, PLOT), plot())
}

function table(figures, source) {
  const rows = Object.entries(figures).map(([name, { [source]: of }]) => [
    name,
    share(of.useful.kept),
    share(of.useful.untouched),
    of.useful.sessions > 0 ? of.useful.approvals.toFixed(2) : '–',
    of.harmless.approvals.toFixed(2),
    share(of.violated.careful),
    share(of.violated.tired),
  ])
  const { useful, harmless, violated } = Object.values(figures)[0][source]
  const head = [
    `${useful.sessions} useful, ${harmless.sessions} harmless, ${violated.sessions} violated`,
    'utility kept',
    'untouched',
    'questions a useful session',
    'a harmless one',
    'violations let through, careful human',
    'tired human',
  ]
  return [head, head.map((_, n) => (n === 0 ? '---' : '--:')), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')
}

function share({ of, rate, low, high }) {
  const percent = (value) => (100 * value).toFixed(1)
  return of === 0 ? '–' : `${percent(rate)}% [${percent(low)}, ${percent(high)}]`
}

/** Only of AgentDojo is known both what was useful and which step did harm. */
function plot() {
  const points = Object.entries(figures).map(
    ([
      name,
      {
        agentdojo: { useful, violated },
      },
    ]) => ({
      name: `${name}: ${(100 * useful.kept.rate).toFixed(1)}% kept, ${useful.approvals.toFixed(2)} questions`,
      x: useful.untouched,
      y: [violated.careful, violated.tired],
    }),
  )
  return scatterPlots(points, {
    x: 'useful sessions untouched',
    y: ['violations let through, careful human', '… tired human'],
  })
}
