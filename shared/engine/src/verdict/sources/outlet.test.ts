import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Signals } from '@plimsoll/contracts'
import { type Outlet, mayWriteCode, outletOf } from './outlet.js'
import { labelsOf } from './testing.js'

const COMPLETE = { complete: 1 }

test('the outlet of a step, by its labels and signals', () => {
  const rows: [string, string, Signals | undefined, Outlet | undefined, isWritten?: true][] = [
    ['read_only', 'irreversible', undefined, undefined],
    ['file_write', 'irreversible', undefined, undefined],
    ['network', 'reversible', COMPLETE, 'request'],
    ['network', 'partial', undefined, 'request'],
    ['network', 'irreversible', COMPLETE, 'sends'],
    ['network', 'irreversible', { complete: 1, runner: 1 }, 'sends', true],
    ['network', 'partial', { complete: 1, runner: 1 }, 'request'],
    ['network', 'partial', { complete: 1, runner: 1 }, 'code', true],
    ['network', 'partial', { complete: 1, runner: 0 }, 'request', true],
    ['code_exec', 'irreversible', undefined, 'code'],
    ['code_exec', 'reversible', {}, 'code'],
    ['code_exec', 'reversible', { complete: 0 }, 'code'],
    ['code_exec', 'reversible', { complete: 0.99 }, 'code'],
    ['code_exec', 'reversible', { runner: 1 }, 'code'],
    ['code_exec', 'irreversible', COMPLETE, undefined],
    ['code_exec', 'irreversible', COMPLETE, undefined, true],
    ['code_exec', 'reversible', { complete: 1, runner: 1 }, undefined],
    ['code_exec', 'reversible', { complete: 1, runner: 0 }, undefined, true],
    ['code_exec', 'reversible', { complete: 1, runner: 1 }, 'code', true],
    ['code_exec', 'reversible', { complete: 1, runner: 0.1 }, 'code', true],
  ]
  for (const [escalation, reversibility, signals, outlet, codeWritten = false] of rows)
    assert.equal(
      outletOf({ labels: labelsOf(escalation, reversibility), signals }, { codeWritten }),
      outlet,
      `${escalation} ${reversibility} ${JSON.stringify(signals)} ${codeWritten}`,
    )
})

test('finds steps that may write code to run later', () => {
  const rows: [string, Signals | undefined, boolean][] = [
    ['read_only', undefined, false],
    ['file_write', undefined, false],
    ['file_write', { code: 0 }, false],
    ['file_write', { code: 1 }, true],
    ['read_only', { code: 0.6 }, true],
    ['file_write', { code: 0.5 }, false],
    ['code_exec', undefined, true],
    ['code_exec', COMPLETE, false],
    ['code_exec', { complete: 1, runner: 1 }, false],
    ['code_exec', { complete: 1, code: 1 }, true],
    ['network', undefined, false],
    ['network', { code: 1 }, true],
  ]
  for (const [escalation, signals, expected] of rows)
    assert.equal(
      mayWriteCode({ labels: labelsOf(escalation, 'reversible'), signals }, { taint: 0 }),
      expected,
      `${escalation} ${JSON.stringify(signals)}`,
    )
  const calm = { labels: labelsOf('file_write', 'reversible'), signals: { code: 0.5 } }
  assert.equal(mayWriteCode(calm, { taint: 2 }), true, 'where instructions were read')
})
