import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectGateway } from '../gateway.js'

// Values of unset variables, which plain JavaScript passes on.
const unset: string = process.env['NO_SUCH_VARIABLE'] as never

const wrong = [
  ['an address without http', { url: '127.0.0.1:9465', credential: 'k' }, /`url`: .*`127\.0\.0\.1:9465`/],
  ['that of a stream', { url: 'ws://127.0.0.1:9465', credential: 'k' }, /`url`/],
  ['no address', { url: unset, credential: 'k' }, /`url`/],
  ['no key', { url: 'http://127.0.0.1:1', credential: unset }, /`credential`/],
  ['an empty key', { url: 'http://127.0.0.1:1', credential: '' }, /`credential`/],
  ["a key with its file's line end", { url: 'http://127.0.0.1:1', credential: 'key\n' }, /`credential`/],
  ['what gives no token', { url: 'http://127.0.0.1:1', credential: () => unset }, /`credential`/],
] as const
for (const [what, options, problem] of wrong)
  test(`names the problem: ${what}`, () =>
    assert.rejects(connectGateway(options), { code: 'config_invalid', message: problem }))
