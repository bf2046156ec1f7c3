import { fact, union, comment } from './module-parts.js'
import {
  type Vocabulary,
  CAPABILITY_ATOMS,
  CONFIDENTIALITY_ATOMS,
  REVERSIBILITY_ATOMS,
  TRUST_ATOMS,
} from './vocabulary.js'

type Tool = Vocabulary['tools'][number]

/** Labels and tools as signatures. */
export function toolParagraphs(words: Vocabulary): string[] {
  const tools = words.tools.map(({ id, name, labelled }) => {
    const why = [
      ...(id === name ? [] : [name]),
      ...(labelled ? [] : ['nothing labels it, so it is what the policy takes it for']),
    ]
    return `one sig ${id} extends Tool {}${why.length === 0 ? '' : ` ${comment(why.join(': '))}`}`
  })
  return [labelParagraph(words), ['abstract sig Tool {}', ...tools].join('\n')]
}

/** The labels that the steps of each tool have: a choice of one if they depend on the arguments. */
export const labelledSteps = (words: Vocabulary): string =>
  `-- the labels of the catalogue; from the least to the worst if they depend on the step's arguments\n${fact(
    [
      'all s: Step | no s.tool implies no s.capability and no s.confidentiality and no s.trust and no s.reversibility and no s.tags',
      'all s: Step | some s.tool implies one s.capability and one s.trust and one s.reversibility',
      ...words.tools.flatMap((tool) => [
        `all s: tool.${tool.id} {`,
        ...labelClauses(tool, words).map((clause) => `  ${clause}`),
        '}',
      ]),
    ],
  )}`

function labelClauses(tool: Tool, words: Vocabulary): string[] {
  const always = tool.tags.always.flatMap((tag) => words.tags().get(tag) ?? [])
  const perhaps = tool.tags.perhaps.flatMap((tag) => words.tags().get(tag) ?? [])
  return [
    within('s.capability', tool.capability, words),
    ...confidentialityClauses(tool, words),
    within('s.trust', tool.trust, words),
    within('s.reversibility', tool.reversibility, words),
    // Tags that no pattern asks for make no difference.
    ...(perhaps.length === 0
      ? [`s.tags = ${union(always)}`]
      : [
          ...(always.length > 0 ? [`${union(always)} in s.tags`] : []),
          `s.tags in ${union([...always, ...perhaps])}`,
        ]),
  ]
}

function confidentialityClauses({ confidentiality }: Tool, words: Vocabulary): string[] {
  const noted = confidentiality.filter((word) => word !== 'none')
  if (noted.length === 0) return ['no s.confidentiality']
  const clause = within('s.confidentiality', noted, words)
  return noted.length < confidentiality.length
    ? [clause.replace(' = ', ' in ')]
    : ['some s.confidentiality', clause]
}

const within = (of: string, labels: readonly string[], words: Vocabulary): string =>
  `${of} ${labels.length === 1 ? '=' : 'in'} ${union(labels.map(words.word))}`

const family = (name: string, atoms: Iterable<string>, over?: string): string =>
  `abstract sig ${name}${over === undefined ? '' : ` extends ${over}`} {}\none sig ${[...atoms].join(', ')} extends ${name} {}`

const labelParagraph = (words: Vocabulary): string =>
  [
    '-- what tools and data are',
    'abstract sig Label {}',
    family('Confidentiality', Object.values(CONFIDENTIALITY_ATOMS), 'Label'),
    family('Trust', Object.values(TRUST_ATOMS), 'Label'),
    family('Tag', words.tags().size === 0 ? ['tag_of_none'] : words.tags().values(), 'Label'),
    family('Capability', Object.values(CAPABILITY_ATOMS)),
    family('Reversibility', Object.values(REVERSIBILITY_ATOMS)),
  ].join('\n')
