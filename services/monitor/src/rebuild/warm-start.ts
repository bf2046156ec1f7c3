import type { Versions } from '@plimsoll/contracts'
import { type ControlView, type SessionState, controlsBefore, encodeState, repin } from '@plimsoll/engine'
import type { Clock } from '@plimsoll/runtime'
import type { HistoryOrder, StoreContext, WarmOrder, WarmStart } from '../context.js'
import type { Warmth } from '../fold/fold.js'
import type { Held } from '../records/progress.js'
import type { MonitorLimits } from '../records/quota.js'
import { type Histories, readHistory } from './warm-history.js'

export interface WarmStartOptions extends Pick<
  HistoryOrder,
  'admit' | 'recordsMax' | 'millisMax' | 'sessionsMax'
> {
  readonly clock: Clock
}

type WarmContext = Pick<StoreContext, 'log' | 'topics' | 'rulesCache' | 'lifetimes' | 'logger'>

export function createWarmStart(context: WarmContext, options: WarmStartOptions): WarmStart {
  /** What was read for the latest change of a partition. */
  const read = new Map<number, { readonly change: string; readonly histories: Histories }>()

  const historiesFor = async ({ partition, upTo, timeMs, isOwned, controls }: WarmOrder) => {
    const change = controlsBefore(controls.log, upTo).running.policy?.offset ?? ''
    const known = read.get(partition)
    if (known?.change === change) return known.histories
    const began = options.clock.now()
    const order = { ...options, partition, upTo, timeMs, isOwned, controls }
    const { histories, records } = await readHistory(context, order)
    const millis = options.clock.now() - began
    context.logger.info('sessions move to another policy: what they did was read back', {
      partition,
      records,
      sessions: histories.size,
      millis,
    })
    read.set(partition, { change, histories })
    return histories
  }
  return {
    prepare: async (order) => {
      const { view } = order
      if (!order.held.some((held) => remembers(held, view, context))) return UNKNOWN
      const histories = await historiesFor(order)
      return (held) => {
        const history = histories.get(held.id)
        if (!history || !held.state || history.offset !== held.offset) return undefined
        if (!isSame(history.state, held.state)) return undefined
        return history.followed
      }
    },
    reset: () => read.clear(),
  }
}

/** The bounds of a reading, of those of a monitor. */
export const warmLimitsOf = (
  limits: MonitorLimits,
): Pick<WarmStartOptions, 'recordsMax' | 'millisMax' | 'sessionsMax'> => ({
  recordsMax: limits.warmStartRecordsMax,
  millisMax: limits.warmStartMillisMax,
  sessionsMax: limits.warmStartSessionsMax,
})

const UNKNOWN: Warmth = () => undefined

/** Whether `held` moves to a policy whose specs remember anything. */
function remembers({ state, offset }: Held, view: ControlView, { rulesCache }: WarmContext): boolean {
  if (!state || state.ended) return false
  const pins = view.upgradedVersions(state.pins, offset)
  return pins.policy !== state.pins.policy && (rulesCache.rules(pins)?.memory.cells ?? 0) > 0
}

/**
 * Whether folding the log again has led to what the record holds, but for what the specs of earlier policies remembered: else what was read
 * back is not what the session was judged on.
 */
const isSame = (a: SessionState, b: SessionState): boolean => withoutMemory(a) === withoutMemory(b)

const withoutMemory = (state: SessionState): string => encodeState(repin(state, NOBODYS))
const NOBODYS: Versions = { bundle: '', policy: '', catalogue: '' }
