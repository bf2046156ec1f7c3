import { randomBytes } from 'node:crypto'
import {
  type TextObserver,
  createScriptReadings,
  joinInherits,
  observeArguments,
  observeInstruction,
  observeResult,
  observeTask,
  raiseSignals,
} from '@plimsoll/client/services'
import {
  type Catalogue,
  type Event,
  type EventErrorCode,
  type EventTexts,
  type Inherits,
  type SentEvent,
  EVENT_TEXTS_CHARS_MAX,
  INTERNAL_EVENTS,
  PROOF_HEADER,
  TENANT_HEADER,
  createSaltedDigest,
  eventSchema,
  formatIssues,
  issueToken,
  joinWorlds,
  proofOf,
  sessionKeyOf,
  tenantOf,
} from '@plimsoll/contracts'
import { type ObserverPart, createObserver, keyOfRoot } from '@plimsoll/labels'
import { type Disclosure, createDisclosure } from '@plimsoll/policy'
import type { OutgoingRecord } from '@plimsoll/runtime'
import { LRUCache } from 'lru-cache'
import type { Principal } from '../auth/principals.js'
import { prefixOf } from './principal-clients.js'
import { acceptTexts, createAgentFilter } from './trust.js'

/** An accepted event with its record, or why it is refused. */
export type Intake =
  | { readonly event: Event; readonly record: OutgoingRecord }
  | { readonly fault: { readonly code: EventErrorCode | 'forbidden'; readonly message: string } }

export interface IntakeOptions {
  readonly principal: Principal
  readonly catalogue: Catalogue
  readonly observe: Observe
  readonly voucher: Voucher
  /** Called with the arguments of each proposed step, if they came beside it. */
  readonly onProposed?: (
    event: { readonly sessionId: string; readonly eventId: string; readonly argumentsDigest: string },
    values: Readonly<Record<string, unknown>>,
  ) => void
}

export type EventIntake = ReturnType<typeof createEventIntake>

/**
 * Checks, completes and encodes the events that a principal sends: only events of its own sessions and, from an agent, nothing that would
 * make a verdict milder. `known` is state to add to the event.
 */
export function createEventIntake(options: IntakeOptions) {
  const { principal, catalogue, observe, voucher, onProposed } = options
  const { trust, category } = principal
  const ownWorld = principal.world
  const prefix = prefixOf(principal)
  const accept = trust === 'agent' ? createAgentFilter(catalogue, category) : withCategory(category)

  return ({ event: sent, texts, root, trace }: SentEvent, known?: Inherits): Intake => {
    const { data, error } = eventSchema.safeParse(sent)
    if (!data) return refused('schema_invalid', formatIssues(error, 'event'))
    const foreign = [data.sessionId, rootOf(data, root)].find((id) => !id.startsWith(prefix))
    if (foreign !== undefined)
      return refused('forbidden', `session \`${foreign}\` is not one of \`${prefix}…\``)
    if (INTERNAL_EVENTS.some((type) => type === data.type))
      return refused('forbidden', `only the deployment itself may publish \`${data.type}\``)
    if (texts && charsIn(texts, TEXTS_CHARS_MAX) > TEXTS_CHARS_MAX)
      return refused('event_oversize', `its texts are longer than ${TEXTS_CHARS_MAX} characters`)
    const accepted = withKnown(accept(data), known)
    try {
      // An agent must not choose the key of its fingerprints: with another root, nothing would match.
      const keyRoot = trust === 'agent' ? data.sessionId : rootOf(data, root)
      const given = texts && trust === 'agent' ? acceptTexts(texts) : texts
      const seen = given && ownWorld ? { ...given, world: joinWorlds(ownWorld, given.world) } : given
      const observed = seen ? observe(accepted, seen, keyRoot) : accepted
      const event = voucher.sign(observed, texts?.user)
      if (event.type === 'step.proposed' && seen?.arguments) {
        const { id: eventId, argumentsDigest } = event
        onProposed?.({ sessionId: event.sessionId, eventId, argumentsDigest }, seen.arguments)
      }
      return { event, record: recordOf(event, voucher, trace) }
    } catch {
      return refused('schema_invalid', 'the report is nested too deeply, or too long')
    }
  }
}

/** A result and the arguments that ran, each at its cap. */
const TEXTS_CHARS_MAX = 2 * EVENT_TEXTS_CHARS_MAX

/** Characters of all texts in a value, plus one per member; stops counting beyond `max`. Not recursive: a value may be nested deep. */
export function charsIn(value: unknown, max: number): number {
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

function withKnown(event: Event, known: Inherits | undefined): Event {
  if (!known || (event.type !== 'session.started' && event.type !== 'step.proposed')) return event
  return { ...event, inherits: joinInherits(event.inherits, known) }
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

const refused = (code: EventErrorCode | 'forbidden', message: string): Intake => ({
  fault: { code, message },
})

export interface ObserveOptions {
  readonly catalogue: Catalogue
  /** The deployment's fingerprint key; without it nothing is reported of texts. */
  readonly key: string | Uint8Array | undefined
  readonly without?: readonly ObserverPart[] | undefined
  readonly disclose?: readonly Disclosure[] | undefined
  /** Called when a reader of arguments throws. */
  readonly onReaderError?: ((error: unknown) => void) | undefined
}

/** Adds to `event` what its texts contain, for sessions of root `root`. Remembers of them only the paths of scripts that open calls read. */
export type Observe = (event: Event, texts: EventTexts, root: string) => Event

/** Roots whose observers are kept: creating one costs two HMACs. */
const ROOTS_MAX = 1_000

export function createObserve(options: ObserveOptions): Observe {
  const { catalogue, key, without, disclose: rules, onReaderError } = options
  const disclose = createDisclosure(rules)
  const observers = new LRUCache<string, TextObserver>({ max: ROOTS_MAX })
  const ownKey = key ?? randomBytes(32)

  function observerOf(root: string, isResumed: boolean): TextObserver {
    const known = observers.get(root)
    if (known) return known
    const rootKey = keyOfRoot(ownKey, root)
    const observer =
      key === undefined
        ? undefined
        : createObserver({ catalogue, key: rootKey, without, isResumed, onReaderError })
    const made = { observer, digest: createSaltedDigest(rootKey), disclose, readings: createScriptReadings() }
    observers.set(root, made)
    return made
  }

  return (event, texts, root) => {
    const { task, arguments: values } = texts
    const observer = observerOf(root, event.type !== 'session.started')
    if (event.type === 'session.started') return { ...event, ...observeTask(event, task, observer) }
    if (event.type === 'session.instructed') {
      const seen = observeInstruction(task, observer)
      return { ...event, ...seen, signals: raiseSignals(seen.signals, event.signals) }
    }
    // Without arguments beside it, nothing of them has been examined.
    if (event.type === 'step.proposed')
      return values === undefined
        ? event
        : {
            ...event,
            ...observeArguments(event, texts, texts.world ? { ...observer, world: texts.world } : observer),
          }
    return event.type === 'step.completed' ? { ...event, ...observeResult(event, texts, observer) } : event
  }
}

/** Vouches for a principal's events before the monitors. Source: docs/decisions/20261122-enforcement.md, identity. */
export interface Voucher {
  /** Gives a start the token of its session, whatever it came with. Throws for values that no token can hold. */
  sign(event: Event, user: string | undefined): Event
  /** Headers that prove a record with `value`. */
  prove(sessionId: string, value: string): Readonly<Record<string, string>>
}

/** Sessions whose keys are kept: deriving one is an HMAC. */
const KEYS_MAX = 2_000

export function createVoucher(principal: Pick<Principal, 'name'>, key: string, now: () => number): Voucher {
  const keys = new LRUCache<string, Buffer>({ max: KEYS_MAX })

  function keyOf(sessionId: string): Buffer {
    const known = keys.get(sessionId)
    if (known) return known
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

/** Without an identity key, a start has no token, not even its own. */
export const NO_VOUCHER: Voucher = {
  sign: (event) => {
    if (event.type !== 'session.started') return event
    const { identity: _, ...rest } = event
    return rest
  },
  prove: () => ({}),
}
