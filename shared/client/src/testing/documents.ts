import type { Policy } from '@plimsoll/contracts'
import { defaultDocuments, type Documents } from '@plimsoll/policy'

const SPECS: Policy['specs'] = [
  { id: 'no-wipe', tier: 'blocklist', tools: ['wipe_disk'], alternative: 'delete single files' },
  { id: 'ask-refund', tier: 'confirmation', tools: ['refund'] },
  { id: 'check-first', tier: 'mustlist', tools: ['pay'], requires: { tools: ['check_payee'] } },
]

const DEFAULTS = defaultDocuments()

/**
 * Documents in which `read_file` is allowed, `refund` asks, `wipe_disk` is blocked, `pay` needs `check_payee` before it, and a tool that nothing labels is warned of.
 */
export async function testDocuments(): Promise<Documents> {
  const documents = await DEFAULTS
  const { policy, catalogue } = documents
  const refund = {
    tools: ['refund'],
    labels: { capability: 'write', confidentiality: 'none', trust: 'trusted', reversibility: 'partial' },
  } as const
  const wipe = {
    tools: ['wipe_disk'],
    labels: {
      capability: 'execute',
      confidentiality: 'none',
      trust: 'trusted',
      reversibility: 'irreversible',
    },
  } as const
  const unlabelled = { ...policy.unlabelled, verdict: 'warn' } as const
  const labelled = [
    { ...refund, tools: [...refund.tools] },
    { ...wipe, tools: [...wipe.tools] },
  ]
  return {
    ...documents,
    policy: { ...policy, name: 'test', specs: SPECS, unlabelled },
    catalogue: { ...catalogue, name: 'test', tools: [...labelled, ...catalogue.tools] },
  }
}
