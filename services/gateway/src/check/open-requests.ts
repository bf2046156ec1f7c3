import { PlimsollError } from '@plimsoll/contracts'

/** Requests of one principal that may be under way at a time: those that wait for humans cost nothing but their place. */
export const OPEN_REQUESTS_MAX = 1_000

/** Sees that no principal has more requests under way than it may: the rest of them keep their room. */
export interface OpenRequests {
  /** Rejects with `queue_full`, else as `work` does. */
  during<T>(principal: string, work: () => Promise<T>): Promise<T>
}

export function createOpenRequests(max = OPEN_REQUESTS_MAX): OpenRequests {
  const counts = new Map<string, number>()

  function leave(principal: string): void {
    const left = (counts.get(principal) ?? 1) - 1
    if (left > 0) counts.set(principal, left)
    else counts.delete(principal)
  }

  return {
    during: async (principal, work) => {
      const count = counts.get(principal) ?? 0
      if (count >= max)
        throw new PlimsollError(
          'queue_full',
          `\`${principal}\` has ${max} requests under way, as many as it may`,
        )
      counts.set(principal, count + 1)
      try {
        return await work()
      } finally {
        leave(principal)
      }
    },
  }
}
