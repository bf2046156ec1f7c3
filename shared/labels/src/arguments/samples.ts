import { readFileSync } from 'node:fs'
import type { CatalogueEntry, ToolLabels } from '@plimsoll/contracts'
import { labelStep } from './label-step.js'

type Name = 'SHELL' | 'SQL' | 'CODE' | 'REQUEST' | 'MAIL'

/** Catalogue entries for the tests of this folder. */
export const { SHELL, SQL, CODE, REQUEST, MAIL } = JSON.parse(
  readFileSync(new URL('../../expected/entries.json', import.meta.url), 'utf8'),
) as Record<Name, CatalogueEntry>

export const OURS = { domains: ['example.com'] }

/** Labels in one line: `read internal untrusted reversible`; missing labels are skipped. */
export const formatLabels = ({ capability, confidentiality, trust, reversibility }: ToolLabels): string =>
  [capability, confidentiality, trust, reversibility].filter((word) => word !== undefined).join(' ')

/** The names of the signals that are set: `complete`, `runner`, `code`, `outside`. */
export function noted(tool: 'bash' | 'sql_query' | 'python', text: string): string {
  const [name, entry] = { bash: ['command', SHELL], sql_query: ['query', SQL], python: ['code', CODE] }[
    tool
  ] as [string, typeof SHELL]
  const { signals } = labelStep(tool, { [name]: text }, entry, OURS)
  return (['complete', 'runner', 'code', 'outside'] as const)
    .filter((signal) => (signals[signal] ?? 0) > 0)
    .join(' ')
}
