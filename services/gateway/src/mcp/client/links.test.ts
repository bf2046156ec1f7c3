import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MCP_LIMITS } from '../limits.js'
import { LEGACY } from '../rpc/messages.js'
import type { Link, LinkHooks } from '../upstream/link.js'
import type { Exchange } from './exchange.js'
import { type Flight, createLinks } from './links.js'

const CLIENT = { era: LEGACY, info: {}, capabilities: {} }
const INCOMING = { id: 1, method: 'elicitation/create', params: {}, signal: new AbortController().signal }

/** The requests that a server's question belongs to, while requests with these `_meta` are in progress. */
async function askedDuring(...metas: readonly object[]): Promise<readonly (Flight | undefined)[]> {
  const flights: (Flight | undefined)[] = []
  let hooks: LinkHooks | undefined
  const link = {
    era: LEGACY,
    about: {},
    request: () => new Promise(() => {}),
    touch: () => {},
  } as unknown as Link
  const links = createLinks({
    upstreams: [
      {
        name: 'one',
        spec: { command: 'x', args: [], env: [], prefix: false, trustNames: true },
        connect: async (_, given) => {
          hooks = given
          return link
        },
      },
    ],
    client: CLIENT,
    limits: MCP_LIMITS,
    onNotification: (_, __, flight) => void flights.push(flight),
    onRequest: async (_, __, flight) => {
      flights.push(flight)
      return {}
    },
    onConnected: () => {},
  })
  for (const meta of metas) {
    const exchange = { params: { _meta: meta }, client: CLIENT } as unknown as Exchange
    void links.request('one', { method: 'tools/call', params: {} }, exchange)
  }
  await new Promise(setImmediate)
  await hooks?.onRequest(INCOMING)
  hooks?.onNotification({ method: 'notifications/message' })
  return flights
}

const metaOf = (flight: Flight | undefined) => flight?.exchange.params['_meta']

for (const [what, metas, isKnown] of [
  ['one request', [{}], true],
  [
    'two of one session',
    [
      { 'dev.plimsoll/session': 'a', n: 1 },
      { 'dev.plimsoll/session': 'a', n: 2 },
    ],
    true,
  ],
  ['two of two sessions', [{ 'dev.plimsoll/session': 'a' }, { 'dev.plimsoll/session': 'b' }], false],
  ['two users', [{ 'dev.plimsoll/user': 'ann' }, { 'dev.plimsoll/user': 'bob' }], false],
  ['two conversations', [{ 'dev.plimsoll/conversation': 'x' }, {}], false],
] as const)
  test(`what a server asks and says belongs to ${isKnown ? 'the latest' : 'none'} of ${what}`, async () => {
    const expected = isKnown ? metas.at(-1) : undefined
    assert.deepEqual((await askedDuring(...metas)).map(metaOf), [expected, expected])
  })
