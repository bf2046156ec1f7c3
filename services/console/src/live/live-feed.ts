import { randomBytes } from 'node:crypto'
import type { LiveEvents } from '../api.js'

/** Events kept for those that come back. */
const KEPT_MAX = 2_000
/** Characters in them. */
const KEPT_CHARS_MAX = 16 * 1024 * 1024
/** Events that wait for a reader; a slower reader is cut off. */
const WAITING_MAX = 1_000
/** Readers at a time. */
export const READERS_MAX = 500
/** Of one user, whatever the number of their logins: one cannot end live for the others. */
export const READERS_OF_USER_MAX = 20

type Name = Exclude<keyof LiveEvents, 'hello'>

/** What an event is about. */
export interface LiveSubject {
  readonly sessionId: string
  readonly tenant: string
}

/** An event of `/api/live` with those who may have it. */
export interface LiveEvent {
  readonly id: string
  readonly name: Name
  /** Undefined where everybody may have it. */
  readonly about: LiveSubject | undefined
  /** JSON. */
  readonly data: string
}

const subjectOf = ({ sessionId, tenant }: LiveSubject): LiveSubject => ({ sessionId, tenant })

export interface LiveReader {
  /** Name of who reads. */
  readonly user: string
  readonly isWanted: (event: LiveEvent) => boolean
  /** Gets events; false while it cannot take more. */
  readonly send: (event: LiveEvent) => boolean
  /** Events were missed: it has to ask for everything again. */
  readonly onGap: () => void
  /** It is cut off. */
  readonly onEnd: () => void
}

export interface Subscription {
  /** Sends what waits, after `send` was false. */
  resume(): void
  close(): void
}

export type LiveFeed = ReturnType<typeof createLiveFeed>

/** Passes live events on to readers, each bounded, and keeps the last ones for readers that come back. */
export function createLiveFeed({
  keptMax = KEPT_MAX,
  keptCharsMax = KEPT_CHARS_MAX,
  waitingMax = WAITING_MAX,
} = {}) {
  // Ids of an earlier run are not mistaken for those of this one.
  const run = randomBytes(6).toString('hex')
  let last = 0
  let kept: LiveEvent[] = []
  let keptChars = 0
  const readers = new Map<(event: LiveEvent) => void, string>()
  const onGaps = new Set<() => void>()

  function publish<N extends Name>(name: N, about: LiveSubject | undefined, body: LiveEvents[N]): void {
    last += 1
    const event = { id: `${run}-${last}`, name, about: about && subjectOf(about), data: JSON.stringify(body) }
    keep(event)
    for (const read of readers.keys()) read(event)
  }

  function keep(event: LiveEvent): void {
    kept.push(event)
    keptChars += event.data.length
    // Half of them at a time: not all are moved for each event.
    if (kept.length > 2 * keptMax) forget(kept.length - keptMax)
    if (keptChars <= keptCharsMax) return
    let chars = keptChars
    const from = kept.findIndex(({ data }) => (chars -= data.length) <= keptCharsMax / 2)
    forget(from + 1)
  }

  function forget(count: number): void {
    for (const { data } of kept.slice(0, count)) keptChars -= data.length
    kept = kept.slice(count)
  }

  /** The events after `id`; undefined if some of them are gone. */
  function after(id: string): readonly LiveEvent[] | undefined {
    if (id === `${run}-${last}`) return []
    const at = kept.findIndex((event) => event.id === id)
    return at < 0 ? undefined : kept.slice(at + 1)
  }

  return {
    publish,
    /** Events were left out: nobody can resume across this place. */
    skip(): void {
      last += 1
      forget(kept.length)
      for (const onGap of onGaps) onGap()
    },
    readers: (): number => readers.size,
    readersOf: (user: string): number => [...readers.values()].filter((each) => each === user).length,
    /**
     * Sends events from now on, and those since `lastId`, if they are kept. Call `start` once the reader has `isGap`.
     */
    subscribe(lastId: string | undefined, { user, isWanted, send, onGap, onEnd }: LiveReader) {
      const missed = lastId === undefined ? [] : after(lastId)
      let waiting: LiveEvent[] = []
      let isFlowing = true
      const flush = (): void => {
        let sent = 0
        while (isFlowing && sent < waiting.length) isFlowing = send(waiting[sent++] as LiveEvent)
        waiting = waiting.slice(sent)
      }
      const receive = (event: LiveEvent): void => {
        if (!isWanted(event)) return
        waiting.push(event)
        flush()
        if (waiting.length <= waitingMax) return
        close()
        onEnd()
      }
      const close = (): void => {
        readers.delete(receive)
        onGaps.delete(onGap)
        waiting = []
      }
      return {
        isGap: missed === undefined,
        start(): Subscription {
          readers.set(receive, user)
          onGaps.add(onGap)
          for (const event of missed ?? []) receive(event)
          return {
            resume: () => {
              isFlowing = true
              flush()
            },
            close,
          }
        },
      }
    },
  }
}
