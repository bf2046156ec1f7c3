import { readFileSync } from 'node:fs'
import {
  type Analysis,
  type Pack,
  type Policy,
  type WrittenPolicy,
  PlimsollError,
  packSchema,
  writtenPolicySchema,
} from '@plimsoll/contracts'
import { parse } from 'yaml'
import { nearest, problemsOfIssues } from './issues.js'
import type { Problem } from './problems.js'
import { checkPolicy } from './check-policy.js'

type Path = readonly PropertyKey[]

export interface Expanded {
  readonly policy: Policy
  /** Where a part of the expanded policy stands in the written one; what came with a pack stands at `packs`. */
  readonly writtenPath: (path: Path) => Path
  /** Whether a part of the expanded policy came with a pack. */
  readonly isOfPack: (path: Path) => boolean
}

/**
 * The policy with the parts of its packs in it, and without `packs`: of every list those of the packs come first, in the order in which the
 * policy names them; a spec of the policy's own takes the place of the one in a pack that has its id. Every list in `analysis` is joined
 * likewise, but where the policy has none and its specs name requirements as free text: it stays without one. Pure.
 */
export function expandPacks({ packs, ...own }: WrittenPolicy, found: readonly Pack[]): Expanded {
  if (packs === undefined) return { policy: own, writtenPath: (path) => path, isOfPack: () => false }
  const replaced = new Set(own.specs.map(({ id }) => id))
  const specs = found.flatMap((pack) => pack.specs).filter(({ id }) => !replaced.has(id))
  const declassifiers = found.flatMap((pack) => pack.declassifiers ?? [])
  const isFreeText = !own.analysis && own.specs.some(({ requirements }) => requirements !== undefined)
  const analyses = isFreeText ? [] : found.map(({ analysis }) => analysis)
  const policy: Policy = { ...own, specs: [...specs, ...own.specs] }
  if (analyses.length > 0) policy.analysis = joined([...analyses, own.analysis ?? {}])
  if (declassifiers.length > 0) policy.declassifiers = [...declassifiers, ...(own.declassifiers ?? [])]
  const countAt = (path: Path): number => {
    if (path[0] === 'specs') return specs.length
    if (path[0] === 'declassifiers') return declassifiers.length
    if (path[0] !== 'analysis') return 0
    return analyses.reduce((sum, analysis) => sum + (listIn(analysis, path[1])?.length ?? 0), 0)
  }
  const placeIn = (path: Path) => (path[0] === 'analysis' ? 2 : 1)
  const isOfPack = (path: Path): boolean => Number(path[placeIn(path)]) < countAt(path)
  const writtenPath = (path: Path): Path => {
    if (isOfPack(path)) return ['packs']
    const at = placeIn(path)
    const number = path[at]
    return typeof number === 'number'
      ? [...path.slice(0, at), number - countAt(path), ...path.slice(at + 1)]
      : path
  }
  return { policy, writtenPath, isOfPack }
}

const LISTS = [
  'stakeholders',
  'losses',
  'hazards',
  'unsafeControlActions',
  'requirements',
  'goals',
] as const satisfies readonly (keyof Analysis)[]

const listIn = (analysis: Analysis, name: PropertyKey | undefined): readonly unknown[] | undefined => {
  const list = LISTS.find((each) => each === name)
  return list && analysis[list]
}

function joined(analyses: readonly Analysis[]): Analysis {
  const whole: Record<string, unknown[]> = {}
  for (const name of LISTS) {
    const entries = analyses.flatMap((analysis): readonly unknown[] => analysis[name] ?? [])
    if (entries.length > 0) whole[name] = entries
  }
  return whole
}

/** The packs that a policy names, by `packOf`; each name that there is none of, or that stands twice, is a problem. */
export function findPacks(
  names: readonly string[],
  packOf: (name: string) => Pack | undefined,
  hint: (name: string) => string,
): { readonly found: readonly Pack[]; readonly problems: readonly Problem[] } {
  const problems = names.flatMap((name, i): Problem[] => {
    if (names.indexOf(name) < i)
      return [{ path: ['packs', i], message: `pack \`${name}\` stands twice: name it once` }]
    return packOf(name) ? [] : [{ path: ['packs', i], message: `there is no pack \`${name}\`${hint(name)}` }]
  })
  return { found: names.flatMap((name) => packOf(name) ?? []), problems }
}

/** The packs that ship, in the order in which pages list them. */
export const PACK_NAMES = ['baseline', 'payments', 'infrastructure', 'coding', 'personal-data'] as const
export type PackName = (typeof PACK_NAMES)[number]

/** The folder of the packs' files, and of their cases. */
export const PACKS_FOLDER = new URL('../../packs/', import.meta.url)

const packs = new Map<string, Pack>()

/** The pack that ships under a name, read when it is first asked for; undefined where there is none. */
export function shippedPack(name: string): Pack | undefined {
  if (!PACK_NAMES.some((each) => each === name)) return undefined
  const known = packs.get(name)
  if (known) return known
  const file = new URL(`${name}.yaml`, PACKS_FOLDER)
  const pack = parsePack(readFileSync(file, 'utf8'), name)
  packs.set(name, pack)
  return pack
}

/** What to name instead of a pack that there is none of. */
export function packHint(name: string): string {
  const known = PACK_NAMES.map((each) => `\`${each}\``).join(', ')
  const meant = nearest(name, PACK_NAMES)
  return meant === undefined ? `: name one of ${known}` : `: did you mean \`${meant}\`? There are ${known}`
}

/** Parses the YAML of a pack. Throws `document_invalid`, naming what is wrong. */
export function parsePack(text: string, name: string): Pack {
  const { data, error } = packSchema.safeParse(parse(text))
  if (!data) throw invalid(name, error.issues)
  if (data.name !== name)
    throw invalid(name, [{ path: ['name'], message: `expected \`${name}\`, got \`${data.name}\`` }])
  const { analysis, declassifiers, specs } = data
  const problems = checkPolicy({ analysis, specs, ...(declassifiers && { declassifiers }) })
  if (problems.length > 0) throw invalid(name, problems)
  return data
}

function invalid(
  name: string,
  problems: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): PlimsollError {
  const reported = problems.map(({ path, message }) => `${path.join('.') || 'document'}: ${message}`)
  return new PlimsollError('document_invalid', `pack \`${name}\`: ${reported.join('; ')}`)
}

/** A policy with its packs expanded. */
export type Inspected = Expanded & {
  /** Whether its author wrote an analysis; that of packs does not count. */
  readonly hasAnalysis: boolean
  readonly problems?: undefined
}

/**
 * A policy, its packs expanded, or what keeps a document from being one: everything that is wrong in its form, else everything that it
 * cannot mean. Paths of problems are those of the document.
 */
export function inspectPolicy(
  content: unknown,
): Inspected | { readonly policy?: undefined; readonly problems: readonly Problem[] } {
  const { data: written, error } = writtenPolicySchema.safeParse(content)
  if (!written) return { problems: problemsOfIssues(error.issues, 'policy', content) }
  const { found, problems: unknown } = findPacks(written.packs ?? [], shippedPack, packHint)
  if (unknown.length > 0) return { problems: unknown }
  const expanded = expandPacks(written, found)
  const problems = checkPolicy(expanded.policy).map(({ path, message }) => ({
    path: expanded.writtenPath(path),
    message,
  }))
  return problems.length > 0 ? { problems } : { ...expanded, hasAnalysis: written.analysis !== undefined }
}
