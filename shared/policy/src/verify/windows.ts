import type { Policy, Spec, Window } from '@plimsoll/contracts'

/** Of each spec the length of its longest window of time, milliseconds; 0 where it has none. */
export function windowMsOf({ specs }: Policy): (spec: string) => number {
  const longest = new Map(specs.map((spec) => [spec.id, Math.max(0, ...windowsOf(spec).map(msOf))]))
  return (spec) => longest.get(spec) ?? 0
}

const msOf = (window: Window | 'session'): number =>
  typeof window === 'object' && 'seconds' in window ? window.seconds * 1000 : 0

function windowsOf(spec: Spec): (Window | 'session')[] {
  const windows =
    spec.tier === 'mustlist'
      ? [spec.requires?.within, spec.followedBy?.within]
      : [spec.after?.within, spec.before?.within, ...restrictingWindows(spec)]
  return windows.filter((window) => window !== undefined)
}

function restrictingWindows(spec: Exclude<Spec, { tier: 'mustlist' }>): (Window | 'session' | undefined)[] {
  if (spec.tier === 'allowlist') return []
  return [spec.flow?.from.within, spec.atMost?.per, spec.sum?.per, spec.distinct?.per]
}
