import { PlimsollError } from '@plimsoll/contracts'

/** The share that `--budget` gives; undefined where it is left out. Throws `usage_invalid` where it is none above 0, to 1. */
export function parseBudget(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const budget = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN
  if (budget > 0 && budget <= 1) return budget
  throw new PlimsollError('usage_invalid', `\`--budget\` is a share above 0, to 1, not \`${text}\``)
}
