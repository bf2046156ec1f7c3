/** A session's score and whether it was violated. */
export interface Scored {
  readonly score: number
  readonly unsafe: boolean
}

/**
 * Area under the curve of detection against false positives: the chance that a violated session scores above a safe one, ties
 * counting half. NaN where either kind is missing. O(n log n).
 */
export function areaUnderCurve(sessions: readonly Scored[]): number {
  const sorted = [...sessions].sort((a, b) => a.score - b.score)
  const unsafe = sessions.filter((session) => session.unsafe).length
  const safe = sessions.length - unsafe
  let above = 0
  let safeBelow = 0
  for (let from = 0; from < sorted.length;) {
    const tied = countTied(sorted, from)
    above += tied.unsafe * (safeBelow + tied.safe / 2)
    safeBelow += tied.safe
    from += tied.safe + tied.unsafe
  }
  return above / (unsafe * safe)
}

function countTied(sorted: readonly Scored[], from: number): { safe: number; unsafe: number } {
  const tied = { safe: 0, unsafe: 0 }
  for (let n = from; n < sorted.length && sorted[n]?.score === sorted[from]?.score; n++)
    tied[sorted[n]?.unsafe ? 'unsafe' : 'safe']++
  return tied
}
