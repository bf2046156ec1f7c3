import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleFingerprinter } from './provenance/sample-fingerprints.js'
import { nameOfObject } from './arguments/limits/names-of-acts.js'
import { createLimitReports } from './report-limits.js'

test('a record has an exception by any of its texts, if it has half of its words', () => {
  for (const [task, texts, word] of [
    [
      'Delete my meetings that day except the call with the landlord',
      ['Phone: landlord (Hr. Wirth)'],
      'landlord',
    ],
    [
      'Close the stale issues, leave anything labelled security open',
      ['Token in logs', 'security'],
      'security',
    ],
    ['Cancel the stale tickets, but not the ones of Mara', ['Legal review', 'Mara'], 'mara'],
  ] as const) {
    const reports = createLimitReports(sampleFingerprinter, false)
    assert.ok(!reports.excepts)
    const { limits } = reports.of(task, false)
    assert.ok(reports.excepts, task)
    assert.deepEqual(reports.exceptionOf(texts), [nameOfObject(word)], task)
    // The session's record holds it as something that stays as it is.
    const [name] = sampleFingerprinter.names([nameOfObject(word)])
    assert.ok(
      limits?.never?.some((each) => each.slice(1) === name?.slice(1)),
      task,
    )
    assert.deepEqual(reports.exceptionOf(['Sprint planning']), [], task)
  }
})
