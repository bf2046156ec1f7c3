import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { defaultDocuments, parseCases, runCase } from '@plimsoll/policy'
import { projectRoot } from '../support/paths.js'

const folder = path.join(projectRoot, 'test/cases')
const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
const base = await defaultDocuments()
const textOf = (file: string): string => readFileSync(path.join(folder, file), 'utf8')
const runAll = (text: string, name: string): string[] =>
  parseCases(text, { name, base, textOf }).flatMap(runCase)

describe('cases', () => {
  for (const file of files)
    test(file, () => {
      assert.deepEqual(runAll(textOf(file), file), [])
    })
})

describe('the case runner', () => {
  const start = { type: 'session.started', signals: { asksSend: 1 } }
  const send = { type: 'step.proposed', tool: 'send_email', signals: { doesSend: 1 } }
  const caseOf = (more: object) => JSON.stringify({ name: 'x', events: [start, send], expect: [], ...more })
  const run = (more: object) => runAll(caseOf(more), 'x.json')

  test('reports wrong, missing and unexpected answers', () => {
    assert.deepEqual(run({ expect: [{ verdict: 'allow', reasons: [] }] }), [])
    assert.deepEqual(run({ expect: [{ verdict: 'block', fault: 'sequence_gap' }] }), [
      'expect.0.verdict: expected "block", got "allow" of e1 send_email allow',
      'expect.0.fault: expected "sequence_gap", got undefined of e1 send_email allow',
    ])
    assert.deepEqual(run({}), ['expected 0 answers, got 1; the first not expected: e1 send_email allow'])
    assert.deepEqual(run({ expect: [{}, {}] }), ['expected 2 answers, got 1'])
    assert.deepEqual(run({ expect: [{ verdit: 'allow' }] }), [
      'expect.0.verdit: no answer has that: did you mean `verdict`?',
    ])
  })

  test('reports errors in a file', () => {
    const problems: [string, RegExp][] = [
      ['{', /`x\.json` is neither YAML nor JSON/],
      ['{}', /case `x\.json`: expected name, events and expect/],
      [caseOf({ events: [start, { type: 'step.proposed' }] }), /events\.1\.tool: /],
      [
        caseOf({ events: [{ type: 'versions.activated', versions: 'none', running: true }] }),
        /events\.0\.versions: expected at least one version/,
      ],
      [caseOf({ events: [{ type: 'mode.changed', mode: 'off' }] }), /events\.0\.mode: /],
      [caseOf({ policy: { hazard: 'never' } }), /policy `x\.json`: hazard: /],
    ]
    for (const [text, message] of problems)
      assert.throws(() => runAll(text, 'x.json'), { code: 'document_invalid', message })
  })
})
