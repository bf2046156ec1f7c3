import type { Reason, Verdict } from '@plimsoll/contracts'
import { severity } from '../verdict/judge.js'

/** What of a decision is compared. */
export interface Judged {
  readonly verdict: Verdict
  readonly reasons: readonly Reason[]
}

/** What other rules make of a step: the verdict that it newly gets, or that it gets a milder one. */
export const VERDICT_CHANGES = ['blocked', 'asked', 'warned', 'eased'] as const
export type ChangeKind = (typeof VERDICT_CHANGES)[number]

/** How what made the difference did: it speaks, or more severely; a spec that lifted it is gone; and the other way round. */
export interface Cause {
  /** `allowlist`: the spec is one that lifts what others say. */
  readonly source: Reason['source'] | 'allowlist'
  readonly code: string
  readonly how: 'speaks' | 'harsher' | 'lifts_no_more' | 'silent' | 'milder' | 'lifts'
}

export interface StepChange {
  readonly kind: ChangeKind
  /** At least one: every spec or other source whose word the verdict hangs on. */
  readonly causes: readonly Cause[]
}

/** What becomes of a step under `candidate` that `old` judged; undefined where its verdict is the same. */
export function changeOf(old: Judged, candidate: Judged): StepChange | undefined {
  const difference = severity(candidate.verdict) - severity(old.verdict)
  if (difference === 0) return undefined
  if (difference > 0) return { kind: KINDS[candidate.verdict], causes: deciding(candidate).map(gained(old)) }
  return { kind: 'eased', causes: deciding(old).map(lost(candidate)) }
}

/** Whether the verdict is the same and the reasons for it are not. */
export function hasOtherReasons(old: Judged, candidate: Judged): boolean {
  return old.verdict === candidate.verdict && causeKey(old) !== causeKey(candidate)
}

const KINDS: Readonly<Record<Verdict, ChangeKind>> = {
  allow: 'eased',
  warn: 'warned',
  confirm: 'asked',
  block: 'blocked',
}

/** The reasons that the verdict hangs on: it is that of the most severe that nothing lifts. */
const deciding = ({ verdict, reasons }: Judged): readonly Reason[] =>
  reasons.filter((reason) => reason.verdict === verdict && reason.liftedBy === undefined)

function gained(old: Judged) {
  return (reason: Reason): Cause => {
    const before = sameIn(old, reason)
    if (!before) return causeOf(reason, 'speaks')
    return before.liftedBy === undefined
      ? causeOf(reason, 'harsher')
      : { source: 'allowlist', code: before.liftedBy, how: 'lifts_no_more' }
  }
}

function lost(candidate: Judged) {
  return (reason: Reason): Cause => {
    const after = sameIn(candidate, reason)
    if (!after) return causeOf(reason, 'silent')
    return after.liftedBy === undefined
      ? causeOf(reason, 'milder')
      : { source: 'allowlist', code: after.liftedBy, how: 'lifts' }
  }
}

const causeOf = ({ source, code }: Reason, how: Cause['how']): Cause => ({ source, code, how })

const sameIn = ({ reasons }: Judged, { source, code }: Reason): Reason | undefined =>
  reasons.find((each) => each.source === source && each.code === code)

const causeKey = ({ reasons }: Judged): string =>
  reasons
    .map(({ source, code, verdict, liftedBy }) => `${source}:${code}:${verdict}:${liftedBy ?? ''}`)
    .sort()
    .join(' ')
