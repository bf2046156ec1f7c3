import assert from 'node:assert/strict'
import { test } from 'node:test'
import { digestOf } from '../canonical.js'
import { digestSchema } from '../ids.js'
import { createArgumentDigest, createSaltedDigest, openArguments, saltToReport } from './argument-digest.js'

test('digests of arguments are equal for equal arguments under one key, and tell nothing without it', () => {
  const values = { to: 'ada@example.org', amount: 12 }
  const digest = createArgumentDigest('the key of one session')
  assert.equal(
    digest(values),
    createArgumentDigest('the key of one session')({ amount: 12, to: 'ada@example.org' }),
  )
  assert.notEqual(digest(values), digest({ ...values, amount: 13 }))
  assert.notEqual(digest(values), createArgumentDigest('the key of another')(values))
  assert.notEqual(digest(values), digestOf(values), 'guessed arguments cannot be checked')
  assert.equal(digestSchema.safeParse(digest({})).success, true)
})

test('a salt opens its own digest and no other', () => {
  const salted = createSaltedDigest('the key of one session')
  const values = { to: 'ada@example.org', amount: 12 }
  const { digest: argumentsDigest, salt: argumentsSalt } = salted(values)
  assert.equal(argumentsDigest, createArgumentDigest('the key of one session')(values))
  assert.deepEqual(openArguments({ arguments: values, argumentsSalt, argumentsDigest }), values)
  for (const other of [{ ...values, amount: 13 }, { to: values.to }, { ...values, cc: 'eve' }, undefined])
    assert.equal(openArguments({ arguments: other, argumentsSalt, argumentsDigest }), undefined)
  assert.equal(openArguments({ arguments: values, argumentsDigest }), undefined, 'nothing opens it without')
  const next = salted({ ...values, amount: 13 })
  assert.notEqual(next.salt, argumentsSalt)
})

test('a salt is disclosed with all arguments, and only then', () => {
  const salted = createSaltedDigest('key')
  const cases = [
    [{}, undefined, true],
    [{}, { cc: null }, true],
    [{ to: 'ada' }, undefined, false],
    [{ to: 'ada' }, { to: 'ada' }, true],
    [{ to: 'ada', cc: undefined }, { to: 'ada' }, true],
    [{ to: 'ada' }, { to: 'ada', cc: null }, true],
    [{ to: 'ada', cc: null }, { to: 'ada', cc: null }, true],
    // The two cannot be distinguished.
    [{ to: 'ada', cc: null }, { to: 'ada', cc: null, bcc: null }, false],
    [{ to: 'ada', body: 'secret' }, { to: 'ada' }, false],
    [{ to: 'ada' }, { to: 'eve' }, false],
  ] as const
  for (const [values, reported, isReported] of cases) {
    const made = salted(values)
    assert.equal(
      saltToReport(values, reported, made),
      isReported ? made.salt : undefined,
      JSON.stringify([values, reported]),
    )
  }
})
