import { createLabeller } from '@plimsoll/labels'
import type { Catalogue } from '@plimsoll/contracts'
import { pathAlong, walk } from '../baselines/walk.js'
import type { Corpus } from '../evaluation/corpus.js'
import { sessionStateOf, type FlowView } from '../flow/flow-scores.js'
import { spaceOf, type Space } from '../sessions/space.js'
import type { RecordedTruth } from '../traces/recording.js'

/**
 * A session over a state space as `OrderCounter` takes it: the state before its first step, that after each step that ran and was no
 * violation, then S where it was violated, S + 1 where it ended.
 */
export type ChainPath = Uint8Array

/** By the names of tools alone, as the published method has it. */
export function walkedPaths(
  { recordings }: Corpus,
  catalogue: Catalogue,
  name: 'paper5' | 'paper60',
): (n: number) => ChainPath {
  const space = spaceOf(name)
  const labelOf = createLabeller(catalogue)
  return (n) => {
    const recording = recordings[n]
    if (!recording) throw new RangeError(`no session ${n}`)
    const { arrivals, violated } = pathAlong(walk(recording.blind, labelOf, space), recording.truth)
    return pathOf(space, violated ? arrivals.slice(0, -1) : arrivals, violated)
  }
}

/** By what the session scorer says; see `FlowView`. */
export function flowPath(view: FlowView, n: number, { violatedAt, unexecuted }: RecordedTruth): ChainPath {
  const end = violatedAt ?? view.table.stepsOf(n)
  const after: number[] = []
  for (let i = 0; i < end; i++) if (!unexecuted.has(i)) after.push(sessionStateOf(view, n, i + 1))
  return pathOf(spaceOf('flow'), after, violatedAt !== undefined, sessionStateOf(view, n, 0))
}

const pathOf = (
  { size, start }: Space,
  after: readonly number[],
  violated: boolean,
  from = start,
): ChainPath => Uint8Array.from([from, ...after, violated ? size : size + 1])
