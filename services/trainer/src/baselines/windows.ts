import type { Labeller } from '@plimsoll/labels'
import type { Corpus } from '../evaluation/corpus.js'
import { AHEAD } from '../evaluation/forecasts.js'
import type { Method } from '../evaluation/method.js'
import { emptyScores } from '../evaluation/scores.js'
import { KAPPA } from '../fit/fit.js'
import { spaceOf } from '../sessions/space.js'
import { walk } from './walk.js'

/**
 * Frequencies of what followed the last `width` safety states, with those of the shorter windows as priors (κ each, down to all steps):
 * two are a chain of order 2, read off directly; three are the windows that a rule over recent steps would see.
 */
export function windowsMethod(corpus: Corpus, labelOf: Labeller, width: number, name: string): Method {
  const space = spaceOf('paper60')
  const { recordings } = corpus
  const walks = recordings.map(({ blind }) => walk(blind, labelOf, space))
  return {
    name,
    fit: (training) => {
      const counts = countWindows(corpus, walks, training, width)
      return {
        score: (n) => {
          const states = walks[n] ?? new Uint8Array()
          const category = recordings[n]?.blind.category ?? ''
          const scores = emptyScores(states.length)
          for (const i of states.keys()) {
            const windows = windowsAt(states, i, width, category)
            for (const kind of KINDS) scores[kind][i] = shrunk(counts, kind, windows)
          }
          return scores
        },
      }
    },
  }
}

const KINDS = ['p1', 'p5', 'p5After'] as const

interface WindowCounts {
  steps: number
  /** Steps after which the result is in: those that were not themselves the violation. */
  survived: number
  p1: number
  p5: number
  p5After: number
}

const NO_COUNTS: Readonly<WindowCounts> = { steps: 0, survived: 0, p1: 0, p5: 0, p5After: 0 }

/** Keys of the windows that end at step i, from that of all steps to the widest. */
function windowsAt(states: Uint8Array, i: number, width: number, category: string): string[] {
  const keys = ['', category]
  for (let n = 1; n <= width; n++)
    keys.push(`${category}:${states.subarray(Math.max(0, i + 1 - n), i + 1).join()}`)
  return keys
}

function countWindows(
  { recordings }: Corpus,
  walks: readonly Uint8Array[],
  training: readonly number[],
  width: number,
): ReadonlyMap<string, WindowCounts> {
  const counts = new Map<string, WindowCounts>()
  for (const n of training) {
    const { blind, truth } = recordings[n] ?? {}
    const states = walks[n]
    if (!states || !blind || !truth) continue
    const { violatedAt = Infinity } = truth
    for (let i = 0; i < states.length && i <= violatedAt; i++) {
      if (truth.unexecuted.has(i)) continue
      const within = (from: number, steps: number) =>
        violatedAt >= from && violatedAt < from + steps ? 1 : 0
      for (const key of windowsAt(states, i, width, blind.category)) {
        const at = counts.get(key) ?? { ...NO_COUNTS }
        at.steps++
        at.survived += i === violatedAt ? 0 : 1
        at.p1 += within(i, 1)
        at.p5 += within(i, AHEAD)
        at.p5After += within(i + 1, AHEAD)
        counts.set(key, at)
      }
    }
  }
  return counts
}

function shrunk(
  counts: ReadonlyMap<string, WindowCounts>,
  kind: (typeof KINDS)[number],
  keys: readonly string[],
): number {
  let rate = 0
  for (const [n, key] of keys.entries()) {
    const at = counts.get(key) ?? NO_COUNTS
    const of = kind === 'p5After' ? at.survived : at.steps
    rate = n === 0 ? at[kind] / Math.max(1, of) : (at[kind] + KAPPA * rate) / (of + KAPPA)
  }
  return rate
}
