import type { Event, EventOf, Evidence, Policy, Spec, StepPattern, Verdict } from '@plimsoll/contracts'
import { type SeenStep, matchOf } from '../hazards/watches.js'
import { patternOf } from '../../specs/walk.js'
import { matchesLabels } from './labels.js'
import { type StepKind, maySend, sendsForGood } from './step-kinds.js'

/** A step that an agent may propose: a kind, and what its arguments say. */
export interface StepInput {
  readonly kind: StepKind
  readonly seen: SeenStep
  readonly evidence: Evidence
  /** Whether fingerprints tell that all distinctive values in it stand in the task. */
  readonly isFingerprinted: boolean
}

export interface InputOptions {
  readonly patterns: readonly StepPattern[]
  /** Steps by which data may leave where evidence on values counts. */
  readonly byValues: readonly StepPattern[]
  /** What the line says by evidence: where it says the same there is nothing to tell apart. */
  readonly line: Readonly<Record<Evidence, Verdict>>
}

/** Limit of predicates of one kind that are tried in all combinations. Of the predicates beyond it, either all hold or none does. */
const PREDICATES_MAX = 8

/** All that steps of `kind` may say, as far as something could tell. */
export function inputsOf(kind: StepKind, { patterns, byValues, line }: InputOptions): StepInput[] {
  const matching = patterns.filter((pattern) => matchesLabels(pattern, kind))
  const isAsked = matching.some(({ recipient }) => recipient !== undefined)
  const outsides = isAsked ? [true, false, undefined] : [undefined]
  const texts = predicatesOf(kind, patterns)
  const isCarrying = byValues.some((pattern) => matchesLabels(pattern, kind))
  const evidences = isCarrying
    ? EVIDENCES
    : maySend(kind)
      ? EVIDENCES.filter(
          (each, i) =>
            EVIDENCES.findIndex((other) => effectOf(kind, line, other) === effectOf(kind, line, each)) === i,
        )
      : UNKNOWN
  const inputs: StepInput[] = []
  for (const outside of outsides)
    for (const where of valuationsOf(texts))
      for (const evidence of evidences)
        for (const isFingerprinted of isCarrying ? [true, false] : [false])
          inputs.push({
            kind,
            seen: { tool: kind.tool, labels: kind.labels, outside, where },
            evidence,
            isFingerprinted,
          })
  return inputs
}

/** Whether `inputsOf` gives all that steps of `kind` may say. */
export const coversAllInputs = (kind: StepKind, patterns: readonly StepPattern[]): boolean =>
  predicatesOf(kind, patterns).length <= PREDICATES_MAX

function predicatesOf(kind: StepKind, patterns: readonly StepPattern[]): string[] {
  const matching = patterns.filter((pattern) => matchesLabels(pattern, kind))
  return [...new Set(matching.flatMap(({ where }) => (where === undefined ? [] : [where])))]
}

/** What lets most through first. */
const EVIDENCES: readonly Evidence[] = ['absent', 'present', 'unknown']
const UNKNOWN: readonly Evidence[] = ['unknown']

/** What the line does to a step of `kind` and to its session; where two pieces of evidence do the same, one of them stands for both. */
function effectOf(kind: StepKind, line: InputOptions['line'], evidence: Evidence): string {
  const verdict = evidence === 'absent' && !sendsForGood(kind) ? 'allow' : line[evidence]
  return evidence === 'present' && verdict === 'block' ? 'block and hold' : verdict
}

/** Every way in which the predicates may turn out; last, that the arguments are not known. */
function valuationsOf(texts: readonly string[]): SeenStep['where'][] {
  if (texts.length === 0) return [{}]
  const rest = texts.slice(PREDICATES_MAX)
  let valuations: Record<string, boolean>[] = [{}]
  for (const together of [...texts.slice(0, PREDICATES_MAX).map((text) => [text]), rest])
    if (together.length > 0)
      valuations = valuations.flatMap((each) =>
        [true, false].map((holds) => ({
          ...each,
          ...Object.fromEntries(together.map((text) => [text, holds])),
        })),
      )
  return [...valuations, undefined]
}

const ENVELOPE = { schema: 1, sessionId: 's', producer: 'agent', seq: 0, time: 0 } as const
export const PROPOSAL_ID = 'p'
const DIGEST = '0'.repeat(64)
/** Of a value that stands in the task: arguments that tell of it alone are vouched for. */
const VOUCHED = ['azzzzzzz']

export const STARTED: EventOf<'session.started'> = {
  ...ENVELOPE,
  id: 'b',
  type: 'session.started',
  fingerprints: VOUCHED,
}
export const ENDED: EventOf<'session.ended'> = { ...ENVELOPE, id: 'e', type: 'session.ended' }

/** The event by which `input` is proposed as `callId`. */
export function proposalOf(
  { kind, seen, evidence, isFingerprinted }: StepInput,
  callId: string,
): EventOf<'step.proposed'> {
  return {
    ...ENVELOPE,
    id: PROPOSAL_ID,
    type: 'step.proposed',
    callId,
    tool: kind.tool,
    argumentsDigest: DIGEST,
    evidence: { sensitive: evidence },
    ...(kind.claims && { labels: kind.claims }),
    signals: {
      // Where a request goes is not known, so that the line asks about it where its evidence is not known either.
      external: 1,
      ...(seen.outside !== undefined && { outside: seen.outside ? 1 : 0 }),
      // Of code it is known that it sends nothing only where all that it does is known.
      ...(evidence === 'absent' && { complete: 1 }),
    },
    ...(seen.where && { arguments: seen.where }),
    ...(isFingerprinted && { fingerprints: VOUCHED }),
  }
}

export function completionOf(
  callId: string,
  tool: string,
  outcome: 'ok' | 'error',
  labels: StepKind['claims'],
): EventOf<'step.completed'> {
  return { ...ENVELOPE, id: 'c', type: 'step.completed', callId, tool, outcome, ...(labels && { labels }) }
}

/** The event by which it is known that a step ran which nobody judged: the engine reads it by tool and claims alone. */
export const withoutVerdictOf = ({ kind }: StepInput, callId: string, outcome: 'ok' | 'error') =>
  completionOf(callId, kind.tool, outcome, kind.claims)

/** A human's answer to the question that the proposal led to. */
export function answerOf(expiresAt: number, resolution: 'approved' | 'denied'): Event {
  return {
    ...ENVELOPE,
    id: 'a',
    producer: 'human',
    type: 'approval.resolved',
    decisionId: `${ENVELOPE.sessionId}#${PROPOSAL_ID}#step`,
    argumentsDigest: DIGEST,
    expiresAt,
    resolution,
    by: 'human',
    signature: DIGEST,
  }
}

/** Whether a spec may keep such a step from running: what lifts or only warns does not. */
export function restricts(spec: Spec, input: StepInput): boolean {
  if (spec.tier === 'allowlist' || spec.tier === 'confirmation') return false
  if (spec.tier === 'mustlist') {
    if (spec.verdict !== undefined && spec.verdict !== 'block') return false
    if (spec.requires) return means(patternOf(spec), input)
    return spec.followedBy !== undefined && spec.followedBy.within !== 'session'
  }
  return means(patternOf(spec), input) && (!spec.flow || means(spec.flow.to, input))
}

const means = (pattern: StepPattern, { seen }: StepInput): boolean => matchOf(pattern, seen) !== 'no'

/** Whether a spec remembers nothing: it speaks on every step of its kind, or on none. */
export function isPlain(spec: Spec): boolean {
  if (spec.tier === 'mustlist') return false
  const { after, before, between } = spec
  if (after ?? before ?? between) return false
  return spec.tier === 'allowlist' || !(spec.flow ?? spec.atMost ?? spec.sum ?? spec.distinct ?? spec.fleet)
}

/** Specs that block other steps until something is paid. */
export const obligationsOf = ({ specs }: Policy): Spec[] =>
  specs.filter(
    (spec) =>
      spec.tier === 'mustlist' &&
      spec.followedBy !== undefined &&
      spec.followedBy.within !== 'session' &&
      (spec.verdict ?? 'block') === 'block',
  )

/** Whether such a step may pay what `spec` asks for. */
export const pays = (spec: Spec, input: StepInput): boolean =>
  spec.tier === 'mustlist' && spec.followedBy !== undefined && means(spec.followedBy.step, input)
