import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reasonOf } from './upstream.js'

const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), { code: 'ECONNREFUSED' })

const CASES: readonly (readonly [failure: unknown, reason: string])[] = [
  [new Error('spawn /no/such ENOENT'), 'there is no program `/no/such`'],
  [new TypeError('fetch failed', { cause: refused }), `fetch failed: ${refused.message}`],
  [
    new TypeError('fetch failed', { cause: Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }) }),
    'fetch failed: ECONNREFUSED',
  ],
  [new Error(`it failed: ${refused.message}`, { cause: refused }), `it failed: ${refused.message}`],
  [new Error('a\nb', { cause: 'c' }), 'a'],
  ['odd', 'odd'],
]
for (const [failure, reason] of CASES) test(reason, () => assert.equal(reasonOf(failure), reason))
