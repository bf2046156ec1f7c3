import { type Metrics, counter, createInstruments, gauge } from '@plimsoll/runtime'

/** Names are without the prefix. */
const TABLE = {
  entries: counter(
    'proof_entries_total',
    'Records that were entered into the trees of proofs, by kind.',
    'kind',
  ),
  checkpoints: counter('proof_checkpoints_total', 'Checkpoints signed.'),
  failures: counter('proof_failures_total', 'Failed attempts to enter records; each is repeated.'),
  unsigned: gauge('proof_unsigned_entries', 'Entries that no checkpoint covers yet.'),
  ready: gauge('proof_ready', '1 while records are read and entered.'),
} as const

export const PROOF_METRICS = Object.values(TABLE)

export type ProofMetrics = ReturnType<typeof createProofMetrics>

export function createProofMetrics(metrics: Metrics) {
  const of = createInstruments(metrics, TABLE)
  return {
    entered: (kind: string): void => of.entries.inc({ kind }),
    signed: (): void => of.checkpoints.inc({}),
    failed: (): void => of.failures.inc({}),
    unsigned: (entries: number): void => of.unsigned.set({}, entries),
    ready: (isReady: boolean): void => of.ready.set({}, isReady ? 1 : 0),
  }
}
