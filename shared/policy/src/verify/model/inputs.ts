import {
  type Event,
  type EventOf,
  type Evidence,
  type Policy,
  type Spec,
  type StepPattern,
  type Verdict,
  logged,
} from '@plimsoll/contracts'
import { type Rules, type SessionState, step } from '@plimsoll/engine'
import { type SeenStep, matchOf } from '../hazards/watches.js'
import { effectListsOf, hasAllEffectLists } from './effect-lists.js'
import { patternOf } from '../../specs/walk.js'
import { matchesLabels } from './labels.js'
import { type StepKind, maySend, sendsForGood } from './step-kinds.js'

/** A step that an agent can propose: a kind, and facts about its arguments. */
export interface StepInput {
  readonly kind: StepKind
  readonly seen: SeenStep
  readonly evidence: Evidence
  /** Whether fingerprints show that the task contains all its distinctive values. */
  readonly isFingerprinted: boolean
}

export interface InputOptions {
  readonly patterns: readonly StepPattern[]
  /** Steps that may send data out and are judged by evidence on values. */
  readonly byValues: readonly StepPattern[]
  /** The line's verdict for each kind of evidence: kinds with the same verdict are not distinguished. */
  readonly line: Readonly<Record<Evidence, Verdict>>
}

/** Limit of predicates of one kind that are tried in all combinations. Of the predicates beyond it, either all hold or none does. */
const PREDICATES_MAX = 8

/** All distinguishable steps of `kind`. */
export function inputsOf(kind: StepKind, { patterns, byValues, line }: InputOptions): StepInput[] {
  const matching = patterns.filter((pattern) => matchesLabels(pattern, kind))
  const isAsked = matching.some(({ recipient }) => recipient !== undefined)
  const outsides = isAsked ? [true, false, undefined] : [undefined]
  const texts = predicatesOf(kind, patterns)
  const effects = effectListsOf(matching, kind.labels.reversibility === 'irreversible')
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
  for (const done of effects)
    for (const outside of outsides)
      for (const where of valuationsOf(texts))
        for (const evidence of evidences)
          for (const isFingerprinted of isCarrying ? [true, false] : [false])
            inputs.push({
              kind,
              seen: { tool: kind.tool, labels: kind.labels, effects: done, outside, where },
              evidence,
              isFingerprinted,
            })
  return inputs
}

/** Whether `inputsOf` returns all distinguishable steps of `kind`. */
export const coversAllInputs = (kind: StepKind, patterns: readonly StepPattern[]): boolean =>
  predicatesOf(kind, patterns).length <= PREDICATES_MAX && hasAllEffectLists(patterns)

function predicatesOf(kind: StepKind, patterns: readonly StepPattern[]): string[] {
  const matching = patterns.filter((pattern) => matchesLabels(pattern, kind))
  return [...new Set(matching.flatMap(({ where }) => (where === undefined ? [] : [where])))]
}

/** The most permissive first. */
const EVIDENCES: readonly Evidence[] = ['absent', 'present', 'unknown']
const UNKNOWN: readonly Evidence[] = ['unknown']

/** The effect of the line on a step of `kind` and on its session; of several kinds of evidence with the same effect only one is kept. */
function effectOf(kind: StepKind, line: InputOptions['line'], evidence: Evidence): string {
  const verdict = evidence === 'absent' && !sendsForGood(kind) ? 'allow' : line[evidence]
  return evidence === 'present' && verdict === 'block' ? 'block and hold' : verdict
}

/** Every combination of results of the predicates; last, unknown arguments. */
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
/** The fingerprint of a value in the task: arguments with only this fingerprint count as coming from the task. */
const VOUCHED = ['azzzzzzz']

const STARTED: EventOf<'session.started'> = {
  ...ENVELOPE,
  id: 'b',
  type: 'session.started',
  fingerprints: VOUCHED,
}
/** The fingerprint of a thing that the session has made. */
const MADE = 'pzzzzzzm'

/** The state of a session that has begun, and has made a thing. */
export function beginSession(rules: Rules, time: number): SessionState {
  const { state } = step(undefined, logged(STARTED, time), rules)
  if (!state) throw new Error('a session could not be started')
  return { ...state, own: MADE }
}
export const ENDED: EventOf<'session.ended'> = { ...ENVELOPE, id: 'e', type: 'session.ended' }

/** The event that proposes `input` as `callId`. */
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
    ...(seen.effects && {
      effects: seen.effects.map((each) => ({ ...each, names: each.reach === 'own' ? [MADE] : [] })),
    }),
    signals: {
      // The recipient of a request is unknown, so the line requires approval if its evidence is unknown too.
      external: 1,
      ...(seen.outside !== undefined && { outside: seen.outside ? 1 : 0 }),
      // What is not understood may do anything.
      ...(seen.effects === undefined && { unreadable: 1 }),
      // Code is known to send nothing only if everything that it does is known.
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

/** The event that reports a step without a verdict: the engine reads only its tool and claims. */
export const withoutVerdictOf = ({ kind }: StepInput, callId: string, outcome: 'ok' | 'error') =>
  completionOf(callId, kind.tool, outcome, kind.claims)

/** A human's answer to the approval request for the proposal. */
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

/** Whether a spec can prevent such a step: specs that lift restrictions or only warn cannot. */
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

/** Specs that block other steps until an obligation is met. */
export const obligationsOf = ({ specs }: Policy): Spec[] =>
  specs.filter(
    (spec) =>
      spec.tier === 'mustlist' &&
      spec.followedBy !== undefined &&
      spec.followedBy.within !== 'session' &&
      (spec.verdict ?? 'block') === 'block',
  )

/** Whether such a step can meet the obligation of `spec`. */
export const pays = (spec: Spec, input: StepInput): boolean =>
  spec.tier === 'mustlist' && spec.followedBy !== undefined && means(spec.followedBy.step, input)
