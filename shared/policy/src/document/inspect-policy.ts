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
import { type Path, valueAt } from '../specs/walk.js'
import { checkPolicy } from './check-policy.js'
import { nearest, problemsOfIssues } from './issues.js'
import type { Problem } from './problems.js'
import { readOwnText } from './text-file.js'

interface Expanded {
  readonly policy: Policy
  /** The path in the written policy of a part of the expanded one; a part of a pack is at `packs`. */
  readonly writtenPath: (path: Path) => Path
  /** Whether a part of the expanded policy comes from a pack. */
  readonly isOfPack: (path: Path) => boolean
}

const LISTS = [
  'stakeholders',
  'losses',
  'hazards',
  'unsafeControlActions',
  'requirements',
  'goals',
] as const satisfies readonly (keyof Analysis)[]

/**
 * The policy with the parts of its packs, and without `packs`. In every list the packs' entries come first, in the order in which the
 * policy names the packs; a spec of the policy replaces the pack's spec of the same id. The lists of `analysis` are joined too, unless the
 * policy has no analysis and its specs name requirements as free text: then it gets none. Pure.
 */
function expandPacks({ packs, ...own }: WrittenPolicy, found: readonly Pack[]): Expanded {
  if (packs === undefined) return { policy: own, writtenPath: (path) => path, isOfPack: () => false }
  const replaced = new Set(own.specs.map(({ id }) => id))
  const specs = found.flatMap((pack) => pack.specs).filter(({ id }) => !replaced.has(id))
  const declassifiers = found.flatMap((pack) => pack.declassifiers ?? [])
  const isFreeText = !own.analysis && own.specs.some(({ requirements }) => requirements !== undefined)
  const analysis = isFreeText ? {} : joined(found.map((pack) => pack.analysis))
  const policy: Policy = { ...own, specs: [...specs, ...own.specs] }
  if (!isFreeText && found.length > 0) policy.analysis = joined([analysis, own.analysis ?? {}])
  if (declassifiers.length > 0) policy.declassifiers = [...declassifiers, ...(own.declassifiers ?? [])]

  const ofPacks = { specs, declassifiers, analysis }
  const indexIn = (path: Path) => (path[0] === 'analysis' ? 2 : 1)
  const countAt = (path: Path): number => {
    const list = valueAt(ofPacks, path.slice(0, indexIn(path)))
    return Array.isArray(list) ? list.length : 0
  }
  const isOfPack = (path: Path): boolean => Number(path[indexIn(path)]) < countAt(path)
  const writtenPath = (path: Path): Path => {
    if (isOfPack(path)) return ['packs']
    const at = indexIn(path)
    const index = path[at]
    return typeof index === 'number'
      ? [...path.slice(0, at), index - countAt(path), ...path.slice(at + 1)]
      : path
  }
  return { policy, writtenPath, isOfPack }
}

const joined = (analyses: readonly Analysis[]): Analysis =>
  Object.fromEntries(
    LISTS.flatMap((name) => {
      const entries = analyses.flatMap((analysis): readonly unknown[] => analysis[name] ?? [])
      return entries.length > 0 ? [[name, entries]] : []
    }),
  )

/** The packs that ship, in the order in which pages list them. */
export const PACK_NAMES = ['baseline', 'payments', 'infrastructure', 'coding', 'personal-data'] as const

/** The folder of the packs' files, and of their cases. */
export const PACKS_FOLDER = new URL('../../packs/', import.meta.url)

const packs = new Map<string, Pack>()

/** A published package may zip it. */
const packText = (name: string): string => readOwnText(new URL(`${name}.yaml`, PACKS_FOLDER))

/** The pack that ships under a name, read on first use; undefined where there is none. */
export function shippedPack(name: string): Pack | undefined {
  if (!PACK_NAMES.some((each) => each === name)) return undefined
  const pack = packs.get(name) ?? parsePack(packText(name), name)
  packs.set(name, pack)
  return pack
}

/** Problems with the packs that a policy names: unknown ones, and duplicates. */
const packProblems = (names: readonly string[]): Problem[] =>
  names.flatMap((name, i): Problem[] => {
    const path = ['packs', i]
    if (names.indexOf(name) < i) return [{ path, message: `pack \`${name}\` is named twice: name it once` }]
    return shippedPack(name) ? [] : [{ path, message: `there is no pack \`${name}\`${packHint(name)}` }]
  })

function packHint(name: string): string {
  const known = PACK_NAMES.map((each) => `\`${each}\``).join(', ')
  const meant = nearest(name, PACK_NAMES)
  return meant === undefined ? `: name one of ${known}` : `: did you mean \`${meant}\`? There are ${known}`
}

/** Parses the YAML of a pack. Throws `document_invalid` with every problem. */
export function parsePack(text: string, name: string): Pack {
  const invalid = (problems: readonly Problem[]) => {
    const reported = problems.map(({ path, message }) => `${path.join('.') || 'document'}: ${message}`)
    return new PlimsollError('document_invalid', `pack \`${name}\`: ${reported.join('; ')}`)
  }
  const { data, error } = packSchema.safeParse(parse(text))
  if (!data) throw invalid(error.issues)
  if (data.name !== name)
    throw invalid([{ path: ['name'], message: `expected \`${name}\`, got \`${data.name}\`` }])
  const problems = checkPolicy(data)
  if (problems.length > 0) throw invalid(problems)
  return data
}

/** A policy with its packs expanded. */
export type Inspected = Expanded & {
  /** Whether its author wrote an analysis; those of packs do not count. */
  readonly hasAnalysis: boolean
  readonly problems?: undefined
}

/**
 * A policy with its packs expanded, or why the document is not a policy: every problem of its form, otherwise every problem of its meaning.
 * Paths of problems are those of the document.
 */
export function inspectPolicy(
  content: unknown,
): Inspected | { readonly policy?: undefined; readonly problems: readonly Problem[] } {
  const { data: written, error } = writtenPolicySchema.safeParse(content)
  if (!written) return { problems: problemsOfIssues(error.issues, 'policy', content) }
  const names = written.packs ?? []
  const unknown = packProblems(names)
  if (unknown.length > 0) return { problems: unknown }
  const expanded = expandPacks(
    written,
    names.flatMap((name) => shippedPack(name) ?? []),
  )
  const problems = checkPolicy(expanded.policy).map(({ path, message }) => ({
    path: expanded.writtenPath(path),
    message,
  }))
  return problems.length > 0 ? { problems } : { ...expanded, hasAnalysis: written.analysis !== undefined }
}
