import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import {
  type Bundle,
  type Catalogue,
  type Decision,
  type Event,
  type Policy,
  sign,
} from '@plimsoll/contracts'
import { projectRoot } from '../support/paths.js'
import { SIGNING_KEY } from '../support/sessions/signing-key.js'

/** What an earlier version made of a session; test/upgrade/make-fixture.mjs writes it. */
export interface Fixture {
  readonly documents: { readonly bundle: Bundle; readonly policy: Policy; readonly catalogue: Catalogue }
  readonly versions: Readonly<Record<string, string>>
  /** Each event with its append time, the decision on it, and the session's record after it. */
  readonly steps: readonly {
    readonly at: number
    readonly event: Event
    readonly decision: Decision | null
    readonly record: string
  }[]
}

const folder = path.join(projectRoot, 'test/upgrade/fixtures')

export const fixtureFiles = (): readonly string[] =>
  readdirSync(folder).filter((file) => /^engine-\d+\.json$/.test(file))

export const readFixture = (file: string): Fixture =>
  JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Fixture

/** What the monitor of that version had stored when it was killed, after it had stored `events` events and before it published anything. */
export interface StoreFixture {
  readonly events: number
  readonly meta: Readonly<Record<string, string>>
  readonly records: readonly { readonly id: string; readonly body: string; readonly outbox: string }[]
}

export const readStoreFixture = (file: string): StoreFixture =>
  JSON.parse(readFileSync(path.join(folder, file.replace('.json', '.store.json')), 'utf8')) as StoreFixture

/** The events with valid signatures; the approvals of the made-up session have none. */
export function signed(event: Event): Event {
  if (event.type !== 'approval.resolved') return event
  const { signature: _, ...record } = event
  return sign(record, SIGNING_KEY)
}

/** What a decision says, apart from the engine that made it, and from the words of the line, which engine 8 says otherwise. */
export function answerOf(decision: Decision | null | undefined) {
  if (!decision) return null
  const { versions: _, reasons, ...answer } = decision
  return {
    ...answer,
    reasons: reasons.map((reason) => (reason.source === 'line' ? { ...reason, message: '' } : reason)),
  }
}
