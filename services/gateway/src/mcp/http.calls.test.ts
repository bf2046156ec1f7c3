import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { createRig, ERAS } from '../testing/mcp-rig.js'
import { startUpstream, textResult, toolOf } from '../testing/upstream-server.js'

const TOOLS = ['look', 'refund', 'wipe', 'unknown'].map((name) => toolOf(name))
const ARGS = { order: 7, amount: 20 }

for (const era of ERAS) {
  test(`${era}: runs an allowed call with its exact arguments and reports it`, async (t) => {
    const shop = await startUpstream(t, TOOLS)
    const rig = await createRig(t, { upstreams: { shop } })
    const { call, tools } = await rig.connect(era)
    assert.deepEqual(await tools(), ['look', 'refund', 'wipe', 'unknown'])
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const called = await call('look', ARGS, { meta: { traceparent, 'dev.plimsoll/task': 'look at order 7' } })
    assert.equal(called.text, 'look is done')
    assert.deepEqual(
      shop.reached.map(({ name, args }) => [name, args]),
      [['look', ARGS]],
    )
    assert.equal(shop.reached[0]?.meta['traceparent'], traceparent)
    assert.equal(
      Object.keys(shop.reached[0]?.meta ?? {}).some((key) => key.startsWith('dev.plimsoll/')),
      false,
    )
    assert.deepEqual(called.meta['dev.plimsoll/labels'], {
      capability: 'read',
      confidentiality: 'none',
      trust: 'trusted',
      reversibility: 'reversible',
    })
    assert.equal(typeof called.meta['dev.plimsoll/session'], 'string')
  })

  test(`${era}: does not run a blocked call; gives reason and alternative`, async (t) => {
    const shop = await startUpstream(t, TOOLS)
    const { call } = await (await createRig(t, { upstreams: { shop } })).connect(era)
    const { text, isError } = await call('wipe')
    assert.equal(isError, true)
    assert.match(text, /`wipe` was blocked.*no-wipe.*look first/)
    assert.deepEqual(shop.reached, [])
  })

  for (const [said, runs, text] of [
    [{ action: 'accept' as const, content: {} }, true, /refund is done/],
    [{ action: 'accept' as const }, true, /refund is done/],
    [{ action: 'decline' as const }, false, /was blocked: `the user of ann` denied the step/],
    [{ action: 'cancel' as const }, false, /waits for approval.*plimsoll approve '/],
    ['fails', false, /waits for approval.*plimsoll approve '/],
  ] as const)
    test(`${era}: takes a user's answer ${JSON.stringify(said)} for one call`, async (t) => {
      const shop = await startUpstream(t, TOOLS)
      const rig = await createRig(t, { upstreams: { shop } })
      const questions: string[] = []
      const { call } = await rig.connect(era, {
        user: (question) => {
          questions.push(question)
          if (said === 'fails') throw new Error('there is no window to ask in')
          return said
        },
      })
      const calling = call('refund', ARGS)
      // In this era the client itself asks, so that its own failure is the call's.
      if (said === 'fails' && era === '2026-07-28') await assert.rejects(calling, /no window/)
      else {
        const called = await calling
        assert.match(called.text, text)
        assert.equal(called.isError, !runs, called.text)
      }
      assert.equal(shop.reached.length, runs ? 1 : 0)
      assert.match(questions[0] ?? '', /call refund with:\n {2}amount: 20\n.*order: 7\n.*ask-refund/s)
      assert.match(
        questions[0] ?? '',
        /\nEffect: by its name .* it may pay; it can be undone in part\nDecision: /,
      )
      if (said === 'fails' && era === '2026-07-28') return
      await call('refund', ARGS)
      assert.equal(questions.length, 2)
      assert.equal(shop.reached.length, runs ? 2 : 0)
    })

  test(`${era}: offers the session where the policy permits it, and asks no more for it`, async (t) => {
    const shop = await startUpstream(t, TOOLS)
    const rig = await createRig(t, { upstreams: { shop } })
    const questions: string[] = []
    const { call } = await rig.connect(era, {
      user: (question) => {
        questions.push(question)
        return { action: 'accept', content: { scope: 'session' } }
      },
    })
    for (const n of [1, 2, 3]) assert.equal((await call('unknown', { n })).isError, false)
    assert.equal(questions.length, 1)
    const [, , given] = rig.answers
    assert.match(given?.decision?.reasons[0]?.liftedBy ?? '', /^approval:/)
    for (const n of [1, 2]) assert.equal((await call('refund', { ...ARGS, n })).isError, false)
    assert.equal(questions.length, 3, 'a confirmation without terms is approved once')
  })

  test(`${era}: shows the user the recipient whatever precedes it`, async (t) => {
    const shop = await startUpstream(t, TOOLS)
    const questions: string[] = []
    const { call } = await (
      await createRig(t, { upstreams: { shop } })
    ).connect(era, {
      user: (question) => {
        questions.push(question)
        return { action: 'decline' }
      },
    })
    const args = {
      note: 'Please '.repeat(2_000),
      parts: Array.from({ length: 200 }, (_, i) => ({ text: `part ${i}\u202e` })),
      iban: `DE00${' '.repeat(3_000)}\nEve's`,
      amount: 1_200,
    }
    await call('refund', args)
    const lines = questions[0]?.split('\n') ?? []
    assert.deepEqual(lines.slice(0, 3), [
      'The agent wants to call refund with:',
      String.raw`  iban: "DE00\{3001 blanks}Eve's"`,
      '  amount: 1200',
    ])
    assert.match(questions[0] ?? '', /\n {2}note: ".*\\\{\d+ characters cut\}.*"\n/)
    assert.match(questions[0] ?? '', /\n {2}\(171 more values are not shown\)\n/)
    assert.ok((questions[0]?.length ?? 0) < 6_000)
  })

  test(`${era}: an agent cannot answer as its user`, async (t) => {
    const shop = await startUpstream(t, TOOLS)
    const rig = await createRig(t, { upstreams: { shop }, hasQueue: false })
    const { call } = await rig.connect(era, {
      by: 'agent-smith',
      user: () => assert.fail('an agent was asked to approve itself'),
    })
    assert.match((await call('refund', ARGS)).text, /No approver is configured here/)
    assert.deepEqual(shop.reached, [])
  })

  test(`${era}: without a user the approval queue answers, for the same arguments and one call`, async (t) => {
    const shop = await startUpstream(t, TOOLS)
    const rig = await createRig(t, { upstreams: { shop } })
    const { call } = await rig.connect(era)
    const first = await call('refund', ARGS)
    const id = rig.answers[0]?.decision?.id ?? ''
    assert.ok(first.text.includes(`a human can approve it with plimsoll approve '${id}'`), first.text)
    assert.match(
      first.text,
      /ask-refund.*it can be undone in part.*make the same call again.*exactly the same arguments/,
    )
    assert.deepEqual(rig.queued[0]?.slice(0, 2), ['The agent wants to call refund with:', '  amount: 20'])
    const again = await call('refund', ARGS)
    assert.deepEqual(
      again.meta['dev.plimsoll/decision'],
      first.meta['dev.plimsoll/decision'],
      'the same question',
    )
    const others = await call('refund', { ...ARGS, amount: 2_000 })
    assert.notDeepEqual(others.meta['dev.plimsoll/decision'], first.meta['dev.plimsoll/decision'])

    const [asked] = rig.answers
    assert.ok(asked)
    await rig.guard.approve(asked, { resolution: 'approved', by: 'ines' })
    assert.match((await call('refund', { ...ARGS, amount: 2_000 })).text, /waits for approval/)
    const [one, two] = await Promise.all([call('refund', ARGS), call('refund', ARGS)])
    assert.deepEqual([one, two].filter(({ isError }) => isError).length, 1, 'one approval is for one call')
    assert.deepEqual(
      shop.reached.map(({ args }) => args),
      [ARGS],
    )
  })

  test(`${era}: cancels an aborted call on its server and releases its place`, async (t) => {
    const shop = await startUpstream(t, TOOLS)
    const begun = new EventTarget()
    const aborted: boolean[] = []
    shop.answer = async (_, { mcpReq }) => {
      begun.dispatchEvent(new Event('begun'))
      await once(mcpReq.signal, 'abort')
      aborted.push(true)
      return textResult('too late')
    }
    const { call } = await (await createRig(t, { upstreams: { shop } })).connect(era)
    const abort = new AbortController()
    const reached = once(begun, 'begun')
    const calling = call('look', ARGS, { signal: abort.signal })
    await reached
    abort.abort(new Error('enough'))
    await assert.rejects(calling)
    shop.answer = () => textResult('next')
    assert.equal((await call('look')).text, 'next')
    assert.deepEqual(aborted, [true])
  })

  test(`${era}: does not propose oversized arguments`, async (t) => {
    const shop = await startUpstream(t, TOOLS)
    const rig = await createRig(t, { upstreams: { shop } })
    const { call } = await rig.connect(era)
    const deep: unknown = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`)
    await assert.rejects(call('look', { deep }), /levels deep/)
    const nested: unknown = JSON.parse(`${'['.repeat(100)}${']'.repeat(100)}`)
    assert.match((await call('look', { nested })).text, /nested more than/)
    assert.match((await call('look', { long: 'x'.repeat(600_000) })).text, /longer than/)
    await assert.rejects(call('look', { long: 'x'.repeat(2_000_000) }))
    assert.deepEqual(shop.reached, [])
    assert.equal(rig.guard.stats().proposed, 0)
  })

  test(`${era}: passes on a server's errors`, async (t) => {
    const shop = await startUpstream(t, TOOLS)
    shop.answer = () => ({ isError: true, content: [{ type: 'text', text: 'no such order' }] })
    const { call } = await (await createRig(t, { upstreams: { shop } })).connect(era)
    const called = await call('look')
    assert.deepEqual([called.isError, called.text], [true, 'no such order'])
    shop.answer = () => {
      throw new Error('broken')
    }
    await assert.rejects(call('look'), /broken/)
    await assert.rejects(call('nothing'), /there is no tool/)
  })
}

test("removes Plimsoll's metadata from a server's answer, and drops an oversized answer", async (t) => {
  const shop = await startUpstream(t, TOOLS)
  const rig = await createRig(t, { upstreams: { shop }, limits: { messageBytesMax: 8_192 } })
  const { call } = await rig.connect('2026-07-28')
  shop.answer = () => ({ ...textResult('done'), _meta: { 'dev.plimsoll/other': 1, own: 'kept' } })
  const { meta } = await call('look')
  assert.deepEqual([meta['dev.plimsoll/other'], meta['own']], [undefined, 'kept'])
  shop.answer = () => textResult('x'.repeat(10_000))
  const { isError, text } = await call('look')
  assert.deepEqual([isError, text.length < 1_000], [true, true], text)
})
