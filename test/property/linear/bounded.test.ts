/** Readers of texts from agents, servers and documents, each with the texts that slow down a careless one. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { matchesGlob } from '@plimsoll/contracts'
import { assertExact } from '@plimsoll/gateway'
import {
  argumentLines,
  createObserver,
  keyOfRoot,
  labelTool,
  readCategory,
  shippedCategoryModel,
} from '@plimsoll/labels'
import { lintText } from '@plimsoll/policy'
import { stepsOf } from '../../support/work/steps.js'
import { type Make, assertLinear, repeated } from './growth.js'

const textsOf = (...parts: readonly string[]): Readonly<Record<string, Make>> =>
  Object.fromEntries(parts.map((part) => [part, repeated(part)]))

/** Asserts that the text behind the first of `units` costs nothing. */
function assertCut(
  read: (text: string) => unknown,
  texts: Readonly<Record<string, Make>>,
  units: number,
): void {
  for (const [name, make] of Object.entries(texts)) {
    const [cut, whole] = [make(units), make(100 * units)]
    read(cut)
    const [few, many] = [stepsOf(() => read(cut)), stepsOf(() => read(whole))]
    assert.ok(many <= 1.5 * few + 10_000, `${name}: ${few} steps, then ${many}`)
  }
}

test('lines of an approval', () =>
  assertLinear(
    (text) => argumentLines({ a: text, b: ` ${text}`, c: `${text}x` }),
    textsOf('\u202e', ' a', '@', '.,'),
    1_500,
  ))

test('a tool with a long description, name and schema', () => {
  const inputSchema: unknown = JSON.parse(`${'{"properties":'.repeat(5_000)}1${'}'.repeat(5_000)}`)
  assertCut(
    (text) => labelTool({ name: text, description: text, inputSchema }),
    textsOf('aA', 'a', '_', 'геt_file', '\u001b[2Jread', '\ud800'),
    20_000,
  )
})

const observer = createObserver({
  catalogue: {
    schema: 1,
    kind: 'plimsoll.catalogue',
    name: 'for tests',
    tools: [{ tools: ['edit_file'], labels: { capability: 'write', reversibility: 'partial' } }],
  },
  key: keyOfRoot('key', 'session-1'),
})

test('a task', () => assertCut((task) => observer.started({ task }), textsOf('word ', 'delete it '), 80_000))

test('the limits of a task', () =>
  assertLinear(
    (task) => observer.started({ task }),
    textsOf('.', '/', '-', 'only ', 'do not ', 'not modify a, ', '\ndo not touch a/b or c'),
    1_500,
  ))

test('a script that a tool writes', () => {
  for (const path of [
    'a.py',
    'a.sh',
    'a.ps1',
    'Makefile',
    'package.json',
    'conftest.py',
    '.github/workflows/a.yml',
  ])
    assertLinear(
      (content) => observer.proposed({ tool: 'edit_file', arguments: { path, content } }),
      textsOf(
        'unlink(a) ', 'rmtree(a)\na = b\n', 'os.remove(', "glob('", 'a=mktemp ', 'curl -o a ', '| curl -d @- http://a.b ',
        'exec(', 'fetch(', 'open(a, "w")', '.delete_many(', 'objects.filter(', 'process_iter ', 'foreach ', 'a:\n\tb\n',
        '"a": "b",\n', 'Remove-Item ', 'for a in b do ', 'uses: a/b@main\n', 'https://a.b"+os.environ', 'create_superuser ',
      ), // prettier-ignore
      400,
    )
})

test('a text that a tool writes into a test', () => {
  const path = 'tests/a_test.py'
  const write = (text: string) =>
    observer.proposed({ tool: 'edit_file', arguments: { path, old_string: `${text}a`, new_string: text } })
  assertLinear(
    write,
    {
      ...textsOf('#', '\t', '1', '1_', 'assert ', 'if:'),
      'a comment of tabs': (units) => `#${'\t'.repeat(units)}`,
      'a condition of tabs': (units) => `if:${'\t'.repeat(units)}`,
    },
    1_500,
  )
})

test('the category of a task', () => {
  const model = shippedCategoryModel()
  assertCut((task) => readCategory(task, model), textsOf('water the roses ', 'a', 'ab ', '\uD83D'), 8_192)
})

test('the conduct of a program', () => {
  const read = (command: string) => observer.proposed({ tool: 'bash', arguments: { command } })
  assertLinear(read, textsOf('cat ', '>', "open('", '-', 'aB', '((((\n'), 1_500)
})

describe('JSON that must be exact', () => {
  const read = (text: string) => {
    try {
      assertExact(Buffer.from(text))
    } catch {
      // What it says of them is tested beside it.
    }
  }
  const texts: Readonly<Record<string, Make>> = {
    ...textsOf('9', '10', '{"a":', '"\\', '-', '[1e9],', '{"a":1},'),
    'a small number': (units) => `0.${'0'.repeat(units)}1`,
    'zeros at the end': (units) => `1${'0'.repeat(units)}1${'0'.repeat(units)}`,
    'names in one object': (units) => `{${Array.from({ length: units / 8 }, (_, i) => `"${i}":1`).join()}}`,
  }
  test('is read in linear steps', () => assertLinear(read, texts, 5_000))
})

test('a pattern made to backtrack takes no more than pattern times name', () => {
  const read = (text: string) => {
    const half = text.length / 2
    for (const pattern of [
      `${'a*'.repeat(half)}b`,
      `${'*a'.repeat(half)}*b`,
      `${'*'.repeat(half)}b`,
      `*${'a'.repeat(half)}b`,
    ])
      assert.ok(!matchesGlob(pattern, text))
  }
  for (const length of [50, 200]) {
    const name = 'a'.repeat(length)
    const steps = stepsOf(() => read(name))
    assert.ok(steps <= 4 * 4 * length * length, `${length}: ${steps} steps`)
  }
})

test('a policy of many specs', () => {
  const policyOf = (more: string) => (units: number) =>
    `schema: 1\nkind: plimsoll.policy\nname: mine\nspecs:\n${Array.from({ length: units / 10 }, (_, i) => `  - { id: s${i}, tier: blocklist, tools: [read_${i}]${more} }`).join('\n')}
line: { present: block, absent: allow, unknown: confirm }
hazard: [warn, confirm, block]
forward: { verdicts: [allow, warn, confirm], hysteresis: 0.05 }
unlabelled:
  verdict: confirm
  labels: { capability: execute, reversibility: partial }
approvals: { ttlSeconds: 900 }
`
  assertLinear(
    (text) => lintText(text, 'mine.yaml'),
    {
      'of tools alone': policyOf(''),
      'with a condition': policyOf(', where: args.amount > 100'),
      'with a count': policyOf(', atMost: { times: 3, per: session }'),
    },
    1_000,
  )
})
