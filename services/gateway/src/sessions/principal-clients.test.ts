import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PlimsollError, topicsOf } from '@plimsoll/contracts'
import { topicSpecs } from '@plimsoll/runtime'
import { createEmbeddedLog } from '@plimsoll/runtime/embedded'
import type { Principal } from '../auth/principals.js'
import { createPrincipalClients } from './principal-clients.js'
import { createDecisionRouter } from './decision-router.js'

const principal = (name: string): Principal => ({ name, tenant: 'acme', trust: 'agent' })

test('only principals without a session make room for others', async () => {
  const log = createEmbeddedLog()
  const topics = topicsOf()
  await log.createTopics(topicSpecs(topics, { partitions: 1 }))
  const clients = createPrincipalClients(await createDecisionRouter(log, topics), {}, undefined, 2)
  const busy = await clients.of(principal('busy'))
  await busy.startSession()
  await clients.of(principal('idle'))
  const third = await clients.of(principal('third'))
  const session = await third.startSession()
  assert.equal(await clients.of(principal('busy')), busy)
  await assert.rejects(
    async () => clients.of(principal('fourth')),
    (error) => error instanceof PlimsollError && error.code === 'queue_full',
  )
  await session.end()
  await clients.of(principal('fourth'))
  await clients.close()
  await log.close()
})
