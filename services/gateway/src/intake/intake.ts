import {
  type Catalogue,
  type Event,
  type EventErrorCode,
  type Inherits,
  type SentEvent,
  EVENT_TEXTS_CHARS_MAX,
  INTERNAL_EVENTS,
  PROOF_HEADER,
  TENANT_HEADER,
  eventSchema,
  issueToken,
  proofOf,
  sessionKeyOf,
  tenantOf,
} from '@plimsoll/contracts'
import type { OutgoingRecord } from '@plimsoll/runtime'
import type { Principal } from '../auth/principals-file.js'
import { joinedInherits } from '../lineage/stream-members.js'
import { prefixOf } from '../sessions/principal-client.js'
import { createBelief, trustedTexts } from '../sessions/trusted.js'
import type { Observe } from './observed.js'

/** An event as it goes on, or why it does not. */
export type TakenIn =
  | { readonly event: Event; readonly record: OutgoingRecord }
  | { readonly fault: { readonly code: EventErrorCode | 'forbidden'; readonly message: string } }

/**
 * Takes in what a principal sends: nothing but events of its own sessions, and of an agent nothing that would make a verdict milder. What is
 * `known` besides is told with it.
 */
export type Intake = (sent: SentEvent, known?: Inherits) => TakenIn

export interface IntakeOptions {
  readonly principal: Principal
  readonly catalogue: Catalogue
  readonly observe: Observe
  readonly voucher: Voucher
}

export function createIntake({ principal, catalogue, observe, voucher }: IntakeOptions): Intake {
  const { trust, category } = principal
  const prefix = prefixOf(principal)
  const believe = trust === 'agent' ? createBelief(catalogue, category) : withCategory(category)

  return ({ event: sent, texts, root, trace }, known) => {
    const { data, error } = eventSchema.safeParse(sent)
    if (!data) return refused('schema_invalid', problemsOf(error))
    const stranger = [data.sessionId, rootOf(data, root)].find((id) => !id.startsWith(prefix))
    if (stranger !== undefined)
      return refused('forbidden', `session \`${stranger}\` is not one of \`${prefix}…\``)
    if (INTERNAL_EVENTS.some((type) => type === data.type))
      return refused('forbidden', `\`${data.type}\` is the deployment's own to say`)
    if (texts && charsIn(texts, TEXTS_CHARS_MAX) > TEXTS_CHARS_MAX)
      return refused('event_oversize', `the texts beside it are longer than ${TEXTS_CHARS_MAX} characters`)
    const believed = knowing(believe(data), known)
    try {
      // Of an agent nothing of one session would be found in another, nor in itself, if it could say which key to look with.
      const keyed = trust === 'agent' ? data.sessionId : rootOf(data, root)
      const seen = texts && trust === 'agent' ? trustedTexts(texts) : texts
      const observed = seen ? observe(believed, seen, keyed) : believed
      const event = voucher.sign(observed, texts?.user)
      return { event, record: recordOf(event, voucher, trace) }
    } catch {
      return refused('schema_invalid', 'the report is nested too deeply, or too long')
    }
  }
}

/** A result and the arguments that ran, each as long as texts may be. */
const TEXTS_CHARS_MAX = 2 * EVENT_TEXTS_CHARS_MAX

/** Characters of all texts in a value, and one for each member; counts no further than `max`. Without recursion: a value may be nested deep. */
function charsIn(value: unknown, max: number): number {
  const waiting: unknown[] = [value]
  let chars = 0
  while (waiting.length > 0 && chars <= max) {
    const next = waiting.pop()
    chars += typeof next === 'string' ? next.length : 1
    if (typeof next !== 'object' || next === null) continue
    for (const [name, member] of Object.entries(next)) {
      chars += name.length
      waiting.push(member)
    }
  }
  return chars
}

function knowing(event: Event, known: Inherits | undefined): Event {
  if (!known || (event.type !== 'session.started' && event.type !== 'step.proposed')) return event
  return { ...event, inherits: joinedInherits(event.inherits, known) }
}

const rootOf = (event: Event, reported: string | undefined): string =>
  (event.type === 'session.started' ? event.root : reported) ?? event.sessionId

const withCategory =
  (category: string | undefined) =>
  (event: Event): Event =>
    event.type === 'session.started' && category !== undefined ? { ...event, category } : event

function recordOf(event: Event, voucher: Voucher, trace: SentEvent['trace']): OutgoingRecord {
  const { sessionId } = event
  const { traceparent, tracestate } = trace ?? {}
  const value = JSON.stringify(event)
  const headers = {
    ...voucher.prove(sessionId, value),
    [TENANT_HEADER]: tenantOf(sessionId),
    ...(traceparent !== undefined && { traceparent }),
    ...(tracestate !== undefined && { tracestate }),
  }
  return { key: sessionId, value, headers }
}

const refused = (code: EventErrorCode | 'forbidden', message: string): TakenIn => ({
  fault: { code, message },
})

const problemsOf = ({ issues }: { issues: readonly { path: PropertyKey[]; message: string }[] }): string =>
  issues.map(({ path, message }) => `${path.join('.') || 'event'}: ${message}`).join('; ')

/** Vouches for the events of one principal before monitors. Source: docs/decisions/20261122-enforcement.md, identity. */
export interface Voucher {
  /** A start with the token of its session, whatever it came with; other events as they are. Throws for what no token can hold. */
  sign(event: Event, user: string | undefined): Event
  /** Headers that prove a record with `value`. */
  prove(sessionId: string, value: string): Readonly<Record<string, string>>
}

/** Sessions whose keys are kept: making one is an HMAC. */
const KEYS_MAX = 2_000

export function createVoucher(principal: Pick<Principal, 'name'>, key: string, now: () => number): Voucher {
  const keys = new Map<string, Buffer>()

  function keyOf(sessionId: string): Buffer {
    const known = keys.get(sessionId)
    if (known) return known
    if (keys.size >= KEYS_MAX) for (const oldest of keys.keys()) if (keys.delete(oldest)) break
    const made = sessionKeyOf(sessionId, key)
    keys.set(sessionId, made)
    return made
  }

  return {
    sign: (event, user) => {
      if (event.type !== 'session.started') return event
      const { sessionId, category, agent, root } = event
      const claims = {
        sub: principal.name,
        sid: sessionId,
        tenant: tenantOf(sessionId),
        cat: category,
        agt: agent,
        usr: user,
        root: root === sessionId ? undefined : root,
        iat: Math.floor(now() / 1000),
      }
      return { ...event, identity: issueToken(claims, key) }
    },
    prove: (sessionId, value) => ({ [PROOF_HEADER]: proofOf(value, keyOf(sessionId)) }),
  }
}

/** Where there is no identity key nobody is vouched for, by himself neither. */
export const NO_VOUCHER: Voucher = {
  sign: (event) => {
    if (event.type !== 'session.started') return event
    const { identity: _, ...rest } = event
    return rest
  },
  prove: () => ({}),
}
