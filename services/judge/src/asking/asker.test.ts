import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { ProtocolName } from '../protocols/index.js'
import { createAsker } from './asker.js'
import { completion, json, message, serveModel, toolUse, type Way } from './sample-model-server.js'

const PROMPT = { system: 'Judge.', user: '{}', schema: { type: 'object' }, answer: 'Takes a number.' }

async function asker(t: TestContext, protocol: ProtocolName, ...ways: readonly Way[]) {
  const server = await serveModel(...ways)
  t.after(() => server.close())
  const { signal } = new AbortController()
  const endpoint = { url: server.url, model: 'test-model', key: 'sk-key' }
  return { server, ask: createAsker({ ...endpoint, protocol, timeoutMs: 2_000, signal, firstPauseMs: 1 }) }
}

test('returns the answer of both protocols unchanged', async (t) => {
  for (const [protocol, way] of [
    ['openai', completion({ now: 0.5 })],
    ['anthropic', message([toolUse({ now: 0.5 })])],
  ] as const) {
    const { ask, server } = await asker(t, protocol, way)
    assert.deepEqual(await ask(PROMPT), {
      kind: 'answer',
      value: { now: 0.5 },
      calls: 1,
      tokens: { input: 1, output: 1 },
    })
    assert.ok(JSON.stringify(server.asked[0]?.body).includes('Judge.'))
  }
})

test('retries temporary failures up to three attempts, and no rejection', async (t) => {
  const busy = await asker(t, 'openai', json({}, 529), completion({ now: 1 }))
  const second = await busy.ask(PROMPT)
  assert.deepEqual([second.kind, second.calls], ['answer', 2])
  const down = await asker(t, 'openai', json({}, 500))
  assert.deepEqual(await down.ask(PROMPT), { kind: 'unavailable', calls: 3 })
  assert.equal(down.server.asked.length, 3)
  const barred = await asker(t, 'openai', json({}, 401))
  assert.deepEqual(await barred.ask(PROMPT), { kind: 'rejected', calls: 1 })
  assert.equal(barred.server.asked.length, 1)
})

test('a refusal or prose is no answer', async (t) => {
  const refusing = await asker(t, 'openai', completion('', { content: null, refusal: 'No.' }))
  assert.equal((await refusing.ask(PROMPT)).kind, 'refused')
  const talking = await asker(t, 'openai', completion('Maybe.'))
  assert.equal((await talking.ask(PROMPT)).kind, 'invalid')
})
