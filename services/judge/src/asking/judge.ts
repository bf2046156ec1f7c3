import type { Clock } from '@plimsoll/runtime'
import { LRUCache } from 'lru-cache'
import type { Model } from './model.js'
import { type StepRequest, signatureOf, type Judgement } from './question.js'

/** Runs at most `max` tasks at a time; the others wait in order. */
export function createGate(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      // Hand the slot to the next waiter, so that no newcomer takes it.
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

/** Caches a model's judgements. */
export interface Judge {
  /** Never rejects. */
  judge(question: StepRequest): Promise<Judged>
}

export interface JudgeCacheOptions {
  readonly model: Model
  /** Concurrent requests. */
  readonly concurrencyMax: number
  readonly clock: Clock
  /** Cached judgements; 4,096 by default. */
  readonly keptMax?: number
}

/** How long a request without an answer is not repeated. */
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

/** Temporary failures are not cached. */
function keptMs({ kind }: Judgement): number {
  if (kind === 'labels') return Infinity
  return kind === 'budget' || kind === 'unavailable' ? 0 : UNANSWERED_MS
}
