import type { LiveAnswered, LiveEvents, LiveHello, LiveStep, Question, SessionRow } from '../../../src/api.js'
import { fetchMe } from './requests.js'

/**
 * What the console sent since the last batch. A batch comes at most every `BATCH_MS`, in an animation frame, so that a busy fleet costs a
 * reader no more frames than a calm one.
 */
export interface LiveBatch {
  /** The latest of each session. */
  readonly sessions: ReadonlyMap<string, SessionRow>
  readonly steps: readonly LiveStep[]
  readonly questions: readonly Question[]
  readonly answered: readonly LiveAnswered[]
}

const BATCH_MS = 250

/** Events kept while no frame is drawn, but for sessions. Beyond it the view fetches everything again. */
const WAITING_MAX = 5_000

/** Before the page itself opens a stream that the browser has given up. */
const REOPEN_MS = 1_000

export type LiveState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  | { readonly kind: 'lost'; readonly since: number }

export interface LiveListener {
  readonly onBatch: (batch: LiveBatch) => void
  readonly onState: (state: LiveState) => void
  /** Events may have been missed, as before the stream was open: what is shown is to be fetched again. */
  readonly onGap: () => void
  /** Something else may be in force. */
  readonly onControls: () => void
}

/**
 * Follows `/api/live` until `close`. Where the connection breaks, the browser reconnects and names the last event, so that none is missed;
 * where the console no longer has what followed it, `onGap` is called.
 */
export function openLive(listener: LiveListener): { readonly close: () => void } {
  let source: EventSource | undefined
  let reopening: ReturnType<typeof setTimeout> | undefined
  let isNew = true
  let isClosed = false
  const waiting = createWaiting(listener)
  let state: LiveState = { kind: 'connecting' }
  const enter = (next: LiveState) => {
    if (state.kind === next.kind) return
    state = next
    listener.onState(next)
  }

  const open = () => {
    const opened = new EventSource('./api/live')
    source = opened
    const on = <Name extends keyof LiveEvents>(name: Name, take: (data: LiveEvents[Name]) => void) =>
      opened.addEventListener(name, (event) =>
        take(JSON.parse((event as MessageEvent<string>).data) as LiveEvents[Name]),
      )
    on('hello', ({ isGap }: LiveHello) => {
      if (isGap || isNew) listener.onGap()
      isNew = false
      enter({ kind: 'live' })
    })
    on('session', waiting.addSession)
    on('step', waiting.addStep)
    on('question', waiting.addQuestion)
    on('answered', waiting.addAnswered)
    on('controls', () => listener.onControls())
    opened.addEventListener('error', () => {
      enter({ kind: 'lost', since: Date.now() })
      if (opened.readyState !== EventSource.CLOSED || isClosed) return
      // The browser tries no more, as after an answer that is no stream: a new source does not name the last event.
      isNew = true
      reopening = setTimeout(() => void reopen(), REOPEN_MS)
    })
  }
  // A stream does not tell why it is refused; this answer does.
  const reopen = async () => {
    const isBack = await fetchMe().then(
      () => true,
      () => false,
    )
    if (isClosed) return
    if (isBack) open()
    else reopening = setTimeout(() => void reopen(), REOPEN_MS)
  }
  open()

  return {
    close() {
      isClosed = true
      clearTimeout(reopening)
      source?.close()
      waiting.close()
    },
  }
}

function createWaiting({ onBatch, onGap }: LiveListener) {
  let sessions = new Map<string, SessionRow>()
  let steps: LiveStep[] = []
  let questions: Question[] = []
  let answered: LiveAnswered[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let frame: number | undefined

  const flush = () => {
    frame = undefined
    const batch = { sessions, steps, questions, answered }
    sessions = new Map()
    steps = []
    questions = []
    answered = []
    onBatch(batch)
  }
  const draw = () => {
    timer = undefined
    // A tab in the background draws no frames.
    if (document.hidden) flush()
    else frame = requestAnimationFrame(flush)
  }
  const schedule = () => {
    if (timer === undefined && frame === undefined) timer = setTimeout(draw, BATCH_MS)
    if (steps.length + questions.length + answered.length <= WAITING_MAX) return
    steps = []
    questions = []
    answered = []
    onGap()
  }

  return {
    addSession(row: SessionRow) {
      sessions.set(row.id, row)
      schedule()
    },
    addStep(step: LiveStep) {
      steps.push(step)
      schedule()
    },
    addQuestion(question: Question) {
      questions.push(question)
      schedule()
    },
    addAnswered(each: LiveAnswered) {
      answered.push(each)
      schedule()
    },
    close() {
      clearTimeout(timer)
      if (frame !== undefined) cancelAnimationFrame(frame)
    },
  }
}
