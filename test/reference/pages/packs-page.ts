import {
  NIST_SUBCATEGORIES,
  OWASP_AGENTIC,
  OWASP_ITEMS,
  type OwaspItem,
  type Pack,
} from '@plimsoll/contracts'
import { disclosuresOf, PACK_NAMES, shippedPack } from '@plimsoll/policy'

type Spec = Pack['specs'][number]

/** What of Plimsoll besides packs works against a risk, and what nothing works against. Held apart from the packs: no spec says it. */
const BESIDES: Readonly<Record<OwaspItem, string>> = {
  ASI01:
    'The integrity verdict blocks steps that text of others directs, or requests an approval. Plimsoll sees the steps of a model, not its plan.',
  ASI02: 'The line, the irreversible verdict and hazard prediction judge every step, whatever its tool.',
  ASI03:
    'Identity tokens bind a session to its agent and tenant. Plimsoll grants no permissions: give agents narrow credentials of their own.',
  ASI04:
    'An unlabelled tool needs an approval. Plimsoll does not inspect packages, models or MCP servers: scan and pin them.',
  ASI05:
    'The readers of commands and programs label what code does; code that they do not understand needs an approval. There is no sandbox.',
  ASI06:
    'What memory tools return counts as untrusted, and the integrity verdict judges the steps that it directs. Nothing cleans a memory or an index.',
  ASI07:
    'Child sessions inherit what their parents have read. Nothing authenticates or encrypts messages between agents that do not pass Plimsoll.',
  ASI08:
    'Fleet specs count over sessions, and an operator can stop a fleet. Nothing predicts how one agent’s failure reaches another.',
  ASI09:
    'Approval requests show recipients, amounts and paths, and are bound to the exact arguments. Nothing judges what an agent says to a human.',
  ASI10:
    'The stop switch, forward risk and alerts on steps without a verdict. An agent that does not pass Plimsoll is not seen.',
}

const packs: readonly Pack[] = PACK_NAMES.map((name) => {
  const pack = shippedPack(name)
  if (!pack) throw new Error(`there is no pack \`${name}\``)
  return pack
})

/** The text of docs/reference/packs.md. */
export function packsPage(): string {
  return [
    ...HEAD,
    ...packs.flatMap(section),
    ...OWASP_HEAD,
    ...OWASP_ITEMS.map(owaspRow),
    ...nist(),
    '',
  ].join('\n')
}

const HEAD = `# Policy packs

A pack is a list of specs for one kind of work, with the analysis behind them. Name packs in a policy to switch them on. \`baseline\` is on
in the shipped policy; the others are off. \`npm run reference\` makes this page from the packs, and a test fails if it is out of date.

\`\`\`yaml
packs: [baseline, payments]
\`\`\`

- **Change a spec**: write one with the same id in your policy. It replaces the pack's.
- **Switch a pack off**: leave it out of \`packs\`. \`packs: []\` switches off \`baseline\` too.
- **Look at a pack**: \`plimsoll policy packs\` lists all, \`plimsoll policy packs payments\` prints one.
- **Disclose arguments**: a spec reads only arguments that the client [discloses](client.md#texts). A guard in the agent's process discloses what
  its policy reads. Over Kafka or a gateway, name the arguments listed below. Without them a spec takes the step for dangerous.
- **What is tested**: each spec stops one step and lets a similar one run, in
  [cases](../../shared/policy/packs/cases). \`plimsoll policy test shared/policy/packs/cases\` runs them.
- **What is verified**: under the policy that ships with the pack, no run reaches a hazard marked *verified* unless a human approves a step of it.
  A test shows it for the tools that the hazard names and one tool of each kind. A hazard marked *cases only* cannot be stated as a sequence of steps.
- A spec by tool name misses tools with other names, and a spec by the text of a command misses other spellings. The line, the
  integrity verdict and the irreversible verdict judge those.
- A spec that accepts a human's answer accepts any call of \`ask_human\` or similar within 20 steps. Plimsoll does not read the question.
- \`plimsoll verify\` takes minutes for \`infrastructure\` or \`coding\` with the shipped catalogue, and for all packs at once; seconds with a small catalogue.
`.split('\n')

function section(pack: Pack): string[] {
  const { name, description, specs, analysis, mapping } = pack
  const disclosures = disclosuresOf({ specs } as Parameters<typeof disclosuresOf>[0])
  const rows = specs.map((spec) => {
    const { owasp = [], nist: subcategories = [] } = mapping[spec.id] ?? {}
    return `| \`${spec.id}\` | ${answerOf(spec)} | ${textOf(spec, 'message')} | ${textOf(spec, 'alternative')} | ${owasp.join(', ')} | ${subcategories.join(', ')} |`
  })
  const hazards = (analysis.hazards ?? []).map(
    ({ id, text, reached }) => `- \`${id}\`, ${reached ? 'verified' : '**cases only**'}: ${text}.`,
  )
  return [
    `## ${name}`,
    '',
    description.trim(),
    '',
    '| spec | answer | when | safer alternative | OWASP | NIST AI RMF |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    ...disclosed(disclosures),
    '',
    'Hazards:',
    '',
    ...hazards,
    '',
  ]
}

function disclosed(disclosures: ReturnType<typeof disclosuresOf>): string[] {
  if (disclosures.length === 0) return ['Disclose nothing.']
  const rows = disclosures.map(
    ({ tools, arguments: names }) =>
      `- ${quoted(names)} of ${tools.includes('*') ? 'every tool of the kind' : quoted(tools)}`,
  )
  return ['Disclose:', '', ...rows]
}

const quoted = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ')

function answerOf(spec: Spec): string {
  const verdict = 'verdict' in spec ? spec.verdict : undefined
  return verdict ?? (spec.tier === 'confirmation' ? 'confirm' : 'block')
}

const textOf = (spec: Spec, member: 'message' | 'alternative'): string =>
  String(Reflect.get(spec, member) ?? '–').replaceAll('|', '\\|')

const OWASP_HEAD = `## OWASP Top 10 for Agentic Applications 2026

A spec is listed where it works against a part of the risk. No row says that a risk is covered as a whole.

| risk | specs of packs | what else works against it, and what does not |
|---|---|---|`.split('\n')

function owaspRow(item: OwaspItem): string {
  const serving = specsWith(({ owasp }) => owasp.includes(item))
  return `| ${item} ${OWASP_AGENTIC[item]} | ${serving.length > 0 ? quoted(serving) : '**none**'} | ${BESIDES[item]} |`
}

/** Ids of the specs whose mapping is such. */
function specsWith(isWanted: (mapping: Pack['mapping'][string]) => boolean): string[] {
  return packs.flatMap(({ mapping }) =>
    Object.keys(mapping).filter((id) => isWanted(mapping[id] as Pack['mapping'][string])),
  )
}

/** The subcategories that specs name, in the order of the framework. */
function nist(): string[] {
  const named = new Set(packs.flatMap(({ mapping }) => Object.values(mapping).flatMap((each) => each.nist)))
  return [
    '',
    '## NIST AI Risk Management Framework 1.0',
    '',
    'Specs support a subcategory: they enforce or record part of it. The framework is about an organisation. Most of it (policies, roles,',
    'training, measurement plans) is outside of what a spec can do. Subcategories that are not listed have no spec.',
    '',
    '| subcategory | specs |',
    '|---|---|',
    ...NIST_SUBCATEGORIES.filter((each) => named.has(each)).map(
      (each) => `| ${each} | ${quoted(specsWith((mapping) => mapping.nist.includes(each)))} |`,
    ),
  ]
}
