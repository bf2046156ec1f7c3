import type { SignalName, Signals } from '@plimsoll/contracts'

/** Copies signals one by one: each spread of an object that grows would copy it again. */
export function addSignals(to: Signals, from: Signals | undefined, except?: SignalName): void {
  for (const name in from) if (name !== except) to[name as SignalName] = from[name as SignalName] ?? 0
}

/** The member of an event; none without signals. */
export const signalsMember = (signals: Signals): { signals?: Signals } =>
  Object.keys(signals).length > 0 ? { signals } : {}
