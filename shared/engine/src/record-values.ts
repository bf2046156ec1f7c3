import type { StepLabels } from './safety-state.js'
import { ESCALATIONS, EXPOSURES, REVERSIBILITIES } from './words.js'

/** What a record's JSON holds, and the values in it: what is not of the kind asked for reads as one that no state has. */
export type Row = readonly unknown[]

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
export const numberOf = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN)
export const rowOf = (value: unknown): Row => (Array.isArray(value) ? value : [])

export function isBelow(value: number, bound = Infinity): boolean {
  return Number.isInteger(value) && value >= 0 && value < bound
}

export const isLabels = ({ exposure, escalation, reversibility }: StepLabels): boolean =>
  isBelow(exposure, EXPOSURES.length) &&
  isBelow(escalation, ESCALATIONS.length) &&
  isBelow(reversibility, REVERSIBILITIES.length)
