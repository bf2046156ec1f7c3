import { createContext } from 'preact'
import { useContext, useEffect, useRef } from 'preact/hooks'
import type { Me } from '../../../src/api.js'
import { type LiveBatch, type LiveState, openLive } from './live.js'

/** What a view does with live events. */
export interface Follower {
  readonly onBatch?: (batch: LiveBatch) => void
  readonly onGap?: () => void
  readonly onControls?: () => void
}

/** One stream of live events for all that is shown. */
export interface LiveHub {
  readonly follow: (follower: Follower) => () => void
  readonly close: () => void
}

export function createHub(onState: (state: LiveState) => void): LiveHub {
  const followers = new Set<Follower>()
  const live = openLive({
    onState,
    onBatch: (batch) => {
      for (const { onBatch } of followers) onBatch?.(batch)
    },
    onGap: () => {
      for (const { onGap } of followers) onGap?.()
    },
    onControls: () => {
      for (const { onControls } of followers) onControls?.()
    },
  })
  return {
    follow(follower) {
      followers.add(follower)
      return () => followers.delete(follower)
    },
    close: live.close,
  }
}

/** What every view of somebody who is logged in may use. */
export interface Console {
  readonly me: Me
  readonly hub: LiveHub
  /** The server's time, in milliseconds since 1970. */
  readonly now: () => number
  /** Shows a message until it is dismissed or replaced. */
  readonly notify: (notice: Notice) => void
}

export interface Notice {
  readonly kind: 'done' | 'problem'
  readonly text: string
}

export const ConsoleContext = createContext<Console | undefined>(undefined)

export function useConsole(): Console {
  const console = useContext(ConsoleContext)
  if (console === undefined) throw new Error('a view is shown without its console')
  return console
}

/** Follows the live events while the caller is shown, by its latest functions. */
export function useLive(follower: Follower): void {
  const { hub } = useConsole()
  const current = useRef(follower)
  current.current = follower
  useEffect(
    () =>
      hub.follow({
        onBatch: (batch) => current.current.onBatch?.(batch),
        onGap: () => current.current.onGap?.(),
        onControls: () => current.current.onControls?.(),
      }),
    [hub],
  )
}
