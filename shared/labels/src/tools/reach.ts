import type { EntryFinder } from './entries.js'
import { stemOf } from './act-done.js'
import { isReadByName } from './by-name.js'
import { wordsOf } from './words-of.js'

/** Tools of a list that are read, and characters of a text. */
const TOOLS_MAX = 512
const TEXT_MAX = 8_192

/** By stem: the changing tools whose names have it, and its share of each name. */
export type Toolset = ReadonlyMap<string, readonly (readonly [tool: number, share: number])[]>

/**
 * The tools of an agent that change something, by the words of their names. A word that many tools share, such as a server's prefix,
 * hardly tells them apart, so it weighs less.
 */
export function createToolset(tools: readonly string[], entryOf: EntryFinder): Toolset {
  const names = tools.slice(0, TOOLS_MAX).map((tool) => ({ tool, stems: stemsOf(tool) }))
  const counts = new Map<string, number>()
  for (const { stems } of names) for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  const weightOf = (stem: string): number => Math.log((names.length + 1) / (counts.get(stem) ?? 1))
  const toolset = new Map<string, (readonly [number, number])[]>()
  for (const [at, { tool, stems }] of names.entries()) {
    if (!isChanging(tool, entryOf)) continue
    const total = [...stems].reduce((sum, stem) => sum + weightOf(stem), 0)
    for (const stem of stems)
      toolset.set(stem, [...(toolset.get(stem) ?? []), [at, weightOf(stem) / total] as const])
  }
  return toolset
}

/**
 * How far a text calls for one of the tools: the highest share of a tool's name that is in the text, 0…1, three decimals. Linear in the
 * text.
 */
export function reachOf(toolset: Toolset, text: string): number {
  const shares = new Map<number, number>()
  let most = 0
  for (const stem of stemsOf(text))
    for (const [tool, share] of toolset.get(stem) ?? []) {
      const sum = (shares.get(tool) ?? 0) + share
      shares.set(tool, sum)
      most = Math.max(most, sum)
    }
  return Math.min(1, Math.round(most * 1000) / 1000)
}

const stemsOf = (text: string): ReadonlySet<string> =>
  new Set(Array.from(new Set(wordsOf(text, TEXT_MAX)), stemOf))

/** Fetching a page reaches out and changes nothing. */
function isChanging(tool: string, entryOf: EntryFinder): boolean {
  const labels = entryOf(tool)?.labels
  if (!labels) return !isReadByName(tool)
  const { capability, reversibility } = labels
  return capability !== 'read' && !(capability === 'network' && reversibility === 'reversible')
}
