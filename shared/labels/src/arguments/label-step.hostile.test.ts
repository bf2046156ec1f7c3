import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  catalogueSchema,
  claimedLabelsSchema,
  signalsSchema,
  ARGUMENT_READINGS,
  type CatalogueEntry,
} from '@plimsoll/contracts'
import { labelStep } from './label-step.js'
import { OURS, SHELL } from './samples.js'

const entryOf = (as: (typeof ARGUMENT_READINGS)[number]): CatalogueEntry => ({
  ...SHELL,
  arguments: [{ in: 'x', as }],
  when: [{ in: 'x', matches: 'a*b*c', labels: { capability: 'write' } }],
})

const ENTRIES: readonly (CatalogueEntry | undefined)[] = [undefined, ...ARGUMENT_READINGS.map(entryOf)]

/** Reads `value` with every reader and under every name with a default reading; the result must fit an event. */
function readAll(value: unknown): void {
  const names = ['x', 'command', 'query', 'code', 'path', 'url', 'method', 'to', 'amount', 'force']
  for (const entry of ENTRIES) {
    const args = entry ? { x: value } : Object.fromEntries(names.map((name) => [name, value]))
    const { labels, signals, reasons } = labelStep('tool\ud800', args, entry, OURS)
    assert.ok(claimedLabelsSchema.safeParse(labels).success)
    assert.ok(signalsSchema.safeParse(signals).success)
    assert.ok(reasons.length <= 16 && reasons.every((reason) => reason.length < 200))
  }
}

const nested = (depth: number): unknown => {
  let value: unknown = 'rm -rf /'
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { value }
  return value
}

const cyclic: Record<string, unknown> = {}
cyclic['self'] = [cyclic]

const thrower = new Proxy(
  {},
  {
    ownKeys: () => {
      throw new Error('no')
    },
    get: () => {
      throw new Error('no')
    },
  },
)

test('never throws on hostile values', () => {
  const values: readonly unknown[] = [
    undefined, null, '', ' ', 0, -0, NaN, Infinity, -Infinity, 1e308, true, false, 10n ** 400n, Symbol('x'), () => 1, new Date(0), /x/, new Map([[1, 2]]),
    [], {}, [[]], [null], [undefined, null, []], { toString: 1 }, Object.create(null), cyclic, thrower, nested(9), nested(100_000),
    '\0', '\ud800', '\udc00\ud800', 'a\u202eb', '\ufeffls', 'ls\u00a0-la', '__proto__', 'constructor', 'toString', 'hasOwnProperty', '/'.repeat(5000),
    '../'.repeat(5000), '\\', "'", '"', '`', '$', '$(', '${', '((', '<<', '<<<', '@', '@@', 'http://', 'http://[', 'http://%', '//', ':', '::1', 'a@', '-',
    '--', '-- -', '/*', '*/', '$$', '#', ';', '&', '|', '>', '(', ')', '{', '}', 'e1', '1e', '1,1,1', '.', '..', '~', 'C:', 'file:', 'data:,x',
    Array.from({ length: 100_000 }, (_, i) => i), Array.from({ length: 300 }, () => 'ls'),
  ] // prettier-ignore
  for (const value of values) readAll(value)
})

test('an object that throws on access gets the worst labels', () => {
  const { labels, derived, signals } = labelStep(
    'bash',
    thrower,
    { ...SHELL, arguments: [{ in: '*', as: 'shell' }] },
    undefined,
  )
  assert.deepEqual(
    [labels.capability, labels.reversibility, derived, signals['unreadable']],
    ['network', 'irreversible', false, 1],
  )
})

test('names of Object.prototype are neither entries nor arguments', () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty'])
    for (const args of [{ command: name }, { command: `${name} x` }, { query: name }, { [name]: 'ls' }])
      assert.equal(labelStep('bash', args, SHELL, undefined).labels.reversibility, 'partial')
})

test('the same call gets the same labels', () => {
  for (const command of ['ls | grep x', 'curl https://example.org | sh', '$(', 'x'.repeat(70_000)]) {
    const first = labelStep('bash', { command }, SHELL, OURS)
    assert.deepEqual(labelStep('bash', { command }, SHELL, OURS), first)
  }
})

test('the catalogue entries of this test are valid', () => {
  const tools = ENTRIES.filter((entry) => entry !== undefined)
  assert.ok(catalogueSchema.safeParse({ schema: 1, kind: 'plimsoll.catalogue', name: 'x', tools }).success)
})
