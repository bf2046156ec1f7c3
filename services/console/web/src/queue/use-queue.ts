import { useState } from 'preact/hooks'
import type { LiveAnswered, Queue, QuestionGroup } from '../../../src/api.js'
import { useLive } from '../api/hub.js'
import { fetchQueue } from '../api/requests.js'
import { useFetched } from '../api/use-fetched.js'

/** Questions come and go in bursts; the queue is fetched once for each. */
const SOON_MS = 500

/** Answers that are remembered, for the question that somebody looks at. */
const ANSWERED_MAX = 200

export interface OpenQueue {
  readonly groups: readonly QuestionGroup[]
  readonly count: number
  /** Whether the queue was fetched at all. */
  readonly isKnown: boolean
  /** Questions that are open no more, by decision. */
  readonly answered: ReadonlyMap<string, LiveAnswered>
}

/** The open questions, kept up to date. */
export function useQueue(): OpenQueue {
  const {
    value: queue,
    change,
    load,
    loadSoon,
  } = useFetched({
    what: 'The queue was',
    fetch: fetchQueue,
    soonMs: SOON_MS,
  })
  const [answered, setAnswered] = useState<ReadonlyMap<string, LiveAnswered>>(new Map())
  useLive({
    onBatch(batch) {
      if (batch.questions.length === 0 && batch.answered.length === 0) return
      const gone = new Map(batch.answered.map((each) => [each.decisionId, each]))
      setAnswered((before) => new Map([...before, ...gone].slice(-ANSWERED_MAX)))
      change((before) => withoutAnswered(before, gone))
      loadSoon()
    },
    onGap: load,
  })
  return {
    groups: queue?.groups ?? NO_GROUPS,
    count: queue?.count ?? 0,
    isKnown: queue !== undefined,
    answered,
  }
}

const NO_GROUPS: readonly QuestionGroup[] = []

/** `queue` without the questions of `gone`, and without the groups that have no other. */
export function withoutAnswered(queue: Queue, gone: ReadonlyMap<string, unknown>): Queue {
  let left = 0
  const groups = queue.groups.flatMap((group) => {
    const questions = group.questions.filter(({ decisionId }) => !gone.has(decisionId))
    left += group.questions.length - questions.length
    const [first] = questions
    return first === undefined ? [] : [{ ...group, questions, expiresAt: first.expiresAt }]
  })
  return left === 0 ? queue : { ...queue, groups, count: Math.max(0, queue.count - left) }
}
