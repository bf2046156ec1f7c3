import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Effect, Inherits, Signals } from '@plimsoll/contracts'
import { type SampleSession, codesOf, createSampleSession, eventOf, fingerprint } from '../testing.js'

const SECRET = fingerprint(1, 'i')
const OTHER = fingerprint(2, 'i')
const PROGRAM = { program: 1, complete: 1 } as const
const PUSH = { ...PROGRAM, pushes: 1, records: 1, outside: 1 } as const

/** A session that has read a secret, all of it reported. */
function exposed(): SampleSession {
  const session = createSampleSession()
  session.propose('read_secret')
  session.complete('c1', { fingerprints: [SECRET] })
  return session
}

const fills = (session: SampleSession, tool: string, signals: Signals, fingerprints = [OTHER]): boolean => {
  session.propose(tool, { signals, fingerprints })
  return session.state.filesMayHold
}

test('a typed text fills files with what its fingerprints show, and with what they do not cover', () => {
  assert.equal(fills(exposed(), 'write_file', { writesFile: 1 }), false)
  assert.equal(fills(exposed(), 'write_file', { writesFile: 1 }, [SECRET]), true)
  assert.equal(fills(exposed(), 'write_file', { writesFile: 1, partial: 1 }), true)
  assert.equal(
    fills(exposed(), 'write_file', { writesFile: 1, moves: 1 }, [SECRET]),
    false,
    'a path is no content',
  )
  const session = exposed()
  session.propose('write_file', { signals: { writesFile: 1 } })
  assert.equal(session.state.filesMayHold, true, 'no report')
})

test('a program fills files with what it is given, reads, takes in or hides', () => {
  assert.equal(fills(exposed(), 'run_code', PROGRAM), false)
  assert.equal(fills(exposed(), 'run_code', PROGRAM, [SECRET]), true)
  assert.equal(fills(exposed(), 'run_code', { ...PROGRAM, takesAll: 1 }), true)
  const reading = exposed()
  reading.propose('run_code', {
    signals: PROGRAM,
    fingerprints: [OTHER],
    labels: { confidentiality: 'credentials' },
  })
  assert.equal(reading.state.filesMayHold, true)
  const hiding = exposed()
  const { decision } = hiding.propose('run_code', { signals: { program: 1 }, fingerprints: [OTHER] })
  assert.equal(hiding.state.filesMayHold, false, 'it waits')
  hiding.approve(decision?.id ?? '')
  assert.equal(hiding.state.filesMayHold, true)
})

test("a project's own target fills files only once the session has written code for it", () => {
  assert.equal(fills(exposed(), 'run_code', { ...PROGRAM, runner: 1 }), false)
  const session = exposed()
  session.propose('write_file', { signals: { code: 1, writesFile: 1 }, fingerprints: [OTHER] })
  const { decision } = session.propose('run_code', {
    signals: { ...PROGRAM, runner: 1 },
    fingerprints: [OTHER],
  })
  session.approve(decision?.id ?? '')
  assert.equal(session.state.filesMayHold, true)
})

test('where some of what was read is not listed, any text may hold it', () => {
  const session = createSampleSession()
  session.propose('read_secret')
  session.complete('c1', { fingerprints: [SECRET], signals: { partial: 1 } })
  assert.equal(fills(session, 'write_file', { writesFile: 1 }), true)
})

test('a program may have filled files before something sensitive was read; a typed text holds nothing of it', () => {
  for (const signals of [{ program: 1 }, { ...PROGRAM, takesAll: 1 }])
    assert.equal(fills(createSampleSession(), 'write_file', signals), true)
  assert.equal(fills(createSampleSession(), 'write_file', { writesFile: 1, partial: 1 }), false)
  assert.equal(fills(exposed(), 'read_file', { partial: 1 }), false)
})

test('files filled before count at the push once something sensitive was read, and not without', () => {
  const session = createSampleSession()
  session.propose('write_file', { signals: { ...PROGRAM, takesAll: 1 }, fingerprints: [OTHER] })
  const push = () => session.propose('fetch_page', { signals: PUSH, fingerprints: [OTHER] }).decision?.verdict
  assert.equal(push(), 'allow')
  session.propose('read_secret')
  session.complete('c3', { fingerprints: [SECRET] })
  assert.equal(push(), 'confirm')
})

test('a step without a verdict, and a relative that has read something, may have filled files', () => {
  const session = exposed()
  session.complete('c9', { tool: 'write_file' })
  assert.equal(session.state.filesMayHold, true)
  for (const [inherits, isFilled] of [
    [{ confidentiality: 'credentials' }, true],
    [{ unseen: true }, true],
    [{ confidentiality: 'internal' }, false],
  ] as const satisfies readonly (readonly [Inherits, boolean])[])
    assert.equal(
      createSampleSession({ started: { root: 'p', inherits } }).state.filesMayHold,
      isFilled,
      JSON.stringify(inherits),
    )
})

test('a push runs while files hold nothing that was read, and asks from then on, until it is declassified', () => {
  const session = exposed()
  const push = () => session.propose('fetch_page', { signals: PUSH, fingerprints: [OTHER] })
  assert.equal(push().decision?.verdict, 'allow')
  session.propose('write_file', { signals: { writesFile: 1 }, fingerprints: [SECRET] })
  const asked = push()
  assert.deepEqual([asked.decision?.verdict, codesOf(asked)], ['confirm', ['line:outgoing_after_sensitive']])
  assert.match(asked.decision?.reasons[0]?.message ?? '', /files that the session changed, which may hold/)
  session.feed(eventOf('declassification.granted', 0, { id: 'g1', spec: 'line' }))
  assert.equal(push().decision?.verdict, 'allow')
})

test('a push asks where the same step fills files, and after a secret was written where nothing was read', () => {
  const filling = exposed().propose('fetch_page', {
    signals: { ...PUSH, takesAll: 1 },
    fingerprints: [OTHER],
  })
  assert.deepEqual(codesOf(filling), ['line:outgoing_after_sensitive'])
  const session = createSampleSession()
  session.propose('write_file', { signals: { exposes: 1 }, fingerprints: [OTHER] })
  const { decision } = session.propose('fetch_page', { signals: PUSH, fingerprints: [OTHER] })
  assert.equal(decision?.verdict, 'confirm')
  const other = session.propose('fetch_page', { signals: { ...PROGRAM, outside: 1 }, fingerprints: [OTHER] })
  assert.equal(other.decision?.verdict, 'allow', 'a request that sends no files')
})

test('a program that only reads files fills none with what it reads', () => {
  const step = {
    signals: { ...PROGRAM, readsFile: 1 },
    fingerprints: [OTHER],
    labels: { confidentiality: 'credentials' as const },
  }
  const session = exposed()
  session.propose('run_code', step)
  assert.equal(session.state.filesMayHold, false)
  session.propose('run_code', { ...step, fingerprints: [SECRET] })
  assert.equal(session.state.filesMayHold, true)
})

test('a file whose values are set at a service may leave if the task names it, and where', () => {
  const setting = (name: string): Effect => ({
    act: 'change',
    object: 'setting',
    reach: 'live',
    names: [name],
    byName: true,
  })
  const lineOn = (...names: string[]): string | undefined => {
    const session = createSampleSession({ started: { fingerprints: ['pnamed22', 'pplace22'] } })
    session.propose('read_secret')
    session.complete('c1', { fingerprints: [SECRET] })
    const { decision } = session.propose('run_code', {
      signals: { ...PROGRAM, records: 1, outside: 1, byName: 1, doesOverwrite: 1 },
      fingerprints: [OTHER],
      effects: names.map(setting),
      labels: { capability: 'network', reversibility: 'irreversible' },
    })
    return decision?.reasons.find(({ source }) => source === 'line')?.message
  }
  assert.match(lineOn('pnamed22', 'pplace22') ?? '', /none of the sensitive data/)
  assert.match(lineOn('pnamed22', 'pothers2') ?? '', /may hold sensitive data/)
  assert.match(lineOn('pothers2', 'pplace22') ?? '', /may hold sensitive data/)
})
