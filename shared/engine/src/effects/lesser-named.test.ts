import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_SOURCES, addNamedValues } from '../provenance/sources.js'
import { withoutLesserNamed } from './lesser-named.js'

/** A fingerprint that stands for its value. */
const print = (letter: string, value: string): string => letter + value.padEnd(7, 'a')

/** The names of a thing: its whole name, which is more than a word, and words. */
const named = (whole: string, ...words: readonly string[]) => ({
  act: 'delete' as const,
  object: 'resource' as const,
  names: [print('p', whole), ...words.map((word) => print('w', word))],
})

const task = (...prints: readonly string[]) => addNamedValues(NO_SOURCES, prints)

test('beside a thing that the task names as a whole, what it names by shared words alone is not meant', () => {
  const effects = [named('orctmp', 'orchard', 'tmp'), named('orcbill', 'orchard', 'billing')]
  const one = task(print('p', 'orctmp'), print('w', 'orchard'), print('w', 'tmp'))
  assert.deepEqual(withoutLesserNamed([true, true], one, effects), [true, false])
  const both = task(print('p', 'orctmp'), print('w', 'orchard'), print('w', 'billing'))
  assert.deepEqual(withoutLesserNamed([true, true], both, effects), [true, true])
  // Words alone name both alike.
  assert.deepEqual(withoutLesserNamed([true, true], task(print('w', 'orchard')), effects), [true, true])
})

test('whatever letter the fingerprint of a whole name begins with', () => {
  const effects = [named('wrctmp', 'orchard', 'tmp'), named('wrcbill', 'orchard', 'billing')]
  const one = task(print('p', 'wrctmp'), print('w', 'orchard'), print('w', 'tmp'))
  assert.deepEqual(withoutLesserNamed([true, true], one, effects), [true, false])
})

test('things of other kinds and acts, and tables, are not compared', () => {
  const one = task(print('p', 'orctmp'), print('w', 'orchard'), print('w', 'tmp'))
  const first = named('orctmp', 'orchard', 'tmp')
  const second = named('orcbill', 'orchard')
  for (const effects of [
    [first, { ...second, object: 'volume' as const }],
    [first, { ...second, act: 'grant' as const }],
    [
      { ...first, object: 'table' as const },
      { ...second, object: 'table' as const },
    ],
  ])
    assert.deepEqual(withoutLesserNamed([true, true], one, effects), [true, true])
})
