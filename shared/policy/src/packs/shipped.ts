import { readFileSync } from 'node:fs'
import { packSchema, PlimsollError, type Pack } from '@plimsoll/contracts'
import { parse } from 'yaml'
import { checkPolicy } from '../check/check-policy.js'
import { nearest } from '../source/nearest.js'

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
  const told = problems.map(({ path, message }) => `${path.join('.') || 'document'}: ${message}`)
  return new PlimsollError('document_invalid', `pack \`${name}\`: ${told.join('; ')}`)
}
