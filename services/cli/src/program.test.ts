import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PlimsollError } from '@plimsoll/contracts'
import { setting } from '@plimsoll/runtime'
import { type Context, defineCommand, environmentOf } from './command.js'
import { createProgress, runCli } from './format/progress.js'

const sail = defineCommand({
  name: 'sail',
  summary: 'puts to sea',
  description: ['With the tide.'],
  operands: { name: 'PORT', help: 'where to', min: 1, max: 2 },
  options: {
    knots: { type: 'integer', value: 'N', help: 'how fast', min: 0, max: 30, default: 8 },
    fail: { type: 'choice', choices: ['not', 'wrong', 'odd', 'twice'], help: 'how to fail', default: 'not' },
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

const sight = defineCommand({
  name: 'watch sight',
  summary: 'tells what is in sight',
  description: ["From the crow's nest."],
  operands: { name: 'SIDE', help: 'port or starboard', min: 0, max: 1 },
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
  const code = await runCli(argv, [sail, sight], context)
  return { code, out: out.join(''), err: err.join('') }
}

test('runs a command with its values', async () => {
  assert.deepEqual(await run('sail', 'Goole'), { code: 0, out: 'Goole 8', err: '' })
  assert.deepEqual(await run('sail', '--knots=3', 'Goole', 'Hull'), { code: 0, out: 'Goole 3', err: '' })
})

test('shows the help of a command, made from its table', async () => {
  const { code, out, err } = await run('sail', '--help')
  assert.deepEqual({ code, err }, { code: 0, err: '' })
  for (const part of [
    'puts to sea',
    'PORT…',
    '--knots N',
    '`8` if left out',
    'PLIMSOLL_TIDE',
    '--fail not|wrong|odd',
    'a fast passage',
  ])
    assert.ok(out.includes(part), part)
  assert.deepEqual(await run('help', 'sail'), { code, out, err })
})

test('lists the commands; without one it is misused', async () => {
  for (const argv of [['--help'], ['help'], ['-h']])
    assert.match((await run(...argv)).out, /sail {9}puts to sea/)
  const { code, out, err } = await run()
  assert.deepEqual({ code, out }, { code: 2, out: '' })
  assert.match(err, /Usage/)
})

test('tells misuse from failure by its exit code', async () => {
  const cases = [
    [['row'], 2, /usage_invalid: unknown command `row`; there are sail, watch sight/],
    [['watch'], 2, /usage_invalid: unknown command `watch`; there are watch sight/],
    [['watch', 'keep'], 2, /usage_invalid: unknown command `watch keep`; there are watch sight/],
    [['watch', 'sight', 'port', 'lee'], 2, /`lee` is one argument too many\n`plimsoll watch sight --help`/],
    [['sail'], 2, /usage_invalid: PORT is missing\n`plimsoll sail --help` shows more/],
    [['sail', 'Goole', '--wind'], 2, /unknown option `--wind`/],
    [['sail', 'Goole', '--fail', 'wrong'], 2, /config_invalid: `PLIMSOLL_TIDE` is out/],
    [['sail', 'Goole', '--fail', 'odd'], 1, /a plank is loose/],
  ] as const
  for (const [argv, code, message] of cases) {
    const ended = await run(...argv)
    assert.equal(ended.code, code, argv.join(' '))
    assert.equal(ended.out, '')
    assert.match(ended.err, message)
  }
})

test('a name may be of two words', async () => {
  assert.deepEqual(await run('watch', 'sight', 'port'), { code: 0, out: 'nothing to port', err: '' })
  const { code, out } = await run('help', 'watch', 'sight')
  assert.equal(code, 0)
  assert.match(out, /plimsoll watch sight \[SIDE\] \[options\]/)
  assert.deepEqual(await run('watch', 'sight', '--help'), { code, out, err: '' })
  const family = await run('watch', '--help')
  assert.match(family.out, /watch sight {2}tells what is in sight/)
  assert.doesNotMatch(family.out, /puts to sea/)
  assert.deepEqual(await run('help', 'watch'), family)
})

test('tells its release', async () => {
  const { code, out, err } = await run('--version')
  assert.deepEqual([code, err], [0, ''])
  assert.match(out, /^plimsoll \d+\.\d+\.\d+\n$/)
})

test('what is wrong in a document is told a line each', async () => {
  assert.deepEqual(await run('sail', 'Goole', '--fail', 'twice'), {
    code: 2,
    out: '',
    err: 'plimsoll: document_invalid: chart `a`:\n  line 1: reef\n  line 2: shoal\n',
  })
})

function outputOf(isTerminal: boolean) {
  const texts: string[] = []
  return { texts, isTerminal, write: (text: string) => void texts.push(text) }
}

test('draws one bar in place where a human watches, no more often than the eye follows', () => {
  const output = outputOf(true)
  let now = 0
  const progress = createProgress(output, 'fit', () => now)
  progress.update(0, 'a')
  now += 10
  progress.update(0.2, 'b')
  now += 100
  progress.update(0.5, 'c')
  progress.update(1, 'd')
  progress.end()
  assert.deepEqual(
    output.texts.map((text) => text.replaceAll('\u001b[K', '')),
    [
      `\rfit [${' '.repeat(28)}]   0% a`,
      `\rfit [${'='.repeat(14)}${' '.repeat(14)}]  50% c`,
      `\rfit [${'='.repeat(28)}] 100% d`,
      '\n',
    ],
  )
})

test('writes a line for each tenth elsewhere', () => {
  const output = outputOf(false)
  const progress = createProgress(output, 'fit')
  for (let done = 0; done <= 1000; done++) progress.update(done / 1000, `${done}`)
  progress.update(Number.NaN, 'nothing to divide by')
  progress.end()
  assert.equal(output.texts.length, 10)
  assert.equal(output.texts[0], 'fit  10% 100\n')
  assert.equal(output.texts[9], 'fit 100% 1000\n')
})

test('tells of work without an end in place, and elsewhere now and then', () => {
  let now = 0
  const bar = outputOf(true)
  const drawn = createProgress(bar, 'fleet', () => now)
  drawn.update(undefined, '3 sessions')
  drawn.end()
  assert.equal(bar.texts[0], '\rfleet 3 sessions\u001b[K')
  const lines = outputOf(false)
  const reported = createProgress(lines, 'fleet', () => now)
  for (; now < 25_000; now += 500) reported.update(undefined, `${now}`)
  assert.deepEqual(lines.texts, ['fleet 0\n', 'fleet 10000\n', 'fleet 20000\n'])
})
