import { createNames } from './module-parts.js'
import type { AlphabetTool } from './alphabet.js'

/** The atoms of a module with their identifiers: requested while the policy is written, declared at the end. */
export interface Vocabulary {
  /** A unique identifier. */
  readonly name: (wanted: string) => string
  readonly tools: readonly (AlphabetTool & { readonly id: string })[]
  readonly word: (word: string) => string
  readonly tag: (tag: string) => string
  readonly where: (expression: string) => string
  readonly tags: () => ReadonlyMap<string, string>
  readonly wheres: () => ReadonlyMap<string, string>
}

export const CONFIDENTIALITY_ATOMS = {
  public: 'Public',
  internal: 'Internal',
  sensitive: 'Sensitive',
  credentials: 'Credentials',
}
export const TRUST_ATOMS = { trusted: 'Trusted', untrusted: 'Untrusted' }
export const CAPABILITY_ATOMS = { read: 'Read', write: 'Write', execute: 'Execute', network: 'Network' }
export const REVERSIBILITY_ATOMS = {
  reversible: 'Reversible',
  partial: 'Partial',
  irreversible: 'Irreversible',
}
const SIGNATURES =
  'Step Tool Label Confidentiality Trust Tag Capability Reversibility Where Recipient Inside Outside Evidence Present Absent Unknown letRun unasked enforced enforcedUnasked owedAtEnd movesAtMost Well over back silenced tool capability confidentiality trust reversibility tags recipient mayHold holds evidence tag_of_none'.split(
    ' ',
  )

const WORDS: Readonly<Record<string, string>> = {
  ...CONFIDENTIALITY_ATOMS,
  ...TRUST_ATOMS,
  ...CAPABILITY_ATOMS,
  ...REVERSIBILITY_ATOMS,
}

export function createVocabulary(tools: readonly AlphabetTool[]): Vocabulary {
  const name = createNames()
  for (const taken of [...SIGNATURES, ...Object.values(WORDS)]) name(taken)
  const [tags, wheres] = [new Map<string, string>(), new Map<string, string>()]
  const known = (map: Map<string, string>, key: string, wanted: string): string => {
    const id = map.get(key) ?? name(wanted)
    map.set(key, id)
    return id
  }
  return {
    name,
    tools: tools.map((tool) => ({ ...tool, id: name(tool.name) })),
    word: (word) => WORDS[word] ?? word,
    tag: (tag) => known(tags, tag, `tag_${tag}`),
    where: (expression) => known(wheres, expression, 'where_1'),
    tags: () => tags,
    wheres: () => wheres,
  }
}
