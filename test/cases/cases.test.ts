import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { defaultDocuments } from '@plimsoll/policy'
import { projectRoot } from '../support/paths.js'
import { readCase } from './case.js'
import { runCase } from './run-case.js'

const folder = path.join(projectRoot, 'test/cases')
const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
const documents = await defaultDocuments()

describe('cases', () => {
  for (const file of files)
    test(file, () => {
      const text = readFileSync(path.join(folder, file), 'utf8')
      assert.deepEqual(runCase(readCase(text, file, documents)), [])
    })
})

describe('the case runner', () => {
  const start = { type: 'session.started' }
  const send = { type: 'tool.proposed', tool: 'send_email' }
  const caseOf = (more: object) => JSON.stringify({ name: 'x', events: [start, send], expect: [], ...more })
  const run = (more: object) => runCase(readCase(caseOf(more), 'x.json', documents))

  test('tells where an answer is another, missing, or too many', () => {
    assert.deepEqual(run({ expect: [{ verdict: 'allow', reasons: [] }] }), [])
    assert.deepEqual(run({ expect: [{ verdict: 'block', fault: 'sequence_gap' }] }), [
      'expect.0.verdict: expected "block", got "allow"',
      'expect.0.fault: expected "sequence_gap", got undefined',
    ])
    assert.match(run({}).join(), /^expected 0 answers, got 1: /)
    assert.match(run({ expect: [{}, {}] }).join(), /^expected 2 answers, got 1: /)
  })

  test('tells what is wrong in a file', () => {
    const problems: [string, RegExp][] = [
      ['{', /case `x\.json` is not JSON/],
      ['{}', /case `x\.json`: expected name, events and expect/],
      [caseOf({ events: [start, { type: 'tool.proposed' }] }), /events\.1\.tool: /],
      [
        caseOf({ events: [{ type: 'versions.activated', versions: 'none', running: true }] }),
        /events\.0\.versions: expected at least one version/,
      ],
      [caseOf({ events: [{ type: 'mode.changed', mode: 'off' }] }), /events\.0\.mode: /],
      [caseOf({ policy: { hazard: 'never' } }), /policy `x\.json`: hazard: /],
    ]
    for (const [text, message] of problems)
      assert.throws(() => readCase(text, 'x.json', documents), { code: 'document_invalid', message })
  })
})
