import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ARGUMENT_READINGS, type CatalogueEntry } from '@plimsoll/contracts'
import { labelStep } from '@plimsoll/labels'
import { assertLinear, repeated } from './growth.js'

const entryOf = (as: (typeof ARGUMENT_READINGS)[number]): CatalogueEntry => ({
  tools: ['tool'],
  labels: { capability: 'execute', reversibility: 'irreversible' },
  least: { capability: 'read', reversibility: 'reversible' },
  arguments: [{ in: 'x', as }],
  when: [{ in: 'x', matches: 'a*b*c', labels: { capability: 'write' } }],
})

const NAMES = ['x', 'command', 'query', 'code', 'path', 'url', 'method', 'to', 'amount', 'force']

/** Reads `value` with every reader and under every name with a default reading. */
function readAll(value: string): void {
  labelStep('tool', Object.fromEntries(NAMES.map((name) => [name, value])), undefined, DOMAINS)
  for (const entry of ENTRIES) labelStep('tool', { x: value }, entry, DOMAINS)
}

const DOMAINS = { domains: ['example.com'] }
const ENTRIES = ARGUMENT_READINGS.map(entryOf)

/** Inputs that slow down careless readers: unclosed openings, near misses, long runs. */
const PATTERNS: readonly string[] = [
  'a', ' ', '\n', '/', '../', '.', '"', "'", '`', '\\', '$(', '"$(', '${a:-', '$((', '((', '(', '{ ', '[', '[[ ', '<(', '<<a\n', '<<"', '<<<', '>', '&>', '|', '&&',
  ';', '#', 'if ', 'case x in ', 'for i in ', 'while ', 'f() {', 'a=(', '@(', 'x=`\\`', '$(case x in a) ', 'sudo ', 'xargs ', 'env A=1 ', 'sh -c ', "sed 's/a/b/' ",
  "awk '{print}' ", 'print ', '/*', '/* */', '--', '-- \n', '$$', 'SELECT ', 'select (', 'WITH a AS (', "'a',", 'UPDATE t SET ', 'a@', '@', 'a@b,', '<a@b> ', ', ',
  'http://', 'http://a/', '%41', '?', '=', '1', '1,', '1e', '-', 'env -S ', 'find . -exec ', 'find -exec find ', 'find . -exec ls {} \\; ', '$(a) ', '`a` ', '<(a) ', '> a ', '> $a ', 'a[$(b)]=1 ', 'a=1 ', '(( a )) ', '[[ a ]] && ', 'f() { a; }; ', 'alias a=b ',
  "trap 'a' 1;", 'parallel ::: ', 'curl -d ', 'git -c a=b ', 'cat <<A\nA\n', '"a\\"', '"a"."b"(', '[a].[b](', 'a.b(', 'U&"a" ', 'from a import b\n', 'from . import (', 'import a, ', '"""', 'x[', 'import os\n', 'os.environ ', "open('", 'f"', '\ud800', '\u0000', 'é', '😀',
] // prettier-ignore

test('reads ten megabytes', () => {
  for (const pattern of ['a', '"', '$(', 'SELECT ', 'http://a/'])
    assert.doesNotThrow(() => readAll(repeated(pattern)(10_000_000)))
})

test('steps grow about linearly with the text', () =>
  assertLinear(
    readAll,
    Object.fromEntries(PATTERNS.map((pattern) => [JSON.stringify(pattern), repeated(pattern)])),
    1_500,
  ))
