import { type Catalogue, type CatalogueEntry, matchesTool } from '@plimsoll/contracts'
import { createEntryFinder } from '../tools/entries.js'
import { type ToolDefinition, LABEL_NAMES, valueOf, worseBy } from '../tools/claim.js'
import { labelTool } from '../tools/label-tool.js'

/** `fail`: an error. `warn`: check it. `note`: information. */
export type LintStatus = 'fail' | 'warn' | 'note'

export interface LintFinding {
  readonly status: LintStatus
  /** The tool name or pattern. */
  readonly tool: string
  readonly what: string
}

/** What a catalogue is checked against. */
export interface LintAgainst {
  readonly tools?: readonly ToolDefinition[]
  /** Accepts entries proposed with low confidence, as warnings. */
  readonly allowsGuesses?: boolean
}

/** Checks `catalogue` for errors and oddities, alone and against its tools. */
export function lintCatalogue(
  catalogue: Catalogue,
  { tools, allowsGuesses = false }: LintAgainst = {},
): readonly LintFinding[] {
  return [
    ...unreachable(catalogue),
    ...catalogue.tools.flatMap(withinEntry),
    ...guesses(catalogue, allowsGuesses ? 'warn' : 'fail'),
    ...(tools ? againstTools(catalogue, tools) : []),
  ]
}

/** Names and patterns that an earlier entry already matches. */
function unreachable({ tools }: Catalogue): LintFinding[] {
  const exact = new Map<string, CatalogueEntry>()
  const patterns: { pattern: string; entry: CatalogueEntry }[] = []
  const findings: LintFinding[] = []
  for (const entry of tools)
    for (const name of entry.tools) {
      const isPattern = name.includes('*')
      const first = isPattern
        ? patterns.find(({ pattern }) => matchesTool(pattern, name))?.entry
        : exact.get(name)
      if (first) findings.push(shadowed(name, first, entry))
      else if (isPattern) patterns.push({ pattern: name, entry })
      else exact.set(name, entry)
    }
  return findings
}

function shadowed(tool: string, first: CatalogueEntry, entry: CatalogueEntry): LintFinding {
  const differs = LABEL_NAMES.some((label) => valueOf(first.labels, label) !== valueOf(entry.labels, label))
  return differs
    ? { status: 'fail', tool, what: 'labelled twice with different labels: the first entry counts' }
    : { status: 'warn', tool, what: 'labelled twice' }
}

function withinEntry({ tools, labels, least }: CatalogueEntry): LintFinding[] {
  const [tool = ''] = tools
  const stated = LABEL_NAMES.filter((label) => labels[label] !== undefined)
  const above = least
    ? stated.filter((label) => worseBy(label, valueOf(least, label), valueOf(labels, label)) > 0)
    : []
  const omitted = LABEL_NAMES.filter((label) => !stated.includes(label))
  return [
    ...(omitted.length > 0 ? tools : []).map((name): LintFinding => ({
      status: 'warn',
      tool: name,
      what: `${omitted.join(', ')} missing, so the policy treats it as unlabelled (\`unlabelled\`); write \`none\` or \`trusted\` if that is meant`,
    })),
    ...above.map((label): LintFinding => ({
      status: 'fail',
      tool,
      what: `${label}: \`least\` is worse than \`labels\`; \`labels\` are the worst that it can do, raise them or lower \`least\``,
    })),
    ...tools
      .filter((name) => /^\*+$/.test(name))
      .map((name): LintFinding => ({
        status: 'warn',
        tool: name,
        what: 'labels every tool, including unknown ones',
      })),
  ]
}

const guesses = ({ tools }: Catalogue, status: LintStatus): LintFinding[] =>
  tools
    .filter(({ guessed }) => guessed === true)
    .flatMap((entry) => entry.tools)
    .map((tool) => ({
      status,
      tool,
      what: 'labelled on a guess: check and correct its labels, then remove `guessed`',
    }))

function againstTools(catalogue: Catalogue, tools: readonly ToolDefinition[]): LintFinding[] {
  const entryOf = createEntryFinder(catalogue)
  const gaps = tools
    .filter(({ name }) => !entryOf(name))
    .map(({ name }): LintFinding => ({ status: 'fail', tool: name, what: 'has no label' }))
  const contradicted = tools.flatMap((tool) =>
    entryOf(tool.name)
      ? labelTool(tool, catalogue)
          .contradictions.filter(({ isWorse }) => isWorse)
          .map(({ label, kept, other }): LintFinding => ({
            status: 'warn',
            tool: tool.name,
            what: `${label}: ${kept.value}, but ${other.value} by its ${other.source} (${other.reason})`,
          }))
      : [],
  )
  return [...gaps, ...contradicted, ...unused(catalogue, tools)]
}

function unused(catalogue: Catalogue, tools: readonly ToolDefinition[]): LintFinding[] {
  const names = new Set(tools.map(({ name }) => name))
  const isUsed = (pattern: string): boolean =>
    pattern.includes('*') ? tools.some(({ name }) => matchesTool(pattern, name)) : names.has(pattern)
  return catalogue.tools
    .flatMap(({ tools }) => tools)
    .filter((pattern) => !isUsed(pattern))
    .map((tool): LintFinding => ({ status: 'note', tool, what: 'none of the tools has this name' }))
}
