import type { Policy } from '@plimsoll/contracts'
import { defaultDocuments, type Documents } from '@plimsoll/policy'

const SPECS: Policy['specs'] = [
  { id: 'no-wipe', tier: 'blocklist', tools: ['wipe_disk'], alternative: 'delete single files' },
  { id: 'ask-refund', tier: 'confirmation', tools: ['refund'] },
]

/** Documents by which `refund` asks and `wipe_disk` is blocked; the rest is as it ships. */
export async function agentDocuments(): Promise<Documents> {
  const { policy, catalogue, ...documents } = await defaultDocuments()
  const refund = { tools: ['refund'], labels: { capability: 'write', reversibility: 'partial' } } as const
  const wipe = {
    tools: ['wipe_disk'],
    labels: { capability: 'execute', reversibility: 'irreversible' },
  } as const
  const labelled = [refund, wipe].map((entry) => ({ ...entry, tools: [...entry.tools] }))
  return {
    ...documents,
    policy: { ...policy, name: 'test', specs: SPECS },
    catalogue: { ...catalogue, name: 'test', tools: [...labelled, ...catalogue.tools] },
  }
}
