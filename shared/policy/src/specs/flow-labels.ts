import {
  CONFIDENTIALITIES,
  PlimsollError,
  TRUSTS,
  type Declassifier,
  type StepPattern,
} from '@plimsoll/contracts'
import type { FlowLabels } from '@plimsoll/engine'
import { BITS, type Numbering } from './numbering.js'

/** The bits of one flow's cell, and what its declassifiers make of them. */
export interface NumberedFlow {
  readonly labels: FlowLabels
  readonly bitOf: (label: string) => number
}

/** Gives each label that `from` speaks of a bit, then each that a declassifier can make of one of them. */
export function numberFlow(
  from: StepPattern,
  declassifiers: readonly Declassifier[],
  { tagBits }: Numbering,
  specId: string,
): NumberedFlow {
  const named = [...(from.confidentiality ?? []), ...(from.trust ?? []), ...(from.tags ?? [])]
  const labels = [...new Set([...(named.length > 0 ? named : [MARK]), ...declassifiers.flatMap(ends)])]
  if (labels.length > BITS)
    throw new PlimsollError(
      'document_invalid',
      `spec \`${specId}\`: its flow knows ${labels.length} labels; at most ${BITS} can be`,
    )
  const bits = new Map(labels.map((label, i) => [label, 1 << i]))
  const bitOf = (label: string): number => bits.get(label) ?? 0
  const spokenOf = (label: string): number => (named.includes(label) ? bitOf(label) : 0)
  const tags = [...tagBits.keys()].map(spokenOf)
  return {
    bitOf,
    labels: {
      exposures: [0, ...CONFIDENTIALITIES.map(spokenOf)],
      trusted: spokenOf(TRUSTS[0]),
      untrusted: spokenOf(TRUSTS[1]),
      tags,
      mark: named.length > 0 ? 0 : bitOf(MARK),
      spoken: named.length > 0 ? named.reduce((all, label) => all | bitOf(label), 0) : bitOf(MARK),
    },
  }
}

/** No label: what a step brings whose pattern names none. */
const MARK = ''

const ends = ({ from, to }: Declassifier): string[] => (to === undefined ? [from] : [from, to])
