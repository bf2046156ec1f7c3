import { type Decision, LEVELS, type Risk, type Verdict, tenantOf } from '@plimsoll/contracts'
import type {
  AnswerGiven,
  AppealGiven,
  Change,
  Decided,
  NextOffset,
  Noted,
  SessionEnded,
  SessionStarted,
  StepCompleted,
  StepProposed,
} from '../changes.js'
import type { Applied } from '../read-store.js'
import type { Database } from './database.js'
import { writeAppeal } from './write-appeal.js'
import { writeReasons } from './write-reasons.js'
import { type Touched, type Writer, jsonOf, textOf, touchStep } from './writer.js'

/** Applies `changes` and keeps `offsets`; the caller makes it one transaction. */
export function writeChanges(
  database: Database,
  changes: readonly Change[],
  offsets: readonly NextOffset[],
): Applied {
  const touched: Touched = { sessions: new Set(), steps: new Map(), opened: new Set(), closed: new Set() }
  for (const change of changes) write({ database, touched }, change)
  for (const { topic, partition, next } of offsets)
    database.run(
      'insert into offsets values (?, ?, ?) on conflict do update set next = excluded.next',
      topic,
      partition,
      String(next),
    )
  return touched
}

function write(writer: Writer, change: Change): void {
  switch (change.kind) {
    case 'started':
      return writeStarted(writer, change)
    case 'proposed':
      return writeProposed(writer, change)
    case 'completed':
      return writeCompleted(writer, change)
    case 'ended':
      return writeEnded(writer, change)
    case 'answer':
      return writeAnswer(writer, change)
    case 'note':
      return writeNote(writer, change)
    case 'appealed':
      writeNote(writer, change)
      return writeAppeal(writer, change)
    case 'decided':
      return writeDecided(writer, change)
  }
}

/** The session's row, made if it is missing, with its times. */
function touch({ database, touched }: Writer, sessionId: string, timeMs: number): void {
  touched.sessions.add(sessionId)
  database.run(
    `insert into sessions (id, tenant, started_at, last_at) values (?, ?, ?, ?) on conflict do update set
      started_at = min(started_at, excluded.started_at), last_at = max(last_at, excluded.last_at)`,
    sessionId,
    tenantOf(sessionId),
    timeMs,
    timeMs,
  )
}

function writeStarted(writer: Writer, change: SessionStarted): void {
  const { sessionId, timeMs, agent, category, client, task, parent, root } = change
  touch(writer, sessionId, timeMs)
  // The first start counts: a second one is refused by the monitor.
  writer.database.run(
    `update sessions set agent = coalesce(agent, ?), category = coalesce(category, ?), client = coalesce(client, ?),
      task = coalesce(task, ?), parent = coalesce(parent, ?), root = coalesce(root, ?) where id = ?`,
    textOf(agent),
    textOf(category),
    textOf(client),
    textOf(task),
    textOf(parent),
    textOf(root),
    sessionId,
  )
}

function writeProposed(writer: Writer, change: StepProposed): void {
  const { sessionId, eventId, offset, timeMs, callId, tool, argumentsDigest, effects, labels } = change
  touch(writer, sessionId, timeMs)
  touchStep(writer, sessionId, eventId)
  // A retry of the same event keeps the first place.
  writer.database.run(
    `insert into steps (session_id, event_id, at, p_offset, call_id, tool, digest, effects, labels, arguments)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      on conflict do update set at = excluded.at, p_offset = excluded.p_offset, call_id = excluded.call_id, tool = excluded.tool,
        digest = excluded.digest, effects = excluded.effects, labels = excluded.labels, arguments = excluded.arguments
      where p_offset is null`,
    sessionId,
    eventId,
    timeMs,
    offset,
    callId,
    tool,
    argumentsDigest,
    effects.length > 0 ? JSON.stringify(effects) : null,
    JSON.stringify(labels),
    jsonOf(change.arguments),
  )
}

function writeCompleted(writer: Writer, { sessionId, callId, timeMs, outcome }: StepCompleted): void {
  const { database } = writer
  touch(writer, sessionId, timeMs)
  const [step] = database.all(
    'select event_id from steps where session_id = ? and call_id = ? and p_offset is not null order by p_offset desc limit 1',
    sessionId,
    callId,
  )
  if (!step) return
  const eventId = String(step['event_id'])
  touchStep(writer, sessionId, eventId)
  database.run(
    'update steps set completed_at = ?, outcome = ? where completed_at is null and session_id = ? and event_id = ?',
    timeMs,
    outcome,
    sessionId,
    eventId,
  )
}

function writeEnded(writer: Writer, { sessionId, timeMs }: SessionEnded): void {
  touch(writer, sessionId, timeMs)
  writer.database.run('update sessions set ended = 1 where id = ?', sessionId)
}

function writeAnswer({ database }: Writer, { sessionId, eventId, decisionId, answer }: AnswerGiven): void {
  database.run(
    'insert into answers values (?, ?, ?, ?) on conflict do nothing',
    sessionId,
    eventId,
    decisionId,
    JSON.stringify(answer),
  )
}

function writeNote({ database }: Writer, { sessionId, id, timeMs, type, text }: Noted | AppealGiven): void {
  database.run(
    'insert into notes values (?, ?, ?, ?, ?) on conflict do nothing',
    sessionId,
    id,
    timeMs,
    type,
    text,
  )
}

function writeDecided(writer: Writer, change: Decided): void {
  const { decision } = change
  touch(writer, decision.sessionId, Math.min(decision.time, change.timeMs))
  if (decision.kind === 'step' || decision.kind === 'refusal') writeStepDecision(writer, change)
  else if (decision.kind === 'approval') writeResolution(writer, change)
}

/** What the timeline needs of a decision besides its columns. */
const partOf = ({ reasons, risk, alternative, versions, approval }: Decision): string =>
  JSON.stringify({ reasons, risk, alternative, versions, approval })

function writeStepDecision(writer: Writer, { offset, decision }: Decided): void {
  const { database } = writer
  const { sessionId, eventId, kind, id, step, callId, tool, argumentsDigest, verdict, mode, time } = decision
  // A step that was refused first, such as out of order, may be decided later; nothing else decides it again.
  const isNew = database.run(
    `insert into steps (session_id, event_id, at, d_offset, decision_id, kind, number, d_call_id, d_tool, d_digest,
        first_verdict, verdict, mode, decision)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      on conflict do update set d_offset = excluded.d_offset, decision_id = excluded.decision_id, kind = excluded.kind,
        number = excluded.number, d_call_id = excluded.d_call_id, d_tool = excluded.d_tool, d_digest = excluded.d_digest,
        first_verdict = excluded.first_verdict, verdict = excluded.verdict, mode = excluded.mode, decision = excluded.decision
      where kind is null or (kind = 'refusal' and excluded.kind = 'step')`,
    sessionId,
    eventId,
    time,
    offset,
    id,
    kind,
    step,
    callId,
    tool,
    argumentsDigest,
    verdict,
    verdict,
    mode,
    partOf(decision),
  )
  if (isNew > 0) touchStep(writer, sessionId, eventId)
  if (isNew === 0 || kind === 'refusal') return
  writeReasons(database, decision)
  database.run(
    `update sessions set steps = steps + 1, ${COUNTED[verdict]} = ${COUNTED[verdict]} + 1 where id = ?`,
    sessionId,
  )
  writeLast(database, decision)
  if (verdict === 'confirm') openQuestion(writer, offset, decision, eventId)
}

const COUNTED: Readonly<Record<Verdict, string>> = {
  allow: 'allowed',
  warn: 'warned',
  confirm: 'asked',
  block: 'blocked',
}

/** The session's risk as its last decision has it. */
function writeLast(database: Database, { sessionId, tool, verdict, risk, versions }: Decision): void {
  database.run(
    'update sessions set last_tool = ?, last_verdict = ?, versions = coalesce(?, versions) where id = ?',
    tool,
    verdict,
    jsonOf(versions),
    sessionId,
  )
  if (risk) writeRisk(database, sessionId, risk)
}

function writeRisk(database: Database, sessionId: string, risk: Risk): void {
  database.run(
    `update sessions set level = ?, band = ?, hazard = ?, probability = ?, horizon = ?, no_return = ?, exposure = ?, taint = ?,
      violations = ?, without_verdict = ?, chain = ? where id = ?`,
    LEVELS.indexOf(risk.level),
    risk.band,
    risk.hazard,
    risk.probability,
    risk.horizon,
    risk.pointOfNoReturn ?? null,
    risk.exposure,
    risk.taint,
    risk.violations,
    risk.withoutVerdict,
    risk.category,
    sessionId,
  )
}

/** @param eventId of the step's proposal */
function openQuestion(writer: Writer, offset: number, decision: Decision, eventId: string): void {
  const { database, touched } = writer
  const { id, sessionId, tenant, callId, time, expiresAt, risk } = decision
  // In mode `observe` nobody waits.
  if (expiresAt === undefined) return
  // The same call proposed again: only its latest question can be answered.
  for (const replaced of openQuestionsOf(database, sessionId, callId)) {
    database.run(
      'update questions set closed_at = ?, closed_event = ?, closed_decision = ? where decision_id = ?',
      time,
      decision.eventId,
      id,
      replaced.decisionId,
    )
    touched.closed.add(replaced.decisionId)
  }
  touched.opened.add(id)
  database.run(
    `insert into questions (decision_id, session_id, tenant, event_id, call_id, d_offset, asked_at, expires_at, band, probability, decision)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
    id,
    sessionId,
    tenant,
    eventId,
    callId,
    offset,
    time,
    expiresAt,
    risk?.band ?? 0,
    risk?.probability ?? 0,
    JSON.stringify(decision),
  )
}

/** The decision after an answer, or after the time for one is over. */
function writeResolution(writer: Writer, { offset, decision }: Decided): void {
  const { database, touched } = writer
  const { id, sessionId, callId, eventId, verdict, time, risk } = decision
  const [known] = database.all(
    'select 1 from questions where session_id = ? and call_id = ? and closed_decision = ? limit 1',
    sessionId,
    callId,
    id,
  )
  if (known) return
  const [question] = openQuestionsOf(database, sessionId, callId)
  writeLast(database, decision)
  if (!question) return
  const { decisionId, eventId: stepEvent } = question
  touched.closed.add(decisionId)
  touchStep(writer, sessionId, stepEvent)
  database.run(
    'update questions set closed_at = ?, closed_event = ?, closed_verdict = ?, closed_decision = ? where decision_id = ?',
    time,
    eventId,
    verdict,
    id,
    decisionId,
  )
  database.run(
    'update steps set verdict = ?, risk = ? where session_id = ? and event_id = ?',
    verdict,
    jsonOf(risk),
    sessionId,
    stepEvent,
  )
  if (verdict === 'confirm') openQuestion(writer, offset, decision, stepEvent)
}

const openQuestionsOf = (database: Database, sessionId: string, callId: string) =>
  database
    .all(
      'select decision_id, event_id from questions where session_id = ? and call_id = ? and closed_at is null',
      sessionId,
      callId,
    )
    .map((row) => ({ decisionId: String(row['decision_id']), eventId: String(row['event_id']) }))
