import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  bundleSchema,
  catalogueSchema,
  eventSchema,
  logged,
  policySchema,
  versionOf,
} from '@plimsoll/contracts'
import { type SessionState, decodeState, encodeState, step } from '@plimsoll/engine'
import { compileRules } from '@plimsoll/policy'
import { answerOf, fixtureFiles, readFixture } from './fixture.js'

function stateIn(record: string): SessionState {
  const decoded = decodeState(record)
  assert.ok(decoded.kind === 'state', decoded.kind)
  return decoded.state
}

for (const file of fixtureFiles())
  describe(`a session of ${file}`, () => {
    const { documents, versions, steps } = readFixture(file)
    const rules = compileRules(documents)

    /** Folds the events from number `from` on; `crash` puts each state through today's record. */
    function decisionsFrom(from: number, state: SessionState | undefined, crash = false) {
      let known = state
      return steps.slice(from).map(({ event, at }) => {
        const outcome = step(known, logged(eventSchema.parse(event), at), rules)
        known = crash && outcome.state ? stateIn(encodeState(outcome.state)) : outcome.state
        return answerOf(outcome.decision)
      })
    }
    const recordedFrom = (from: number) => steps.slice(from).map(({ decision }) => answerOf(decision))

    test('its documents are valid, and have the versions that sessions are pinned to', () => {
      const parsed = {
        bundle: bundleSchema.parse(documents.bundle),
        policy: policySchema.parse(documents.policy),
        catalogue: catalogueSchema.parse(documents.catalogue),
      }
      for (const [kind, document] of Object.entries(parsed)) assert.equal(versionOf(document), versions[kind])
    })

    test('its log is decided as it was', () => {
      assert.deepEqual(decisionsFrom(0, undefined), recordedFrom(0))
    })

    test('a monitor of today takes it over after any of its events', () => {
      for (const [i, { record }] of steps.entries())
        for (const crash of [false, true])
          assert.deepEqual(decisionsFrom(i + 1, stateIn(record), crash), recordedFrom(i + 1), `after ${i}`)
    })

    test('a monitor that is older than its record does not read it as its own', () => {
      for (const { record } of steps) {
        const [layout, ...members] = JSON.parse(record) as [number, ...unknown[]]
        assert.equal(typeof layout, 'number')
        assert.equal(decodeState(JSON.stringify([layout + 1000, ...members])).kind, 'too_new')
      }
    })
  })
