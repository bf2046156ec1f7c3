import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileRules, defaultDocuments } from '@plimsoll/policy'
import { createLogCensus, createSessionAssembly } from '@plimsoll/fit'
import { sampleScript } from '@plimsoll/fit/testing'
import { judgeLogged } from './what-if-topic.js'

test('each step of a logged session is judged under both policies, past an instruction of the user', async () => {
  const assembly = createSessionAssembly(createLogCensus())
  const script = sampleScript('s')
  const fingerprints = ['aaaaaaaa']
  assembly.take(script.start({ fingerprints: [] }), 1)
  assembly.take(script.propose('a', 'send_email', { fingerprints }), 1)
  assembly.take(script.complete('a', 'send_email'), 1)
  assembly.take(script.instruct({ fingerprints }), 1)
  assembly.take(script.propose('b', 'send_email', { fingerprints }), 1)
  assembly.take(script.complete('b', 'send_email'), 1)
  const session = assembly.take(script.end(), 1)
  assert.ok(session)
  const rules = compileRules(await defaultDocuments())
  assert.equal(judgeLogged(session, rules, rules).length, 2)
})
