import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withReleasers, type OnRelease } from './shutdown.js'

const noting = (done: string[]) => (onRelease: OnRelease, name: string, error?: Error) => {
  done.push(`+${name}`)
  onRelease(async () => {
    done.push(`-${name}`)
    if (error) throw error
  })
}

test('what was acquired is released in reverse, once', async () => {
  const done: string[] = []
  const acquire = noting(done)
  const { value, release } = await withReleasers(async (onRelease) => {
    acquire(onRelease, 'store')
    acquire(onRelease, 'log')
    return 7
  })
  assert.equal(value, 7)
  await Promise.all([release(), release()])
  await release()
  assert.deepEqual(done, ['+store', '+log', '-log', '-store'])
})

test('a failed start releases what it had, and rejects with its own failure', async () => {
  const done: string[] = []
  const acquire = noting(done)
  const failing = withReleasers(async (onRelease) => {
    acquire(onRelease, 'store')
    acquire(onRelease, 'log', new Error('a release that fails'))
    throw new Error('no port')
  })
  await assert.rejects(failing, /no port/)
  assert.deepEqual(done, ['+store', '+log', '-log', '-store'])
})

test('a release that fails does not keep the others from being released', async () => {
  const cases = [
    { failing: ['b'], expected: /^Error: b$/ },
    { failing: ['a', 'c'], expected: /^AggregateError: several releases have failed$/ },
  ]
  for (const { failing, expected } of cases) {
    const done: string[] = []
    const acquire = noting(done)
    const { release } = await withReleasers(async (onRelease) => {
      for (const name of ['a', 'b', 'c'])
        acquire(onRelease, name, failing.includes(name) ? new Error(name) : undefined)
    })
    await assert.rejects(release(), (error: Error) => expected.test(String(error)))
    assert.deepEqual(done, ['+a', '+b', '+c', '-c', '-b', '-a'])
  }
})
