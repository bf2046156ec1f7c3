import { sign, type Control, type PartitionReport, type Unsigned } from '@plimsoll/contracts'
import { controlKeyOf, openRegistry } from '@plimsoll/runtime'
import type { Deployment } from './deployment.js'
import { SIGNING_KEY } from './signing-key.js'
import { waitUntil } from '../wait-until.js'

type Body =
  Unsigned<Control> extends infer C
    ? C extends unknown
      ? Omit<C, 'schema' | 'partition' | 'by' | 'time'> & { readonly time?: number }
      : never
    : never

/** Sends a change to every partition, as an operator's tool does. */
export async function sendControl(deployment: Deployment, body: Body, key = SIGNING_KEY): Promise<void> {
  for (let partition = 0; partition < deployment.partitions; partition++) {
    const unsigned = { schema: 1, by: 'ada', time: Date.now(), ...body, partition } as Unsigned<Control>
    const control = sign<Control>(unsigned, key)
    await deployment.publishRaw(controlKeyOf(partition, deployment.partitions), JSON.stringify(control))
  }
}

/** Sends a change, and waits until every partition has reported its result. */
export async function settleControl(deployment: Deployment, body: Body): Promise<PartitionReport[]> {
  await sendControl(deployment, body)
  return untilReported(deployment, body.id)
}

/** Resolves with every partition's report of the change `id`, once all have reported. */
export async function untilReported(deployment: Deployment, id: string): Promise<PartitionReport[]> {
  const { log, topics, partitions } = deployment
  const registry = await openRegistry({ log, topic: topics.registry, signingKey: SIGNING_KEY, watch: false })
  try {
    const reports = () =>
      Array.from({ length: partitions }, (_, partition) => registry.report(partition)).filter(
        (report) => report?.control === id,
      )
    await waitUntil(
      `reports on ${id}`,
      async () => {
        await registry.refresh()
        return reports().length === partitions
      },
      { timeoutMs: 90_000, everyMs: 200 },
    )
    return reports().filter((report) => report !== undefined)
  } finally {
    await registry.close()
  }
}
