import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelStep } from '../label-step.js'
import { SHELL } from '../samples.js'

const thingsOf = (command: string): readonly (string | undefined)[] =>
  labelStep('bash', { command }, SHELL, undefined).objects.map(({ thing }) => thing)

test('a command in a loop over known words runs for each', () => {
  assert.deepEqual(thingsOf('for d in one/a two/b; do rm -rf "$d"; done'), ['one/a', 'two/b'])
  assert.deepEqual(thingsOf('for d in one two; do rm -rf data/${d}; done'), ['data/one', 'data/two'])
  assert.deepEqual(thingsOf('for v in win7 win8; do virsh undefine $v; done'), ['win7', 'win8'])
})

test('words that only the run finds, and variables that change, stay unknown', () => {
  for (const command of [
    'for d in $(ls); do rm -rf "$d"; done',
    'for d in one two; do d=/; rm -rf "$d"; done',
    'for d in one two; do read d; rm -rf "$d"; done',
    'for d in *.csv; do rm -rf "$d"; done',
  ])
    assert.ok(!thingsOf(command).includes('one'), command)
})

test('beyond the things that are kept a loop is read as one command', () => {
  const words = Array.from({ length: 8 }, (_, i) => `n${i}`).join(' ')
  const things = thingsOf(`for n in ${words}; do gh issue close $n --comment x; done`)
  assert.ok(things.length < 8)
})
