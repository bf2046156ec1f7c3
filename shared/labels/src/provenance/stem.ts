import type { NormalForm } from './normal-form.js'

type Ending = readonly [ending: Uint8Array, left: number]

/** Longest first; the second figure is what has to be left of the word. */
const ENDINGS: readonly Ending[] = (
  [
    ['ations', 4],
    ['ation', 4],
    ['ments', 3],
    ['ment', 3],
    ['ings', 3],
    ['ions', 4],
    ['ing', 3],
    ['ies', 3],
    ['ion', 4],
    ['ers', 4],
    ['ed', 3],
    ['es', 3],
    ['er', 4],
    ['ly', 4],
    ['e', 3],
    ['s', 3],
    ['y', 3],
  ] as const
).map(([ending, left]) => [Uint8Array.from(Buffer.from(ending)), left])

/** The endings by their last letter. */
const BY_LAST: readonly (readonly Ending[])[] = Array.from({ length: 128 }, (_, code) =>
  ENDINGS.filter(([ending]) => ending.at(-1) === code),
)

/**
 * Takes the ending off an English word in its normal form, so that `reserve`, `reserved` and `reservation` come to the same. Lighter
 * than Porter's: one ending, then one of a doubled last consonant.
 */
export function stem(form: NormalForm): void {
  const { bytes } = form
  for (const [ending, left] of BY_LAST[bytes[form.length - 1] ?? 0] ?? []) {
    const rest = form.length - ending.length
    if (rest < left || !endsWith(form, ending, rest)) continue
    form.length = rest
    break
  }
  const { length } = form
  const last = bytes[length - 1] ?? 0
  if (length > 3 && last === bytes[length - 2] && last > DIGITS_END) form.length = length - 1
}

const DIGITS_END = 57

function endsWith({ bytes }: NormalForm, ending: Uint8Array, at: number): boolean {
  for (let i = 0; i < ending.length; i++) if (bytes[at + i] !== ending[i]) return false
  return true
}
