/** Values of a record's JSON. A value of the wrong kind reads as a value that no valid state has. */
export type Row = readonly unknown[]

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
export const numberOf = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN)
export const rowOf = (value: unknown): Row => (Array.isArray(value) ? value : [])

export function isBelow(value: number, bound = Infinity): boolean {
  return Number.isInteger(value) && value >= 0 && value < bound
}

/** The row in `text`, if it is JSON of one. */
export function parseRow(text: string): Row | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
