import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import type { Bundle, Catalogue, Decision, Event, Policy } from '@plimsoll/contracts'
import { projectRoot } from '../support/paths.js'

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
