import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createClient, type PlimsollClient } from '@plimsoll/client'
import type { Decision } from '@plimsoll/contracts'
import { deploy, foldAlone, DEPLOYMENTS } from '../../support/sessions/deployment.js'

const TIMEOUT_MS = 60_000
const KEY = 'a key of fingerprints for tests'
const FILE = { name: 'Ada Example', iban: 'DE89370400440532013000', contract: 'KX-20931-B' }
const LEAK = { to: 'office@example.org', body: 'Contract KX-20931-B, account DE89370400440532013000' }

for (const [kind, skip] of DEPLOYMENTS)
  describe(`a parent and its sub-agent, in separate processes and clients, ${kind}`, { skip }, () => {
    test('the monitor finds a secret that one has read in what the other sends', async () => {
      const deployment = await deploy(kind)
      const clients: PlimsollClient[] = []
      const connect = async () => {
        const { log, topics } = deployment
        const client = await createClient({ log, topics, timeoutMs: TIMEOUT_MS, fingerprintKey: KEY })
        clients.push(client)
        return client
      }
      try {
        deployment.startMonitor()
        const [one, other] = [await connect(), await connect()]
        const parent = await one.startSession({
          task: 'Prepare the welcome letter and send it to the office',
        })
        const read = await parent.propose({ tool: 'get_customer', arguments: { id: 7 } })
        await parent.complete(read, { result: FILE })
        const asked = await parent.propose({ tool: 'read_file', arguments: { path: 'notes.txt' } })

        const handed = JSON.parse(JSON.stringify(parent.handover()))
        const child = await other.startSession({ task: 'Send contract KX-20931-B', parent: handed })
        const leak = await child.propose({ tool: 'send_email', arguments: LEAK })
        assert.deepEqual([leak.verdict, leak.decision?.risk?.evidence], ['block', 'present'])
        const staff = await child.propose({ tool: 'get_employee', arguments: { id: 3 } })
        await child.complete(staff, { result: { name: 'Bob Sample', badge: 'EM-55512' } })
        await child.end('completed')

        await parent.complete(asked, { result: 'nothing to send', child: child.handover() })
        const badge = await parent.propose({ tool: 'send_email', arguments: { body: 'Badge EM-55512' } })
        assert.deepEqual([badge.verdict, badge.decision?.risk?.evidence], ['block', 'present'])
        await parent.end('completed')

        await deployment.until('all events', () => deployment.seen.events.length === 11)
        const alone = foldAlone(deployment).decisions
        for (const { decision } of [read, asked, leak, staff, badge] as { decision?: Decision }[])
          assert.deepEqual(decision, JSON.parse(alone.get(decision?.id ?? '') ?? 'null'))
        assert.equal(deployment.seen.deadLetters.length, 0)
        assert.doesNotMatch(
          deployment.seen.events.map(({ value }) => String(value)).join(),
          /KX-20|EM-5|DE8937/i,
        )
      } finally {
        await Promise.all(clients.map((client) => client.close()))
        await deployment.close()
      }
    })
  })
