import { wilson } from '@plimsoll/chains'
import type { Compared } from './diff.js'

/** Counts of how many sessions something is so under each of two policies. */
export interface ComparedCount {
  add(old: boolean, candidate: boolean): void
  figures(): Compared
}

export function createComparedCount(): ComparedCount {
  let of = 0
  let old = 0
  let candidate = 0
  let newly = 0
  let noLonger = 0
  return {
    add: (isOld, isCandidate) => {
      of++
      if (isOld) old++
      if (isCandidate) candidate++
      if (isCandidate && !isOld) newly++
      if (isOld && !isCandidate) noLonger++
    },
    figures: () => ({
      old: wilson(old, of),
      candidate: wilson(candidate, of),
      newly: wilson(newly, of),
      noLonger: wilson(noLonger, of),
    }),
  }
}
