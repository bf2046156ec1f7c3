import type { Evidence, LiftableSource, Policy, Verdict } from '@plimsoll/contracts'
import { isReadByName } from '@plimsoll/labels'
import { namesTool } from '../specs/patterns.js'
import type { Effect } from './enforcement.js'
import { predicate, union, type Part } from './module-parts.js'
import type { Vocabulary } from './vocabulary.js'

/** A verdict source beside the specs: what it adds to the module, and what it does to a step. */
export interface WrittenSource {
  readonly part: Part
  readonly effects: readonly Effect[]
}

const ATOMS: Readonly<Record<Evidence, string>> = { present: 'Present', absent: 'Absent', unknown: 'Unknown' }
const EVIDENCES: readonly Evidence[] = ['present', 'absent', 'unknown']

/**
 * The line: a step that may send something sensitive that was read before or that it reads itself, by evidence. Source: DESIGN §4, 4a. Of
 * requests that can be taken back and of code only what carries sensitive data is restricted here: the engine asks about more of them, and
 * about every such step once one was blocked, so that whatever this module rules out the engine does too.
 */
export function writeLine({ line }: Policy, { name }: Vocabulary): WrittenSource {
  const id = name('line')
  const clauses = [
    'some s.capability & (Execute + Network)',
    '(Network in s.capability and Irreversible in s.reversibility) or s.evidence = Present',
    'some (s + s.prevs).confidentiality & (Sensitive + Credentials)',
  ]
  const effects = EVIDENCES.flatMap((evidence) =>
    effectOf('line', line[evidence], `${id}[s] and s.evidence = ${ATOMS[evidence]}`),
  )
  if (effects.length === 0) return { part: { paragraphs: [] }, effects }
  const head = '-- the line: a step that may send something sensitive'
  return { part: { paragraphs: [`${head}\n${predicate(id, clauses)}`] }, effects }
}

/** Tools that the catalogue does not label, that no spec names and that do not plainly read; an obligation names none. */
export function writeUnlabelled({ unlabelled, specs }: Policy, words: Vocabulary): WrittenSource {
  const isNamed = (tool: string) => specs.some((spec) => namesTool(spec, tool))
  const meant = words.tools
    .filter(({ name, labelled }) => !labelled && !isNamed(name) && !isReadByName(name))
    .map(({ id }) => id)
  const id = words.name('unlabelled')
  const effects = meant.length === 0 ? [] : effectOf('unlabelled', unlabelled.verdict, `${id}[s]`)
  if (effects.length === 0) return { part: { paragraphs: [] }, effects }
  const text = `-- tools that nothing labels\n${predicate(id, [`some s.tool & (${union(meant)})`])}`
  return { part: { paragraphs: [text] }, effects }
}

const effectOf = (source: LiftableSource, verdict: Verdict, when: string): Effect[] =>
  verdict === 'block' || verdict === 'confirm' ? [{ source, verdict, when }] : []
