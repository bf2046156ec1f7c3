import type { Catalogue, Policy } from '@plimsoll/contracts'

/** Documents with every kind of condition over four tools, for tests. */
export const SPECS_CATALOGUE: Catalogue = {
  schema: 1,
  kind: 'plimsoll.catalogue',
  name: 'specs',
  tools: [
    {
      tools: ['read_record'],
      labels: {
        capability: 'read',
        reversibility: 'reversible',
        confidentiality: 'sensitive',
        trust: 'trusted',
      },
    },
    {
      tools: ['read_page'],
      labels: {
        capability: 'network',
        confidentiality: 'none',
        reversibility: 'reversible',
        trust: 'untrusted',
      },
    },
    {
      tools: ['redact'],
      labels: { capability: 'read', confidentiality: 'none', trust: 'trusted', reversibility: 'reversible' },
    },
    {
      tools: ['change'],
      labels: { capability: 'write', confidentiality: 'none', trust: 'trusted', reversibility: 'partial' },
    },
    {
      tools: ['send'],
      labels: {
        capability: 'network',
        confidentiality: 'none',
        trust: 'trusted',
        reversibility: 'irreversible',
        tags: ['mail'],
      },
    },
  ],
}

export const SPECS_POLICY: Policy = {
  schema: 1,
  kind: 'plimsoll.policy',
  name: 'specs',
  specs: [
    {
      id: 'leak',
      tier: 'blocklist',
      flow: {
        from: { confidentiality: ['sensitive', 'credentials'] },
        to: { capability: ['network'], recipient: 'external' },
        declassifiers: ['redaction'],
      },
    },
    {
      id: 'tell',
      tier: 'mustlist',
      tools: ['change'],
      followedBy: { step: { tools: ['send'] }, within: { steps: 3 } },
    },
    { id: 'look-first', tier: 'mustlist', tools: ['change'], requires: { tools: ['read_record'] } },
    { id: 'few', tier: 'confirmation', tags: ['mail'], atMost: { times: 2, per: { steps: 16 } } },
    {
      id: 'much',
      tier: 'confirmation',
      tools: ['send'],
      where: 'args.kind == "pay"',
      sum: { of: 'args.amount', max: 100, per: 'session' },
    },
    {
      id: 'many',
      tier: 'confirmation',
      tools: ['send'],
      distinct: { of: 'args.to', max: 2, per: { seconds: 60 } },
    },
    {
      id: 'after-page',
      tier: 'confirmation',
      tools: ['change'],
      after: { trust: ['untrusted'], within: { seconds: 5 } },
    },
    {
      id: 'open',
      tier: 'blocklist',
      tools: ['read_page'],
      between: { from: { tools: ['change'] }, to: { tools: ['send'] } },
    },
    {
      id: 'known',
      tier: 'allowlist',
      tools: ['send'],
      after: { tools: ['redact'] },
      lifts: ['confirmation', 'line'],
    },
  ],
  unlabelled: { verdict: 'warn', labels: { capability: 'execute', reversibility: 'partial' } },
  approvals: { ttlSeconds: 90 },
  declassifiers: [{ id: 'redaction', step: { tools: ['redact'] }, from: 'sensitive' }],
  line: { present: 'allow', absent: 'allow', unknown: 'allow' },
  hazard: ['allow', 'allow', 'allow'],
  forward: { verdicts: ['allow', 'allow', 'allow'], hysteresis: 0 },
}
