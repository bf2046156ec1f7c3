import { createHash } from 'node:crypto'
import {
  type Decision,
  type Event,
  type Topics,
  claimsOf,
  parseJson,
  readToken,
  tenantOf,
} from '@plimsoll/contracts'
import { type LogRecord, controlIn, decisionIn, eventIn } from '@plimsoll/runtime'
import type { EntryBody, EntryKind } from '../file/entry.js'
import { FLEET_TREE } from '../tree/names.js'

/** What of a record goes into a tree. */
export interface Recorded {
  readonly tree: string
  readonly kind: EntryKind
  readonly body: EntryBody
}

export interface RecordReaderOptions {
  readonly topics: Topics
  /** Without it signatures of answers and control changes are not checked. */
  readonly signingKey: string | undefined
  /** Without any, no token of a session is verified. */
  readonly identityKeys: readonly string[]
}

/** Reads records of the events and the decisions topic; undefined for those that are no part of a proof. Never throws. */
export function createRecordReader({ topics, signingKey, identityKeys }: RecordReaderOptions) {
  return (record: LogRecord): Recorded | undefined => {
    const json = parseJson(record.value)
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined
    // As it is in the log: schemas leave out what this release does not know.
    const body = json as EntryBody
    if (record.topic === topics.decisions) {
      const decision = decisionIn(record, json)
      if (!decision) return undefined
      const kept = isKept(record, json) ? body : digestIn(record, decision)
      return { tree: decision.tenant, kind: 'decision', body: kept }
    }
    if (!PROVED.has(body['type'])) {
      const control = controlIn(record, signingKey, json)
      if (!control) return undefined
      const tenant = 'tenant' in control ? control.tenant : undefined
      return { tree: tenant ?? FLEET_TREE, kind: 'control', body }
    }
    const event = eventIn(record, signingKey, json)
    if (!event) return undefined
    const tree = tenantOf(event.sessionId)
    if (event.type === 'session.started') return { tree, kind: 'session', body: startOf(event, identityKeys) }
    return { tree, kind: event.type === 'declassification.granted' ? 'declassification' : 'approval', body }
  }
}

/** Bytes of a decision that is entered as it is. Those of monitors have a few thousand. */
const BODY_BYTES_MAX = 1024 * 1024
/** How deep its JSON may be nested: far deeper, and canonical JSON could not be made of it. */
const BODY_DEPTH_MAX = 32

const isKept = ({ value }: LogRecord, json: object): boolean =>
  (value?.length ?? 0) <= BODY_BYTES_MAX && !isDeeper(json, BODY_DEPTH_MAX)

/** Recursive no further than `depth`. */
function isDeeper(json: unknown, depth: number): boolean {
  if (typeof json !== 'object' || json === null) return false
  return depth === 0 || Object.values(json).some((member) => isDeeper(member, depth - 1))
}

/** Stands for a decision that no monitor wrote and that does not fit: clients may have believed it, so it is not left out. */
const digestIn = ({ value }: LogRecord, { id, sessionId }: Decision): EntryBody => ({
  type: 'decision.oversize',
  id: id.slice(0, ID_CHARS_MAX),
  sessionId,
  bytes: value?.length ?? 0,
  sha256: createHash('sha256')
    .update(value ?? '')
    .digest('hex'),
})

/** Characters that are kept of an id. */
const ID_CHARS_MAX = 400

/** Most events are of no interest, and a schema takes longer than a look. */
const PROVED: ReadonlySet<unknown> = new Set([
  'session.started',
  'approval.resolved',
  'approval.revoked',
  'declassification.granted',
])

/** Who the session says it is. Its task, fingerprints and token stay in the log. */
function startOf(event: Extract<Event, { type: 'session.started' }>, keys: readonly string[]): EntryBody {
  const { id, sessionId, agent, category, root, identity, time } = event
  const verified = identity === undefined ? undefined : readToken(identity, keys)
  const claims = verified ?? claimsOf(identity)
  const whole = {
    type: event.type,
    id,
    sessionId,
    time,
    agent: agent ?? claims?.agt,
    category,
    root: root ?? claims?.root,
    parent: claims?.par,
    principal: claims?.sub,
    user: claims?.usr,
    identity: identity === undefined ? 'none' : verified?.sid === sessionId ? 'verified' : 'stated',
  }
  return Object.fromEntries(Object.entries(whole).filter(([, member]) => member !== undefined))
}
