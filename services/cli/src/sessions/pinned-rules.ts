import { PlimsollError, topicsOf, type Versions } from '@plimsoll/contracts'
import type { Rules } from '@plimsoll/engine'
import { createRuleShelf, defaultDocuments } from '@plimsoll/policy'
import { openRegistry, type EventLog, type Registry } from '@plimsoll/runtime'

/** The rules of `pins`, from the registry or those that ship; undefined where they are in neither. */
export async function pinnedRules(
  log: EventLog,
  topicPrefix: string,
  pins: Versions,
  signal: AbortSignal,
): Promise<Rules | undefined> {
  const registry = await registryIn(log, topicPrefix, signal)
  try {
    const defaults = [await defaultDocuments()] as const
    return createRuleShelf({ defaults, ...(registry && { document: registry.document }) }).rules(pins)
  } finally {
    await registry?.close()
  }
}

/** Undefined where the deployment has none. */
async function registryIn(
  log: EventLog,
  topicPrefix: string,
  signal: AbortSignal,
): Promise<Registry | undefined> {
  try {
    return await openRegistry({ log, topic: topicsOf(topicPrefix).registry, follow: false, signal })
  } catch (error) {
    if (error instanceof PlimsollError && error.code === 'config_invalid') return undefined
    throw error
  }
}
