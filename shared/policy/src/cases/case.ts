import { type Bundle, type ChainTables, versionOf } from '@plimsoll/contracts'
import type { RulesCache } from '@plimsoll/engine'
import { compileRules, createRuleBook } from '../compile/rules.js'
import { type Documents, parseDocument } from '../document/documents.js'
import { type CaseEvent, fillIn } from './case-events.js'
import { type CaseFile, parseCaseFiles } from './case-file.js'

/** A case that is ready to be played. */
export interface Case {
  readonly name: string
  /** Its active rules are those of `policy`. */
  readonly book: RulesCache
  readonly events: readonly CaseEvent[]
  readonly expect: CaseFile['expect']
}

export interface CaseSource {
  /** What is told of it in errors. */
  readonly name: string
  /** What cases that say nothing else are played under. */
  readonly base: Omit<Documents, 'bundle'>
  /** The text of a file that a case names, found from where the case lies. */
  readonly textOf: (file: string) => string
}

/** Makes a file's cases ready to be played. Throws `document_invalid`, naming file and event. */
export function parseCases(text: string, source: CaseSource): readonly Case[] {
  return parseCaseFiles(text, source.name).map((file) => makeCase(file, source))
}

function makeCase(file: CaseFile, { name, base, textOf }: CaseSource): Case {
  const documentOf = <K extends 'policy' | 'catalogue'>(
    kind: K,
    given: string | object = {},
  ): Documents[K] =>
    typeof given === 'string'
      ? parseDocument(kind, textOf(given), given)
      : parseDocument(kind, JSON.stringify({ ...without(base[kind], given), ...given }), name)
  const bundle = quietBundle(file.chain)
  const catalogue = documentOf('catalogue', file.catalogue)
  const others = Object.entries(file.policies ?? {}).map(
    ([key, members]) => [key, documentOf('policy', members)] as const,
  )
  const rulesOf = (policy: Documents['policy']) => compileRules({ bundle, policy, catalogue })
  const book = createRuleBook(
    rulesOf(documentOf('policy', file.policy)),
    others.map(([, policy]) => rulesOf(policy)),
  )
  const versions = new Map(others.map(([key, policy]) => [key, versionOf(policy)]))
  return { name: file.name, book, events: fillIn(file, name, versions), expect: file.expect }
}

/** The analysis is of the specs that stand beside it: other specs have another one, or none. Packs that a case names come in place of all of them. */
function without(base: object, given: object): object {
  const { analysis: _, specs: __, declassifiers, ...others }: Partial<Documents['policy']> = base
  if ('packs' in given) return { ...others, specs: [] }
  return 'specs' in given ? { ...others, ...(declassifiers && { declassifiers }) } : base
}

/** A bundle in which nothing is ever likely, but for what `chain` says. */
function quietBundle(chain: Partial<ChainTables> = {}): Bundle {
  const zeros = [0, 0, 0, 0, 0]
  const aggregate: ChainTables = {
    traces: 0,
    transitions: 0,
    violations: 0,
    hazard: zeros,
    forward: [zeros, zeros, zeros],
    stepsToViolation: [null, null, null, null, null],
    counts: [],
    thresholds: { hazard: [0.05, 0.3, 0.9], forward: [0.3, 0.5, 0.8] },
    ...chain,
  }
  const head = {
    schema: 1,
    kind: 'plimsoll.bundle',
    name: 'quiet',
    space: 'paper5',
    target: 'modelled',
  } as const
  return { ...head, horizon: 2, horizonMax: 2, aggregate, categories: {}, origin: {} }
}
