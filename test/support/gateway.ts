import {
  hashOfKey,
  parsePrincipals,
  startGateway,
  type Gateway,
  type GatewayOptions,
} from '@plimsoll/gateway'
import { noMetrics, silentLogger } from '@plimsoll/runtime'
import type { Deployment } from './sessions/deployment.js'

/** The key of `bot`, a host. */
export const GATEWAY_KEY = 'the-key-of-bot'

/** A gateway over the log of `deployment`, at any free port. */
export function startGatewayOf(
  { log, topics }: Pick<Deployment, 'log' | 'topics'>,
  over: Partial<GatewayOptions> = {},
): Promise<Gateway> {
  const bot = { name: 'bot', trust: 'host', keys: [hashOfKey(GATEWAY_KEY)] }
  const principals = parsePrincipals({ principals: [bot] })
  return startGateway({ log, topics, principals, port: 0, metrics: noMetrics, logger: silentLogger, ...over })
}
