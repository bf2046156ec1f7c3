import type { Signals } from '@plimsoll/contracts'

/** How much of a text reads like instructions: names of the signals of `extentOf`. */
export const EXTENTS = ['share', 'length', 'parts', 'ending'] as const

/** Code units and passages from which on more says nothing more. */
const LENGTH_MAX = 1200
const PARTS_MAX = 8

/**
 * `share` of the text; `length` of the longest passage; number of `parts`; and where the last one is `ending`, as a share of the text: what
 * stands last is read last. Each 0…1; empty where there is no passage.
 */
export function extentOf(text: string, passages: readonly (readonly [number, number])[]): Signals {
  const last = passages.at(-1)
  if (!last) return {}
  const lengths = passages.map(([start, end]) => end - start)
  const sum = lengths.reduce((total, length) => total + length, 0)
  return {
    share: rounded(sum / text.length),
    length: rounded(Math.min(1, Math.max(...lengths) / LENGTH_MAX)),
    parts: rounded(Math.min(1, passages.length / PARTS_MAX)),
    ending: rounded(last[1] / text.length),
  }
}

const rounded = (share: number): number => Math.round(share * 1_000) / 1_000
