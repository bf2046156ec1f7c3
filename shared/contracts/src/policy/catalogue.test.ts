import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogueSchema } from './catalogue.js'

const WORST = { capability: 'execute', reversibility: 'partial' }
const accepts = (entry: object, organisation?: object): boolean =>
  catalogueSchema.safeParse({
    schema: 1,
    kind: 'plimsoll.catalogue',
    name: 'test',
    tools: [{ tools: ['bash'], labels: WORST, ...entry }],
    ...(organisation && { organisation }),
  }).success

test('what an entry may say of arguments', () => {
  const least = { capability: 'read', reversibility: 'reversible' }
  const rows: [string, object, boolean][] = [
    ['nothing', {}, true],
    ['a floor and a reading', { least, arguments: [{ in: 'command', as: 'shell' }] }, true],
    ['every argument', { arguments: [{ in: '*', as: 'path' }] }, true],
    ['an unknown reading', { arguments: [{ in: 'command', as: 'regexp' }] }, false],
    ['a reading with more', { arguments: [{ in: 'command', as: 'shell', x: 1 }] }, false],
    ['half a floor', { least: { capability: 'read' } }, false],
    ['a value', { when: [{ in: 'mode', equals: 'view', labels: { capability: 'read' } }] }, true],
    ['a flag', { when: [{ in: 'force', equals: true, labels: { reversibility: 'irreversible' } }] }, true],
    ['a pattern', { when: [{ in: 'mode', matches: 'un*', labels: {} }] }, true],
    ['both', { when: [{ in: 'mode', matches: 'un*', equals: 'undo', labels: {} }] }, false],
    ['neither', { when: [{ in: 'mode', labels: {} }] }, false],
  ]
  for (const [name, entry, accepted] of rows) assert.equal(accepts(entry), accepted, name)
})

test("an organisation's domains are written in lower case, with a wildcard in front at most", () => {
  const rows: [string, boolean][] = [
    ['example.com', true],
    ['localhost', true],
    ['Example.com', false],
    ['*.example.com', true],
    ['*.*.example.com', false],
    ['a.*.com', false],
    ['*', false],
    ['a@example.com', false],
    ['', false],
  ]
  for (const [domain, accepted] of rows) assert.equal(accepts({}, { domains: [domain] }), accepted, domain)
})
