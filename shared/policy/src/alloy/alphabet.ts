import {
  type Catalogue,
  type CatalogueEntry,
  type Policy,
  CAPABILITIES,
  CONFIDENTIALITY_LABELS,
  REVERSIBILITIES,
  TRUSTS,
  matchesTool,
} from '@plimsoll/contracts'
import { createEntryFinder } from '@plimsoll/labels'
import { completeEntry, standInOf } from '../compile/tools.js'
import { BEGINNINGS } from '../verify/model/tool-names.js'

/** A tool with the labels that its steps can have. Each list has one entry if arguments make no difference. */
export interface AlphabetTool {
  readonly name: string
  /** Whether the catalogue labels it. If not, its labels are the policy's defaults for unlabelled tools. */
  readonly labelled: boolean
  readonly capability: readonly string[]
  /** `none` for a result of no note. */
  readonly confidentiality: readonly string[]
  readonly trust: readonly string[]
  readonly reversibility: readonly string[]
  readonly tags: { readonly always: readonly string[]; readonly perhaps: readonly string[] }
}

/**
 * The tools of the module's sessions: every tool that the catalogue names; for each pattern in the catalogue or policy, an example tool if no
 * other tool matches it, and unlabelled tools that match it; and some tools that nothing names.
 *
 * @param reported whether the arguments of a step are reported, so that they can lower its labels from the worst case
 */
export function alphabetOf(policy: Policy, catalogue: Catalogue, reported: boolean): readonly AlphabetTool[] {
  const entryOf = createEntryFinder(catalogue)
  const patterns = [...catalogue.tools.flatMap(({ tools }) => tools), ...patternsOf(policy)]
  const names = patterns.filter((pattern) => !pattern.includes('*'))
  for (const pattern of new Set(patterns))
    if (pattern.includes('*')) {
      if (!names.some((name) => matchesTool(pattern, name))) names.push(pattern.replaceAll('*', 'any'))
      const others = BEGINNINGS.map((begin) => pattern.replaceAll('*', `${begin}any`))
      names.push(...others.filter((name) => !entryOf(name)))
    }
  return [...new Set([...names, ...OTHERS])].map((name) => {
    const entry = completeEntry(entryOf(name), policy.unlabelled.labels)
    const { least: _, ...worst } = entry ?? { tools: [], ...standInOf(policy.unlabelled, name) }
    return toolOf(name, entry !== undefined, reported && entry ? entry : worst)
  })
}

/** Tools that nothing names: an unknown tool, and tools whose names say what they do. */
const OTHERS = ['some_other_tool', 'get_other_items', 'modify_other_item', 'email_other_items']

type Labelled = Pick<CatalogueEntry, 'labels' | 'least' | 'when'>

function toolOf(
  name: string,
  labelled: boolean,
  { labels, least = labels, when = [] }: Labelled,
): AlphabetTool {
  const none = 'none'
  const tags = [labels, least, ...when.map((rule) => rule.labels)].flatMap((each) => each.tags ?? [])
  return {
    name,
    labelled,
    capability: between(CAPABILITIES, least.capability, labels.capability),
    confidentiality: between(
      CONFIDENTIALITY_LABELS,
      least.confidentiality ?? none,
      labels.confidentiality ?? none,
    ),
    trust: between(TRUSTS, least.trust ?? 'trusted', labels.trust ?? 'trusted'),
    reversibility: between(REVERSIBILITIES, least.reversibility, labels.reversibility),
    tags: {
      always: least.tags ?? [],
      perhaps: [...new Set(tags)].filter((tag) => !least.tags?.includes(tag)),
    },
  }
}

/** The levels from the least to the worst; only the least if the worst is below it. */
function between(words: readonly string[], least: string, worst: string): readonly string[] {
  return words.slice(words.indexOf(least), Math.max(words.indexOf(least), words.indexOf(worst)) + 1)
}

/** Every tool name and pattern in a policy, at any depth. */
function patternsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(patternsOf)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'tools' ? (member as readonly string[]) : patternsOf(member),
  )
}
