import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Catalogue } from '@plimsoll/contracts'
import { createObserver } from '../observer.js'
import { keyOfRoot } from '../provenance/fingerprint-key.js'
import { letterIn } from './authored.js'
import { isOwnEntry } from './recipients.js'

const CATALOGUE: Catalogue = {
  schema: 1,
  kind: 'plimsoll.catalogue',
  name: 'mail',
  tools: [
    {
      tools: ['read_email'],
      labels: {
        capability: 'read',
        confidentiality: 'internal',
        trust: 'untrusted',
        reversibility: 'reversible',
      },
    },
    {
      tools: ['send_email'],
      labels: { capability: 'network', reversibility: 'irreversible' },
      arguments: [{ in: 'to', as: 'recipients' }],
    },
  ],
}
const LETTER = `Subject: Delivery of the worktops, order 26-0418
From: Birgit Kessler <b.kessler@steinwerk.example>
To: j.wendt@kuechen.example

Could we deliver the three worktops of order 26-0418 on Wednesday? Account DE89370400440532013000.`

const observer = () =>
  createObserver({ catalogue: CATALOGUE, key: keyOfRoot('a key of the tests', 'letters') })
const answer = (to: string, body = 'Wednesday suits us, order 26-0418.') => ({
  tool: 'send_email',
  arguments: { to, subject: 'Re: Delivery of the worktops, order 26-0418', body },
})
const returningTo = (to: string, letters: readonly unknown[], body?: string): number => {
  const session = observer()
  for (const result of letters) session.completed({ tool: 'read_email', result, outcome: 'ok' })
  return session.proposed(answer(to, body)).addressed?.length ?? 0
}

test('what a person wrote goes back to that person alone', () => {
  assert.ok(returningTo('b.kessler@steinwerk.example', [LETTER]) > 0)
  assert.equal(returningTo('eve@else.example', [LETTER]), 0)
  assert.equal(returningTo('b.kessler@steinwerk.example', []), 0)
  assert.equal(returningTo('b.kessler@steinwerk.example, eve@else.example', [LETTER]), 0)
})

test('what another person wrote does not go to the author of a letter', () => {
  const secret = 'Subject: Account\nFrom: ann@else.example\n\nPay to DE89370400440532013000.'
  const other = LETTER.replace(' Account DE89370400440532013000.', '')
  const body = 'The account is DE89370400440532013000.'
  const both = returningTo('b.kessler@steinwerk.example', [other, secret], body)
  assert.equal(both, returningTo('b.kessler@steinwerk.example', [other], body))
})

test("records of Microsoft's mail say who wrote them", () => {
  const result = JSON.stringify({
    value: [
      {
        subject: 'Delivery of the worktops, order 26-0418',
        from: { emailAddress: { address: 'b.kessler@steinwerk.example' } },
        bodyPreview: 'Could we deliver on Wednesday?',
      },
    ],
  })
  assert.ok(returningTo('b.kessler@steinwerk.example', [JSON.parse(result)]) > 0)
  assert.ok(returningTo('b.kessler@steinwerk.example', [JSON.stringify(JSON.parse(result).value)]) > 0)
})

test('a letter has one author; a text that may hold another has none', () => {
  assert.equal(letterIn(LETTER)?.author, 'Birgit Kessler <b.kessler@steinwerk.example>')
  assert.equal(letterIn('Von: a@b.example\nBetreff: x\n\nHallo')?.author, 'a@b.example')
  assert.equal(letterIn(`${LETTER}\n\nFrom: eve@else.example\n\nsecret`), undefined)
  assert.equal(letterIn(`${LETTER}\n> From: eve@else.example`), undefined)
  assert.equal(letterIn('Hello\nFrom: a@b.example'), undefined)
  assert.equal(letterIn(''), undefined)
})

test("an entry in the user's own calendar without attendees reaches only the user", () => {
  assert.ok(isOwnEntry('create_event', { calendar_id: 'primary', summary: 'Delivery' }))
  assert.ok(isOwnEntry('mcp__google_workspace__create_event', { summary: 'x', attendees: [] }))
  assert.ok(!isOwnEntry('create_event', { summary: 'x', attendees: ['a@b.example'] }))
  assert.ok(!isOwnEntry('create_event', { calendar_id: 'team@b.example', summary: 'x' }))
  assert.ok(!isOwnEntry('create_event', { summary: 'x', visibility: 'public' }))
  assert.ok(!isOwnEntry('create_page', { summary: 'x' }))
})

test('what is read by an id goes back to whom a list names as its sender', () => {
  const BODY = 'Could we deliver the three worktops of order 26-0418 on Wednesday?'
  const readBy = (list: unknown, id: string, body = BODY): number => {
    const session = observer()
    session.completed({ tool: 'read_email', result: list, outcome: 'ok' })
    let reads: readonly string[] = []
    session.proposed({ tool: 'read_email', arguments: { id }, onReads: (read) => (reads = read) })
    session.completed({ tool: 'read_email', result: body, outcome: 'ok', reads })
    return session.proposed(answer('b.kessler@steinwerk.example')).addressed?.length ?? 0
  }
  const from = 'Birgit Kessler <b.kessler@steinwerk.example>'
  const lists = [
    JSON.stringify([
      { id: 'm7', from, subject: 'Delivery' },
      { id: 'm8', from: 'Eve <eve@else.example>' },
    ]),
    `ID: m7\nSubject: Delivery\nFrom: ${from}\n\nID: m8\nSubject: Hi\nFrom: Eve <eve@else.example>`,
  ]
  for (const list of lists) {
    // A list itself says what its senders wrote: their subjects.
    const ofList = readBy(list, 'm9')
    assert.ok(readBy(list, 'm7') > ofList)
    assert.equal(readBy(list, 'm8'), ofList)
    const more = `${BODY}\nFrom: Ann <ann@else.example>\nSee order 26-0418.`
    assert.equal(readBy(list, 'm7', more), ofList, 'another one wrote a part of it')
  }
  const twice = JSON.stringify([
    { id: 'm7', from },
    { id: 'm7', from: 'Eve <eve@else.example>' },
  ])
  assert.equal(readBy(twice, 'm7'), 0)
})
