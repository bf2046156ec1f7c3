import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ARGUMENT_READINGS, type CatalogueEntry } from '@plimsoll/contracts'
import { labelStep } from '@plimsoll/labels'
import { stepsOf } from '../../support/work/steps.js'
import { assertLinear, repeated } from './growth.js'

const entryOf = (as: (typeof ARGUMENT_READINGS)[number]): CatalogueEntry => ({
  tools: ['tool'],
  labels: { capability: 'execute', reversibility: 'irreversible' },
  least: { capability: 'read', reversibility: 'reversible' },
  arguments: [{ in: 'x', as }],
  when: [{ in: 'x', matches: 'a*b*c', labels: { capability: 'write' } }],
})

const NAMES = ['x', 'command', 'query', 'code', 'path', 'url', 'method', 'to', 'amount', 'force']

const DOMAINS = { domains: ['example.com'] }

/** Each reader, and all names with a default reading together. */
const READERS: readonly (readonly [name: string, read: (value: string) => unknown])[] = [
  [
    'names',
    (value) => labelStep('tool', Object.fromEntries(NAMES.map((name) => [name, value])), undefined, DOMAINS),
  ],
  ...ARGUMENT_READINGS.map((as) => {
    const entry = entryOf(as)
    return [as, (value: string) => labelStep('tool', { x: value }, entry, DOMAINS)] as const
  }),
]

function readAll(value: string): void {
  for (const [, read] of READERS) read(value)
}

/** Inputs that slow down careless readers: unclosed openings, near misses, long runs. */
const PATTERNS: readonly string[] = [
  'a', ' ', '\n', '/', '../', '.', '"', "'", '`', '\\', '$(', '"$(', '${a:-', '$((', '((', '(', '{ ', '[', '[[ ', '<(', '<<a\n', '<<"', '<<<', '>', '&>', '|', '&&',
  ';', '#', 'if ', 'case x in ', 'for i in ', 'while ', 'f() {', 'a=(', '@(', 'x=`\\`', '$(case x in a) ', 'sudo ', 'xargs ', 'env A=1 ', 'sh -c ', "sed 's/a/b/' ",
  "awk '{print}' ", 'print ', '/*', '/* */', '--', '-- \n', '$$', 'SELECT ', 'select (', 'WITH a AS (', "'a',", 'UPDATE t SET ', 'a@', '@', 'a@b,', '<a@b> ', ', ',
  'http://', 'http://a/', '%41', '?', '=', '1', '1,', '1e', '-', 'env -S ', 'find . -exec ', 'find -exec find ', 'find . -exec ls {} \\; ', '$(a) ', '`a` ', '<(a) ', '> a ', '> $a ', 'a[$(b)]=1 ', 'a=1 ', '(( a )) ', '[[ a ]] && ', 'f() { a; }; ', 'alias a=b ',
  "trap 'a' 1;", 'parallel ::: ', 'curl -d ', 'git -c a=b ', 'cat <<A\nA\n', '"a\\"', '"a"."b"(', '[a].[b](', 'a.b(', 'U&"a" ', 'from a import b\n', 'from . import (', 'import a, ', '"""', 'x[', 'import os\n', 'os.environ ', "open('", 'f"', '\ud800', '\u0000', 'é', '😀',
] // prettier-ignore

/** Each reader cuts by length, whatever the text: a few patterns show it. */
const CUT = ['a', '"', '$(', 'SELECT ', 'http://a/']
/** Behind the longest text that is read only characters that cannot be seen are looked for, and the text is cut and copied. */
const STEPS_PER_UNIT = 8

test('reads only a bounded part of a long text', () => {
  const slow = CUT.flatMap((pattern) => {
    const [short, long] = [repeated(pattern)(200_000), repeated(pattern)(400_000)]
    return READERS.flatMap(([name, read]) => {
      read(short)
      const more = stepsOf(() => read(long)) - stepsOf(() => read(short))
      return more <= STEPS_PER_UNIT * 200_000
        ? []
        : [`${name} of ${JSON.stringify(pattern)}: ${more} steps more`]
    })
  })
  assert.deepEqual(slow, [])
})

test('steps grow about linearly with the text', () =>
  assertLinear(
    readAll,
    Object.fromEntries(PATTERNS.map((pattern) => [JSON.stringify(pattern), repeated(pattern)])),
    1_500,
  ))
