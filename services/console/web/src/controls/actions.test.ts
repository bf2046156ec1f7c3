import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ControlSent } from '../../../src/api.js'
import { RequestProblem } from '../api/requests.js'
import { ACTION_WORDS, type ControlAction, consequencesOf, entryWords, sendChange } from './actions.js'

const entry = { id: 'c', action: 'stop', tenant: 'acme', by: 'ines', at: 0 } as const
const sent: ControlSent = { entry, partitions: 3, applied: 3, silent: 0, refused: [] }
const request = { action: 'stop', tenant: 'acme', reason: 'a drill' } as const

test('each change says what it will do, and to whom', () => {
  for (const action of Object.keys(ACTION_WORDS) as ControlAction[])
    assert.match(consequencesOf(action, { tenant: 'acme' }).join(' '), /tenant acme/, action)
  assert.match(consequencesOf('stop', {}).join(' '), /the fleet .* blocked, in observe mode too/)
  assert.match(consequencesOf('observe', {}).join(' '), /no approval is requested/)
})

test('what became of a change', async () => {
  const textOf = async (given: Partial<ControlSent>) =>
    (await sendChange(request, async () => ({ ...sent, ...given }))).text
  assert.equal(await textOf({}), 'Done: ines stops tenant acme.')
  assert.match(await textOf({ applied: 1, silent: 2, monitors: 0 }), /in 1 of 3 partitions.*no monitor runs/)
  const refused = [{ partition: 1, code: 'control_stale', message: 'older than the latest' }]
  assert.match(await textOf({ applied: 2, refused }), /Refused in 1 partition of 3: older .*control_stale/)
})

test('a change that failed', async () => {
  const failed = (problem: unknown) => sendChange(request, () => Promise.reject(problem))
  assert.match(
    (await failed(new RequestProblem(403, 'forbidden', 'no role'))).text,
    /Nothing was changed: no role/,
  )
  const away = await failed(new RequestProblem(503, 'log_unavailable', 'send it again'))
  assert.match(away.text, /It may not count everywhere: send it again/)
  // It may have been sent.
  assert.doesNotMatch((await failed(new RequestProblem(0, 'unreachable', 'x'))).text, /Nothing was changed/)
})

test('changes of the audit in words', () => {
  const of = (given: object) => entryWords({ id: 'c', by: 'ines', at: 0, ...given } as typeof entry)
  assert.equal(of({ action: 'observe', agent: 'mailer' }), 'sets agent mailer to observe')
  assert.equal(of({ action: 'resume' }), 'resumes the fleet')
  assert.equal(
    of({ action: 'activate', versions: { policy: 'abc' }, running: true }),
    'activates policy abc for new and running sessions',
  )
  assert.equal(of({ action: 'shadow' }), 'ends the shadow run')
})
