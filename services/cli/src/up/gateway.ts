import { randomBytes } from 'node:crypto'
import {
  hashOfKey,
  parsePrincipals,
  startGateway,
  type Gateway,
  type GatewayOptions,
} from '@plimsoll/gateway'
import type { Output } from '../command.js'

/** A gateway in this process, and the key of the one principal that may speak to it: a host. */
export interface OwnGateway extends Gateway {
  readonly apiKey: string
}

/** Serves on the port that was asked for, or where that is taken on any that is free, and says so. */
export async function startOwnGateway(
  options: Omit<GatewayOptions, 'principals'>,
  stderr: Output,
): Promise<OwnGateway> {
  const apiKey = randomBytes(16).toString('hex')
  const principals = parsePrincipals({
    principals: [{ name: 'you', trust: 'host', keys: [hashOfKey(apiKey)] }],
  })
  const gateway = await startGateway({ ...options, principals, portIfTaken: 0 })
  if (options.port !== 0 && new URL(gateway.url).port !== String(options.port))
    stderr.write(`port ${options.port} is taken; a free one is used for the gateway\n`)
  return { ...gateway, apiKey }
}
