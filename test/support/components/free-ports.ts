import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/**
 * Where ports are looked for: below those that systems give to connections going out, which could take one between its being found and
 * its being used.
 */
const FIRST = 15_000
const BEYOND = 32_000
const ATTEMPTS_MAX = 100

/** `count` different ports of 127.0.0.1 that nothing listens on. All are held until the last is found. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const held: Server[] = []
  try {
    const ports: number[] = []
    while (ports.length < count) ports.push(await holdOne(held))
    return ports
  } finally {
    for (const server of held) server.close()
  }
}

async function holdOne(held: Server[]): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const port = randomInt(FIRST, BEYOND)
    const server = await listenOn(port).catch(() => undefined)
    if (!server) continue
    held.push(server)
    return port
  }
  throw new Error(`no port between ${FIRST} and ${BEYOND} of 127.0.0.1 was free in ${ATTEMPTS_MAX} attempts`)
}

async function listenOn(port: number): Promise<Server> {
  const server = createServer()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

/** Rejects with a line that names the port, where something listens on it already. */
export async function assertPortFree(port: number): Promise<void> {
  const server = await listenOn(port).catch((cause: unknown) => {
    throw new Error(`port \`${port}\` of 127.0.0.1 is taken`, { cause })
  })
  server.close()
  await once(server, 'close')
}
