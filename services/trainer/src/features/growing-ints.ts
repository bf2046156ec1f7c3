/** Whole numbers by index, as many as it takes: four bytes each. */
export interface GrowingInts {
  /** One more than the highest index written. */
  readonly length: number
  set(index: number, value: number): void
  /** 0 where nothing was written. */
  at(index: number): number
  /** A view, taken anew at each call. */
  values(): Int32Array
}

const FIRST = 4096

export function createGrowingInts(): GrowingInts {
  let kept = new Int32Array(FIRST)
  let length = 0
  return {
    get length() {
      return length
    },
    set: (index, value) => {
      if (index >= kept.length) {
        const larger = new Int32Array(Math.max(2 * kept.length, index + 1))
        larger.set(kept)
        kept = larger
      }
      kept[index] = value
      length = Math.max(length, index + 1)
    },
    at: (index) => kept[index] ?? 0,
    values: () => kept.subarray(0, length),
  }
}
