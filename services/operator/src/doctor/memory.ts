import type { PartitionInfo, SessionStore } from '@plimsoll/runtime'
import { fail, ok, warn, type Finding } from './finding.js'

/** Whether the events topic has the partitions that the session store remembers; see the monitor's log guard. */
export async function checkRemembered(
  store: Pick<SessionStore, 'readMeta'>,
  topic: string,
  partitions: readonly PartitionInfo[],
): Promise<readonly Finding[]> {
  const { partitions: remembered } = await store.readMeta(`log:${topic}`)
  return [rememberedFinding(remembered, partitions.length)]
}

export function rememberedFinding(remembered: string | undefined, count: number): Finding {
  const name = 'partition count'
  if (remembered === undefined) return ok(name, `${count}; no monitor has noted it yet`)
  if (Number(remembered) === count) return ok(name, `${count}, as the session store remembers`)
  return fail(
    name,
    `${count}, but the session store remembers ${remembered}: sessions would be looked for in the wrong place`,
    'drain, clear the session store, start again',
  )
}

export function signingKeyFinding(key: string | undefined): Finding {
  if (key !== undefined) return ok('signing key', 'given')
  return warn(
    'signing key',
    'none: approvals, deadlines and control changes are refused',
    'set PLIMSOLL_SIGNING_KEY, the same for all monitors and for this command line',
  )
}
