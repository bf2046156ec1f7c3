import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelStep } from '../label-step.js'
import { SHELL } from '../samples.js'

/** The paths that are looked up, and the reach of what the command deletes where all of them are kept. */
function kept(command: string, isKept: (path: string) => boolean = () => true) {
  const asked: string[] = []
  const look = (path: string) => {
    asked.push(path)
    return isKept(path)
  }
  const { objects } = labelStep('bash', { command }, SHELL, undefined, undefined, undefined, look)
  return { asked: [...new Set(asked)], reaches: objects.map(({ reach }) => reach) }
}

test('what the host can bring back is lost without harm', () => {
  assert.deepEqual(kept('rm -rf src'), { asked: ['src'], reaches: ['disposable'] })
  assert.deepEqual(kept('rm -rf ./src/old/'), { asked: ['src/old'], reaches: ['disposable'] })
  assert.deepEqual(kept('rm -rf /srv/app/src').reaches, ['disposable'])
  assert.deepEqual(kept('rm -rf src/*').asked, ['src'])
  assert.deepEqual(kept('rm -rf src', () => false).reaches, ['project'])
})

test('a path that may be another one is not looked up', () => {
  for (const command of [
    'rm -rf ../src',
    'rm -rf $X/src',
    'rm -rf ~/src',
    'rm -rf *',
    'cd lib && rm -rf src',
    '(cd lib); rm -rf src',
    'cd "$X"; rm -rf src',
    'rm -rf plimsoll',
    'rm -rf .claude/settings.json',
  ]) {
    const { asked, reaches } = kept(command)
    assert.deepEqual(asked, [], command)
    assert.ok(!reaches.includes('disposable'), command)
  }
})

test('one part that is lost counts, and a reader that fails keeps nothing', () => {
  assert.ok(kept('rm -rf src data', (path) => path === 'src').reaches.some((reach) => reach !== 'disposable'))
  const failing = () => {
    throw new Error('no such repository')
  }
  assert.ok(!kept('rm -rf src', failing).reaches.includes('disposable'))
})
