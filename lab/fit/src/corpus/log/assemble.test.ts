import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchFingerprints, distinctiveShare } from '@plimsoll/engine'
import { compileRules, defaultDocuments } from '@plimsoll/policy'
import { createLogCensus, createSessionAssembly } from './assemble.js'
import { playLogged } from './play-logged.js'
import { sampleScript } from '../../testing.js'

test('no more events are held than there is room for: sessions heard of least lately go, and are counted', () => {
  const census = createLogCensus()
  const assembly = createSessionAssembly(census, { openEventsMax: 10 })
  const scripts = Array.from({ length: 6 }, (_, i) => sampleScript(`s${i}`))
  for (const script of scripts) assembly.take(script.start(), 1)
  for (const script of scripts) assembly.take(script.propose('a', 'read_file'), 2)
  assert.equal(census.crowdedOut, 1)
  const ended = scripts.map((script) => assembly.take(script.end(), 3))
  assert.deepEqual(
    ended.map((session) => session?.id),
    ['s0', 's1', 's2', 's3', 's4', undefined],
  )
  assert.deepEqual(
    ended[0]?.events.map(({ event }) => event.type),
    ['session.started', 'step.proposed'],
  )
  assembly.close()
  assert.deepEqual([census.sessions, census.unfinished], [5, 0])
})

test('a session that goes on and on is left out', () => {
  const census = createLogCensus()
  const assembly = createSessionAssembly(census)
  const script = sampleScript('s')
  assembly.take(script.start(), 1)
  for (let i = 0; i < 4_000; i++) assembly.take(script.propose(`c${i}`, 'read_file'), 2)
  assert.equal(census.tooLong, 1)
  assert.equal(assembly.take(script.end(), 3), undefined)
})

test('arguments and tasks are not kept', () => {
  const assembly = createSessionAssembly(createLogCensus())
  const script = sampleScript('s')
  assembly.take(script.start({ task: 'secret', category: 'sysadmin' }), 1)
  assembly.take(script.instruct({ task: 'secret' }), 1)
  assembly.take(script.propose('a', 'read_file', { arguments: { path: 'secret' } }), 1)
  const session = assembly.take(script.end(), 1)
  assert.equal(session?.category, 'sysadmin')
  assert.ok(session && !JSON.stringify(session.events).includes('secret'))
})

test('what the user says later is no gap, is kept, and is what its session is played by', async () => {
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
  const named: number[] = []
  playLogged(session, rules, {
    started: () => {},
    stepped: ({ before }) =>
      named.push(distinctiveShare(matchFingerprints(before.sources, fingerprints), 'task')),
  })
  assert.deepEqual(named, [0, 1])
})
