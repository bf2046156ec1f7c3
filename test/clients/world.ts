/**
 * What a client is tested against: a gateway with a monitor, behind a relay, and an address that controls them. clients/cases/README.md
 * describes it for clients in other languages, which start it as a process of its own:
 *
 *     node test/dist/clients/world.js     prints `{ "url": …, "key": …, … }` and ends with its standard input
 */
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import type { Decision } from '@plimsoll/contracts'
import { approvalOf } from '../support/sessions/approvals.js'
import { SIGNING_KEY, decisionsOf } from '../support/sessions/deployment.js'
import { withGateway } from '../support/gateway-world.js'
import { type RelayMode, startRelay } from './relay.js'

export interface World {
  readonly url: string
  /** The key of a host. */
  readonly key: string
  /** The key of a human's program, which may approve. */
  readonly approverKey: string
  /** Takes `POST /relay`, `POST /approve` and `GET /sent`. */
  readonly control: string
}

/** How long the gateway itself waits for a verdict, milliseconds: longer than the clients do. */
const TIMEOUT_MS = 30_000

/** Runs `play` in a world of its own. */
export async function withWorld(play: (world: World) => Promise<void>): Promise<void> {
  await withGateway(
    'embedded',
    async (deployment) => {
      await deployment.startMonitor().started
      const relay = await startRelay(deployment.gateway.url)

      async function approve({ sessionId, resolution }: Approving): Promise<void> {
        const asked = decisionsOf(deployment).findLast(isAskedIn(sessionId))
        if (!asked) throw new Error(`session ${sessionId} waits for no approval`)
        await deployment.publish([
          approvalOf(asked, { resolution, id: `approval-${asked.id.length}-${Date.now()}` }),
        ])
      }

      const server = createServer((incoming, reply) => {
        const respond = (status: number, body: object) => reply.writeHead(status).end(JSON.stringify(body))
        answer(incoming).then(
          (body) => respond(200, body),
          (error: unknown) => respond(400, { error: String(error) }),
        )
      })

      async function answer(incoming: IncomingMessage): Promise<object> {
        const address = new URL(incoming.url ?? '', 'http://control')
        if (address.pathname === '/sent') {
          const session = address.searchParams.get('session')
          return relay.sent.filter(({ event }) => (event as { sessionId: string }).sessionId === session)
        }
        const body = JSON.parse(await text(incoming)) as Approving & { mode: RelayMode }
        if (address.pathname === '/relay') relay.set(body.mode)
        else if (address.pathname === '/approve') await approve(body)
        else throw new Error(`there is no ${address.pathname}`)
        return {}
      }

      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const control = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      try {
        await play({ url: relay.url, key: 'key-of-desk', approverKey: 'key-of-ada', control })
      } finally {
        server.closeAllConnections()
        server.close()
        await relay.close()
      }
    },
    { client: { timeoutMs: TIMEOUT_MS }, signingKey: SIGNING_KEY },
  )
}

interface Approving {
  readonly sessionId: string
  readonly resolution: 'approved' | 'denied'
}

const isAskedIn =
  (sessionId: string) =>
  ({ verdict, ...decision }: Decision): boolean =>
    verdict === 'confirm' && decision.sessionId === sessionId

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await withWorld(async (world) => {
    process.stdout.write(`${JSON.stringify(world)}\n`)
    await text(process.stdin)
  })
