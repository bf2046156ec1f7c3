import { type Event, type EventOf, claimsOf, openArguments } from '@plimsoll/contracts'
import { argumentLines } from '@plimsoll/labels'
import type { StepArguments, StepEffect } from '../shapes.js'
import type { Change, Position } from '../store/changes.js'

/** Lines of arguments that are kept of a step, and characters in them; of a task. */
const LINES_MAX = 200
const LINES_CHARS_MAX = 16_384
const TASK_CHARS_MAX = 4_096

/** What an event of the log changes in the read model; undefined for an event of no interest. */
export function changeOfEvent(event: Event, position: Position): Change | undefined {
  const { sessionId } = event
  const at = { ...position, sessionId }
  switch (event.type) {
    case 'session.started':
      return { ...at, kind: 'started', ...startOf(event) }
    case 'step.proposed':
      return { ...at, kind: 'proposed', ...proposalOf(event) }
    case 'step.completed':
      return { ...at, kind: 'completed', callId: event.callId, outcome: event.outcome }
    case 'session.ended':
      return { ...at, kind: 'ended' }
    case 'approval.resolved':
      return {
        ...at,
        kind: 'answer',
        eventId: event.id,
        decisionId: event.decisionId,
        answer: answerOf(event, position.timeMs),
      }
    case 'deadline.reached':
      if (event.due.kind === 'idle') return { ...at, kind: 'ended' }
      if (event.due.kind === 'approval') return undefined
      return noteOf(event, `${event.due.spec} was not fulfilled in time`, position)
    case 'session.instructed':
      return noteOf(event, event.task ?? 'the user adds instructions', position)
    case 'approval.revoked':
      return noteOf(event, `${event.by} revoked approval ${event.approval}${because(event.reason)}`, position)
    case 'session.labelled':
      return noteOf(event, labelText(event), position)
    case 'declassification.granted':
      return noteOf(event, `${event.by} declassified for ${event.spec}${because(event.reason)}`, position)
    case 'decision.appealed':
      return appealOf(event, position)
    case 'labels.refined':
      return noteOf(event, `${event.by} labelled ${event.tool}${because(event.reason)}`, position)
  }
}

/** SQLite ends a text at U+0000, which would hide the rest. */
const storedText = (text: string): string => text.slice(0, TASK_CHARS_MAX).replaceAll('\0', '\uFFFD')

const because = (reason: string | undefined): string => (reason === undefined ? '' : `: ${reason}`)

const noteOf = ({ id, sessionId, type }: Event, text: string, position: Position): Change => ({
  ...position,
  kind: 'note',
  sessionId,
  id,
  type,
  text: storedText(text),
})

function appealOf(event: EventOf<'decision.appealed'>, position: Position): Change {
  const { id, sessionId, type, decisionId, callId, tool, verdict, expected, reasons, by, reason } = event
  const said = { decisionId, callId, tool, verdict, expected, reasons, by, reason }
  const text = storedText(`${by} says it should be ${expected}${because(reason)}`)
  return { ...position, kind: 'appealed', sessionId, id, type, text, ...said }
}

function labelText({ by, violated, callId, reason }: EventOf<'session.labelled'>): string {
  const what = violated ? `did harm${callId === undefined ? '' : ` by ${callId}`}` : 'did no harm'
  return `${by}: it ${what}${because(reason)}`
}

function answerOf({ resolution, by, scope = 'once', reason }: EventOf<'approval.resolved'>, at: number) {
  return { resolution, by, at, scope, ...(reason !== undefined && { reason }) }
}

function startOf({ agent, category, found, task, root, identity, sessionId }: EventOf<'session.started'>) {
  // For display only: monitors verify tokens.
  const claims = claimsOf(identity)
  return {
    agent: agent ?? claims?.agt,
    category: category ?? found?.category,
    client: claims?.sub,
    task: task === undefined ? undefined : storedText(task),
    parent: claims?.par,
    root: root ?? claims?.root ?? sessionId,
  }
}

function proposalOf(event: EventOf<'step.proposed'>) {
  const { id, callId, tool, argumentsDigest, labels, effects = [] } = event
  const { capability, confidentiality, trust, reversibility } = labels ?? {}
  return {
    eventId: id,
    callId,
    tool,
    argumentsDigest,
    effects: effects.map(effectOf),
    labels: {
      ...(capability !== undefined && { capability }),
      ...(confidentiality !== undefined && { confidentiality }),
      ...(trust !== undefined && { trust }),
      ...(reversibility !== undefined && { reversibility }),
    },
    arguments: argumentsOf(event),
  }
}

function effectOf({
  act,
  object,
  reach,
  incomplete,
}: NonNullable<EventOf<'step.proposed'>['effects']>[number]): StepEffect {
  return {
    act,
    ...(object !== undefined && { object }),
    ...(reach !== undefined && { reach }),
    certainty: incomplete ? 'incomplete' : 'understood',
  }
}

/** What an approver may see of the arguments; undefined if none is disclosed. */
function argumentsOf(event: EventOf<'step.proposed'>): StepArguments | undefined {
  const whole = openArguments(event)
  const values = whole ?? event.arguments
  if (!values || (!whole && Object.keys(values).length === 0)) return undefined
  const lines = argumentLines(values)
  const kept: string[] = []
  let chars = 0
  for (const line of lines.slice(0, LINES_MAX)) {
    chars += line.length
    if (chars > LINES_CHARS_MAX) break
    kept.push(line)
  }
  const isCut = kept.length < lines.length
  if (whole)
    return { lines: kept, isWhole: !isCut, isCut, ...(isCut && { problem: 'more than can be shown' }) }
  const problem =
    event.argumentsSalt === undefined
      ? 'disclosed in part, and nothing proves them'
      : 'the arguments in the log are not those of the step'
  return { lines: kept, isWhole: false, isCut, problem }
}
