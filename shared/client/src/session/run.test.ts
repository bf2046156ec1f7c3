import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, StepBlocked } from '../answer.js'
import type { ProposedStep } from '../session.js'
import { TWO_MODES, createRig, passUntil, withCode } from '../testing/two-modes.js'

/** The answer of a run that may not run. */
const blockedBy = (running: Promise<unknown>): Promise<Answer> =>
  running.then(
    () => assert.fail('ran'),
    (error: unknown) => {
      assert.ok(error instanceof StepBlocked)
      return error.answer
    },
  )

/** Until what was produced has been decided and received. */
const turns = async () => {
  for (let i = 0; i < 20; i++) await turn()
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A promise that is resolved from outside. */
function latch<T = void>() {
  let open: (value: T) => void = () => {}
  const opened = new Promise<T>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

for (const [mode, create] of TWO_MODES) {
  test(`${mode}: runs an allowed step with the proposed arguments and returns its result`, async (t) => {
    const { client } = await create(t)
    const session = await client.startSession()
    const given = { path: '/a', lines: [1, 2], at: new Date(0) }
    const reading = session.run({ tool: 'read_file', arguments: given }, async (values, { answer }) => {
      assert.equal(answer.verdict, 'allow')
      return values
    })
    given.path = '/etc/passwd'
    given.lines.push(3)
    const ran = await reading
    assert.deepEqual(ran, { path: '/a', lines: [1, 2], at: '1970-01-01T00:00:00.000Z' })
    assert.ok(Object.isFrozen(ran) && Object.isFrozen(ran['lines']))
    assert.equal(client.stats().unreported, 0)
  })

  test(`${mode}: does not run a refused step; the error gives reason and alternative`, async (t) => {
    const { client } = await create(t)
    const session = await client.startSession()
    const wiping = session.run({ tool: 'wipe_disk' }, () => assert.fail('ran'))
    const error = await wiping.then(assert.fail, (reason: unknown) => reason)
    assert.ok(error instanceof StepBlocked && withCode('step_blocked')(error))
    assert.match(error.message, /^`wipe_disk` was blocked: .*; instead: delete single files$/)
    assert.deepEqual([error.answer.verdict, error.details['answer']], ['block', error.answer])
  })

  test(`${mode}: passes on what the step throws, and reports a failure`, async (t) => {
    const { client } = await create(t)
    const session = await client.startSession()
    const failure = new Error('no such file')
    const fail = () => {
      throw failure
    }
    await assert.rejects(session.run({ tool: 'read_file', callId: 'again' }, fail), failure)
    await session.run({ tool: 'read_file', callId: 'again' }, () => 'there it is')
    assert.equal(client.stats().decided, 2)
  })

  test(`${mode}: waits for a step that must be over first, and proposes again`, async (t) => {
    const { client, time } = await create(t)
    const session = await client.startSession()
    const order: string[] = []
    const { open, opened } = latch()
    const checking = session.run({ tool: 'check_payee' }, async () => {
      await opened
      order.push('checked')
    })
    const paying = session.run({ tool: 'zap_month' }, () => void order.push('paid'))
    await turn()
    await turn()
    assert.deepEqual(order, [])
    open()
    await passUntil(time, Promise.all([checking, paying]))
    assert.deepEqual(order, ['checked', 'paid'])
    assert.equal(time.pending(), 0)
  })

  test(`${mode}: does not wait forever, nor for calls that are not open`, async (t) => {
    const { client, time } = await create(t)
    const session = await client.startSession()
    const alone = session.run({ tool: 'zap_month' }, () => assert.fail('ran'))
    await assert.rejects(alone, withCode('step_blocked'))
    const { open, opened } = latch()
    const checking = session.run({ tool: 'check_payee' }, () => opened)
    const paying = session.run({ tool: 'zap_month' }, () => assert.fail('ran'), { prerequisitesMs: 500 })
    const error = await passUntil(
      time,
      paying.then(assert.fail, (reason: unknown) => reason),
    )
    assert.ok(error instanceof StepBlocked)
    assert.equal(error.answer.decision?.waitFor?.length, 1)
    open()
    await checking
  })

  test(`${mode}: proposes again after a pause if the call is open elsewhere`, async (t) => {
    const { client, time } = await create(t)
    const session = await client.startSession()
    const checked = await session.propose({ tool: 'check_payee' })
    const paying = session.run({ tool: 'zap_month' }, () => 'paid')
    await turn()
    await session.complete(checked)
    assert.equal(await passUntil(time, paying), 'paid')
  })

  test(`${mode}: calls beyond the cap of open calls wait for room`, async (t) => {
    const { client, time } = await create(t)
    const session = await client.startSession()
    let running = 0
    let most = 0
    const work = async () => {
      most = Math.max(most, ++running)
      await turn()
      running--
    }
    const runs = Array.from({ length: 100 }, () => session.run({ tool: 'read_file' }, work))
    await passUntil(time, Promise.all(runs))
    assert.deepEqual([most, client.stats().unreported], [32, 0])
    assert.equal(time.pending(), 0)
  })

  test(`${mode}: without anybody to ask, a confirm answers at once and is asked about once`, async (t) => {
    const { client, time, resolve } = await create(t)
    const session = await client.startSession()
    const refund = () => session.run({ tool: 'refund', arguments: { amount: 3 } }, ({ amount }) => amount)
    const first = await blockedBy(refund())
    const again = await blockedBy(refund())
    assert.deepEqual([first.verdict, again.verdict], ['confirm', 'confirm'])
    assert.equal(again.decision?.id, first.decision?.id, 'the same request')
    assert.equal(time.pending(), 0, 'nothing waits')
    await resolve(first, 'approved')
    await turns()
    assert.equal(await refund(), 3, 'the same call goes through')
    assert.equal(client.stats().proposed, 1)
    const other = await blockedBy(refund())
    assert.notEqual(other.decision?.id, first.decision?.id, 'an approval is for one run')
  })

  for (const [what, step] of [
    ['other arguments', { tool: 'refund', arguments: { amount: 4 } }],
    ['other claims', { tool: 'refund', arguments: { amount: 3 }, evidence: 'present' }],
  ] satisfies [string, ProposedStep][])
    test(`${mode}: an approval is not for ${what}`, async (t) => {
      const { client, resolve } = await create(t)
      const session = await client.startSession()
      const asked = await session.ask({ tool: 'refund', arguments: { amount: 3 } })
      await resolve(asked, 'approved')
      await turns()
      assert.equal((await session.ask(step)).mayRun, false)
    })

  test(`${mode}: an approval that resolution has handed out is not handed out again`, async (t) => {
    const { client, resolve } = await create(t)
    const session = await client.startSession()
    const asked = await session.ask({ tool: 'refund' })
    await resolve(asked, 'approved')
    assert.equal((await session.resolution(asked)).mayRun, true)
    assert.equal((await session.ask({ tool: 'refund' })).mayRun, false)
  })

  for (const [what, labels, runs] of [
    ['something sensitive', { confidentiality: 'sensitive' }, false],
    ['nothing new', { confidentiality: 'none', trust: 'trusted' }, true],
  ] as const)
    test(`${mode}: an approval that waits while its session reads ${what}`, async (t) => {
      const { client, resolve } = await create(t)
      const session = await client.startSession()
      const refund = { tool: 'refund', arguments: { amount: 3 } }
      await session.complete(await session.ask({ tool: 'read_file' }), { labels: { trust: 'untrusted' } })
      const asked = await session.ask(refund)
      await resolve(asked, 'approved')
      await turns()
      await session.complete(await session.ask({ tool: 'read_file' }), { result: 'text', labels })
      const again = await session.ask(refund)
      assert.equal(again.mayRun, runs)
      assert.equal(again.callId === asked.callId, runs, 'what has become worse is judged in a new proposal')
      const others = Array.from({ length: 31 }, () => session.ask({ tool: 'read_file' }))
      assert.ok(
        (await Promise.all(others)).every(({ mayRun }) => mayRun),
        'the first call is over',
      )
    })

  test(`${mode}: a denial is answered once, then the step is proposed again`, async (t) => {
    const { client, resolve } = await create(t)
    const session = await client.startSession()
    const asked = await session.ask({ tool: 'refund' })
    await resolve(asked, 'denied')
    await turns()
    assert.equal((await session.ask({ tool: 'refund' })).verdict, 'block')
    assert.equal((await session.ask({ tool: 'refund' })).verdict, 'confirm')
  })

  test(`${mode}: a call that is made again after its request has expired is a new question`, async (t) => {
    const { client, time } = await create(t)
    const session = await client.startSession()
    const late = await session.ask({ tool: 'refund' })
    time.pass(900_001)
    const again = await session.ask({ tool: 'refund' })
    assert.equal(again.verdict, 'confirm')
    assert.notEqual(again.decision?.id, late.decision?.id)
  })

  test(`${mode}: an approval that is used too late lets nothing run`, async (t) => {
    const { client, time, resolve } = await create(t)
    const session = await client.startSession()
    const asked = await session.ask({ tool: 'refund' })
    await resolve(asked, 'approved')
    await turns()
    time.pass(901_000)
    assert.equal((await session.ask({ tool: 'refund' })).verdict, 'confirm')
  })

  test(`${mode}: steps left waiting neither hold up others nor those that depend on them`, async (t) => {
    const { client, time } = await create(t)
    const session = await client.startSession()
    for (let amount = 0; amount < 40; amount++)
      assert.equal((await session.ask({ tool: 'refund', arguments: { amount } })).mayRun, false)
    assert.equal(time.pending(), 0)
  })

  test(`${mode}: approvalMs waits for an answer from elsewhere, and the request stays open after it`, async (t) => {
    const { client, time, resolve } = await create(t)
    const session = await client.startSession()
    const asked: Answer[] = []
    const refund = (approvalMs: number) =>
      session.run({ tool: 'refund' }, () => 'refunded', {
        approvalMs,
        onConfirm: (answer) => void asked.push(answer),
      })
    const blocked = await passUntil(time, blockedBy(refund(100)))
    assert.equal(blocked.verdict, 'confirm')
    const refunding = refund(10_000)
    await turn()
    await resolve(blocked, 'approved')
    assert.equal(await passUntil(time, refunding), 'refunded')
    assert.equal(new Set(asked.map(({ callId }) => callId)).size, 1)
    assert.equal(time.pending(), 0)
  })

  test(`${mode}: an abort ends every wait with its reason`, async (t) => {
    const { client, time } = await create(t)
    const session = await client.startSession()
    const reason = new Error('the user pressed stop')
    const { open, opened } = latch()
    const checking = session.run({ tool: 'check_payee' }, () => opened)
    for (const tool of ['refund', 'zap_month']) {
      const controller = new AbortController()
      const { signal } = controller
      const running = session.run({ tool }, () => assert.fail('ran'), { signal, approvalMs: 60_000 })
      await turn()
      await turn()
      controller.abort(reason)
      await assert.rejects(running, reason)
    }
    open()
    await checking
    assert.equal(time.pending(), 0)
  })

  test(`${mode}: a step that ran after the session's end keeps its result and is counted`, async (t) => {
    const { client } = await create(t)
    const session = await client.startSession()
    const value = await session.run({ tool: 'read_file' }, async () => {
      await session.end('completed')
      return 'read'
    })
    await turn()
    assert.deepEqual([value, client.stats().unreported], ['read', 1])
  })

  test(`${mode}: refuses arguments that JSON cannot hold before any proposal`, async (t) => {
    const { client } = await create(t)
    const session = await client.startSession()
    const bad = session.run({ tool: 'read_file', arguments: { amount: 1n } }, () => assert.fail('ran'))
    await assert.rejects(bad, withCode('schema_invalid'))
    assert.equal(client.stats().proposed, 0)
  })
}

test('an aborted wait leaves the request open for the same step', async (t) => {
  const { client, time, approve } = await createRig(t)
  const session = await client.startSession()
  const giving = new AbortController()
  let asked: Answer | undefined
  const onConfirm = (answer: Answer) => {
    asked = answer
    giving.abort(new Error('enough'))
  }
  const refunding = session.run({ tool: 'refund' }, () => 'ran', { onConfirm, signal: giving.signal })
  await assert.rejects(passUntil(time, refunding), /enough/)
  await approve(asked?.decision)
  assert.equal(
    await passUntil(
      time,
      session.run({ tool: 'refund' }, () => 'ran', { approvalMs: 1_000 }),
    ),
    'ran',
  )
})

test('parallel runs are proposed in call order', async (t) => {
  const { client, loop } = await createRig(t)
  const session = await client.startSession()
  const names = Array.from({ length: 20 }, (_, i) => `call-${i}`)
  await Promise.all(names.map((callId) => session.run({ tool: 'read_file', callId }, () => callId)))
  const asked = loop.events.flatMap((event) => (event.type === 'step.proposed' ? [event.callId] : []))
  assert.deepEqual(asked, names)
  assert.deepEqual(loop.faults, [])
})
