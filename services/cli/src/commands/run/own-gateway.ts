import { randomBytes } from 'node:crypto'
import {
  type Gateway,
  type GatewayOptions,
  hashOfKey,
  parsePrincipals,
  startGateway,
} from '@plimsoll/gateway'
import type { Output } from '../../command.js'

/** A gateway in this process, with the key of a host for agents and the key of the human who approves. */
export interface OwnGateway extends Gateway {
  readonly apiKey: string
  readonly approverKey: string
}

/** Serves on the wanted port, or on a free one if it is taken, and says so. */
export async function startOwnGateway(
  options: Omit<GatewayOptions, 'principals'>,
  stderr: Output,
): Promise<OwnGateway> {
  const apiKey = randomBytes(16).toString('hex')
  const approverKey = randomBytes(16).toString('hex')
  const principals = parsePrincipals({
    principals: [
      { name: 'you', trust: 'host', keys: [hashOfKey(apiKey)] },
      { name: 'approver', trust: 'host', approves: true, keys: [hashOfKey(approverKey)] },
    ],
  })
  const gateway = await startGateway({ ...options, principals, portIfTaken: 0 })
  if (options.port !== 0 && new URL(gateway.url).port !== String(options.port))
    stderr.write(`port ${options.port} is taken; a free one is used for the gateway\n`)
  return { ...gateway, apiKey, approverKey }
}
