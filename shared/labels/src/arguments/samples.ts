import type { CatalogueEntry, ToolLabels } from '@plimsoll/contracts'
import { labelStep } from './label-step.js'

/** Entries for the tests of this folder. */
export const SHELL: CatalogueEntry = {
  tools: ['bash'],
  labels: {
    capability: 'execute',
    confidentiality: 'internal',
    trust: 'untrusted',
    reversibility: 'partial',
  },
  least: { capability: 'read', reversibility: 'reversible' },
  arguments: [{ in: 'command', as: 'shell' }],
}

export const SQL: CatalogueEntry = {
  ...SHELL,
  tools: ['sql_query'],
  arguments: [{ in: 'query', as: 'sql' }],
}

export const CODE: CatalogueEntry = { ...SHELL, tools: ['python'], arguments: [{ in: 'code', as: 'code' }] }

export const REQUEST: CatalogueEntry = {
  tools: ['http_request'],
  labels: {
    capability: 'network',
    confidentiality: 'public',
    trust: 'untrusted',
    reversibility: 'irreversible',
  },
  least: { capability: 'read', reversibility: 'reversible' },
  arguments: [
    { in: 'method', as: 'http_method' },
    { in: 'url', as: 'url' },
  ],
}

export const MAIL: CatalogueEntry = {
  tools: ['send_email'],
  labels: { capability: 'network', reversibility: 'irreversible' },
  least: { capability: 'network', reversibility: 'partial' },
  arguments: [
    { in: 'to', as: 'recipients' },
    { in: 'cc', as: 'recipients' },
    { in: 'attachments', as: 'path' },
  ],
}

export const OURS = { domains: ['example.com'] }

/** Labels in one line: `read internal untrusted reversible`; no word for what is left out. */
export const formatLabels = ({ capability, confidentiality, trust, reversibility }: ToolLabels): string =>
  [capability, confidentiality, trust, reversibility].filter((word) => word !== undefined).join(' ')

/** What the signals say, in one word each: `complete`, `runner`, `code`, `outside`. */
export function noted(tool: 'bash' | 'sql_query' | 'python', text: string): string {
  const [name, entry] = { bash: ['command', SHELL], sql_query: ['query', SQL], python: ['code', CODE] }[
    tool
  ] as [string, typeof SHELL]
  const { signals } = labelStep(tool, { [name]: text }, entry, OURS)
  return ['complete', 'runner', 'code', 'outside'].filter((signal) => (signals[signal] ?? 0) > 0).join(' ')
}
