import type { Signals } from '@plimsoll/contracts'
import { type StepLabels, SENSITIVE_EXPOSURE, exposureOf, isProgram } from '../labels/safety-state.js'
import { ESCALATIONS } from '../labels/words.js'
import { type Matches, countOf, distinctiveShare } from '../provenance/matches.js'
import { isComplete, isIncomplete, mayHoldUnlistedData } from './evidence.js'
import type { SessionState } from './session.js'

const WRITE = ESCALATIONS.indexOf('file_write')
const NETWORK = ESCALATIONS.indexOf('network')

interface Step {
  readonly state: SessionState
  readonly labels: StepLabels
  readonly signals: Signals | undefined
  readonly matches: Matches | undefined
}

/**
 * Whether files may hold sensitive data after the step that the session has read, or that the step itself reads: a push may then send it.
 * A typed text holds what its fingerprints show. A program puts into files what it is given and what it reads; of what it does unseen,
 * a project's own target is no reader of the session. O(1). Source: docs/decisions/20261128-what-files-hold.md.
 */
export function mayFillFiles({ state, labels, signals, matches }: Step): boolean {
  if (labels.escalation < WRITE) return false
  // What a program took in before may be what is read later.
  if (isProgram(signals)) return mayProgramFill({ state, labels, signals, matches })
  if (signals?.takesAll === 1) return true
  if (Math.max(exposureOf(state.safety), labels.exposure) < SENSITIVE_EXPOSURE) return false
  // A tool that writes over the network is itself what is judged.
  if (labels.escalation >= NETWORK) return false
  // Paths are no content.
  if (signals?.moves === 1) return labels.exposure >= SENSITIVE_EXPOSURE
  return (
    labels.exposure >= SENSITIVE_EXPOSURE ||
    carriesSome(matches) ||
    isIncomplete(signals) ||
    mayHoldUnlistedData(state)
  )
}

function mayProgramFill({ state, labels, signals, matches }: Step): boolean {
  if (!isComplete(signals)) return signals?.runsNamed !== 1
  // It only reads files, and sends what the line judges.
  if (signals?.readsFile === 1) return carriesSome(matches)
  if (labels.exposure >= SENSITIVE_EXPOSURE || signals?.takesAll === 1 || carriesSome(matches)) return true
  const isRunner = (signals?.runner ?? 0) > 0
  return isRunner ? state.codeWritten : mayHoldUnlistedData(state)
}

/** Whether any value or stretch of sensitive text is in the arguments; without a report there may be. */
const carriesSome = (matches: Matches | undefined): boolean =>
  !matches || distinctiveShare(matches, 'sensitiveOnly') + countOf(matches, 'gram', 'sensitiveOnly') > 0
