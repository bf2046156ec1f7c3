import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventOf } from '@plimsoll/contracts'
import { type SampleSession, createSampleSession, fingerprint, fingerprints } from '../testing.js'

const NAMED = fingerprint(10, 'a')
const ACCOUNT = fingerprint(200, 'c')
const NAMES = fingerprints(210, 3, 'n')
const LINK = [fingerprint(300, 'u'), fingerprint(301, 'i'), fingerprint(302, 'g')]
const WITH_HOST = [fingerprint(303, 'g'), fingerprint(304, 'g')]
/** The link as a proposal reports it: the whole, then each part alone and with its host. */
const REPORTED = [LINK[0], LINK[1], WITH_HOST[0], LINK[2], WITH_HOST[1]].map((each) => each ?? '')
const COMPLETE = { complete: 1 }

/** A session that has read something sensitive; unless `isWhole`, not all of it is known. */
function sessionThatRead(read: readonly string[], isWhole = true): SampleSession {
  const session = createSampleSession({ started: { fingerprints: [NAMED] } })
  session.propose('read_secret', { fingerprints: [] })
  const signals = isWhole ? undefined : { partial: 1 }
  session.complete('c1', { tool: 'read_secret', fingerprints: [...read], ...(signals && { signals }) })
  return session
}

function verdictOn(session: SampleSession, tool: string, report: Partial<EventOf<'step.proposed'>>): string {
  const { decision } = session.propose(tool, { signals: { ...COMPLETE, external: 1 }, ...report })
  return decision?.verdict ?? 'none'
}

test('a link that was read as a whole is followed, whatever its parts', () => {
  const step = { fingerprints: LINK, addressed: LINK.slice(0, 1), link: REPORTED }
  assert.equal(verdictOn(sessionThatRead(LINK), 'fetch_page', step), 'allow')
  assert.equal(
    verdictOn(sessionThatRead(LINK, false), 'fetch_page', step),
    'allow',
    'though not all is known',
  )
  assert.equal(verdictOn(sessionThatRead(LINK), 'fetch_page', { ...step, link: [] }), 'block')
})

test('a link put together of what was read is no link that was read', () => {
  const step = { fingerprints: LINK, addressed: LINK.slice(0, 1), link: REPORTED }
  assert.equal(verdictOn(sessionThatRead(LINK.slice(1)), 'fetch_page', step), 'block')
  const session = sessionThatRead(LINK.slice(1))
  session.propose('fetch_page', { fingerprints: [] })
  session.complete('c2', { tool: 'fetch_page', fingerprints: LINK })
  assert.equal(verdictOn(session, 'fetch_page', step), 'block', 'the agent may have written it there')
})

test('where not all is known, each value and word must be known otherwise', () => {
  const session = () => sessionThatRead(NAMES, false)
  const word = fingerprint(400, 'w')
  const report = (...values: string[]) => ({ fingerprints: values, addressed: values.slice(0, 1) })
  assert.equal(verdictOn(session(), 'fetch_page', report(NAMED)), 'allow')
  assert.equal(verdictOn(session(), 'fetch_page', report(NAMED, fingerprint(500, 'i'))), 'confirm')
  assert.equal(verdictOn(session(), 'send_email', report(NAMED, word)), 'confirm')
  assert.equal(verdictOn(session(), 'send_email', report(NAMED)), 'allow')
})

test('a payment says by ids what is paid, and sends no file', () => {
  const bill = fingerprint(600, 'i')
  const paying = { fingerprints: [bill], addressed: [bill], signals: { ...COMPLETE, records: 1, doesPay: 1 } }
  const lineOn = (report: Partial<EventOf<'step.proposed'>>) =>
    sessionThatRead([bill])
      .propose('send_email', report)
      .decision?.reasons.find(({ source }) => source === 'line')?.verdict
  assert.equal(lineOn(paying), 'allow')
  assert.equal(lineOn({ ...paying, signals: { ...COMPLETE, records: 1 } }), 'confirm')
  assert.equal(lineOn({ ...paying, fingerprints: [bill, fingerprint(601, 'p')] }), 'confirm')
})

test('what goes to people whom the task names may hold a name or two, and what cannot be known', () => {
  const others = fingerprint(11, 'a')
  const send = (to: string, ...values: string[]) => ({
    fingerprints: [to, ...values],
    addressed: [to],
    recipients: [[to]],
  })
  assert.equal(
    verdictOn(sessionThatRead(NAMES, false), 'send_email', send(NAMED, ...NAMES.slice(1))),
    'allow',
  )
  assert.equal(verdictOn(sessionThatRead(NAMES), 'send_email', send(others, ...NAMES.slice(1))), 'confirm')
  assert.equal(verdictOn(sessionThatRead(NAMES), 'send_email', send(others, ...NAMES)), 'block')
  assert.equal(verdictOn(sessionThatRead(NAMES), 'send_email', send(NAMED, ...NAMES)), 'confirm')
  assert.equal(verdictOn(sessionThatRead([ACCOUNT]), 'send_email', send(NAMED, ACCOUNT)), 'block')
})

test('an account is one whatever it looks like in the step', () => {
  const disguised = `n${ACCOUNT.slice(1)}`
  assert.equal(
    verdictOn(sessionThatRead([ACCOUNT]), 'send_email', { fingerprints: [NAMED, disguised] }),
    'block',
  )
})

test('a part that came in a link of the same host is followed in a later one', () => {
  const step = { fingerprints: LINK, addressed: LINK.slice(0, 1), link: REPORTED }
  for (const [linkParts, verdict] of [
    [WITH_HOST, 'allow'],
    [[fingerprint(305, 'g')], 'block'],
  ] as const) {
    const session = createSampleSession({ started: { fingerprints: [NAMED] } })
    session.propose('read_secret', { fingerprints: [] })
    session.complete('c1', {
      tool: 'read_secret',
      fingerprints: LINK.slice(1),
      linkParts: [...linkParts],
    })
    session.propose('fetch_page', { fingerprints: [] })
    session.complete('c2', { tool: 'fetch_page', fingerprints: LINK })
    assert.equal(verdictOn(session, 'fetch_page', step), verdict)
  }
})

test('a file that a step names may be what it sends', () => {
  const path = fingerprint(600, 'p')
  const signals = { ...COMPLETE, external: 1, records: 1 }
  for (const tool of ['fetch_page', 'send_email'])
    assert.equal(
      verdictOn(sessionThatRead(NAMES), tool, {
        fingerprints: [NAMED, path],
        addressed: [NAMED],
        recipients: [[NAMED]],
        signals,
      }),
      'confirm',
    )
})

test('a link with parts, to a host that was named nowhere, is not known to carry nothing', () => {
  const link = fingerprints(700, 2, 'u')
  const step = { fingerprints: link, addressed: link, link: link.slice(0, 1) }
  assert.equal(verdictOn(sessionThatRead(NAMES), 'fetch_page', step), 'confirm')
  assert.equal(
    verdictOn(sessionThatRead([...NAMES, ...link.slice(1)]), 'fetch_page', step),
    'allow',
    'its host was read',
  )
  const alone = { ...step, fingerprints: link.slice(1) }
  assert.equal(verdictOn(sessionThatRead(NAMES), 'fetch_page', alone), 'allow', 'a host and nothing more')
  const part = { ...step, fingerprints: [...link, `g${(NAMES[0] ?? '').slice(1)}`] }
  assert.equal(
    verdictOn(sessionThatRead([...NAMES, ...link.slice(1)]), 'fetch_page', part),
    'confirm',
    'a part that was read',
  )
})

test('a place that the step works in may have been named in sensitive data, a secret in its place may not', () => {
  const place = fingerprint(600, 'n')
  const step = { fingerprints: [place], addressed: [place] }
  assert.equal(verdictOn(sessionThatRead([place]), 'fetch_page', step), 'allow')
  const secret = [place, `c${place.slice(1)}`]
  assert.equal(verdictOn(sessionThatRead(secret), 'fetch_page', step), 'block')
})

test('who signs is no content, and an address that was read is', () => {
  const others = fingerprint(11, 'a')
  const own = fingerprint(800, 'a')
  const send = (more: object) => ({ fingerprints: [others, own], recipients: [[others]], ...more })
  assert.equal(verdictOn(sessionThatRead([own]), 'send_email', send({})), 'confirm')
  assert.equal(verdictOn(sessionThatRead([own]), 'send_email', send({ addressed: [own] })), 'allow')
})

test('what cannot be read goes to whom the user named as it was read, and to nobody else', () => {
  const id = fingerprint(810, 'i')
  const others = fingerprint(11, 'a')
  const send = (to: string, read: boolean) => {
    const session = sessionThatRead(NAMES)
    if (read) {
      session.propose('fetch_page', { fingerprints: [] })
      session.complete('c2', { tool: 'fetch_page', fingerprints: [id] })
    }
    const signals = { ...COMPLETE, external: 1, opaque: 1 }
    return verdictOn(session, 'send_email', { fingerprints: [to, id], recipients: [[to]], signals })
  }
  assert.equal(send(NAMED, true), 'allow')
  assert.equal(send(NAMED, false), 'confirm', 'it may be anything')
  assert.equal(send(others, true), 'confirm', 'a tool may have encoded it')
})

test("a program of the user's runs with paths that were read, and after instructions if it is given none of theirs", () => {
  const program = fingerprint(820, 'p')
  const path = fingerprint(821, 'p')
  const run = (given: readonly string[], instructed?: readonly string[]) => {
    const session = createSampleSession({ started: { fingerprints: [program] } })
    session.propose('read_secret', { fingerprints: [] })
    session.complete('c1', {
      tool: 'read_secret',
      fingerprints: [path, ACCOUNT],
      ...(instructed && { instructed: [...instructed], taint: 'instructions' as const }),
    })
    const { decision } = session.propose('run_code', {
      fingerprints: [program, ...given],
      programs: [[program]],
      signals: { program: 1 },
    })
    return decision?.reasons.find(({ source }) => source === 'line')?.verdict ?? 'none'
  }
  assert.equal(run([path]), 'none')
  assert.equal(run([ACCOUNT]), 'block')
  const order = fingerprint(830, 'n')
  assert.equal(run([path], [order]), 'none')
  assert.equal(run([order], [order]), 'confirm', 'an argument that the instructions give')
  const session = createSampleSession({ started: { fingerprints: [program] } })
  session.propose('read_secret', { fingerprints: [] })
  session.complete('c1', {
    tool: 'read_secret',
    fingerprints: [path],
    instructed: [order],
    taint: 'instructions',
  })
  session.propose('write_file', { signals: { writesFile: 1 }, fingerprints: [NAMED] })
  session.complete('c2', { tool: 'write_file' })
  const { decision } = session.propose('run_code', {
    fingerprints: [program],
    programs: [[program]],
    signals: { program: 1 },
  })
  assert.equal(decision?.verdict, 'confirm', 'a file that it reads may have been written since')
})

test('files that were fetched from a public page hold nothing that was read, until another may stand in their place', () => {
  const [name, path, other] = fingerprints(840, 3, 'p')
  const made = [`u${(name ?? '').slice(1)}`]
  const attach = (session: SampleSession, ...files: string[][]) =>
    verdictOn(session, 'send_email', {
      fingerprints: [NAMED, path ?? ''],
      recipients: [[NAMED]],
      files,
      signals: { ...COMPLETE, external: 1, records: 1 },
    })
  const fetched = () => {
    const session = sessionThatRead(NAMES)
    session.propose('fetch_page', { fingerprints: [], made })
    session.complete('c3', { tool: 'fetch_page', fingerprints: [NAMED] })
    return session
  }
  assert.equal(attach(fetched(), [path ?? '', name ?? '']), 'allow')
  const looked = fetched()
  looked.propose('read_file', { fingerprints: [path ?? ''], signals: { readsFile: 1 } })
  looked.complete('c5', { tool: 'read_file', fingerprints: [NAMED] })
  assert.equal(attach(looked, [path ?? '', name ?? '']), 'allow', 'a look changes no file')
  assert.equal(attach(fetched(), [path ?? '']), 'confirm')
  assert.equal(attach(fetched(), [path ?? '', name ?? ''], [other ?? '']), 'confirm')
  for (const [tool, report] of [
    ['write_file', { signals: { writesFile: 1 }, fingerprints: [NAMED] }],
    ['read_file', { fingerprints: [path ?? ''] }],
    ['write_file', { signals: { readsFile: 1 }, fingerprints: [NAMED] }],
    ['fetch_page', { signals: { moves: 1 }, fingerprints: [] }],
  ] satisfies [string, Partial<EventOf<'step.proposed'>>][]) {
    const session = fetched()
    session.propose(tool, report)
    session.complete('c5', { tool, fingerprints: [NAMED] })
    assert.equal(attach(session, [path ?? '', name ?? '']), 'confirm', tool)
  }
})

test('the id of a record that a tool without labels is given is no content; all else is', () => {
  const [id, other] = [fingerprint(600, 'i'), fingerprint(601, 'i')]
  const verdict = (fingerprints: string[], addressed?: string[]) =>
    verdictOn(sessionThatRead([id, other, ...NAMES]), 'mystery', {
      signals: {},
      fingerprints,
      ...(addressed && { addressed }),
    })
  assert.equal(verdict([id]), 'block', 'as clients of before report it')
  assert.equal(verdict([id], [id]), 'confirm')
  assert.equal(verdict([id, other], [id]), 'block')
  assert.equal(verdict([id, ...NAMES], [id]), 'block')
})
