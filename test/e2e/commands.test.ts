import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COMMANDS } from '@plimsoll/cli'
import { runCli } from './cli-process.js'

test('the overview names every command', async () => {
  const { code, stdout, stderr } = await runCli(['--help'])
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  const width = Math.max(...COMMANDS.map(({ name }) => name.length))
  for (const { name, summary } of COMMANDS)
    assert.ok(stdout.includes(`${name.padEnd(width)}  ${summary}`), name)
})

for (const { name, options, environment = {}, examples } of COMMANDS)
  test(`\`${name} --help\` tells its options, its settings and examples`, async () => {
    const { code, stdout, stderr } = await runCli([...name.split(' '), '--help'])
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    for (const option of Object.keys(options)) assert.match(stdout, new RegExp(`^  --${option}\\b`, 'm'))
    for (const setting of Object.keys(environment)) assert.match(stdout, new RegExp(`^  ${setting} `, 'm'))
    assert.ok(examples.length > 0)
    for (const [args] of examples) assert.ok(stdout.includes(`\n  plimsoll ${name}${args && ` ${args}`}\n`))
  })

const misuses: readonly (readonly [args: readonly string[], message: RegExp])[] = [
  [[], /^plimsoll: verdicts .*\n\nUsage/],
  [
    ['flie'],
    new RegExp(
      `unknown command \`flie\`; there are ${COMMANDS.map(({ name }) => name).join(', ')}\n\`plimsoll --help\` shows more`,
    ),
  ],
  [['up', '--onec'], /unknown option `--onec`\n`plimsoll up --help` shows more/],
  [
    ['up', '--port', '70000', '--seed', 'x'],
    /`--port` is a whole number from 0 to 65535, not `70000`; `--seed` is a whole/,
  ],
  [['up', 'now'], /`now` is one argument too many/],
  [['monitor', '--port', '1'], /unknown option `--port`; `1` is one argument too many/],
  [['replay'], /`--traces` is missing/],
  [['replay', '--traces', 'x', '--via', 'pigeon'], /`--via` is one of embedded, kafka, not `pigeon`/],
  [['replay', '--traces', 'x', '--without', 'names'], /`--without` is one of arguments, .*, not `names`/],
  [['replay', '--traces', 'x', '--ablation', '--via', 'kafka'], /`--ablation` goes without `--without`/],
  [
    ['replay', '--traces', 'x', '--no-monitor', '--model', 'default'],
    /`--model` is for a monitor of its own/,
  ],
  [['replay', '--traces', 'x', '--no-monitor'], /`--no-monitor` goes with `--via kafka`/],
  [['approve', '--by', 'ada'], /DECISION_ID is missing/],
  [['approve', 's#e#step'], /`--by` is missing/],
  [['approve', 'nonsense', '--by', 'ada'], /`nonsense` is no decision id/],
  [['approve', 's#e#step', '--by', 'ada'], /config_invalid: .*\n  PLIMSOLL_SIGNING_KEY: missing/],
  [['fit', '--traces', 'x'], /`--out` is missing/],
  [['publish'], /FILE is missing/],
  [
    ['publish', '/nowhere/policy.yaml', 'package.json'],
    /document_invalid: `\/nowhere\/policy\.yaml` cannot be read\n {2}`package\.json`: kind: expected .*\nnothing was published/,
  ],
  [['activate'], /VERSION is missing/],
  [['activate', '--by', 'ada', '3f2a'], /`3f2a` is no version: 8 to 32 hex digits/],
  [['activate', '--by', 'ada', '3f2a91c4'], /config_invalid: .*\n {2}PLIMSOLL_SIGNING_KEY: missing/],
  [['mode', 'watch'], /MODE is one of enforce, observe, inherit, not `watch`/],
  [['stop'], /`--reason` is missing/],
  [['resume', '--wait', '0'], /`--wait` is a whole number from 1 to 3600/],
  [['controls', 'now'], /`now` is one argument too many/],
  [['dlq'], /unknown command `dlq`; there are dlq list, dlq show, dlq redrive/],
  [
    ['dlq', 'list', '--code', 'sequence_gab'],
    /`sequence_gab` is no code of a dead letter; there are not_json, /,
  ],
  [
    ['dlq', 'list', '--since', 'yesterday'],
    /`--since` is a time such as 90s, 15m, 1h or 7d, not `yesterday`/,
  ],
  [['dlq', 'show', '17'], /`17` is no PARTITION:OFFSET\n`plimsoll dlq show --help` shows more/],
  [['dlq', 'redrive'], /say which: some PARTITION:OFFSET, or `--code`, .* or `--all`/],
  [['dlq', 'redrive', '0:1', '--all'], /say which/],
  [['sessions', 'list', '--level', 'fine'], /`--level` is one of any, safe, .*, not `fine`/],
  [['sessions', 'show'], /SESSION_ID is missing/],
  [
    ['fit', '--out', '/nowhere/at/all/b.json', '--traces', 'x'],
    /`\/nowhere\/at\/all\/b.json` cannot be written/,
  ],
  [['fit', '--out', '.', '--traces', 'x'], /`\.` cannot be written/],
  [['fit', '--out', 'b.json', '--traces', 'x', '--since', '3d'], /`--since` goes with `--topic`/],
  [['fit', '--out', 'b.json', '--topic', '--model', 'default'], /`--model` goes with `--from-live`/],
  [['eval', '--traces', 'x', '--html', '/nowhere/a.html'], /`\/nowhere\/a.html` cannot be written/],
  [['eval', '--traces', 'x', '--model', 'default', '--learning'], /`--folds` is missing/],
]

for (const [args, message] of misuses)
  test(`\`plimsoll ${args.join(' ')}\` is refused with exit code 2`, async () => {
    const { code, stdout, stderr } = await runCli(args)
    assert.match(stderr, message)
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' })
  })

test('recordings that are not there are a failure, not a misuse', async () => {
  const { code, stdout, stderr } = await runCli(['replay', '--traces', '/nowhere/s.jsonl'])
  assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
  assert.match(stderr, /traces_invalid: `\/nowhere\/s.jsonl` cannot be read/)
})
