import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Signals } from '@plimsoll/contracts'
import { TASK as NAMED, TRUSTED, UNTRUSTED } from '../labels/safety-state.js'
import { matchFingerprints } from '../provenance/matches.js'
import { NO_SOURCES, addSource } from '../provenance/sources.js'
import { type SampleSession, createSampleSession, fingerprint, fingerprints } from '../testing.js'
import { areTargetsNamed, sendsRecords, untrustedEvidenceOf } from './evidence.js'

const TASK = fingerprints(0, 5, 'w').concat(fingerprint(10, 'a'))
const SECRET_TEXT = fingerprints(100, 8, 'g')
const SECRET_ID = fingerprint(200, 'i')
const SECRET_NAMES = fingerprints(210, 4, 'n')
const RECIPIENT = fingerprint(300, 'a')
const COMPLETE: Signals = { complete: 1 }

/** A session whose task names `TASK` and that has read `read` in the sensitive result of `c1`. */
function sessionThatRead(read: string[] | undefined, alike: string[] = []): SampleSession {
  const session = createSampleSession({ started: { fingerprints: [...TASK, ...alike] } })
  session.propose('read_secret', { fingerprints: [] })
  session.complete('c1', { tool: 'read_secret', ...(read && { fingerprints: read }) })
  return session
}

const evidenceOf = (
  session: SampleSession,
  reported: string[] | undefined,
  signals: Signals | undefined = COMPLETE,
): string | undefined => {
  const { decision } = session.propose('send_email', {
    ...(reported && { fingerprints: reported }),
    ...(signals && { signals }),
  })
  const message = decision?.reasons.find(({ source }) => source === 'line')?.message ?? ''
  const said = /carries sensitive/.test(message)
    ? 'present'
    : /none of the sensitive/.test(message)
      ? 'absent'
      : 'unknown'
  assert.equal(decision?.risk?.evidence ?? 'unknown', said)
  return said
}

const READ = [...SECRET_TEXT, SECRET_ID, ...SECRET_NAMES, RECIPIENT]

test('an id, three stretches of text or three values of sensitive data are present evidence; fewer are unknown', () => {
  for (const [reported, expected] of [
    [[SECRET_ID], 'present'],
    [SECRET_TEXT.slice(0, 3), 'present'],
    [SECRET_TEXT.slice(0, 2), 'unknown'],
    [SECRET_NAMES.slice(0, 3), 'present'],
    [[...SECRET_NAMES.slice(0, 2), RECIPIENT], 'present'],
    [SECRET_NAMES.slice(0, 2), 'unknown'],
    [[RECIPIENT], 'unknown'],
    [[fingerprint(999, 'a')], 'absent'],
    [[fingerprint(10, 'a'), ...fingerprints(900, 9, 'g')], 'absent'],
  ] as const)
    assert.equal(evidenceOf(sessionThatRead(READ), [...reported]), expected, reported.join())
})

test('values that the task names are no evidence', () => {
  assert.equal(evidenceOf(sessionThatRead(READ, [SECRET_ID]), [SECRET_ID]), 'absent')
  assert.equal(evidenceOf(sessionThatRead(READ, [SECRET_ID]), [SECRET_ID, ...SECRET_TEXT]), 'present')
})

test('words are no evidence, and arguments of words alone are unknown', () => {
  const words = [...SECRET_TEXT].map((each) => `w${each.slice(1)}`)
  assert.equal(evidenceOf(sessionThatRead(READ), words), 'unknown')
  assert.equal(evidenceOf(sessionThatRead(READ), [...words, fingerprint(999, 'a')]), 'absent')
  for (const reported of [undefined, []]) assert.equal(evidenceOf(sessionThatRead(READ), reported), 'unknown')
})

test('absent is not said where something sensitive was read unseen', () => {
  const elsewhere = [fingerprint(999, 'a')]
  for (const read of [undefined, [], fingerprints(1000, 192)])
    assert.equal(evidenceOf(sessionThatRead(read), elsewhere), 'unknown', `${read?.length}`)
  const stillOpen = sessionThatRead(READ)
  stillOpen.propose('read_keys')
  assert.equal(evidenceOf(stillOpen, elsewhere), 'unknown')
  stillOpen.complete('c3', { tool: 'read_keys', fingerprints: [fingerprint(500)] })
  assert.equal(evidenceOf(stillOpen, elsewhere), 'absent')
  stillOpen.complete('c9', { tool: 'read_keys' })
  assert.equal(evidenceOf(stillOpen, elsewhere), 'unknown')
})

test('evidence is not absent if the fingerprints of a result or of the step are incomplete', () => {
  const elsewhere = [fingerprint(999, 'a')]
  const partial = { complete: 1, partial: 1 }
  const session = sessionThatRead(READ)
  const { decision } = session.propose('send_email', { fingerprints: elsewhere, signals: partial })
  assert.deepEqual([decision?.risk?.evidence, decision?.verdict], ['unknown', 'confirm'])
  assert.equal(evidenceOf(session, elsewhere), 'absent')
  session.propose('read_secret')
  const callId = session.state.calls.at(-1)?.callId ?? ''
  session.complete(callId, { tool: 'read_secret', fingerprints: [fingerprint(500)], signals: partial })
  assert.equal(evidenceOf(session, elsewhere), 'unknown')
})

test('a plain result that turns out to be sensitive counts as such', () => {
  const session = createSampleSession({ started: { fingerprints: TASK } })
  session.propose('read_public')
  session.complete('c1', { fingerprints: READ, labels: { confidentiality: 'credentials' } })
  assert.equal(evidenceOf(session, [SECRET_ID]), 'present')
})

test('something sensitive that was forgotten makes the rest unknown', () => {
  const session = sessionThatRead(READ)
  const elsewhere = [fingerprint(999, 'a')]
  for (let i = 2; i < 20; i++) {
    session.propose('read_secret')
    session.complete(`c${2 * i - 1}`, { tool: 'read_secret', fingerprints: fingerprints(i * 1000, 100, 'g') })
    const said = evidenceOf(session, elsewhere)
    session.complete(`c${2 * i}`, { tool: 'send_email', fingerprints: [] })
    if (said === 'unknown') return
    assert.equal(said, 'absent')
  }
  assert.fail('nothing was forgotten')
})

test('uses the evidence that the event states', () => {
  const session = sessionThatRead(READ)
  const { decision } = session.propose('send_email', {
    fingerprints: [SECRET_ID],
    evidence: { sensitive: 'absent' },
  })
  assert.equal(decision?.risk?.evidence, 'absent')
})

test("an approval request keeps its proposal's report", () => {
  const session = sessionThatRead(READ)
  const asked = session.propose('send_email', { fingerprints: [RECIPIENT] }).decision
  assert.equal(asked?.verdict, 'confirm')
  const approved = session.approve(asked?.id ?? '').decision
  assert.deepEqual([approved?.verdict, approved?.risk], ['allow', asked?.risk])
})

test('the address of a request is no content; an id within its content is', () => {
  const [id, name] = [SECRET_ID, fingerprint(210, 'n')]
  for (const [fingerprints, addressed, verdict] of [
    [[id], [], 'block'],
    [[id], [id], 'allow'],
    [[`n${id.slice(1)}`], [id], 'allow'],
    [SECRET_TEXT.slice(0, 3), [], 'block'],
    [[name], [], 'allow'],
    [[id, name], [id], 'allow'],
  ] as const) {
    const { decision } = sessionThatRead(READ).propose('fetch_page', {
      fingerprints: [...fingerprints],
      addressed: [...addressed],
      signals: COMPLETE,
    })
    assert.equal(decision?.verdict, verdict, `${fingerprints.join()} about ${addressed.join()}`)
  }
})

test('a request with unknown evidence is confirmed if it goes outside, or sends a record to strangers', () => {
  for (const [signals, verdict] of [
    [{}, 'allow'],
    [{ external: 1 }, 'confirm'],
    [{ outside: 0.5 }, 'confirm'],
    [{ strangers: 1 }, 'allow'],
    [{ strangers: 1, records: 1 }, 'confirm'],
    [{ complete: 1, external: 1 }, 'allow'],
  ] as const) {
    const { decision } = sessionThatRead(READ).propose('fetch_page', {
      fingerprints: [fingerprint(999, 'a')],
      signals,
    })
    assert.equal(decision?.verdict, verdict, JSON.stringify(signals))
  }
})

test('evidence is absent only if the client reports the step completely', () => {
  const session = sessionThatRead(READ)
  for (const signals of [{}, { complete: 0 }, { complete: 0.99 }, { outside: 1 }])
    assert.equal(evidenceOf(session, [fingerprint(999, 'a')], signals), 'unknown', JSON.stringify(signals))
  const { decision } = session.propose('send_email', { fingerprints: [fingerprint(999, 'a')] })
  assert.equal(decision?.risk?.evidence, 'unknown')
})

test('evidence is present whatever the client reports', () => {
  for (const signals of [{}, { complete: 1, partial: 1 }, { records: 1 }])
    assert.equal(evidenceOf(sessionThatRead(READ), [SECRET_ID], signals), 'present', JSON.stringify(signals))
})

test('sent records are absent evidence only if the task names each of them', () => {
  const named = [fingerprint(400, 'i'), fingerprint(401, 'p')] as const
  const other = fingerprint(402, 'p')
  for (const [reported, records, expected] of [
    [[named[0]], 1, 'absent'],
    [[...named], 1, 'absent'],
    [[...named, fingerprint(999, 'a')], 0.1, 'absent'],
    [[named[0], other], 1, 'unknown'],
    [[other], 1, 'unknown'],
    [[fingerprint(10, 'a')], 1, 'unknown'],
    [[named[0], other], 0, 'absent'],
    [[other], 0, 'absent'],
  ] as const) {
    const session = sessionThatRead(READ, [...named])
    assert.equal(
      evidenceOf(session, [...reported], { complete: 1, records }),
      expected,
      `${reported.join()} ${records}`,
    )
  }
})

test('values that the task does not name count apart from text, and either suffices', () => {
  const session = sessionThatRead(READ)
  assert.equal(evidenceOf(session, fingerprints(900, 1, 'g')), 'absent')
  assert.equal(evidenceOf(session, fingerprints(900, 1, 'n')), 'absent')
  for (const letter of ['w', 't', 'd'] as const)
    assert.equal(evidenceOf(session, fingerprints(900, 9, letter)), 'unknown', letter)
})

test('a plain result that is still to come may hold nothing sensitive', () => {
  const session = sessionThatRead(READ)
  session.propose('read_public')
  assert.equal(evidenceOf(session, [fingerprint(999, 'a')]), 'absent')
})

test('of untrusted data: present once any came from there alone, absent once each value is vouched for and all is reported', () => {
  const page = [fingerprint(600, 'u'), fingerprint(601, 'n'), fingerprint(602, 'g')] as const
  const vouched = fingerprint(603, 'a')
  let sources = addSource(NO_SOURCES, [...page, vouched], UNTRUSTED)
  sources = addSource(sources, [vouched, fingerprint(604, 'i')], TRUSTED)
  sources = addSource(sources, [fingerprint(10, 'a')], NAMED)
  const known = [vouched, fingerprint(604, 'i'), fingerprint(10, 'a')]
  const gram = fingerprint(605, 'g')
  for (const [reported, signals, expected] of [
    [undefined, undefined, 'unknown'],
    [[], undefined, 'unknown'],
    [[gram], undefined, 'unknown'],
    [[page[0]], undefined, 'present'],
    [[page[1]], undefined, 'present'],
    [[page[2]], undefined, 'present'],
    [[...known, page[2]], { complete: 1 }, 'present'],
    [known, undefined, 'absent'],
    [known.slice(0, 1), undefined, 'absent'],
    [[...known, gram], { partial: 0 }, 'absent'],
    [known, { partial: 0.1 }, 'unknown'],
    [[...known, fingerprint(999, 'n')], undefined, 'unknown'],
    [[fingerprint(999, 'n')], undefined, 'unknown'],
  ] as const) {
    const matches = reported && matchFingerprints(sources, reported)
    assert.equal(
      untrustedEvidenceOf(matches, signals),
      expected,
      `${reported?.join()} ${JSON.stringify(signals)}`,
    )
  }
})

test('targets count as named by the task only if it names all of them', () => {
  const [ann, bob] = [fingerprint(700, 'a'), fingerprint(701, 'u')]
  const [file, record] = [fingerprint(702, 'p'), fingerprint(703, 'i')]
  const sources = addSource(NO_SOURCES, [ann, file], NAMED)
  const matches = (...reported: string[]) => matchFingerprints(sources, reported)
  assert.equal(areTargetsNamed(matches(ann)), true)
  assert.equal(areTargetsNamed(matches(ann, bob)), false)
  assert.equal(areTargetsNamed(matches(bob)), false)
  assert.equal(areTargetsNamed(matches(file)), false, 'a step without recipients')
  const sending: Signals = { records: 1 }
  assert.equal(sendsRecords(matches(file), sending), false)
  assert.equal(sendsRecords(matches(file, record), sending), true)
  assert.equal(sendsRecords(matches(record), sending), true)
  assert.equal(sendsRecords(matches(ann), sending), true, 'a record without a fingerprint')
  assert.equal(sendsRecords(undefined, sending), true)
  assert.equal(sendsRecords(undefined, { records: 0 }), false)
  assert.equal(sendsRecords(undefined, undefined), false)
})
