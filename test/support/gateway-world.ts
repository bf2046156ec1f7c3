import { connectGateway, type GatewayClientOptions } from '@plimsoll/client/gateway'
import type { PlimsollClient } from '@plimsoll/client'
import {
  hashOfKey,
  parsePrincipals,
  startGateway,
  type Gateway,
  type GatewayOptions,
} from '@plimsoll/gateway'
import { noMetrics, silentLogger } from '@plimsoll/runtime'
import { createEmbeddedLineages } from '@plimsoll/runtime/embedded'
import { deploy, type Deployment, type DeploymentKind } from './sessions/deployment.js'

/** The principals of the gateway; the key of each is `key-of-NAME`. */
const PRINCIPALS = parsePrincipals({
  principals: [
    { name: 'desk', trust: 'host', keys: [hashOfKey('key-of-desk')] },
    { name: 'ada', trust: 'host', approves: true, keys: [hashOfKey('key-of-ada')] },
    { name: 'bot', tenant: 'acme', category: 'research_comms', keys: [hashOfKey('key-of-bot')] },
    { name: 'rival', tenant: 'acme', keys: [hashOfKey('key-of-rival')] },
  ],
})

export const FINGERPRINT_KEY = 'the key of the fingerprints'

export interface GatewayDeployment extends Deployment {
  readonly gateway: Gateway
  /** Starts another gateway over the same log. */
  startGateway(options?: Partial<GatewayOptions>): Promise<Gateway>
  connect(
    name: 'desk' | 'bot' | 'rival',
    options?: Partial<GatewayClientOptions> & { readonly url?: string },
  ): Promise<PlimsollClient>
}

/** Long, since it only bounds a failure. */
const TIMEOUT_MS = 60_000

/** Runs `play` on a log, a store and a gateway, and closes everything started. */
export async function withGateway(
  kind: DeploymentKind,
  play: (fixture: GatewayDeployment) => Promise<void>,
  options: Partial<GatewayOptions> = {},
): Promise<void> {
  const deployment = await deploy(kind)
  const releases: (() => Promise<void>)[] = []
  // All gateways of a deployment share them.
  const lineages = options.lineages ?? createEmbeddedLineages()
  const open: GatewayDeployment['startGateway'] = async (given = {}) => {
    const { log, topics } = deployment
    const client = {
      fingerprintKey: FINGERPRINT_KEY,
      timeoutMs: TIMEOUT_MS,
      ...options.client,
      ...given.client,
    }
    const gateway = await startGateway({
      log,
      topics,
      principals: PRINCIPALS,
      port: 0,
      metrics: noMetrics,
      logger: silentLogger,
      lineages,
      ...given,
      client,
    })
    releases.push(() => gateway.close())
    return gateway
  }
  try {
    const gateway = await open(options)
    const connect: GatewayDeployment['connect'] = async (name, given = {}) => {
      const credential = `key-of-${name}`
      const client = await connectGateway({ url: gateway.url, credential, timeoutMs: TIMEOUT_MS, ...given })
      releases.push(() => client.close())
      return client
    }
    await play({ ...deployment, gateway, startGateway: open, connect })
  } finally {
    for (const release of releases.toReversed()) await release()
    await deployment.close()
  }
}
