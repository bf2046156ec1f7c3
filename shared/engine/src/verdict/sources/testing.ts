import { NO_SOURCES } from '../../provenance/sources.js'
import type { Signals } from '@plimsoll/contracts'
import { requestedActs } from '../../labels/safety-state.js'
import { ESCALATIONS, REVERSIBILITIES } from '../../labels/words.js'
import {
  type Group,
  type Matches,
  type Origin,
  GROUPS,
  MATCHES_LENGTH,
  ORIGINS,
} from '../../provenance/matches.js'
import type { IntegrityStep } from './integrity.js'

export type Seen = Partial<Record<Group, Partial<Record<Origin, number>>>>

/** How many fingerprints of each group were seen where. */
export function matchesOf(seen: Seen): Matches {
  const matches = Array.from({ length: MATCHES_LENGTH }, () => 0)
  for (const [g, group] of GROUPS.entries())
    for (const [o, origin] of ORIGINS.entries()) matches[g * ORIGINS.length + o] = seen[group]?.[origin] ?? 0
  return matches
}

export const labelsOf = (escalation: string, reversibility: string): IntegrityStep['labels'] => ({
  exposure: 0,
  escalation: ESCALATIONS.findIndex((each) => each === escalation),
  reversibility: REVERSIBILITIES.findIndex((each) => each === reversibility),
  untrusted: false,
})
export const CHANGE = labelsOf('file_write', 'partial')
export const FINAL = labelsOf('file_write', 'irreversible')
export const RULES = {
  integrity: { untrusted: 'warn', instructed: 'confirm', irreversible: 'block' },
  irreversible: 'confirm',
} as const

/** A step as the integrity line sees it; what is left out is that of a partial change that nobody asks for. */
export interface DirectedStep {
  readonly labels?: IntegrityStep['labels']
  readonly seen?: Seen | 'no report'
  readonly asks?: Signals
  readonly does?: Signals
  readonly rules?: IntegrityStep['rules']
  readonly evidence?: IntegrityStep['evidence']
  readonly sendsForOther?: boolean
  readonly taint?: number
  readonly secretWritten?: boolean
}

export const stepOf = ({
  labels = CHANGE,
  seen = {},
  asks,
  does,
  rules = RULES,
  evidence = 'unknown',
  sendsForOther = false,
  taint = 0,
  secretWritten = false,
}: DirectedStep): IntegrityStep => ({
  state: {
    asked: requestedActs(asks),
    looksOnly: (asks?.looksOnly ?? 0) > 0,
    delegates: (asks?.delegates ?? 0) > 0,
    sendsForOther,
    secretWritten,
    sources: NO_SOURCES,
    taint,
  },
  labels,
  matches: seen === 'no report' ? undefined : matchesOf(seen),
  signals: does,
  evidence,
  rules,
})
