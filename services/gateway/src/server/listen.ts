import { PlimsollError } from '@plimsoll/contracts'
import { isAddressInUse } from '@plimsoll/runtime'
import type { FastifyInstance } from 'fastify'

/** Has `app` listen and gives its address; on `portIfTaken` where another process has `port`. Rejects with `config_invalid` as `serveHttp` does. */
export async function listen(
  app: FastifyInstance,
  host: string,
  port: number,
  portIfTaken?: number,
): Promise<string> {
  try {
    return await listenOn(app, host, port)
  } catch (error) {
    if (portIfTaken === undefined || !isAddressInUse(error)) throw error
    return listenOn(app, host, portIfTaken)
  }
}

async function listenOn(app: FastifyInstance, host: string, port: number): Promise<string> {
  try {
    return await app.listen({ host, port })
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? cause.code : undefined
    const why = reason === 'EADDRINUSE' ? 'the port is taken' : String(reason ?? cause)
    throw new PlimsollError('config_invalid', `cannot listen on \`${host}:${port}\`: ${why}`, {
      cause,
      details: { reason },
    })
  }
}
