import { after, before } from 'node:test'
import { createClient, type ClientSettings, type PlimsollClient, type Session } from '@plimsoll/client'
import { createLogChannel, type Channel } from '@plimsoll/client/services'
import type { Decision } from '@plimsoll/contracts'
import type { MonitorOptions } from '@plimsoll/monitor'
import { decisionsOf, deploy, type Deployment } from '../support/sessions/deployment.js'

/** The target of the attacks: a monitor on real Kafka and Redis, with all records kept. One for all tests of a suite. */
export interface Fixture {
  readonly deployment: Deployment
  /** A trusted host's client on the log; `over` replaces parts of its channel. */
  connect(settings?: Partial<ClientSettings>, over?: Partial<Channel>): Promise<PlimsollClient>
  /** The decisions on a session so far. */
  decided(session: Pick<Session, 'id'>): Decision[]
  /** Resolves with the error codes of a session's dead letters once there are `count`. */
  refused(session: Pick<Session, 'id'>, count: number): Promise<string[]>
}

/** Long, since it only bounds a failure: a slow machine must not fail. */
const TIMEOUT_MS = 60_000

/** Call it in a suite: the deployment exists while its tests run. */
export function underAttack(monitor: Partial<MonitorOptions> = {}): Fixture {
  let deployed: Deployment | undefined
  const clients: PlimsollClient[] = []
  const deployment = (): Deployment => {
    if (!deployed) throw new Error('the deployment exists only while the tests of its suite run')
    return deployed
  }

  before(async () => {
    deployed = await deploy('real')
    deployed.startMonitor(monitor)
  })
  after(async () => {
    await Promise.all(clients.map((client) => client.close()))
    await deployed?.close()
  })

  const lettersOf = ({ id }: Pick<Session, 'id'>): string[] =>
    deployment()
      .seen.deadLetters.filter(({ key }) => key === id)
      .map(({ headers }) => headers['plimsoll-code'] ?? '')

  return {
    get deployment() {
      return deployment()
    },
    connect: async (settings = {}, over = {}) => {
      const { log, topics } = deployment()
      const channel = { ...createLogChannel(log, topics), ...over }
      const client = await createClient({ channel, timeoutMs: TIMEOUT_MS, ...settings })
      clients.push(client)
      return client
    },
    decided: ({ id }) => decisionsOf(deployment()).filter(({ sessionId }) => sessionId === id),
    refused: async (session, count) => {
      await deployment().until(`${count} dead letters`, () => lettersOf(session).length >= count)
      return lettersOf(session)
    },
  }
}
