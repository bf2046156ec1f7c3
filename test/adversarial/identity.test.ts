import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createClient, type ClientSettings, type PlimsollClient } from '@plimsoll/client'
import { DEAD_LETTER_HEADERS, PROOF_HEADER, type Event } from '@plimsoll/contracts'
import type { LogRecord, OutgoingRecord } from '@plimsoll/runtime'
import {
  decisionsOf,
  deploy,
  DEPLOYMENTS,
  type Deployment,
  type DeploymentKind,
} from '../support/sessions/deployment.js'

const IDENTITY_KEY = 'the identity key of this deployment'
const REQUIRED = { keys: [IDENTITY_KEY], isRequired: true }

interface Fixture extends Deployment {
  connect(settings?: ClientSettings): Promise<PlimsollClient>
  write(record: OutgoingRecord): Promise<void>
  /** Codes of the dead letters so far. */
  codes(): readonly string[]
}

async function onDeployment(kind: DeploymentKind, body: (fixture: Fixture) => Promise<void>): Promise<void> {
  const deployment = await deploy(kind)
  const { log, topics, seen } = deployment
  const clients: PlimsollClient[] = []
  const fixture: Fixture = {
    ...deployment,
    connect: async (settings = {}) => {
      const client = await createClient({ log, topics, timeoutMs: 60_000, ...settings })
      clients.push(client)
      return client
    },
    write: (record) => log.produce(topics.events, [record]),
    codes: () => seen.deadLetters.map(({ headers }) => headers[DEAD_LETTER_HEADERS.code] ?? ''),
  }
  try {
    await deployment.startMonitor({ identity: REQUIRED }).started
    await body(fixture)
  } finally {
    await Promise.all(clients.map((client) => client.close()))
    await deployment.close()
  }
}

const eventIn = ({ value }: LogRecord) => JSON.parse(String(value)) as Event
const recordOf = (event: Event, proof?: string): OutgoingRecord => ({
  key: event.sessionId,
  value: JSON.stringify(event),
  ...(proof !== undefined && { headers: { [PROOF_HEADER]: proof } }),
})

for (const [kind, skip] of DEPLOYMENTS)
  describe(`where identities are required, ${kind}`, { skip }, () => {
    test('a writer to the log can neither write into other sessions nor start any', () =>
      onDeployment(kind, async (fixture) => {
        const host = await fixture.connect({ identityKey: IDENTITY_KEY, principal: 'host' })
        const victim = await host.startSession({ id: 'victim', category: 'communication' })
        const read = await victim.propose({ tool: 'read_file' })
        assert.equal(read.verdict, 'allow')

        // A session without a token.
        const stranger = await fixture.connect()
        const forged = await stranger.startSession({ id: 'forged' })
        const refused = await forged.propose({ tool: 'read_file' })
        assert.deepEqual([refused.verdict, refused.decision?.reasons[0]?.code], ['block', 'proof_invalid'])

        // The next event of another principal's session, with the right number.
        await fixture.until('the step', () => fixture.seen.events.length >= 4)
        const events = fixture.seen.events.map(eventIn)
        const proposal = events.find(
          (event) => event.type === 'step.proposed' && event.sessionId === 'victim',
        )
        assert.ok(proposal?.type === 'step.proposed')
        const next = { ...proposal, id: 'stolen', seq: 2, callId: 'stolen', tool: 'send_email' }
        const { headers } = fixture.seen.events.find(
          (record) => eventIn(record).id === proposal.id,
        ) as LogRecord
        await fixture.write(recordOf(next))
        await fixture.write(recordOf(next, headers[PROOF_HEADER]))
        await fixture.until('4 dead letters', () => fixture.seen.deadLetters.length === 4)
        assert.deepEqual(fixture.codes().toSorted(), [
          'identity_missing',
          'proof_invalid',
          'proof_invalid',
          'proof_invalid',
        ])

        await victim.complete(read)
        const after = await victim.propose({ tool: 'read_file' })
        assert.deepEqual([after.verdict, after.decision?.step], ['allow', 2])
        await victim.end()
      }))

    test('a repeated start restarts nothing, during its session or after its end', () =>
      onDeployment(kind, async (fixture) => {
        const host = await fixture.connect({ identityKey: IDENTITY_KEY })
        const session = await host.startSession({ id: 'once' })
        const read = await session.propose({ tool: 'read_file' })
        await session.complete(read, { labels: { confidentiality: 'credentials' } })
        const [start] = fixture.seen.events
        assert.ok(start)
        const again = { key: start.key, value: start.value, headers: start.headers }
        await fixture.write(again)
        const mail = await session.propose({ tool: 'send_email' })
        assert.equal(mail.decision?.risk?.exposure, 'credentials')
        await session.end()
        await fixture.write(again)
        // With another id the proof does not fit.
        await fixture.write({ ...again, value: String(start.value).replace('"time"', '"time" ') })
        await fixture.until('the refusal', () => fixture.seen.deadLetters.length >= 1)
        assert.deepEqual(new Set(fixture.codes()), new Set(['proof_invalid']))
        assert.equal(decisionsOf(fixture).filter(({ step }) => step === 1).length, 1)
      }))
  })
