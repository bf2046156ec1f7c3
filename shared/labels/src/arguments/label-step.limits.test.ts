import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CatalogueEntry } from '@plimsoll/contracts'
import { createEffects, labelsOf, raise, signal } from './effects.js'
import { labelStep } from './label-step.js'
import { amountSignal } from './readings.js'
import { CODE, MAIL, OURS, REQUEST, SHELL, SQL } from './samples.js'
import { awkAct, sedAct } from './shell/programs/programs.js'

const reading = (entry: CatalogueEntry | undefined, args: Readonly<Record<string, unknown>>) =>
  labelStep('tool', args, entry, OURS)
const isUnreadable = (entry: CatalogueEntry | undefined, args: Readonly<Record<string, unknown>>): boolean =>
  reading(entry, args).signals['unreadable'] === 1
const shell = (command: string): boolean => isUnreadable(SHELL, { command })
const code = (text: string): boolean => reading(CODE, { code: text }).labels.confidentiality === 'credentials'

const EDITOR: CatalogueEntry = {
  tools: ['tool'],
  labels: { capability: 'write', reversibility: 'partial' },
  least: { capability: 'read', reversibility: 'reversible' },
  when: [{ in: 'command', matches: 'view*', labels: { confidentiality: 'internal' } }],
}
const MOVES: CatalogueEntry = { ...EDITOR, when: [{ in: '*', equals: 'x', labels: { capability: 'read' } }] }

/** Up to the limit a text is read, and one more of the same is too much. */
const LIMITS: readonly (readonly [what: string, limit: number, isTooMuch: (size: number) => boolean])[] = [
  ['characters of a command', 32_768, (size) => shell(`ls ${'a'.repeat(size - 3)}`)],
  ['here-documents', 64, (size) => shell(`# ${'<<a '.repeat(size)}`)],
  ['signs of a command', 1_536, (size) => shell(`# ${'*'.repeat(size)}`)],
  [
    'signs of every kind',
    1_536,
    (size) => shell(`# ${'$ ` & ; | ? '.repeat(200)}${'*'.repeat(size - 1200)}`),
  ],
  ['backquotes', 384, (size) => shell(`# ${'`'.repeat(size)}`)],
  ['substitutions', 384, (size) => shell(`# ${'$('.repeat(size)}`)],
  ['processes', 384, (size) => shell(`# ${'>('.repeat(size)}`)],
  ['braces', 384, (size) => shell(`# ${'${'.repeat(size)}`)],
  ['texts within texts', 4, (size) => shell(`${'eval '.repeat(size)}ls`)],
  ['commands within commands', 16, (size) => shell(`${'nice '.repeat(size)}ls`)],
  ['brackets within brackets', 63, (size) => shell(`${'('.repeat(size)}ls${')'.repeat(size)}`)],
  ['braces within braces', 20, (size) => shell(`${'{ '.repeat(size)}ls${'; }'.repeat(size)}`)],
  ['substitutions within substitutions', 5, (size) => shell(`${'$('.repeat(size)}ls${')'.repeat(size)}`)],
  ['commands', 993, (size) => shell('ls\n'.repeat(size))],
  ['assignments', 297, (size) => shell('a=1\n'.repeat(size))],
  ['redirections', 425, (size) => shell('ls >a\n'.repeat(size))],
  ['programs', 152, (size) => shell('python a\n'.repeat(size))],
  ['texts', 110, (size) => shell('eval ls\n'.repeat(size))],
  ['wrapped commands', 496, (size) => shell('nice ls a\n'.repeat(size))],
  ['characters of SQL', 262_144, (size) => isUnreadable(SQL, { query: `select ${'a'.repeat(size - 7)}` })],
  ['characters of a program', 262_144, (size) => isUnreadable(CODE, { code: `#${' '.repeat(size - 1)}` })],
  [
    'characters of a compared value',
    4_096,
    (size) => isUnreadable(EDITOR, { command: `view${'x'.repeat(size - 4)}` }),
  ],
  ['arguments read by name', 256, (size) => isUnreadable(undefined, argumentsOf(size))],
  ['arguments compared', 256, (size) => isUnreadable(MOVES, argumentsOf(size))],
  ['characters of a sed program', 4_096, (size) => sedAct('p'.repeat(size)) === 'runs'],
  ['characters of an awk program', 4_096, (size) => awkAct('1'.repeat(size)) === 'runs'],
  ['characters of an amount', 64, (size) => amountSignal('1'.repeat(size)) === undefined],
  ['characters behind a host', 1_023, (size) => isSent(`https://a.example/${'a'.repeat(size - 1)}`)],
  ['characters of a URL', 8_192, (size) => isSent(`https://a.example/#${'a'.repeat(size - 19)}`)],
  ['characters of recipients', 65_536, (size) => isOutside(`a@example.com${' '.repeat(size - 13)}`)],
  ['values of a list', 256, (size) => isUnreadable(MAIL, { to: Array.from({ length: size }, () => 'a') })],
  [
    'values of a request',
    512,
    (size) => !isComplete({ ...GET, a: Array.from({ length: size - 3 }, () => 1) }),
  ],
  ['depth of values', 8, (size) => !isComplete({ ...GET, a: nested(size) })],
  ['characters of a value', 4_096, (size) => !isComplete({ ...GET, a: 'a'.repeat(size) })],
]

const GET = { method: 'GET', url: 'https://example.com/' }
const isSent = (url: string): boolean =>
  reading(REQUEST, { method: 'GET', url }).labels.reversibility === 'irreversible'
const isComplete = (args: Readonly<Record<string, unknown>>): boolean =>
  reading(REQUEST, args).signals['complete'] === 1
const isOutside = (to: string): boolean => (reading(MAIL, { to }).signals['outside'] ?? 0) > 0
const argumentsOf = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${i}`, 'b']))
const nested = (depth: number): unknown => (depth === 0 ? 'a' : { b: nested(depth - 1) })

for (const [what, limit, isTooMuch] of LIMITS)
  test(`limit: ${limit} ${what}`, () =>
    assert.deepEqual([isTooMuch(limit), isTooMuch(limit + 1)], [false, true]))

test('strings of a program are read up to their limits', () => {
  const nth = (count: number): boolean => code(`x = [${"'',".repeat(count)}'a/id_rsa']`)
  const long = (length: number): boolean => code(`x = '${'a'.repeat(length - 7)}/id_rsa'`)
  assert.deepEqual([nth(127), nth(128), long(255), long(256)], [true, false, true, false])
})

test('labels join to the highest, tags and reasons are kept once and up to 16, signals between 0 and 1', () => {
  const effects = createEffects()
  for (let i = 0; i < 20; i++) raise(effects, { tags: [`t${i % 18}`, 't0'] }, `r${i % 18}`)
  assert.deepEqual([effects.tags.length, effects.reasons.length], [16, 16])
  raise(effects, { capability: 'write', confidentiality: 'sensitive', reversibility: 'irreversible' })
  assert.equal(effects.complete, true)
  raise(effects, { capability: 'execute', confidentiality: 'none', reversibility: 'partial' }, 'a', true)
  assert.equal(effects.complete, true)
  raise(effects, { capability: 'read', confidentiality: 'internal', trust: 'trusted' })
  const { tags: _, ...labels } = labelsOf(effects)
  assert.deepEqual(labels, {
    capability: 'execute',
    confidentiality: 'sensitive',
    reversibility: 'irreversible',
  })
  raise(effects, { capability: 'execute', trust: 'untrusted' })
  assert.deepEqual([effects.complete, effects.untrusted], [false, true])
  for (const [value, kept] of [
    [-1, 0],
    [Number.NaN, 0],
    [0.25, 0.25],
    [0.125, 0.25],
    [2, 1],
    [0, 1],
  ] as const) {
    signal(effects, 'load', value)
    assert.equal(effects.signals['load'], kept)
  }
})
