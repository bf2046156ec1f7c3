import { readFileSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import {
  type Bundle,
  type ChainTables,
  type Documents,
  PlimsollError,
  documentKindOf,
  versionOf,
} from '@plimsoll/contracts'
import type { RulesCache } from '@plimsoll/engine'
import { createPinnedRules } from '../compile/rules-cache.js'
import { compileRules } from '../compile/rules.js'
import { parseDocument, parseText } from '../document/documents.js'
import { nearest } from '../document/issues.js'
import { fileProblem, readTextFile } from '../document/text-file.js'
import { type CaseEvent, fillIn } from './case-events.js'

type Members = Readonly<Record<string, unknown>>

/**
 * A case as written in its file: one or more sessions in short form, and the expected answers. `policy` and `catalogue` are a file beside
 * it, or the members that differ from the given ones; `policies` are others, by names that a `versions.activated` event can use as their
 * versions; `chain` has the tables that differ from those of a chain of five levels without any risk. Events and control changes only list
 * what matters; the rest is filled in.
 */
interface CaseFile {
  readonly name: string
  readonly policy?: string | Members
  readonly catalogue?: string | Members
  readonly policies?: Readonly<Record<string, Members>>
  readonly chain?: Partial<ChainTables>
  readonly events: readonly Members[]
  /** One for each event that has an answer: a decision, or a fault. Only the members written here are compared. */
  readonly expect: readonly Members[]
}

/** A case that is ready to run. */
export interface Case {
  readonly name: string
  /** Its active rules are those of `policy`. */
  readonly pinnedRules: RulesCache
  readonly events: readonly CaseEvent[]
  readonly expect: CaseFile['expect']
}

export interface CaseSource {
  /** Shown in errors. */
  readonly name: string
  /** The documents of cases that name no others. */
  readonly base: Omit<Documents, 'bundle'>
  /** Reads a file that a case names, relative to the case. */
  readonly textOf: (file: string) => string
}

/** Parses the cases of a file, YAML or JSON: one, or a list. Throws `document_invalid` with file and event. */
export function parseCases(text: string, source: CaseSource): readonly Case[] {
  const content = parseText(text, source.name)
  const isList = Array.isArray(content)
  return (isList ? content : [content]).map((each, i) =>
    makeCase(checked(each, `case ${isList ? `${i} of ` : ''}\`${source.name}\``), source),
  )
}

const MEMBERS = ['name', 'policy', 'catalogue', 'policies', 'chain', 'events', 'expect']

function checked(value: unknown, what: string): CaseFile {
  const check = (isRight: boolean, problem: string): void => {
    if (!isRight) throw new PlimsollError('document_invalid', `${what}: ${problem}`)
  }
  const isOptional = (given: unknown): boolean => given === undefined || isMembers(given)
  if (!isMembers(value)) throw new PlimsollError('document_invalid', `${what}: ${EXPECTED}`)
  for (const key of Object.keys(value)) {
    const meant = nearest(key, MEMBERS)
    const hint = meant === undefined ? '' : `: did you mean \`${meant}\`?`
    check(MEMBERS.includes(key), `${key}: there is no such member${hint}`)
  }
  const { name, events, expect, policy, catalogue, policies, chain } = value
  if (typeof name !== 'string' || !Array.isArray(events) || !Array.isArray(expect))
    throw new PlimsollError('document_invalid', `${what}: ${EXPECTED}`)
  check([...events, ...expect].every(isMembers), 'expected members with names in each event and answer')
  check(
    [policy, catalogue].every((given) => typeof given === 'string' || isOptional(given)),
    'policy, catalogue: expected a file, or the members that differ',
  )
  check(
    [policies, chain, ...Object.values(policies ?? {})].every(isOptional),
    'policies, chain: expected members with names',
  )
  return value as unknown as CaseFile
}

const EXPECTED = 'expected name, events and expect'

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

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
  const pinnedRules = createPinnedRules(
    rulesOf(documentOf('policy', file.policy)),
    others.map(([, policy]) => rulesOf(policy)),
  )
  const versions = new Map(others.map(([key, policy]) => [key, versionOf(policy)]))
  return { name: file.name, pinnedRules, events: fillIn(file.events, name, versions), expect: file.expect }
}

/** Specs of a case replace the analysis too, which belongs to the specs; packs of a case replace all specs. */
function without(base: object, given: object): object {
  const { analysis: _, specs: __, declassifiers, ...others }: Partial<Documents['policy']> = base
  if ('packs' in given) return { ...others, specs: [] }
  return 'specs' in given ? { ...others, ...(declassifiers && { declassifiers }) } : base
}

/** A bundle without any risk, except for the tables of `chain`. */
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
  return {
    schema: 1,
    kind: 'plimsoll.bundle',
    name: 'quiet',
    space: 'paper5',
    target: 'modelled',
    horizon: 2,
    horizonMax: 2,
    aggregate,
    categories: {},
    origin: {},
  }
}

/** The cases of one file. */
export interface CasesOfFile {
  readonly file: string
  readonly cases: readonly Case[]
}

const CASE_FILE = /\.(json|ya?ml)$/

/**
 * The cases of files, and of the JSON and YAML files directly in folders, except documents. Throws `document_invalid` for a file that
 * cannot be read, and for a folder without cases.
 */
export async function findCases(places: readonly string[], base: CaseSource['base']): Promise<CasesOfFile[]> {
  const found: CasesOfFile[] = []
  for (const place of places) {
    const isFolder = await stat(place).then((stats) => stats.isDirectory(), unreadable(place))
    const files = isFolder ? await filesIn(place) : [place]
    const read = await Promise.all(files.map((file) => readCases(file, base, isFolder)))
    const cases = read.filter((each) => each !== undefined)
    if (cases.length === 0) throw new PlimsollError('document_invalid', `\`${place}\` has no cases`)
    found.push(...cases)
  }
  return found
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(unreadable(folder))
  const names = entries
    .filter((entry) => entry.isFile() && CASE_FILE.test(entry.name))
    .map(({ name }) => name)
  return names.toSorted().map((name) => path.join(folder, name))
}

async function readCases(
  file: string,
  base: CaseSource['base'],
  skipsDocuments: boolean,
): Promise<CasesOfFile | undefined> {
  const text = await readTextFile(file)
  if (skipsDocuments && documentKindOf(parseText(text, file)) !== undefined) return undefined
  const textOf = (named: string): string => {
    const beside = path.resolve(path.dirname(file), named)
    try {
      return readFileSync(beside, 'utf8')
    } catch (cause) {
      const problem = `case \`${file}\`: \`${named}\` cannot be read: ${fileProblem(cause)}`
      throw new PlimsollError('document_invalid', problem, { cause })
    }
  }
  return { file, cases: parseCases(text, { name: file, base, textOf }) }
}

const unreadable =
  (file: string) =>
  (cause: unknown): never => {
    throw new PlimsollError('document_invalid', `\`${file}\` cannot be read: ${fileProblem(cause)}`, {
      cause,
    })
  }
