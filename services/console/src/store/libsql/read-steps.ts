import { causeOf } from '@plimsoll/client'
import { answerOf } from '@plimsoll/client/services'
import type { ApprovalScope, Decision, Verdict } from '@plimsoll/contracts'
import type { SessionNote } from '../../api.js'
import type { ApprovalAnswer, Question, Step, StepArguments, StepEffect, StepLabels } from '../../shapes.js'
import type { QuestionPart, StoredQuestion, Tenants } from '../read-store.js'
import type { Database, Row } from './database.js'
import { ofTenants } from './read-sessions.js'
import { count, json, labelsOf, present, stepOf, text } from './rows.js'

const STEP_COLUMNS = `st.*, (select a.answer from questions q join answers a on a.session_id = q.session_id and a.event_id = q.closed_event
  where q.session_id = st.session_id and q.event_id = st.event_id order by q.d_offset desc limit 1) as answer,
  (select json_object('expected', ap.expected, 'by', ap.by_name, 'at', ap.at, 'reason', ap.reason) from appeals ap
    where ap.session_id = st.session_id and ap.decision_id = st.decision_id order by ap.p_offset desc limit 1) as appeal,
  (select max(q.closed_at) from questions q where q.session_id = st.session_id and q.event_id = st.event_id) as resolved_at`

export function readSteps(database: Database, sessionId: string, limit: number): readonly Step[] {
  const rows = database.all(
    `select ${STEP_COLUMNS} from steps st where st.session_id = ?
      order by st.at desc, coalesce(st.p_offset, st.d_offset) desc limit ?`,
    sessionId,
    limit,
  )
  return rows.map(stepOf).toReversed()
}

export const readStepsByEvent = (
  database: Database,
  sessionId: string,
  eventIds: readonly string[],
): readonly Step[] =>
  database
    .all(
      `select ${STEP_COLUMNS} from steps st where st.session_id = ? and st.event_id in (select value from json_each(?))`,
      sessionId,
      JSON.stringify(eventIds),
    )
    .map(stepOf)

export function readNotes(database: Database, sessionId: string, limit: number): readonly SessionNote[] {
  const rows = database.all(
    'select at, type, text from notes where session_id = ? order by at desc, id desc limit ?',
    sessionId,
    limit,
  )
  return rows
    .map((row) => ({ at: count(row['at']), type: String(row['type']), text: String(row['text']) }))
    .toReversed()
}

/** The columns of `questionOf`, from `questions q join sessions s`. */
const QUESTION_COLUMNS = `q.*, s.agent, s.category, st.effects, st.labels`
const QUESTION_TABLES = `questions q join sessions s on s.id = q.session_id
  left join steps st on st.session_id = q.session_id and st.event_id = q.event_id`

export function readOpenQuestions(
  database: Database,
  tenants: Tenants,
  limit: number,
  nowMs: number,
  sessionId?: string,
): QuestionPart {
  const { sql, values } = ofTenants(tenants, 'q.tenant')
  const where = `q.closed_at is null and q.expires_at > ? and s.ended = 0 and ${sql}${
    sessionId === undefined ? '' : ' and q.session_id = ?'
  }`
  const all = [nowMs, ...values, ...(sessionId === undefined ? [] : [sessionId])]
  const rows = database.all(
    `select ${QUESTION_COLUMNS} from ${QUESTION_TABLES} where ${where}
      order by q.probability desc, q.expires_at, q.decision_id limit ?`,
    ...all,
    limit,
  )
  const [total] = database.all(`select count(*) as n from ${QUESTION_TABLES} where ${where}`, ...all)
  return { questions: rows.map((row) => questionOf(database, row)), count: count(total?.['n']) }
}

export function readQuestion(database: Database, decisionId: string): StoredQuestion | undefined {
  const [row] = database.all(
    `select ${QUESTION_COLUMNS}, a.answer from ${QUESTION_TABLES}
      left join answers a on a.session_id = q.session_id and a.event_id = q.closed_event
      where q.decision_id = ?`,
    decisionId,
  )
  if (!row) return undefined
  const closedAt = row['closed_at']
  return {
    question: questionOf(database, row),
    callId: String(row['call_id']),
    closed:
      typeof closedAt === 'number'
        ? {
            at: closedAt,
            by: {
              eventId: String(row['closed_event']),
              verdict: text(row['closed_verdict']) as Verdict | undefined,
              answer: json(row['answer']) as ApprovalAnswer | undefined,
            },
          }
        : undefined,
  }
}

function questionOf(database: Database, row: Row): Question {
  const decision = json(row['decision']) as Decision
  const { risk, reasons, approval } = decision
  return {
    decisionId: decision.id,
    sessionId: decision.sessionId,
    tenant: decision.tenant,
    tool: decision.tool,
    step: decision.step,
    argumentsDigest: decision.argumentsDigest,
    arguments: argumentsOf(database, decision),
    effects: (json(row['effects']) as readonly StepEffect[] | undefined) ?? [],
    labels: labelsOf(json(row['labels']) as StepLabels | undefined, approval),
    reasons,
    message: causeOf(answerOf(decision)),
    band: risk?.band ?? 0,
    scopes: scopesOf(decision),
    askedAt: decision.time,
    expiresAt: decision.expiresAt ?? 0,
    ...(present({
      agent: text(row['agent']),
      category: text(row['category']),
      alternative: decision.alternative,
      hazard: risk?.hazard,
      probability: risk?.probability,
      horizon: risk?.horizon,
      level: risk?.level,
    }) as Partial<Question>),
  }
}

/** `always` is for places that keep approvals: no event records it. */
const scopesOf = ({ approval }: Decision): readonly ApprovalScope[] =>
  approval?.scopes.filter((scope) => scope !== 'always') ?? ['once']

const unseen = (problem: string): StepArguments => ({ lines: [], isWhole: false, problem, isCut: false })

/**
 * Anyone who can write to the topic can propose the same step again with other arguments: those that the digest proves count, and
 * without a proof all proposals must agree.
 */
function argumentsOf(
  database: Database,
  { sessionId, callId, tool, argumentsDigest }: Decision,
): StepArguments {
  const rows = database.all(
    `select distinct arguments from steps where session_id = ? and call_id = ? and tool = ? and digest = ? limit 64`,
    sessionId,
    callId,
    tool,
    argumentsDigest,
  )
  if (rows.length === 0) return unseen('its proposal is not in the log any more')
  const all = rows.map((row) => json(row['arguments']) as StepArguments | undefined)
  const [first] = all
  return (
    all.find((each) => each?.isWhole) ??
    (all.length > 1 ? unseen('the arguments in the log are not those of the step') : undefined) ??
    first ??
    unseen('none is disclosed')
  )
}
