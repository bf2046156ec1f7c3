import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EFFECT_ACTS, OBJECT_KINDS, REACHES } from '../labels/words.js'
import { effectSentence } from './sentence.js'

test('says what is done to what, where, and what the task lacks', () => {
  const home = { act: 'delete', object: 'path', reach: 'shared', why: 'not_named' } as const
  assert.equal(
    effectSentence(home, '~/Documents/*'),
    'deletes `~/Documents/*`, outside this project, which the task does not name',
  )
  assert.equal(
    effectSentence({ act: 'pay', why: 'not_asked' }),
    'pays something, which the task does not ask for',
  )
  assert.equal(
    effectSentence({ act: 'grant', why: 'not_asked' }),
    'loosens access or checks, which the task does not ask for',
  )
  assert.equal(
    effectSentence({ act: 'send', object: 'person', why: 'not_asked' }, 'ann@example.com'),
    'writes to `ann@example.com`, which the task does not ask for',
  )
})

test('takes at most 14 words', () => {
  for (const act of EFFECT_ACTS)
    for (const object of [undefined, ...OBJECT_KINDS])
      for (const reach of [undefined, ...REACHES])
        for (const why of ['not_asked', 'not_named'] as const) {
          const words = effectSentence({ act, object, reach, why }).split(' ').length
          assert.ok(words <= 14, `${words}`)
        }
})
