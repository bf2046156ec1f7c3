import { once } from 'node:events'
import { createServer } from 'node:net'

/** `count` different ports of 127.0.0.1 that nothing listens on. All are held until the last is found. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer())
  try {
    return await Promise.all(
      servers.map(async (server) => {
        server.listen(0, '127.0.0.1')
        await once(server, 'listening')
        const address = server.address()
        if (address === null || typeof address === 'string') throw new Error('a port was expected')
        return address.port
      }),
    )
  } finally {
    for (const server of servers) server.close()
  }
}

/** Rejects with a line that names the port, where something listens on it already. */
export async function assertPortFree(port: number): Promise<void> {
  const server = createServer()
  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (cause) {
    throw new Error(`port \`${port}\` of 127.0.0.1 is taken`, { cause })
  }
  server.close()
  await once(server, 'close')
}
