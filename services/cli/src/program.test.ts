import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PlimsollError } from '@plimsoll/contracts'
import { setting } from '@plimsoll/runtime'
import {
  type Context,
  choice,
  defineCommand,
  duration,
  environmentOf,
  flag,
  integer,
  list,
  noFlag,
  requiredText,
  text,
  words,
} from './command.js'
import { runCli } from './program.js'

const sail = defineCommand({
  name: 'sail',
  summary: 'puts to sea',
  description: 'With the tide.',
  operands: [['<PORT...>', 'where to']],
  options: {
    knots: integer('N', 'how fast', { min: 0, max: 30, default: 8 }),
    fail: choice(['not', 'wrong', 'odd', 'twice'], 'how to fail', 'not'),
  },
  environment: environmentOf({ tide: setting.text({ env: 'PLIMSOLL_TIDE', doc: 'The tide.' }) }),
  examples: [['Rotterdam --knots 12', 'a fast passage']],
  async run({ knots, fail }, [port], { stdout }) {
    if (fail === 'wrong') throw new PlimsollError('config_invalid', '`PLIMSOLL_TIDE` is out')
    if (fail === 'twice')
      throw new PlimsollError('document_invalid', 'chart `a`: line 1: reef; line 2: shoal', {
        details: { problems: ['line 1: reef', 'line 2: shoal'] },
      })
    if (fail === 'odd') throw new TypeError('a plank is loose')
    stdout.write(`${port} ${knots}`)
    return 0
  },
})

/** Prints what it was given. */
const log = defineCommand({
  name: 'log',
  summary: 'prints its options',
  description: 'All kinds of options.',
  operands: [['[FILE...]', 'files']],
  options: {
    dryRun: flag('writes nothing'),
    crew: noFlag('sails alone'),
    limit: integer('N', 'how many', { min: 1, max: 10 }),
    since: duration('how far back'),
    every: duration('how often', '90s'),
    out: text('FILE', 'where to'),
    traces: list('FILE', 'recordings'),
    parts: words('PART', ['hull', 'mast'], 'parts'),
  },
  examples: [['', 'nothing']],
  async run(values, files, { stdout }) {
    stdout.write(JSON.stringify({ ...values, files }))
    return 0
  },
})

const logRead = defineCommand({
  name: 'log read',
  summary: 'reads the log',
  description: 'A command below a command.',
  operands: [['[PAGE]', 'which page']],
  options: { out: requiredText('FILE', 'where to') },
  examples: [['3 --out a', 'one page']],
  async run({ out }, [page], { stdout }) {
    stdout.write(`page ${page} to ${out}`)
    return 0
  },
})

const sight = defineCommand({
  name: 'dlq sight',
  summary: 'shows what is in sight',
  description: "From the crow's nest.",
  operands: [['[SIDE]', 'port or starboard']],
  options: {},
  examples: [['port', 'one side']],
  async run(_, [side], { stdout }) {
    stdout.write(`nothing to ${side}`)
    return 0
  },
})

async function run(...argv: string[]) {
  const out: string[] = []
  const err: string[] = []
  const output = (texts: string[]) => ({ write: (text: string) => void texts.push(text), isTerminal: false })
  const context: Context = {
    env: {},
    stdout: output(out),
    stderr: output(err),
    signal: new AbortController().signal,
  }
  const code = await runCli(argv, [sail, log, logRead, sight], context)
  return { code, out: out.join(''), err: err.join('') }
}

test('runs a command with its values', async () => {
  assert.deepEqual(await run('sail', 'Goole'), { code: 0, out: 'Goole 8', err: '' })
  assert.deepEqual(await run('sail', '--knots=3', 'Goole', 'Hull'), { code: 0, out: 'Goole 3', err: '' })
})

test('reads every type of option, and gives defaults', async () => {
  const byDefault = { dryRun: false, crew: true, every: 90_000, traces: [], parts: [], files: [] }
  assert.deepEqual(JSON.parse((await run('log')).out), byDefault)
  const line =
    '--dry-run --no-crew --limit=3 --since=2h --every 7d --out a --traces b c --traces=d --parts hull --parts mast'
  assert.deepEqual(JSON.parse((await run('log', ...line.split(' '))).out), {
    dryRun: true,
    crew: false,
    limit: 3,
    since: 7_200_000,
    every: 604_800_000,
    out: 'a',
    traces: ['b', 'd'],
    parts: ['hull', 'mast'],
    files: ['c'],
  })
})

test('arguments after `--` are no options', async () => {
  const { files } = JSON.parse((await run('log', '--', 'npx', '-y', '--out')).out) as { files: string[] }
  assert.deepEqual(files, ['npx', '-y', '--out'])
})

test('a command may have commands below it, with options of the same name', async () => {
  assert.deepEqual(await run('log', 'read', '3', '--out', 'a'), { code: 0, out: 'page 3 to a', err: '' })
})

test('shows the help of a command, made from its declaration', async () => {
  const { code, out, err } = await run('sail', '--help')
  assert.deepEqual({ code, err }, { code: 0, err: '' })
  for (const part of [
    'puts to sea',
    'PORT...',
    '--knots <N>',
    'default `8`',
    'PLIMSOLL_TIDE',
    'one of not, wrong, odd, twice',
    'a fast passage',
  ])
    assert.ok(out.includes(part), part)
  assert.deepEqual(await run('help', 'sail'), { code, out, err })
})

test('lists the commands; without one it is misused', async () => {
  for (const argv of [['--help'], ['help'], ['-h']])
    assert.match((await run(...argv)).out, /sail .* puts to sea\n/)
  const { code, out, err } = await run()
  assert.deepEqual({ code, out }, { code: 2, out: '' })
  assert.match(err, /Usage/)
})

const misuses: readonly (readonly [argv: string, message: RegExp])[] = [
  ['row', /usage_invalid: unknown command `row`/],
  ['sial', /unknown command `sial` \(Did you mean sail\?\)/],
  ['dlq', /Usage: plimsoll dlq/],
  ['dlq keep', /unknown command `keep`/],
  ['dlq sight port lee', /too many arguments for `sight`. Expected 1 argument but got 2/],
  ['sail', /usage_invalid: missing required argument `PORT`; `plimsoll sail --help` shows more/],
  ['sail Goole --wind', /unknown option `--wind`/],
  ['sail Goole --knot 3', /unknown option `--knot` \(Did you mean --knots\?\)/],
  ['sail Goole --fail wrong', /config_invalid: `PLIMSOLL_TIDE` is out/],
  ['sail Goole --fail soon', /argument `soon` is invalid. Allowed choices are not, wrong, odd, twice/],
  [
    'sail Goole --knots fast',
    /`--knots <N>` argument `fast` is invalid. Expected a whole number from 0 to 30/,
  ],
  ['sail Goole --knots 31', /Expected a whole number from 0 to 30/],
  ['log --limit 1e3', /Expected a whole number from 1 to 10/],
  ['log --since 1.5h', /Expected a time such as 90s, 15m, 1h or 7d/],
  ['log --out', /option `--out <FILE>` argument missing/],
  ['log --out --dry-run', /the value is missing/],
  ['log --dry-run=yes', /unknown option `--dry-run=yes`/],
  ['log --parts sail', /Allowed choices are hull, mast/],
  ['log read', /required option `--out <FILE>` not specified/],
]

for (const [line, message] of misuses)
  test(`refuses \`${line}\` with exit code 2`, async () => {
    const { code, out, err } = await run(...line.split(' '))
    assert.deepEqual({ code, out }, { code: 2, out: '' })
    assert.match(err, message)
  })

test('an unexpected error fails with its stack', async () => {
  const { code, err } = await run('sail', 'Goole', '--fail', 'odd')
  assert.equal(code, 1)
  assert.match(err, /a plank is loose\n +at /)
})

test('a name may have two words', async () => {
  assert.deepEqual(await run('dlq', 'sight', 'port'), { code: 0, out: 'nothing to port', err: '' })
  assert.match((await run('dlq', 'sight', '--help')).out, /Usage: plimsoll dlq sight \[options\] \[SIDE\]/)
  const group = await run('dlq', '--help')
  assert.match(group.out, /sight .* shows what is in sight/)
  assert.doesNotMatch(group.out, /puts to sea/)
  assert.deepEqual(await run('help', 'dlq'), group)
  assert.deepEqual(await run('help', 'dlq', 'sight'), await run('dlq', 'sight', '--help'))
})

test('shows its release', async () => {
  const { code, out, err } = await run('--version')
  assert.deepEqual([code, err], [0, ''])
  assert.match(out, /^plimsoll \d+\.\d+\.\d+\n$/)
})

test('several problems of a document get a line each', async () => {
  assert.deepEqual(await run('sail', 'Goole', '--fail', 'twice'), {
    code: 2,
    out: '',
    err: 'plimsoll: document_invalid: chart `a`:\n  line 1: reef\n  line 2: shoal\n',
  })
})
