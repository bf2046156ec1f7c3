/** Numbers as small whole ones, each value once: features are counts and shares of small numbers, so that few values stand there often. */
export interface ValueCodes {
  /** The value's code, the next free one where it is new; undefined where there is no room for it. -0 is 0. */
  codeOf(value: number): number | undefined
  valueOf(code: number): number
}

/** 0 has the code 0. */
export function createValueCodes(most = Infinity): ValueCodes {
  const codes = new Map<number, number>([[0, 0]])
  const values = [0]
  return {
    codeOf: (value) => {
      const found = codes.get(value)
      if (found !== undefined || values.length >= most) return found
      codes.set(value, values.length)
      values.push(value)
      return values.length - 1
    },
    valueOf: (code) => values[code] ?? 0,
  }
}
