import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCommandLine } from './command-line.js'

const acting = (text: string) =>
  readCommandLine(text)
    .segments()
    ?.filter(({ acts }) => acts)
    .map(({ forms: [text] }) => text)

const SEGMENTS: readonly (readonly [string, readonly string[]])[] = [
  ['docker compose down', ['docker compose down']],
  ['docker  compose \\\n  down -v # all of it', ['docker compose down -v']],
  ['cd app && docker compose down | tail -5; echo done', ['docker compose down']],
  ['ls; pwd; git status', []],
  ['docker compose down >/dev/null 2>&1', ['docker compose down']],
  ['docker compose down > ~/.bashrc', ['docker compose down', '> ~/.bashrc']],
  ['docker compose down >> out.log', ['docker compose down', '>> out.log']],
  ['{ docker compose down; } > out.log', ['> out.log', 'docker compose down']],
  // What comes through a pipe decides what a command does.
  ['echo y | docker compose down', ['echo y', 'docker compose down']],
  ['X=1 docker compose down', ['X=1 docker compose down']],
  ['export X=1; docker compose down', ['export X=1', 'docker compose down']],
  ['X=1; docker compose down', ['X=1', 'docker compose down']],
  [
    'docker compose down "$(terraform destroy)"',
    ['docker compose down "$(terraform destroy)"', 'terraform destroy'],
  ],
  ['(docker compose down) & if ls; then terraform destroy; fi', ['docker compose down', 'terraform destroy']],
  // What later commands do is set up.
  ...[
    'printf -v PATH x',
    'command printf -v PATH x',
    'wait -p PATH',
    'getopts a PATH',
    'let PATH=1',
    'pushd /x',
    'builtin popd',
  ].map((setup) => [`${setup}; docker compose down`, [setup, 'docker compose down']] as const),
  ['printf "%s" x; wait $!; command -v docker; docker compose down', ['docker compose down']],
  ['for PATH in /x; do docker compose down; done', ['for PATH', 'docker compose down']],
  ['docker compose down <<X\n$(terraform destroy)\nX', ['docker compose down', 'terraform destroy']],
]

test('a text is split into its commands, and those that only look are marked', () => {
  for (const [text, expected] of SEGMENTS) assert.deepEqual(acting(text), expected, text)
})

test('the beginning of a command is hidden in turn', () => {
  const masked = (text: string) => readCommandLine(text).segments()?.[0]?.masked
  assert.deepEqual(masked('rm -r docker'), ['\u2423m -r docker'])
  assert.deepEqual(masked('X=1 Y=2 rm a'), ['\u2423=1 Y=2 rm a', 'X=1 \u2423=2 rm a', 'X=1 Y=2 \u2423m a'])
})

test('no text is found in what a word quotes', () => {
  for (const text of [
    'terraform destroy "docker compose down"',
    "sh -c 'x; docker compose down'",
    'terraform destroy $(echo docker compose down)',
    'terraform destroy docker\\ compose\\ down',
    'terraform destroy # docker compose down',
  ])
    for (const { forms } of readCommandLine(text).segments() ?? [])
      if (!forms[0]?.startsWith('echo'))
        assert.ok(!forms.every((form) => form.includes('docker compose down')), text)
  const [commit] = readCommandLine('git commit -m "a b" -- x.ts').segments() ?? []
  assert.deepEqual(commit?.forms, [
    'git commit -m "a b" -- x.ts',
    'git commit -m "a\u2423b" -- x.ts',
    'git commit -m a\u2423b -- x.ts',
  ])
})

test('where it is not certain what runs, there are no segments', () => {
  for (const text of [
    '(',
    'f() { terraform destroy; }; docker compose down',
    'docker compose down $((a[$(terraform destroy)]))',
    'docker compose down "${x@P}"',
    'coproc terraform destroy; docker compose down',
    'docker compose down;'.repeat(65),
    `docker compose down ${'$(x '.repeat(400)}`,
    'x'.repeat(40_000),
  ])
    assert.equal(readCommandLine(text).segments(), undefined, text.slice(0, 80))
})

test('a command is found however it is spelt', () => {
  for (const text of [
    'cd x; terraform destroy',
    'x && "terraform" \'destroy\'',
    '/usr/local/bin/terraform destroy',
    'sudo -u root env X=1 terraform destroy',
    'bash -lc "cd x && terraform destroy"',
    'echo a | xargs terraform destroy',
    'eval "terraform destroy"',
    'find . -exec terraform destroy \\;',
    'echo $(terraform destroy) <(ls)',
    'cat <(terraform destroy)',
    'nohup terraform destroy &',
    'f() { terraform destroy; }; f',
    'x\nterraform destroy\n(',
  ])
    assert.ok(
      readCommandLine(text)
        .spellings()
        ?.some((each) => each.startsWith('terraform destroy')),
      text,
    )
  const many = Array.from({ length: 300 }, (_, i) => `tool${i}`).join(';')
  assert.equal(readCommandLine(many).spellings(), undefined)
})
