import type { Labeller } from '@plimsoll/labels'
import {
  type BlindTrace,
  type Corpus,
  type SessionScores,
  HORIZON,
  KAPPA,
  emptyScores,
  spaceOf,
} from '@plimsoll/fit'
import { type Method } from '../metrics/method-fold.js'
import { chainMethod, walk } from './chain.js'

/** Says nothing of any step: what a figure is worth that takes no evidence. */
export const noneMethod = (corpus: Corpus): Method =>
  unfitted('none', corpus, ({ steps }) => emptyScores(steps.length))

/** An alarm at any step that reaches outside, by the label of its tool. */
export const keywordMethod = (corpus: Corpus, labelOf: Labeller): Method =>
  unfitted('keyword', corpus, ({ steps }) => {
    const scores = emptyScores(steps.length)
    let latest = 0
    for (const [i, { tool }] of steps.entries()) {
      latest = labelOf(tool)?.capability === 'network' ? 1 : 0
      scores.p1[i] = scores.p5[i] = latest
    }
    return scores
  })

/** The longer a session, the higher: what length alone gives away. */
const LONG_STEPS = 100
export const lengthMethod = (corpus: Corpus): Method =>
  unfitted('length', corpus, ({ steps }) => {
    const scores = emptyScores(steps.length)
    for (const i of steps.keys())
      scores.p1[i] = scores.p5[i] = scores.p5After[i] = Math.min(1, (i + 1) / LONG_STEPS)
    return scores
  })

function unfitted(name: string, corpus: Corpus, scoreOf: (trace: BlindTrace) => SessionScores): Method {
  const scores = corpus.recordings.map(({ blind }) => scoreOf(blind))
  return { name, fit: () => ({ score: (n) => scores[n] ?? emptyScores(0) }) }
}

/** The share of violated sessions in the session's category, whatever it does. */
export function priorMethod({ recordings }: Corpus): Method {
  return {
    name: 'category prior',
    fit: (training) => {
      const tallies = new Map<string, { sessions: number; unsafe: number }>()
      for (const n of training) {
        const { blind, truth } = recordings[n] ?? {}
        const tally = tallies.get(blind?.category ?? '') ?? { sessions: 0, unsafe: 0 }
        tally.sessions++
        if (truth?.unsafe) tally.unsafe++
        tallies.set(blind?.category ?? '', tally)
      }
      return {
        score: (n) => {
          const { category = '', steps = [] } = recordings[n]?.blind ?? {}
          const { sessions, unsafe } = tallies.get(category) ?? { sessions: 0, unsafe: 0 }
          const scores = emptyScores(steps.length)
          for (const values of [scores.p1, scores.p5, scores.p5After])
            values.fill(unsafe / Math.max(1, sessions))
          return scores
        },
      }
    },
  }
}

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
        at.p5 += within(i, HORIZON)
        at.p5After += within(i + 1, HORIZON)
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

/** What a method has to be better than, by name. Each is made only where it is asked for. */
export const BASELINES: Readonly<Record<string, (corpus: Corpus, labelOf: Labeller) => Method>> = {
  none: noneMethod,
  keyword: keywordMethod,
  length: lengthMethod,
  prior: priorMethod,
  paper5: (corpus, labelOf) => chainMethod(corpus, labelOf, 'paper5'),
  paper60: (corpus, labelOf) => chainMethod(corpus, labelOf, 'paper60'),
  order2: (corpus, labelOf) => windowsMethod(corpus, labelOf, 2, 'order 2'),
  windows3: (corpus, labelOf) => windowsMethod(corpus, labelOf, 3, '3-step windows'),
}
