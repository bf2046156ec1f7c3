import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createJudge } from './judge.js'
import { requestOf, type Judgement } from './question.js'
import { sampleAnswer } from './sample-model-server.js'

const LABELS: Judgement = { kind: 'labels', answer: sampleAnswer }

function world(answers: readonly Judgement[], keptMax = 100) {
  let now = 0
  let asked = 0
  let open = 0
  let together = 0
  const judge = createJudge({
    model: {
      async ask() {
        together = Math.max(together, ++open)
        await setImmediate()
        open--
        return answers[Math.min(asked++, answers.length - 1)] ?? LABELS
      },
    },
    concurrencyMax: 2,
    clock: { now: () => now },
    keptMax,
  })
  const ask = async (tool: string) => {
    const { judgement, isCached } = await judge.judge(requestOf(tool))
    return [judgement.kind, isCached]
  }
  return { ask, pass: (ms: number) => void (now += ms), asked: () => asked, together: () => together }
}

test('sends equal requests once, also concurrent ones', async () => {
  const { ask, asked } = world([LABELS])
  assert.deepEqual(await Promise.all([ask('a'), ask('a'), ask('b')]), [
    ['labels', false],
    ['labels', true],
    ['labels', false],
  ])
  assert.deepEqual(await ask('a'), ['labels', true])
  assert.equal(asked(), 2)
})

test('bounds concurrent requests', async () => {
  const { ask, asked, together } = world([LABELS])
  await Promise.all(Array.from({ length: 20 }, (_, i) => ask(`tool-${i}`)))
  assert.deepEqual([asked(), together()], [20, 2])
})

test('caches a refusal for a while, and no outage', async () => {
  for (const [kind, cachedAtOnce] of [
    ['refused', true],
    ['invalid', true],
    ['rejected', true],
    ['unavailable', false],
    ['budget', false],
  ] as const) {
    const { ask, pass } = world([{ kind }, LABELS])
    assert.deepEqual(await ask('a'), [kind, false])
    assert.deepEqual(await ask('a'), cachedAtOnce ? [kind, true] : ['labels', false])
    pass(300_000)
    assert.equal((await ask('a'))[0], 'labels', kind)
  }
})

test('evicts the least recently used judgement', async () => {
  const { ask } = world([LABELS], 2)
  for (const tool of ['a', 'b', 'a', 'c']) await ask(tool)
  assert.deepEqual(await ask('a'), ['labels', true])
  assert.deepEqual(await ask('b'), ['labels', false])
})
