import {
  type Control,
  INTERNAL_EVENTS,
  PlimsollError,
  controlSchema,
  eventSchema,
  logged,
  unknownSignals,
} from '@plimsoll/contracts'
import type { LoggedEvent } from '@plimsoll/engine'
import type { Problem } from '../document/problems.js'

/** A record of the log: an event of a session, with readings of other sessions, or a control change. */
export type CaseEvent =
  (LoggedEvent & { readonly readings?: Readonly<Record<string, number>> }) | { readonly control: Control }

type Members = Readonly<Record<string, unknown>>

/** In an approval: the expiry of the request that it answers. */
export const AS_ASKED = 0

const STEP_MS = 1000
const DIGEST = '0'.repeat(64)
const SESSION = 's'

const CONTROL = /^(mode\.changed|fleet\.\w+|versions\.activated)$/

/**
 * The events of a case, completed. `at` is the second of the log's clock, by default one second after the previous event. An event with a
 * tool and no type is a proposal; a completion without a call id belongs to the latest proposal.
 */
export function fillIn(
  events: readonly Members[],
  name: string,
  policies: ReadonlyMap<string, string>,
): CaseEvent[] {
  const numbers = new Map<string, number>()
  const latest = new Map<string, object>()
  let timeMs = 0
  return events.map(({ at, readings, ...written }, i) => {
    timeMs = typeof at === 'number' ? at * STEP_MS : timeMs + STEP_MS
    const where = `case \`${name}\`: events.${i}`
    const type = written['type'] ?? (written['tool'] === undefined ? undefined : 'step.proposed')
    const given = { ...written, type }
    if (typeof type === 'string' && CONTROL.test(type)) return controlOf(given, where, timeMs, policies)
    const sessionId = textIn(written, 'sessionId') ?? SESSION
    const stream = `${sessionId}/${textIn(written, 'producer') ?? 'agent'}`
    const seq = numbers.get(stream) ?? 0
    const envelope = { schema: 1, id: `e${i}`, sessionId, producer: 'agent', seq, time: 0 }
    const parsed = eventSchema.safeParse({
      ...envelope,
      ...defaultsOf(type, i, latest.get(sessionId)),
      ...given,
    })
    if (!parsed.success) throw invalid(where, parsed.error)
    const [unknown] = unknownSignals(given)
    if (unknown !== undefined)
      throw new PlimsollError('document_invalid', `${where}.signals: \`${unknown}\` is no signal`)
    const event = parsed.data
    if (event.seq === seq && !isInternal(type)) numbers.set(stream, seq + 1)
    if (event.type === 'step.proposed') latest.set(sessionId, { callId: event.callId, tool: event.tool })
    return {
      ...logged(event, timeMs),
      ...(readings !== undefined && { readings: readingsIn(readings, where) }),
    }
  })
}

const textIn = (given: Members, member: string): string | undefined => {
  const value = given[member]
  return typeof value === 'string' ? value : undefined
}

function invalid(where: string, { issues: [issue] }: { readonly issues: readonly Problem[] }): PlimsollError {
  const at = [where, ...(issue?.path ?? [])].join('.')
  return new PlimsollError('document_invalid', `${at}: ${issue?.message}`)
}

function readingsIn(readings: unknown, where: string): Readonly<Record<string, number>> {
  const entries = typeof readings === 'object' && readings !== null ? Object.entries(readings) : []
  if (entries.length > 0 && entries.every(([, value]) => typeof value === 'number'))
    return Object.fromEntries(entries)
  throw new PlimsollError(
    'document_invalid',
    `${where}.readings: expected numbers by name, as in \`spec:an-id\``,
  )
}

function controlOf(
  { versions, ...given }: Members,
  where: string,
  time: number,
  policies: ReadonlyMap<string, string>,
): CaseEvent {
  const envelope = { schema: 1, id: `control-${time}`, partition: 0, time, by: 'ann', signature: DIGEST }
  const policy = policies.get(String(versions))
  const named = { versions: policy === undefined ? {} : { policy } }
  const parsed = controlSchema.safeParse({ ...envelope, ...(versions !== undefined && named), ...given })
  if (parsed.success) return { control: parsed.data }
  throw invalid(where, parsed.error)
}

const isInternal = (type: unknown): boolean => INTERNAL_EVENTS.some((internal) => internal === type)

const from = (producer: string, more: object) => ({ producer, seq: 0, signature: DIGEST, ...more })

const DEFAULTS: Readonly<Record<string, object>> = {
  'deadline.reached': from('monitor', { dueAt: 0 }),
  'labels.refined': from('judge', { effect: 'raise', by: 'a-model' }),
  'session.labelled': from('console', { by: 'ann' }),
  'approval.revoked': from('console', { by: 'ann' }),
  'declassification.granted': from('console', { by: 'ann', reason: 'looked at it' }),
  'approval.resolved': from('console', {
    argumentsDigest: DIGEST,
    expiresAt: AS_ASKED,
    by: 'ann',
    resolution: 'approved',
  }),
}

function defaultsOf(type: unknown, i: number, latest: object | undefined): object {
  if (type === 'step.proposed') return { callId: `c${i}`, argumentsDigest: DIGEST }
  if (type === 'step.completed') return { outcome: 'ok', ...latest }
  return DEFAULTS[String(type)] ?? {}
}
