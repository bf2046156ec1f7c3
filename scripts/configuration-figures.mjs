/**
 * Makes the tables of docs/reference/configuration-figures.md from recorded sessions: node scripts/configuration-figures.mjs
 *
 * No policy, the lines by labels alone, the lines, three ways of writing a policy, and the policy that ships, on the sessions that nothing
 * which ships was fitted to; the last also where the shipped catalogue is all there is of labels. About five minutes.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { count, share, table } from './figures/markdown.mjs'
import { prepare, root } from './prepare.mjs'

const PAGE = 'docs/reference/configuration-figures.md'
const CONFIGURATIONS = ['blocklist-heavy', 'allowlist-heavy', 'confirmation-heavy']
const SOURCES = ['agentdojo', 'odcv_bench', 'toolemu', 'openagentsafety', 'tau_bench', 'intercode', 'miniswe']
/** The tables are between these; the rest of the page is written by hand. */
const BEGIN = '<!-- made by scripts/configuration-figures.mjs -->'
const END = '<!-- end of the tables -->'

const UNPREDICTED = {
  hazard: ['allow', 'allow', 'allow'],
  forward: { verdicts: ['allow', 'allow', 'allow'], hysteresis: 0.05 },
}
const UNLINED = {
  line: { present: 'allow', absent: 'allow', unknown: 'allow' },
  integrity: { untrusted: 'allow', instructed: 'allow', irreversible: 'allow' },
  irreversible: 'allow',
}

await prepare()
const { tradeOffs } = await import('../lab/measure/dist/index.js')
const { findTraces, isHeldOutAbout, labelUnlisted, readCorpus } = await import('../lab/fit/dist/index.js')
const { OBSERVER_PARTS } = await import('../shared/labels/dist/index.js')
const { compileRules, defaultDocuments, disclosuresOf, readDocument } =
  await import('../shared/policy/dist/index.js')
const { versionOf } = await import('../shared/contracts/dist/index.js')
const { writeLinkedFigures } = await import('../test/dist/reference/linked-figures.js')

const folder = findTraces(process.env, root)
if (folder === undefined) {
  process.stderr.write('no recorded sessions at PLIMSOLL_TRACES or ../shared/traces\n')
  process.exit(1)
}
const files = SOURCES.map((source) => path.join(folder, `${source}.jsonl.gz`))
const { bundle, policy: shipped, ...rest } = await defaultDocuments()
const { recordings } = await readCorpus(files)
const { catalogue } = labelUnlisted(rest.catalogue, recordings)
const policies = await Promise.all(
  CONFIGURATIONS.map((name) =>
    readDocument('policy', path.join(root, 'examples/configurations', `${name}.yaml`)),
  ),
)

const side = (policy, more = {}) => ({ rules: compileRules({ bundle, catalogue, policy }), ...more })
const { packs: _packs, ...unpacked } = shipped
const bare = { ...unpacked, specs: [], ...UNPREDICTED }
const unlabelled = { ...shipped.unlabelled, verdict: 'allow' }
const withoutMustlist = (policy) => ({
  ...policy,
  specs: policy.specs.filter(({ tier }) => tier !== 'mustlist'),
})
const sides = {
  none: side({ ...bare, ...UNLINED, unlabelled }),
  'labels: the lines, clients report labels only': side(bare, { without: OBSERVER_PARTS }),
  'the lines': side(bare),
  ...Object.fromEntries(
    policies.flatMap((policy) => [
      [
        `${policy.name} and the lines, without its mustlist`,
        side({ ...withoutMustlist(policy), ...UNPREDICTED }),
      ],
      [`${policy.name} and the lines`, side({ ...policy, ...UNPREDICTED })],
      [`${policy.name}, the lines and prediction`, side(policy)],
    ]),
  ),
  'as shipped, unlisted tools labelled by plimsoll label first': side(shipped),
  'as shipped, the shipped catalogue alone': {
    rules: compileRules({ bundle, catalogue: rest.catalogue, policy: shipped }),
    catalogue: rest.catalogue,
  },
}

const figures = await tradeOffs({
  files,
  sides,
  catalogue,
  disclose: [shipped, ...policies].flatMap((policy) => disclosuresOf(policy)),
  takes: ({ about }) => isHeldOutAbout(about),
})

const text = readFileSync(path.join(root, PAGE), 'utf8')
const [before, after] = [text.split(BEGIN)[0], text.split(END)[1]]
if (before === undefined || after === undefined) throw new Error(`${PAGE}: the marks of the tables are gone`)
const made = `Made with the bundle \`${bundle.name}\`, version \`${versionOf(bundle)}\`.`
const tables = SOURCES.map((source) => `### ${source}\n\n${headingOf(source)}\n\n${tableOf(source)}`)
writeFileSync(path.join(root, PAGE), [before + BEGIN, made, ...tables, END + after].join('\n\n'))
writeLinkedFigures()

function headingOf(source) {
  const { useful, harmless, violated } = figures['none'][source]
  return `${count(useful.sessions)} useful, ${count(harmless.sessions)} harmless and ${count(violated.sessions)} violated sessions.`
}

function tableOf(source) {
  const rows = Object.entries(figures).map(([name, { [source]: of }]) => [
    name,
    share(of.useful.kept),
    share(of.useful.untouched),
    share(of.harmless.asked),
    of.harmless.sessions > 0 ? of.harmless.approvals.toFixed(2) : '–',
    share(of.violated.careful),
    share(of.violated.tired),
  ])
  return table([
    [
      'policy',
      'tasks completed',
      'useful sessions untouched',
      'harmless sessions asked or blocked',
      'questions a harmless session',
      'violations let through, careful human',
      'tired human',
    ],
    ...rows,
  ])
}
