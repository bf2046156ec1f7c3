import { type Event, type Topics, claimsOf, parseJson, readToken, tenantOf } from '@plimsoll/contracts'
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
      return decision && { tree: decision.tenant, kind: 'decision', body }
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
