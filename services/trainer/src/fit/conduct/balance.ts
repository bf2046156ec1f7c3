/** The weight of a source of safe sessions only, where one with both kinds has 1 for each. */
const SAFE_ONLY = 0.4

/** Weights of sessions such that every source counts alike, whatever its size, and its unsafe sessions as much as its safe ones; 1 on average. */
export function balancedWeights(
  sessions: readonly { readonly source: string; readonly unsafe: boolean }[],
): Float64Array {
  const counts = new Map<string, { safe: number; unsafe: number }>()
  for (const { source, unsafe } of sessions) {
    const of = counts.get(source) ?? { safe: 0, unsafe: 0 }
    of[unsafe ? 'unsafe' : 'safe']++
    counts.set(source, of)
  }
  const weights = Float64Array.from(sessions, ({ source, unsafe }) => {
    const of = counts.get(source) ?? { safe: 0, unsafe: 0 }
    return (of.unsafe > 0 && of.safe > 0 ? 1 : SAFE_ONLY) / (unsafe ? of.unsafe : of.safe)
  })
  const mean = weights.reduce((a, b) => a + b, 0) / Math.max(1, sessions.length)
  return weights.map((weight) => weight / mean)
}
