import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decisionSchema } from './decision.js'

const DECISION = {
  schema: 1,
  id: 's#e1#step',
  kind: 'step',
  sessionId: 's',
  tenant: 'default',
  eventId: 'e1',
  callId: 'c1',
  tool: 'send_email',
  argumentsDigest: 'a'.repeat(64),
  verdict: 'confirm',
  mode: 'enforce',
  reasons: [{ source: 'unlabelled', code: 'tool_unlabelled', verdict: 'confirm', message: 'no labels' }],
  approval: {
    capability: 'execute',
    reversibility: 'partial',
    isLabelled: false,
    acts: [],
    scopes: ['once', 'session', 'always'],
    always: { arguments: 'any', days: 30 },
  },
  versions: { bundle: 'b', policy: 'p', catalogue: 'c', engine: '4' },
  facts: {},
  step: 1,
  time: 1,
}

/** `value` with one more member in every object, but for the open ones. */
function withMore(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMore)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, each]) => [
    name,
    name === 'facts' ? each : withMore(each),
  ])
  return Object.fromEntries([...members, ['later', 1]])
}

test('a decision of a later release reads without the members that this one does not know', () => {
  assert.deepEqual(decisionSchema.parse(DECISION), DECISION)
  assert.deepEqual(decisionSchema.parse(withMore(DECISION)), DECISION)
  assert.equal(decisionSchema.safeParse({ ...DECISION, schema: 2 }).success, false)
})
