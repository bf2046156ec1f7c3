import {
  type Catalogue,
  type CatalogueEntry,
  type Policy,
  type StepPattern,
  CAPABILITIES,
  CONFIDENTIALITY_LABELS,
  REVERSIBILITIES,
} from '@plimsoll/contracts'
import { completeEntry } from '../compile/tools.js'
import { nearest } from '../document/issues.js'
import { type Path, type Placed, patternOf, placedPatterns } from '../specs/walk.js'
import { type Finding, finding } from './findings.js'
import { alwaysBlocked, demandOf, toolsMeet } from './patterns.js'

/** Patterns that match no tool of a catalogue, whatever its arguments, and labels that none of its tools has. */
export function toolFindings(policy: Policy, { tools }: Catalogue): Finding[] {
  const standIn = policy.unlabelled.labels
  const entries = tools.map((entry) => possible(completeEntry(entry, standIn)))
  const names = tools.flatMap((entry) => entry.tools)
  return [
    ...placedPatterns(policy).flatMap((placed) => [
      ...nameFindings(placed, names),
      ...labelFindings(placed, entries),
      ...matchFindings(placed, entries),
    ]),
    ...unmeetableFindings(policy, entries),
    ...omissionFindings(policy, tools),
  ]
}

/** The labels that steps of a tool can have: at worst, at least, or by their arguments. */
interface Possible {
  readonly tools: readonly string[]
  readonly capability: ReadonlySet<string>
  readonly reversibility: ReadonlySet<string>
  readonly confidentiality: ReadonlySet<string>
  readonly tags: ReadonlySet<string>
}

function possible({ tools, labels, least, when = [] }: CatalogueEntry): Possible {
  const all = [labels, ...(least ? [least] : []), ...when.map((rule) => rule.labels)]
  const words = (member: 'capability' | 'reversibility' | 'confidentiality' | 'tags'): Set<string> =>
    new Set(all.flatMap((each) => each[member] ?? []))
  return {
    tools,
    capability: words('capability'),
    reversibility: words('reversibility'),
    confidentiality: between(words('confidentiality')),
    tags: words('tags'),
  }
}

/** Arguments can lower a step to any label between its least and its worst. */
function between(words: ReadonlySet<string>): ReadonlySet<string> {
  const ranks = [...words].map((word) => CONFIDENTIALITY_LABELS.findIndex((each) => each === word))
  const labels = CONFIDENTIALITY_LABELS.slice(Math.min(...ranks), Math.max(...ranks) + 1)
  return new Set(labels.filter((word) => word !== 'none'))
}

/** Tools whose entries leave out a label of their results. */
function omissionFindings({ unlabelled }: Policy, entries: readonly CatalogueEntry[]): Finding[] {
  const { confidentiality = 'none', trust = 'trusted' } = unlabelled.labels
  return Object.entries({ confidentiality, trust }).flatMap(([label, value]): Finding[] => {
    const isOmitted = ({ labels }: CatalogueEntry): boolean => Reflect.get(labels, label) === undefined
    const tools = entries.filter(isOmitted).flatMap((entry) => entry.tools)
    if (tools.length === 0) return []
    const more = tools.length > NAMED_MAX ? ` and ${tools.length - NAMED_MAX} more` : ''
    const message = `the catalogue leaves out \`${label}\` of \`${tools.slice(0, NAMED_MAX).join('`, `')}\`${more}: they count as \`${value}\`, as set here; write it into the catalogue`
    return [finding('label-left-out', ['unlabelled', 'labels'], message)]
  })
}

/** Most tools that one message names. */
const NAMED_MAX = 10

function nameFindings({ pattern: { tools = [] }, path }: Placed, names: readonly string[]): Finding[] {
  return tools.flatMap((tool, i): Finding[] => {
    if (names.some((name) => toolsMeet(name, tool))) return []
    const meant = nearest(tool, names)
    const hint = meant === undefined ? '' : `: did you mean \`${meant}\`?`
    const message = `no tool of the catalogue is called \`${tool}\`${hint}`
    return [finding('matches-no-tool', [...path, 'tools', i], message)]
  })
}

function labelFindings({ pattern, path }: Placed, entries: readonly Possible[]): Finding[] {
  const has = (member: 'tags' | 'confidentiality', word: string): boolean =>
    entries.some((entry) => entry[member].has(word))
  const { tags = [], confidentiality = [] } = pattern
  const known = tags.length > 0 ? [...new Set(entries.flatMap((entry) => [...entry.tags]))] : []
  const found = tags.flatMap((tag, i) =>
    has('tags', tag) ? [] : [unlabelled(tag, [...path, 'tags', i], known)],
  )
  // Several confidentialities mean "at least this confidential": one of them is enough.
  if (confidentiality.length === 0 || confidentiality.some((word) => has('confidentiality', word)))
    return found
  return [...found, unlabelled(confidentiality.join('`, `'), [...path, 'confidentiality'], [])]
}

function unlabelled(label: string, path: Path, known: readonly string[]): Finding {
  const meant = nearest(label, known)
  const hint =
    meant === undefined
      ? '; only what a client reports of a step or a result can be'
      : `: did you mean \`${meant}\`?`
  return finding('label-of-no-tool', path, `no tool of the catalogue is labelled \`${label}\`${hint}`)
}

/** Confidentiality, trust and tags can come from clients and results; capability and reversibility cannot. */
function matchFindings({ pattern, path }: Placed, entries: readonly Possible[]): Finding[] {
  const { tools = ['*'] } = pattern
  const named = entries.filter((entry) =>
    entry.tools.some((name) => tools.some((tool) => toolsMeet(name, tool))),
  )
  if (named.length === 0 || named.some((entry) => can(pattern, entry))) return []
  const message = 'no tool of the catalogue that it names has this capability and reversibility'
  return [finding('matches-no-tool', path, message)]
}

/** Demands that can only be met by tools that specs always block. */
function unmeetableFindings(policy: Policy, entries: readonly Possible[]): Finding[] {
  const always = alwaysBlocked(policy)
  return policy.specs.flatMap((spec, i): Finding[] => {
    const { member, step } = spec.tier === 'mustlist' ? demandOf(spec) : { step: undefined }
    // `tierFindings` reports what the patterns alone block.
    if (!step || always(patternOf(step)).length > 0) return []
    const calls = entries.filter((entry) => can(step, entry)).flatMap((entry) => callsOf(step, entry))
    const blockers = calls.map((call) => always(call)[0]?.id)
    const ids = [...new Set(blockers)].filter((id) => id !== undefined)
    if (calls.length === 0 || blockers.includes(undefined)) return []
    const message = `\`${spec.id}\` demands a step, and every tool of the catalogue that could be it is always blocked, by \`${ids.join('`, `')}\`: narrow one of them`
    return [finding('required-and-blocked', ['specs', i, member ?? ''], message)]
  })
}

/** The step as each of the entry's tools can do it, with its labels. */
function callsOf(step: StepPattern, { tools, capability, reversibility }: Possible): StepPattern[] {
  const isOneOf =
    (words: ReadonlySet<string>, wanted: readonly string[] | undefined) =>
    (word: string): boolean =>
      words.has(word) && (wanted?.includes(word) ?? true)
  return tools
    .filter((name) => (step.tools ?? ['*']).some((tool) => toolsMeet(name, tool)))
    .map((name) => ({
      ...patternOf(step),
      tools: [name],
      capability: CAPABILITIES.filter(isOneOf(capability, step.capability)),
      reversibility: REVERSIBILITIES.filter(isOneOf(reversibility, step.reversibility)),
    }))
}

const can = ({ capability, reversibility }: StepPattern, entry: Possible): boolean =>
  (capability?.some((word) => entry.capability.has(word)) ?? true) &&
  (reversibility?.some((word) => entry.reversibility.has(word)) ?? true)
