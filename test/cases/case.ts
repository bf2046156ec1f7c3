import type { Bundle, ChainTables } from '@plimsoll/contracts'
import {
  controlSchema,
  eventSchema,
  INTERNAL_EVENTS,
  PlimsollError,
  versionOf,
  type Control,
} from '@plimsoll/contracts'
import type { LoggedEvent, RuleBook } from '@plimsoll/engine'
import { compileRules, createRuleBook, parseDocument, type Documents } from '@plimsoll/policy'

/**
 * A case as it stands in its file: a session in a few words, and what must be answered. `policy` has the members that differ from
 * the given policy; `policies` are others, by names that a `versions.activated` among the events can use for their versions; `chain` has
 * those of a chain over the five risk levels that differ from one without any risk. Of an event or a control change only what matters
 * is written; the rest is filled in.
 */
export interface CaseFile {
  readonly name: string
  readonly policy?: Readonly<Record<string, unknown>>
  readonly policies?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly chain?: Partial<ChainTables>
  readonly events: readonly Readonly<Record<string, unknown>>[]
  /** One for each event that gets an answer: a decision, or a fault. Only what is written is compared. */
  readonly expect: readonly Readonly<Record<string, unknown>>[]
}

export interface Case {
  readonly name: string
  /** Its active rules are those of `policy`. */
  readonly book: RuleBook
  readonly happenings: readonly Happening[]
  readonly expect: CaseFile['expect']
}

/** What lies in the log: an event of the session, or a control change. */
export type Happening = LoggedEvent | { readonly control: Control }

/** Makes a file's case ready to be played. `name` is the file's. Throws `document_invalid`, naming file and event. */
export function readCase(text: string, name: string, base: Documents): Case {
  const file = parseFile(text, name)
  const bundle = quietBundle(file.chain)
  const policyOf = (members?: object) =>
    parseDocument('policy', JSON.stringify({ ...base.policy, ...members }), name)
  const others = Object.entries(file.policies ?? {}).map(
    ([key, members]) => [key, policyOf(members)] as const,
  )
  const rulesOf = (policy: Documents['policy']) => compileRules({ bundle, policy, catalogue: base.catalogue })
  const book = createRuleBook(
    rulesOf(policyOf(file.policy)),
    others.map(([, policy]) => rulesOf(policy)),
  )
  const versions = new Map(others.map(([key, policy]) => [key, versionOf(policy)]))
  return { name: file.name, book, happenings: fillIn(file, name, versions), expect: file.expect }
}

function parseFile(text: string, name: string): CaseFile {
  const value = attemptJson(text, name)
  if (isCaseFile(value)) return value
  throw new PlimsollError('document_invalid', `case \`${name}\`: expected name, events and expect`)
}

function attemptJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new PlimsollError('document_invalid', `case \`${name}\` is not JSON`, { cause })
  }
}

function isCaseFile(value: unknown): value is CaseFile {
  if (typeof value !== 'object' || value === null) return false
  const { name, events, expect } = value as Partial<Record<keyof CaseFile, unknown>>
  return typeof name === 'string' && Array.isArray(events) && Array.isArray(expect)
}

const STEP_MS = 1000
const DIGEST = '0'.repeat(64)

const CONTROL = /^(mode\.changed|fleet\.\w+|versions\.activated)$/

/** `at` is the second at which the log takes an event; each comes a second after the one before where it is left out. */
function fillIn({ events }: CaseFile, name: string, policies: ReadonlyMap<string, string>): Happening[] {
  const numbers = new Map<string, number>()
  let timeMs = 0
  return events.map(({ at, ...given }, i) => {
    timeMs = typeof at === 'number' ? at * STEP_MS : timeMs + STEP_MS
    if (CONTROL.test(String(given['type'])))
      return controlOf(given, `case \`${name}\`: events.${i}`, timeMs, policies)
    const producer = typeof given['producer'] === 'string' ? given['producer'] : 'agent'
    const seq = numbers.get(producer) ?? 0
    const envelope = { schema: 1, id: `e${i}`, sessionId: 's', producer, seq, time: 0 }
    const parsed = eventSchema.safeParse({ ...envelope, ...defaultsOf(given['type'], i), ...given })
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      const problem = `case \`${name}\`: events.${i}.${issue?.path.join('.')}: ${issue?.message}`
      throw new PlimsollError('document_invalid', problem)
    }
    if (parsed.data.seq === seq && !isInternal(given['type'])) numbers.set(producer, seq + 1)
    return { event: parsed.data, timeMs }
  })
}

function controlOf(
  { versions, ...given }: Readonly<Record<string, unknown>>,
  where: string,
  time: number,
  policies: ReadonlyMap<string, string>,
): Happening {
  const envelope = { schema: 1, id: `control-${time}`, partition: 0, time, by: 'ann', signature: DIGEST }
  const policy = policies.get(String(versions))
  const named = { versions: policy === undefined ? {} : { policy } }
  const parsed = controlSchema.safeParse({ ...envelope, ...(versions !== undefined && named), ...given })
  if (parsed.success) return { control: parsed.data }
  const [issue] = parsed.error.issues
  throw new PlimsollError('document_invalid', `${where}.${issue?.path.join('.')}: ${issue?.message}`)
}

/** Stands in approvals for the end of the question that they answer. */
export const AS_ASKED = 0

const isInternal = (type: unknown): boolean => INTERNAL_EVENTS.some((internal) => internal === type)

function defaultsOf(type: unknown, i: number): object {
  if (type === 'tool.proposed') return { callId: `c${i}`, argumentsDigest: DIGEST }
  if (type === 'tool.completed') return { outcome: 'ok' }
  if (type === 'deadline.reached') return { producer: 'monitor', seq: 0, dueAt: 0, signature: DIGEST }
  if (type === 'labels.refined')
    return { producer: 'judge', seq: 0, effect: 'raise', by: 'a-model', signature: DIGEST }
  if (type === 'session.labelled') return { producer: 'console', seq: 0, by: 'ann', signature: DIGEST }
  if (type === 'declassification.granted')
    return { producer: 'console', seq: 0, by: 'ann', reason: 'looked at it', signature: DIGEST }
  if (type !== 'approval.resolved') return {}
  return {
    producer: 'console',
    seq: 0,
    argumentsDigest: DIGEST,
    expiresAt: AS_ASKED,
    by: 'ann',
    resolution: 'approved',
    signature: DIGEST,
  }
}

/** A bundle in which nothing is ever likely, but for what `chain` says. */
function quietBundle(chain: Partial<ChainTables> = {}): Bundle {
  const zeros = [0, 0, 0, 0, 0]
  const aggregate: ChainTables = {
    traces: 0,
    transitions: 0,
    violations: 0,
    hazard: zeros,
    forward: [zeros, zeros, zeros],
    stepsToViolation: [null, null, null, null, null],
    counts: [],
    thresholds: { hazard: [0.05, 0.3, 0.9], forward: [0.3, 0.5, 0.8] },
    ...chain,
  }
  const head = {
    schema: 1,
    kind: 'plimsoll.bundle',
    name: 'quiet',
    space: 'paper5',
    target: 'modelled',
  } as const
  return { ...head, horizon: 2, horizonMax: 2, aggregate, categories: {}, origin: {} }
}
