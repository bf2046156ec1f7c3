import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matched, proposalOf, resultOf, sensitiveResultOf } from './sample-fingerprints.js'

/** A confidential text that a session has read. */
const REPORT = `Quarterly review of the harbour office, confidential. The audit found that pier seven was signed off without an inspection, and
that the contractor Nordlicht Marine billed 48,250.00 euros for steel which never arrived. Payments went to DE89370400440532013000, which
belongs to the brother of the site manager, Jonas Petersen. Staff who raised it were moved to the night shift. Legal advises to settle before
the report of the harbour master is published on 2026-03-14, and to keep the minutes of the board meeting under lock until then.`

const QUOTED = `Hi, here is what I found: the audit found that pier seven was signed off without an inspection, and that the contractor billed for
steel which never arrived. Staff who raised it were moved to the night shift.`
const RETOLD = `Hi, in short: Jonas Petersen's brother got 48250 euros on account DE89 3704 0044 0532 0130 00 for material nobody delivered.`
const SUMMARY = `Hi, the quarterly review is done. It has some findings that the legal team is looking at; a public version follows in spring.`
const UNRELATED =
  'Hi, shall we have lunch on Thursday? The new place at the market hall has fish soup and is open from eleven.'

const source = resultOf(REPORT)
const found = (body: string) => {
  const hits = matched(proposalOf({ to: 'press@example.org', body }, 'send_email'), source)
  return {
    values: hits.filter((each) => !/^[gw]/.test(each)).length,
    stretches: hits.filter((each) => each.startsWith('g')).length,
  }
}

test('finds verbatim copies by their passages', () => {
  assert.ok(found(QUOTED).stretches >= 5, JSON.stringify(found(QUOTED)))
})

test('finds a paraphrase by its values', () => {
  const { values, stretches } = found(RETOLD)
  assert.ok(values >= 3 && stretches <= 1, JSON.stringify({ values, stretches }))
})

test('does not match a summary without details, or other text', () => {
  for (const body of [SUMMARY, UNRELATED]) assert.deepEqual(found(body), { values: 0, stretches: 0 })
})

function wordsFrom(seed: number): () => string {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 4).toString(36).replace(/\d/g, 'o')
  }
}

test('of a sensitive result more fits: an inbox of ten mails, not of twenty', () => {
  const word = wordsFrom(7)
  const text = (): string => Array.from({ length: 50 }, word).join(' ')
  const mail = (i: number): string =>
    `From: person${i}@mail${i}.example\nDate: 2026-03-${10 + i}\nInvoice INV-${7000 + i}, order ${90210 + 7 * i}\n${text()}`
  const inbox = (count: number) => Array.from({ length: count }, (_, i) => mail(i)).join('\n\n')
  const { count, isPartial } = sensitiveResultOf(inbox(10))
  assert.ok(count > 100 && count <= 192, String(count))
  assert.equal(isPartial, false)
  assert.equal(sensitiveResultOf(inbox(20)).isPartial, true)
})

test('finds a short copy from a long text', () => {
  const word = wordsFrom(5)
  for (let round = 0; round < 20; round++) {
    const words = Array.from({ length: 1_000 }, word)
    const copied = words.slice(400 + round, 400 + round + 40).join(' ')
    assert.ok(matched(proposalOf({ body: copied }), resultOf(words.join(' '))).length > 0, `round ${round}`)
  }
})
