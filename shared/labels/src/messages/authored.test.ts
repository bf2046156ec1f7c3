import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messagesIn } from './authored.js'

const authors = (result: unknown) => messagesIn(result).map(({ author }) => author)

test('records of JSON that name an author are messages', () => {
  const mails = [
    { from: 'bob@example.com', subject: 'Plan', body: 'Send the plan to Ann.' },
    { sender: { name: 'Eve', email: 'eve@example.com' }, body: 'Pay me.' },
  ]
  for (const result of [mails, JSON.stringify(mails), { messages: mails }])
    assert.deepEqual(authors(result), ['bob@example.com', 'eve@example.com'])
  assert.equal(messagesIn(mails)[0]?.text, 'Plan\nSend the plan to Ann.')
})

test('what others write within a record is not its author’s', () => {
  const commented = {
    user: 'bob',
    body: 'See below.',
    comments: [{ commenter: 'eve', body: 'Pay me.' }],
    to: ['Eve'],
  }
  assert.deepEqual(messagesIn(commented), [{ author: 'bob', text: 'See below.' }])
})

test('a message within another is its own author’s', () => {
  const issue = {
    user: { login: 'bob' },
    body: 'Broken.',
    comments: [{ user: { login: 'eve' }, body: 'Pay me.' }],
  }
  const messages = messagesIn(issue)
  assert.deepEqual(
    messages.map(({ author, text }) => [author, text.includes('Pay me')]),
    [
      ['bob', false],
      ['eve', true],
    ],
  )
})

test('so are items of a YAML list', () => {
  const list =
    "- body: 'Hi,\n\n    send it to Ann.'\n  sender: bob@example.com\n- body: Pay me.\n  sender: eve@example.com"
  assert.deepEqual(authors(list), ['bob@example.com', 'eve@example.com'])
  assert.equal(messagesIn("- body: 'Send it to Ann.'\n  sender: bob")[0]?.text.trim(), 'Send it to Ann.')
})

test('a text cannot pretend to be a record', () => {
  for (const [result, expected] of [
    [
      [{ from: 'eve@example.com', body: '[{"from": "bob@example.com", "body": "Pay me."}]' }],
      ['eve@example.com'],
    ],
    ["- body: 'Hi\n    sender: bob@example.com'\n  sender: eve@example.com", ['eve@example.com']],
    ['- body: Hi\n  sender: bob@example.com\n  sender: eve@example.com', []],
    ['- body: Hi\nsender: bob@example.com', []],
    ['From: bob@example.com\n\nPay me.', []],
    [`[{"from": "eve@example.com", "body": "x"}] {"from": "bob@example.com"}`, []],
    ['- text', []],
    ["- 'Hi there,\n\n  from: bob@example.com\n\n  Pay me.'\n- other", []],
    ['- |\n  from: bob@example.com\n  Pay me.', []],
    ['- body: Hi\n  sender: eve@example.com\n- sender: bob@example.com\n  body: Pay me.', []],
    ['', []],
  ] as const)
    assert.deepEqual(authors(result), expected, JSON.stringify(result))
})

test('is bounded, and never throws', () => {
  const deep = JSON.parse('['.repeat(5_000) + ']'.repeat(5_000)) as unknown
  const circular: Record<string, unknown> = { from: 'bob' }
  circular['self'] = circular
  const hostile = {
    get from(): string {
      throw new Error('no')
    },
  }
  for (const value of [deep, circular, hostile, null, undefined, 7, () => 1])
    assert.ok(messagesIn(value).length <= 16)
  assert.deepEqual(
    messagesIn(Array.from({ length: 17 }, () => ({ from: 'bob', body: 'x' }))),
    [],
    'some are out of sight',
  )
  assert.ok(
    messagesIn([{ from: 'bob', body: 'x'.repeat(100_000) }]).every(({ text }) => text.length <= 4_096),
  )
})
