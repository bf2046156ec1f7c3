import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { samplePolicy, SAMPLE_CATALOGUE } from '../testing.js'
import { findCases, parseCases } from './case.js'
import { runCase } from './run-case.js'

const base = { policy: samplePolicy(), catalogue: SAMPLE_CATALOGUE }
const BESIDE: Readonly<Record<string, string>> = {
  'policy.json': JSON.stringify(samplePolicy({ id: 'no-mail', tier: 'blocklist', tools: ['send_*'] })),
  'tools.json': JSON.stringify({ ...SAMPLE_CATALOGUE, tools: [] }),
}
const textOf = (file: string): string => BESIDE[file] ?? ''
const run = (text: string): string[] => parseCases(text, { name: 'x.yaml', base, textOf }).flatMap(runCase)

test('a case in YAML, with a policy and a catalogue beside it', () => {
  const text = `
name: mail is blocked
policy: policy.json
catalogue: tools.json
events:
  - type: session.started
  - tool: send_mail
  - tool: frobnicate
expect:
  - { verdict: block, reasons: [no-mail] }
  - { verdict: warn, reasons: [tool_unlabelled] }
`
  assert.deepEqual(run(text), [])
})

test('several cases in a file; each is played for itself', () => {
  const session = { events: [{ type: 'session.started' }, { tool: 'send_mail' }] }
  const cases = [
    { name: 'lets', ...session, expect: [{ verdict: 'allow' }] },
    { name: 'blocks', policy: 'policy.json', ...session, expect: [{ verdict: 'block' }] },
    { name: 'wrong', policy: 'policy.json', ...session, expect: [{ verdict: 'allow' }] },
  ]
  assert.deepEqual(run(JSON.stringify(cases)), [
    'expect.0.verdict: expected "allow", got "block" of e1 send_mail block [no-mail]',
  ])
})

test('several sessions, each with a state of its own; a completion without a call is of the latest proposal', () => {
  const text = `
name: one mail a session, and none before something was read
policy:
  specs:
    - { id: once, tier: blocklist, tools: [send_*], atMost: { times: 1, per: session } }
    - { id: read-first, tier: mustlist, tools: [send_*], requires: { tools: [read_*] } }
events:
  - type: session.started
  - { type: session.started, sessionId: t }
  - tool: send_mail
  - tool: read_file
  - type: step.completed
  - tool: send_mail
  - { tool: send_mail, sessionId: t }
  - tool: send_mail
expect:
  - { verdict: block, reasons: [read-first] }
  - { verdict: allow }
  - { verdict: allow, reasons: [] }
  - { sessionId: t, verdict: block, reasons: [read-first] }
  - { verdict: block, reasons: [once] }
`
  assert.deepEqual(run(text), [])
})

test('an event can carry the facts that the monitor reads about other sessions', () => {
  const text = `
name: at most three sessions send
policy:
  specs: [{ id: many, tier: blocklist, tools: [send_*], fleet: { sessions: 3, seconds: 60 } }]
events:
  - type: session.started
  - { tool: send_mail, readings: { 'spec:many': 3 } }
  - { tool: send_mail, readings: { 'spec:many': 2 } }
  - { type: session.started, sessionId: t }
  - { tool: send_mail, sessionId: t }
expect:
  - { verdict: block, reasons: [many] }
  - { verdict: allow }
  - { verdict: block, reasons: [many] }
`
  assert.deepEqual(run(text), [])
})

test('what is wrong in a file of cases', () => {
  const text = (more: object) => JSON.stringify({ name: 'n', events: [], expect: [], ...more })
  const rows: [string, RegExp][] = [
    ['[1]', /^case 0 of `x\.yaml`: expected name, events and expect$/],
    [text({ evnets: [] }), /^case `x\.yaml`: evnets: there is no such member: did you mean `events`\?$/],
    [text({ events: ['x'] }), /expected members with names in each event and answer/],
    [text({ policy: 3 }), /policy, catalogue: expected a file/],
    [text({ policies: { a: 1 } }), /policies, chain: expected members with names/],
    [text({ policy: { specs: [{ id: 'a', tier: 'blocklist', tols: ['x'] }] } }), /did you mean `tools`\?$/],
    [text({ events: [{ tool: 'x', labls: {} }] }), /^case `x\.yaml`: events\.0: Unrecognized key: "labls"$/],
    [
      text({ events: [{ tool: 'x', readings: { a: 'b' } }] }),
      /events\.0\.readings: expected numbers by name/,
    ],
    ['a: [', /`x\.yaml` is neither YAML nor JSON/],
  ]
  for (const [given, message] of rows)
    assert.throws(() => run(given), { code: 'document_invalid', message }, given)
})

test('cases of files and folders, documents left aside', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-cases-'))
  t.after(() => rm(folder, { recursive: true }))
  const put = (name: string, text: string) => writeFile(path.join(folder, name), text)
  const oneCase = (policy: string) =>
    JSON.stringify({
      name: policy,
      policy,
      events: [{ type: 'session.started' }, { tool: 'send_mail' }],
      expect: [{ verdict: 'block' }],
    })
  await put('policy.json', BESIDE['policy.json'] ?? '')
  await put('b.json', oneCase('policy.json'))
  await put('a.yaml', oneCase('./policy.json'))
  await put('notes.txt', 'not a case')
  await mkdir(path.join(folder, 'empty'))
  const found = await findCases([folder], base)
  assert.deepEqual(
    found.map(({ file }) => path.basename(file)),
    ['a.yaml', 'b.json'],
  )
  assert.deepEqual(
    found.flatMap(({ cases }) => cases.flatMap(runCase)),
    [],
  )
  await put('c.json', oneCase('none.json'))
  const rows: [string, RegExp][] = [
    ['none', /none` cannot be read: there is no such file, check the path$/],
    ['empty', /empty` has no cases$/],
    ['c.json', /c\.json`: `none\.json` cannot be read: there is no such file, check the path$/],
    ['policy.json', /policy\.json`: schema: there is no such member/],
  ]
  for (const [name, message] of rows)
    await assert.rejects(findCases([path.join(folder, name)], base), { code: 'document_invalid', message })
})
