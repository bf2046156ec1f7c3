import type { Reason, Verdict } from '@plimsoll/contracts'
import { severity } from '@plimsoll/engine'

/** The parts of a decision that are compared. */
export interface Judged {
  readonly verdict: Verdict
  readonly reasons: readonly Reason[]
}

/** How a verdict changes: to a stricter one, named by the new verdict, or to a milder one. */
export const VERDICT_CHANGES = ['blocked', 'asked', 'warned', 'eased'] as const
export type ChangeKind = (typeof VERDICT_CHANGES)[number]

/**
 * A source that changed the verdict, and how. Stricter: it `speaks` now, is `harsher`, or an allowlist spec `lifts_no_more`. Milder: it is
 * `silent` now, is `milder`, or an allowlist spec `lifts` it.
 */
export interface Cause {
  /** `allowlist`: a spec that lifts other reasons. */
  readonly source: Reason['source'] | 'allowlist'
  readonly code: string
  readonly how: 'speaks' | 'harsher' | 'lifts_no_more' | 'silent' | 'milder' | 'lifts'
}

export interface StepChange {
  readonly kind: ChangeKind
  /** At least one: every source that decided the verdict. */
  readonly causes: readonly Cause[]
}

/** The change of a step's verdict from `old` to `candidate`; undefined if it is the same. */
export function changeOf(old: Judged, candidate: Judged): StepChange | undefined {
  const difference = severity(candidate.verdict) - severity(old.verdict)
  if (difference === 0) return undefined
  if (difference > 0)
    return {
      kind: KINDS[candidate.verdict],
      causes: deciding(candidate).map(causeIn(old, ['speaks', 'harsher', 'lifts_no_more'])),
    }
  return { kind: 'eased', causes: deciding(old).map(causeIn(candidate, ['silent', 'milder', 'lifts'])) }
}

/** Whether the verdict is the same but its reasons differ. */
export function hasOtherReasons(old: Judged, candidate: Judged): boolean {
  return old.verdict === candidate.verdict && causeKey(old) !== causeKey(candidate)
}

const KINDS: Readonly<Record<Verdict, ChangeKind>> = {
  allow: 'eased',
  warn: 'warned',
  confirm: 'asked',
  block: 'blocked',
}

/** The reasons that decide the verdict: the most severe ones that are not lifted. */
const deciding = ({ verdict, reasons }: Judged): readonly Reason[] =>
  reasons.filter((reason) => reason.verdict === verdict && reason.liftedBy === undefined)

/** Why a deciding `reason` does not have the same weight on the `other` side. */
const causeIn =
  (other: Judged, [absent, differs, lifted]: readonly [Cause['how'], Cause['how'], Cause['how']]) =>
  ({ source, code }: Reason): Cause => {
    const same = other.reasons.find((each) => each.source === source && each.code === code)
    if (same?.liftedBy !== undefined) return { source: 'allowlist', code: same.liftedBy, how: lifted }
    return { source, code, how: same ? differs : absent }
  }

const causeKey = ({ reasons }: Judged): string =>
  reasons
    .map(({ source, code, verdict, liftedBy }) => `${source}:${code}:${verdict}:${liftedBy ?? ''}`)
    .sort()
    .join(' ')
