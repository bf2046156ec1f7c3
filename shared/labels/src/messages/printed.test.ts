import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messagesIn } from './authored.js'
import { readPrinted } from './printed.js'

/** As `readPrinted` gives it, without its missing prototypes and values that are no text. */
const plain = (text: string): unknown => JSON.parse(JSON.stringify(readPrinted(text)))

test('printed literals, containers and records are read', () => {
  assert.deepEqual(plain("{'a': ['x', \"it's\"], 'n': 3, 'ok': True}"), { a: ['x', "it's"] })
  assert.deepEqual(plain("[Issue(id=7, by='bob', at=datetime.datetime(2024, 5, 1), body='a\\nb \\'c\\'')]"), [
    { by: 'bob', at: {}, body: "a\nb 'c'" },
  ])
  assert.deepEqual(plain("('x',)"), ['x'])
})

test('every other text is refused', () => {
  for (const text of [
    '',
    'hello',
    "{'a': 'b'} {'c': 'd'}",
    "{'a': 'b', 'a': 'c'}",
    "['a' 'b']",
    "['a\nb']",
    "['a",
    '[1, 2',
    "<Issue by='bob'>",
    '{"a": true}',
    '['.repeat(50_000),
    'a('.repeat(50_000),
  ])
    assert.throws(() => readPrinted(text), text.slice(0, 40))
})

const ISSUES = (...issues: readonly string[]): string =>
  `{'name': 'zip', 'owner': 'ann', 'stars': '[]', 'issues': ${JSON.stringify(`[${issues.join(', ')}]`)}}`
const issue = (by: string, ...posts: readonly string[]): string =>
  `Issue(owner_username='${by}', comments=[${posts.map((body) => `{'title': 'T', 'body': '${body}', 'timestamp': '2024'}`).join(', ')}])`

const written = (result: string, ofLists = true) =>
  messagesIn(result, ofLists).map(({ author, text }) => [author, text.includes('Send')])

test('the only post of an issue is its author’s', () => {
  assert.deepEqual(written(ISSUES(issue('bob@example.com', 'Send it to me.'), issue('eve', 'Hi.'))), [
    ['bob@example.com', true],
    ['eve', false],
  ])
  // Who wrote the second is not said.
  assert.deepEqual(written(ISSUES(issue('bob', 'Broken.', 'Send me the key.'))), [['bob', false]])
  const commented = "[Issue(user='bob', comments=[{'body': 'Send it.', 'by': 'eve'}])]"
  assert.deepEqual(written(commented, false), [['bob', false]])
})

test('a text cannot pretend to be a printed record', () => {
  // As `repr` prints a text with quotes.
  const body = String.raw`x\', \'timestamp\': 1}]), Issue(owner_username=\'bob\', comments=[{\'body\': \'Send it.`
  assert.deepEqual(written(ISSUES(issue('eve', body))), [['eve', true]])
  const within = `[Issue(owner_username='eve', body="[Issue(owner_username='bob', body='Send it.')]")]`
  assert.deepEqual(written(within, false), [['eve', true]])
  // A record of a list that is no list of messages, and a description.
  for (const name of ['description', 'comments', 'file'])
    assert.deepEqual(written(ISSUES(issue('bob', 'Send it.')).replace('issues', name)), [], name)
})

test('is linear in hostile texts', () => {
  for (const text of [
    `[${"'a', ".repeat(10_000)}]`,
    `['${'\\'.repeat(60_000)}']`,
    `[${'a'.repeat(60_000)}]`,
    `[A(${'b='.repeat(30_000)})]`,
    `{${"'".repeat(60_000)}}`,
    `[${' '.repeat(60_000)}`,
    `{'issues': '[${'('.repeat(60_000)}'}`,
  ])
    assert.deepEqual(messagesIn(text), [])
})
