import type { Catalogue } from '@plimsoll/contracts'

/** Tools of each kind that packs tell apart; verification takes minutes over the catalogue that ships, seconds over this one. */
export const PACKS_CATALOGUE: Catalogue = {
  schema: 1,
  kind: 'plimsoll.catalogue',
  name: 'packs',
  tools: [
    { tools: ['read_file'], labels: { capability: 'read', reversibility: 'reversible' } },
    {
      tools: ['get_secret'],
      labels: { capability: 'read', confidentiality: 'credentials', reversibility: 'reversible' },
    },
    {
      tools: ['get_customer'],
      labels: {
        capability: 'read',
        confidentiality: 'sensitive',
        reversibility: 'reversible',
        tags: ['pii'],
      },
    },
    {
      tools: ['get_patient_record'],
      labels: {
        capability: 'read',
        confidentiality: 'sensitive',
        reversibility: 'reversible',
        tags: ['pii', 'health'],
      },
    },
    { tools: ['write_file', 'ask_human'], labels: { capability: 'write', reversibility: 'partial' } },
    { tools: ['bash'], labels: { capability: 'execute', reversibility: 'partial' } },
    { tools: ['send_email'], labels: { capability: 'network', reversibility: 'irreversible' } },
    {
      tools: ['send_money', 'transfer_money', 'make_payment', 'wire_transfer'],
      labels: { capability: 'network', reversibility: 'irreversible', tags: ['financial'] },
    },
  ],
}
