import type { Labeller } from '@plimsoll/labels'
import type { Corpus } from '../evaluation/corpus.js'
import type { Method } from '../evaluation/method.js'
import { emptyScores, type SessionScores } from '../evaluation/scores.js'
import type { BlindTrace } from '../traces/blind.js'

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
