import type { Refined } from '../../labels/refined.js'
import type { StepLabels } from '../../labels/safety-state.js'
import { ESCALATIONS, EXPOSURES, REVERSIBILITIES } from '../../labels/words.js'
import type { SessionApproval } from '../session.js'
import { type Row, isBelow, numberOf, rowOf, textOf } from './rows.js'

export const encodeLabels = ({ exposure, escalation, reversibility, untrusted }: StepLabels): Row => [
  exposure,
  escalation,
  reversibility,
  untrusted ? 1 : 0,
]

export const decodeLabels = ([exposure, escalation, reversibility, untrusted]: Row): StepLabels => ({
  exposure: numberOf(exposure),
  escalation: numberOf(escalation),
  reversibility: numberOf(reversibility),
  untrusted: untrusted === 1,
})

export const isLabels = ({ exposure, escalation, reversibility }: StepLabels): boolean =>
  isBelow(exposure, EXPOSURES.length) &&
  isBelow(escalation, ESCALATIONS.length) &&
  isBelow(reversibility, REVERSIBILITIES.length)

export const encodeRefined = ({ tool, labels, replaces }: Refined): Row => [
  tool,
  ...encodeLabels(labels),
  replaces ? 1 : 0,
]

export const decodeRefined = ([tool, ...labels]: Row): Refined => ({
  tool: textOf(tool),
  labels: decodeLabels(labels),
  replaces: labels[4] === 1,
})

export const encodeApproval = ({ id, tool, digest, labels, lifts, expiresAt }: SessionApproval): Row => [
  id,
  tool,
  digest,
  encodeLabels(labels),
  lifts,
  expiresAt,
]

export function decodeApproval(row: Row): SessionApproval {
  const [id, tool, digest, labels, lifts, expiresAt] = row
  return {
    id: textOf(id),
    tool: textOf(tool),
    digest: textOf(digest),
    labels: decodeLabels(rowOf(labels)),
    lifts: rowOf(lifts).map(textOf),
    expiresAt: numberOf(expiresAt),
  }
}
