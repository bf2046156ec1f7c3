import { type Decision, type Level, LEVELS, type Risk } from '@plimsoll/contracts'
import type {
  ApprovalAnswer,
  SessionRow,
  Step,
  StepAppeal,
  StepArguments,
  StepEffect,
  StepLabels,
  StepRisk,
} from '../../shapes.js'
import type { Row, Value } from './database.js'

/** A member without those that are not known. */
type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

export function present<T extends object>(members: T): Present<T> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== null),
  ) as Present<T>
}

export const text = (value: Value | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined
export const number = (value: Value | undefined): number | undefined =>
  typeof value === 'number' ? value : undefined
export const count = (value: Value | undefined): number => number(value) ?? 0
/** JSON that this store has written. */
export const json = (value: Value | undefined): unknown =>
  typeof value === 'string' ? JSON.parse(value) : undefined

const levelOf = (value: Value | undefined): Level | undefined => LEVELS[number(value) ?? -1]

/** The columns of `sessionOf`, from `sessions s`; `?` is the time now. */
export const SESSION_COLUMNS = `s.*, (select count(*) from questions q where q.session_id = s.id and q.closed_at is null
  and q.expires_at > ? and s.ended = 0) as open_questions`

export function sessionOf(row: Row): SessionRow {
  return {
    id: String(row['id']),
    tenant: String(row['tenant']),
    startedAt: count(row['started_at']),
    lastAt: count(row['last_at']),
    ended: row['ended'] === 1,
    steps: count(row['steps']),
    verdicts: {
      allow: count(row['allowed']),
      warn: count(row['warned']),
      confirm: count(row['asked']),
      block: count(row['blocked']),
    },
    band: count(row['band']),
    violations: count(row['violations']),
    withoutVerdict: count(row['without_verdict']),
    openQuestions: count(row['open_questions']),
    ...(present({
      agent: text(row['agent']),
      category: text(row['category']),
      client: text(row['client']),
      level: levelOf(row['level']),
      hazard: number(row['hazard']),
      probability: number(row['probability']),
      horizon: number(row['horizon']),
      pointOfNoReturn: number(row['no_return']),
      exposure: text(row['exposure']),
      taint: text(row['taint']),
      lastTool: text(row['last_tool']),
      lastVerdict: text(row['last_verdict']),
      parent: text(row['parent']),
      root: row['root'] === row['id'] ? undefined : text(row['root']),
    }) as Partial<SessionRow>),
  }
}

/** What `write-changes.ts` keeps of a decision. */
export type DecisionPart = Pick<Decision, 'reasons' | 'risk' | 'alternative' | 'versions' | 'approval'>

/** Of a row of `steps` with the answer to its question, if it was answered. */
export function stepOf(row: Row): Step {
  const decision = json(row['decision']) as DecisionPart | undefined
  const later = json(row['risk']) as Risk | undefined
  const risk = later ?? decision?.risk
  const verdict = text(row['verdict'])
  const first = text(row['first_verdict'])
  const completedAt = number(row['completed_at'])
  const optional = {
    decidedAt: decision && number(row['at']),
    proposedAt: row['p_offset'] === null ? undefined : number(row['at']),
    decisionId: text(row['decision_id']),
    verdict,
    firstVerdict: first === verdict ? undefined : first,
    resolvedAt: number(row['resolved_at']),
    firstRisk: later && decision?.risk && (present(riskOf(decision.risk)) as StepRisk),
    mode: text(row['mode']),
    arguments: json(row['arguments']) as StepArguments | undefined,
    ...(risk && riskOf(risk)),
    alternative: decision?.alternative,
    versions: decision?.versions,
    answer: json(row['answer']) as ApprovalAnswer | undefined,
    appeal: appealIn(row['appeal']),
    completed:
      completedAt === undefined ? undefined : { at: completedAt, outcome: text(row['outcome']) ?? 'error' },
  }
  return {
    step: count(row['number']),
    callId: text(row['call_id']) ?? String(row['d_call_id']),
    eventId: String(row['event_id']),
    tool: text(row['tool']) ?? String(row['d_tool']),
    effects: (json(row['effects']) as readonly StepEffect[] | undefined) ?? [],
    labels: labelsOf(json(row['labels']) as StepLabels | undefined, decision?.approval),
    reasons: decision?.reasons ?? [],
    ...(present(optional) as Partial<Step>),
  }
}

function appealIn(value: Value | undefined): StepAppeal | undefined {
  const appeal = json(value) as (StepAppeal & { readonly reason: string | null }) | undefined
  return appeal && (present(appeal) as StepAppeal)
}

/** Those that a decision has are the policy's, which count. */
export const labelsOf = (claimed: StepLabels | undefined, seen: Decision['approval']): StepLabels => ({
  ...claimed,
  ...(seen && { capability: seen.capability, reversibility: seen.reversibility }),
})

const riskOf = (risk: Risk) => ({
  exposure: risk.exposure,
  escalation: risk.escalation,
  reversibility: risk.reversibility,
  level: risk.level,
  taint: risk.taint,
  hazard: risk.hazard,
  probability: risk.probability,
  horizon: risk.horizon,
  band: risk.band,
  pointOfNoReturn: risk.pointOfNoReturn,
  evidence: risk.evidence,
  provenance: risk.provenance,
  stepsToViolation: risk.stepsToViolation ?? undefined,
})
