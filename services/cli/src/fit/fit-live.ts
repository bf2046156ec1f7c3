import { meaningOf, moveCountsName, monthsBack, versionOf, type Bundle } from '@plimsoll/contracts'
import { monitorSettings } from '@plimsoll/monitor'
import { readDocument } from '@plimsoll/policy'
import { parseConfig, redisSettings } from '@plimsoll/runtime'
import { createRedisStore } from '@plimsoll/runtime/redis'
import { bundleText, refitFromLive, writeWhole, type Refit } from '@plimsoll/trainer'
import type { Context } from '../command.js'
import { within } from '../pipeline/within.js'

/** What `fit --from-live` reads of the monitors' environment. */
export const liveSettings = { ...redisSettings, bundles: monitorSettings.bundles }

export interface LiveOrder {
  readonly out: string
  /** File of the bundle that the sessions are pinned to; the monitors' first where it is left out. */
  readonly model: string | undefined
  readonly months: number
  readonly kappa: number
}

export interface RefittedLive extends Refit {
  readonly present: Bundle
  readonly version: string
  readonly months: readonly string[]
}

/** Refits the chains of the bundle that runs from what monitors have counted, and writes the bundle. */
export async function fitLive(order: LiveOrder, { env }: Pick<Context, 'env'>): Promise<RefittedLive> {
  const config = parseConfig(liveSettings, env, { prefixes: [] })
  const present = await readDocument('bundle', order.model ?? config.bundles?.[0])
  const months = monthsBack(Date.now(), order.months)
  const counted = await within(async (onRelease) => {
    const store = createRedisStore({ url: config.redisUrl, prefix: config.redisPrefix })
    onRelease(() => store.close())
    const meaning = meaningOf(present)
    return Promise.all(months.map((month) => store.counted(moveCountsName(meaning, month))))
  })
  const refit = refitFromLive({ bundle: present, counted, months, kappa: order.kappa })
  await writeWhole(order.out, bundleText(refit.bundle))
  return { ...refit, present, months, version: versionOf(refit.bundle) }
}
