import type { Clock } from '@plimsoll/runtime'
import { LRUCache } from 'lru-cache'
import type { Model } from './model.js'
import { type StepRequest, signatureOf, type Judgement } from './question.js'

/** Lets at most `max` pieces of work run at a time; the others wait in their order. */
export function createGate(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      // Its place goes to the next as it is, so that nobody slips in between.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

export interface Judged {
  readonly judgement: Judgement
  readonly isCached: boolean
}

/** A model that is asked the same only once. */
export interface Judge {
  /** Never rejects. */
  judge(question: StepRequest): Promise<Judged>
}

export interface JudgeCacheOptions {
  readonly model: Model
  /** Questions asked at a time. */
  readonly concurrencyMax: number
  readonly clock: Clock
  /** Judgements kept; 4,096 by default. */
  readonly keptMax?: number
}

/** How long it is before a question that had no answer is asked again. */
const UNANSWERED_MS = 300_000

interface Kept {
  readonly judgement: Judgement
  readonly until: number
}

export function createJudge(options: JudgeCacheOptions): Judge {
  const { model, concurrencyMax, clock, keptMax = 4096 } = options
  const kept = new LRUCache<string, Kept>({ max: keptMax })
  const underWay = new Map<string, Promise<Judgement>>()
  const gate = createGate(concurrencyMax)

  const ask = async (signature: string, question: StepRequest): Promise<Judgement> => {
    const judgement = await gate(() => model.ask(question))
    const ttlMs = keptMs(judgement)
    if (ttlMs > 0) kept.set(signature, { judgement, until: clock.now() + ttlMs })
    return judgement
  }

  return {
    async judge(question) {
      const signature = signatureOf(question)
      const known = kept.get(signature)
      if (known && clock.now() < known.until) return { judgement: known.judgement, isCached: true }
      const asked = underWay.get(signature)
      if (asked) return { judgement: await asked, isCached: true }
      const asking = ask(signature, question).finally(() => underWay.delete(signature))
      underWay.set(signature, asking)
      return { judgement: await asking, isCached: false }
    },
  }
}

/** What the model would say again is kept; what the moment was to blame for is not. */
function keptMs({ kind }: Judgement): number {
  if (kind === 'labels') return Infinity
  return kind === 'budget' || kind === 'unavailable' ? 0 : UNANSWERED_MS
}
