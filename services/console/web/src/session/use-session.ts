import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { LiveStep, SessionPage, Step } from '../../../src/api.js'
import { useLive } from '../api/hub.js'
import type { LiveBatch } from '../api/live.js'
import { fetchSession } from '../api/requests.js'

export type SessionState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'missing'; readonly problem: string }
  | { readonly kind: 'shown'; readonly page: SessionPage }

/** A session, kept up to date. */
export function useSession(sessionId: string): SessionState {
  const [state, setState] = useState<SessionState>({ kind: 'loading' })
  /** What came since the session was asked for: newer than the answer. Undefined once that is there. */
  const since = useRef<LiveBatch[] | undefined>(undefined)
  const load = useCallback(async () => {
    const newer: LiveBatch[] = []
    since.current = newer
    try {
      const page = await fetchSession(sessionId)
      if (since.current !== newer) return
      since.current = undefined
      setState({ kind: 'shown', page: newer.reduce(withBatch, page) })
    } catch (cause) {
      if (since.current === newer) since.current = undefined
      const problem = cause instanceof Error ? cause.message : String(cause)
      // What is shown already is better than nothing.
      setState((before) => (before.kind === 'shown' ? before : { kind: 'missing', problem }))
    }
  }, [sessionId])
  useEffect(() => void load(), [load])
  useLive({
    onBatch(batch) {
      since.current?.push(batch)
      // A link may be opened before its session has begun.
      if (state.kind === 'missing' && batch.sessions.has(sessionId)) void load()
      setState((before) =>
        before.kind === 'shown' ? { kind: 'shown', page: withBatch(before.page, batch) } : before,
      )
    },
    onGap: () => void load(),
  })
  return state
}

/** `page` with what the batch says of its session; the same page where that is nothing. */
export function withBatch(page: SessionPage, batch: LiveBatch): SessionPage {
  const { id } = page.session
  const session = batch.sessions.get(id)
  const steps = batch.steps.filter(({ sessionId }) => sessionId === id)
  const asked = batch.questions.filter(({ sessionId }) => sessionId === id)
  const answered = new Set(batch.answered.map(({ decisionId }) => decisionId))
  const isOver = page.questions.some(({ decisionId }) => answered.has(decisionId))
  const changesTree = page.relatives.some((relative) => batch.sessions.has(relative.id))
  if (session === undefined && steps.length === 0 && asked.length === 0 && !isOver && !changesTree)
    return page
  const known = new Set(page.questions.map(({ decisionId }) => decisionId))
  return {
    ...page,
    session: session ?? page.session,
    steps: withSteps(page.steps, steps),
    relatives: page.relatives.map((relative) => batch.sessions.get(relative.id) ?? relative),
    questions: [...page.questions, ...asked.filter(({ decisionId }) => !known.has(decisionId))].filter(
      ({ decisionId }) => !answered.has(decisionId),
    ),
  }
}

/** A step is of one proposal: what comes later of it replaces it. */
function withSteps(steps: readonly Step[], live: readonly LiveStep[]): readonly Step[] {
  if (live.length === 0) return steps
  const all = [...steps]
  for (const { step } of live) {
    const at = all.findLastIndex(({ eventId }) => eventId === step.eventId)
    if (at < 0) all.push(step)
    else all[at] = step
  }
  return all
}
