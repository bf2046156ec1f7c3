import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PlimsollError } from '@plimsoll/contracts'
import { parseOptions, type Operands } from './options.js'

const options = {
  once: { type: 'flag', help: '' },
  port: { type: 'integer', value: 'N', help: '', min: 0, max: 65_535, default: 9464 },
  limit: { type: 'integer', value: 'N', help: '', min: 1, max: 10 },
  since: { type: 'duration', help: '' },
  every: { type: 'duration', help: '', default: '90s' },
  out: { type: 'text', value: 'FILE', help: '' },
  traces: { type: 'list', value: 'FILE', help: '' },
  via: { type: 'choice', choices: ['embedded', 'kafka'], help: '', default: 'embedded' },
} as const
const files: Operands = { name: 'FILE', help: '', min: 0, max: 2 }

test('reads every type, and gives defaults for what is left out', () => {
  const none = {
    once: false,
    port: 9464,
    limit: undefined,
    since: undefined,
    every: 90_000,
    out: undefined,
    traces: [],
    via: 'embedded',
  }
  assert.deepEqual({ ...parseOptions([], options).values }, none)
  const argv = [
    '--once',
    '--port',
    '0',
    '--limit=3',
    '--since=2h',
    '--every',
    '7d',
    '--out',
    'a',
    '--traces',
    'b',
    'c',
    '--traces=d',
    '--via',
    'kafka',
  ]
  const { values, operands } = parseOptions(argv, options, files)
  assert.deepEqual(
    { ...values },
    {
      once: true,
      port: 0,
      limit: 3,
      since: 7_200_000,
      every: 604_800_000,
      out: 'a',
      traces: ['b', 'd'],
      via: 'kafka',
    },
  )
  assert.deepEqual(operands, ['c'])
})

const wrong: readonly (readonly [argv: readonly string[], problem: string])[] = [
  [['--frobnicate'], 'unknown option `--frobnicate`'],
  [['-x'], 'unknown option `-x`'],
  [['--once=yes'], '`--once` takes no value'],
  [['--out'], '`--out` needs a value'],
  [['--out', '--once'], '`--out` needs a value'],
  [['--port', 'http'], '`--port` is a whole number from 0 to 65535, not `http`'],
  [['--port', '65536'], '`--port` is a whole number from 0 to 65535, not `65536`'],
  [['--port=-1'], '`--port` is a whole number from 0 to 65535, not `-1`'],
  [['--limit', '1e3'], '`--limit` is a whole number from 1 to 10, not `1e3`'],
  [['--since', '1.5h'], '`--since` is a time such as 90s, 15m, 1h or 7d, not `1.5h`'],
  [['--every=h'], '`--every` is a time such as 90s, 15m, 1h or 7d, not `h`'],
  [['--via', 'pigeon'], '`--via` is one of embedded, kafka, not `pigeon`'],
  [['a', 'b', 'c'], '`c` is one argument too many'],
  [
    ['--limit', '0', '--whatever'],
    'unknown option `--whatever`; `--limit` is a whole number from 1 to 10, not `0`',
  ],
]

for (const [argv, problem] of wrong)
  test(`refuses ${argv.join(' ')}`, () => {
    assert.throws(
      () => parseOptions(argv, options, files),
      (error) =>
        error instanceof PlimsollError && error.code === 'usage_invalid' && error.message === problem,
    )
  })

test('says what is missing', () => {
  const out = { out: { type: 'text', value: 'FILE', help: '', required: true } } as const
  assert.throws(() => parseOptions([], out, { ...files, min: 1 }), /`--out` is missing; FILE is missing/)
})

test('asks for nothing where the help is wanted', () => {
  assert.equal(
    parseOptions(['--help'], { out: { type: 'text', value: 'FILE', help: '', required: true } }).wantsHelp,
    true,
  )
})
