import { PlimsollError } from '@plimsoll/contracts'
import type { FastifyInstance } from 'fastify'

/** Has `app` listen and gives its address. Rejects with `config_invalid` as `serveHttp` does. */
export async function listen(app: FastifyInstance, host: string, port: number): Promise<string> {
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
