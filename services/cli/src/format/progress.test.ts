import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createProgress } from './progress.js'

function outputOf(isTerminal: boolean) {
  const texts: string[] = []
  return { texts, isTerminal, write: (text: string) => void texts.push(text) }
}

test('draws one bar in place where a human watches, no more often than the eye follows', () => {
  const output = outputOf(true)
  let now = 0
  const progress = createProgress(output, 'fit', () => now)
  progress.update(0, 'a')
  now += 10
  progress.update(0.2, 'b')
  now += 100
  progress.update(0.5, 'c')
  progress.update(1, 'd')
  progress.end()
  assert.deepEqual(
    output.texts.map((text) => text.replaceAll('\u001b[K', '')),
    [
      `\rfit [${' '.repeat(28)}]   0% a`,
      `\rfit [${'='.repeat(14)}${' '.repeat(14)}]  50% c`,
      `\rfit [${'='.repeat(28)}] 100% d`,
      '\n',
    ],
  )
})

test('writes a line for each tenth elsewhere', () => {
  const output = outputOf(false)
  const progress = createProgress(output, 'fit')
  for (let done = 0; done <= 1000; done++) progress.update(done / 1000, `${done}`)
  progress.update(Number.NaN, 'nothing to divide by')
  progress.end()
  assert.equal(output.texts.length, 10)
  assert.equal(output.texts[0], 'fit  10% 100\n')
  assert.equal(output.texts[9], 'fit 100% 1000\n')
})

test('tells of work without an end in place, and elsewhere now and then', () => {
  let now = 0
  const bar = outputOf(true)
  const drawn = createProgress(bar, 'fleet', () => now)
  drawn.update(undefined, '3 sessions')
  drawn.end()
  assert.equal(bar.texts[0], '\rfleet 3 sessions\u001b[K')
  const lines = outputOf(false)
  const reported = createProgress(lines, 'fleet', () => now)
  for (; now < 25_000; now += 500) reported.update(undefined, `${now}`)
  assert.deepEqual(lines.texts, ['fleet 0\n', 'fleet 10000\n', 'fleet 20000\n'])
})
