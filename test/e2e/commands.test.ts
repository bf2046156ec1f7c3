import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { COMMANDS } from '@plimsoll/cli'
import { runCli } from './cli-process.js'

test('the overview names every command or its group', async () => {
  const { code, stdout, stderr } = await runCli(['--help'])
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  for (const { name, summary } of COMMANDS) {
    const [first = '', second] = name.split(' ')
    assert.match(stdout, new RegExp(`^  ${first} .*`, 'm'))
    const text = second === undefined ? stdout : (await runCli([first, '--help'])).stdout
    assert.ok(text.replaceAll(/\s+/g, ' ').includes(summary), name)
  }
})

for (const { name, options, environment = {}, examples } of COMMANDS)
  test(`\`${name} --help\` shows its options, its settings and examples`, async () => {
    const { code, stdout, stderr } = await runCli([...name.split(' '), '--help'])
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    const kebab = (key: string) => key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    for (const key of Object.keys(options))
      assert.match(stdout, new RegExp(`^  --(no-)?${kebab(key)}\\b`, 'm'))
    for (const setting of Object.keys(environment)) assert.match(stdout, new RegExp(`^  ${setting} `, 'm'))
    assert.ok(examples.length > 0)
    for (const [args] of examples) assert.ok(stdout.includes(`\n  plimsoll ${name}${args && ` ${args}`}\n`))
  })

test('shells get a script that completes commands, options and words', async () => {
  const script = async (shell: string) => (await runCli(['completion', shell])).stdout
  const bash = await script('bash')
  assert.match(bash, /^ {4}'dlq list'\*\) words='--code --session --since --limit --json --help' ;;$/m)
  assert.match(bash, /^ {4}'replay'\*' --via '\) words='embedded kafka' ;;$/m)
  assert.match(bash, /^complete -o default -F _plimsoll plimsoll$/m)
  assert.equal(await script('zsh'), `autoload -U +X bashcompinit && bashcompinit\n${bash}`)
  assert.match(
    await script('fish'),
    /^complete -c plimsoll -n '__fish_seen_subcommand_from replay' -l via -d '.*' -x -a 'embedded kafka'$/m,
  )
  const complete = (words: string, by = '_plimsoll') =>
    execFileSync(
      'bash',
      [
        '-c',
        `${bash}\nCOMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); ${by}; echo "\${COMPREPLY[@]}"`,
      ],
      { encoding: 'utf8' },
    ).trim()
  assert.equal(complete('plimsoll control mo'), 'mode')
  assert.equal(complete('plimsoll completion ""'), 'bash zsh fish --help')
  assert.equal(complete('npx plimsoll control mo', '_plimsoll_npx'), 'mode')
  assert.equal(complete('npx other mo', '_plimsoll_npx'), '')
  assert.match((await runCli(['completion'])).stdout, /^bash  in ~\/\.bashrc: .*\nzsh /)
})

const misuses: readonly (readonly [args: readonly string[], message: RegExp])[] = [
  [[], /^Usage: plimsoll .*\n\nVerdicts on/],
  [['flie'], /unknown command `flie` \(Did you mean one of .*\); `plimsoll --help` shows more/],
  [['up', '--onec'], /unknown option `--onec` \(Did you mean --once\?\); `plimsoll up --help` shows more/],
  [
    ['up', '--port', '70000'],
    /`--port <N>` argument `70000` is invalid. Expected a whole number from 0 to 65535/,
  ],
  [['up', 'now'], /too many arguments for `up`/],
  [['monitor', '--port', '1'], /unknown option `--port`/],
  [['replay'], /there are no recorded sessions: name files with `--traces`/],
  [
    ['replay', '--traces', 'x', '--via', 'pigeon'],
    /`pigeon` is invalid. Allowed choices are embedded, kafka/,
  ],
  [['replay', '--traces', 'x', '--without', 'names'], /`names` is invalid. Allowed choices are arguments, /],
  [
    ['replay', '--traces', 'x', '--no-monitor', '--model', 'default'],
    /omit `--no-monitor`: only the monitor that this command starts uses `--model`/,
  ],
  [['replay', '--topic', '--via', 'kafka'], /omit `--via kafka`: `--topic` does not use it/],
  [['replay', '--topic', '--traces', 'x'], /omit `--traces`: `--topic` does not use it/],
  [['replay', '--topic', '--html', 'x'], /`--html` needs `--policy`/],
  [['replay', '--traces', 'x', '--no-monitor'], /`--no-monitor` needs `--via kafka`/],
  [['approve', '--by', 'ada'], /missing required argument `DECISION_ID`/],
  [['approve', 'nonsense', '--by', 'ada'], /`nonsense` is no decision id/],
  [['fit', '--traces', 'x'], /required option `--out <BUNDLE>` not specified/],
  [['publish'], /missing required argument `FILE`/],
  [
    ['publish', '/nowhere/policy.yaml', 'package.json'],
    /document_invalid: `\/nowhere\/policy\.yaml` cannot be read: there is no such file, check the path\n {2}`package\.json`: kind: expected .*\nnothing was published/,
  ],
  [['control'], /Usage: plimsoll control/],
  [['control', 'activate'], /name a VERSION; `plimsoll control show` lists them/],
  [['control', 'activate', '--by', 'ada', '3f2a'], /`3f2a` is no version: 8 to 32 hex digits/],
  [
    ['control', 'activate', '--by', 'ada', '3f2a91c4'],
    /config_invalid: .*\n {2}PLIMSOLL_SIGNING_KEY: missing/,
  ],
  [['control', 'mode', 'watch'], /MODE is one of enforce, observe, inherit, not `watch`/],
  [['control', 'stop'], /required option `--reason <TEXT>` not specified/],
  [['control', 'resume', '--wait', '0'], /Expected a whole number from 1 to 3600/],
  [['control', 'show', 'now'], /too many arguments for `show`/],
  [
    ['completion', 'tcsh'],
    /`tcsh` is invalid for argument `SHELL`. Allowed choices are bash, zsh, fish; `plimsoll completion --help`/,
  ],
  [['dlq'], /Usage: plimsoll dlq/],
  [['dlq', 'list', '--code', 'sequence_gab'], /`sequence_gab` is invalid. Allowed choices are not_json, /],
  [['dlq', 'list', '--since', 'yesterday'], /Expected a time such as 90s, 15m, 1h or 7d/],
  [['dlq', 'show', '17'], /`17` is no PARTITION:OFFSET\n`plimsoll dlq show --help` shows more/],
  [['dlq', 'redrive'], /name the dead letters: some PARTITION:OFFSET, or `--code`, .* or `--all`/],
  [['dlq', 'redrive', '0:1', '--all'], /name the dead letters/],
  [['sessions', 'list', '--level', 'fine'], /`fine` is invalid. Allowed choices are any, safe, /],
  [['sessions', 'show'], /missing required argument `SESSION_ID`/],
  [
    ['fit', '--out', '/nowhere/at/all/b.json', '--traces', 'x'],
    /`\/nowhere\/at\/all\/b.json` cannot be written/,
  ],
  [['fit', '--out', '.', '--traces', 'x'], /`\.` cannot be written/],
  [['fit', '--out', 'b.json', '--traces', 'x', '--since', '3d'], /`--since` needs `--topic`/],
  [['fit', '--out', 'b.json', '--topic', '--model', 'default'], /`--model` needs `--from-live`/],
  [['eval', '--traces', 'x', '--html', '/nowhere/a.html'], /`\/nowhere\/a.html` cannot be written/],
]

for (const [args, message] of misuses)
  test(`\`plimsoll ${args.join(' ')}\` is refused with exit code 2`, async () => {
    const { code, stdout, stderr } = await runCli(args)
    assert.match(stderr, message)
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' })
  })

test('`plimsoll approve` without a deployment names the settings of one', async () => {
  const args = ['approve', 's#e#step', '--by', 'ada']
  const nowhere = await runCli(args)
  assert.match(nowhere.stderr, /no open request `s#e#step` on this machine: .*`KAFKA_BROKERS`/)
  assert.equal(nowhere.code, 1)
  const unsigned = await runCli(args, { env: { KAFKA_BROKERS: '127.0.0.1:1' } })
  assert.match(unsigned.stderr, /config_invalid: .*\n {2}PLIMSOLL_SIGNING_KEY: missing/)
  assert.equal(unsigned.code, 2)
})

const POLICY = 'shared/policy/policies/default.yaml'

/** Commands that take a file, at `@`. */
const FILE_COMMANDS = [
  'policy lint @',
  `policy lint --tools @ ${POLICY}`,
  'policy test @',
  'policy test --policy @ test/cases',
  'verify @',
  `verify --tools @ ${POLICY}`,
  'label @',
  'label check @',
  'replay @',
  'replay --policy @ x.jsonl',
  `replay --policy ${POLICY} @`,
  'eval @',
  'fit --out /tmp/plimsoll-none.json @',
  'explain --trace @ s1',
  'publish @',
  'mcp --servers @',
]

/** What a file is instead, and what every command says of it. */
const WRONG_FILES: readonly (readonly [name: string, content: Buffer | string | undefined, says: RegExp])[] =
  [
    ['missing', undefined, /there is no (such file, check the path|program)/],
    ['empty', '', /is empty|no session|does not end in `\.json`/],
    ['binary', Buffer.from([0xff, 0xfe, 0, 1, 2, 3, 0x9f]), /is not text|not JSON|does not end in/],
    ['big', 'a'.repeat(50 * 1_024 * 1_024), /has 50 MB|longer than|does not end in/],
    ['other.json', '{ "name": "x", "version": "1" }', /no `kind`|kind: expected|trace|no list|tools|member/],
    ['folder', 'folder', /is a folder|has no cases/],
  ]

for (const [name, content, says] of WRONG_FILES)
  test(`a file that is ${name}: every command says what is wrong, and ends with 2`, async (t) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-files-'))
    t.after(() => rm(folder, { recursive: true }))
    const file = path.join(folder, name)
    if (content === 'folder') await mkdir(file)
    else if (content !== undefined) await writeFile(file, content)
    for (const command of FILE_COMMANDS) {
      const { code, stdout, stderr } = await runCli(command.replace('@', file).split(' '))
      const lines = stderr.split('\n').filter((line) => line.startsWith('plimsoll: '))
      assert.equal(lines.length, 1, `${command}: ${stderr}`)
      assert.match(stderr, says, command)
      if (!command.startsWith('fit')) assert.ok(stderr.includes(`\`${file}`), `${command}: ${stderr}`)
      assert.doesNotMatch(stderr, /ENOENT|EISDIR|at async|"level"/, command)
      assert.deepEqual({ code, stdout }, { code: 2, stdout: '' }, command)
    }
  })
