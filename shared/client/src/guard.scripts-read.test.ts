import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createGuard, type Guard } from './guard.js'

/** A script that the session has only read counts when it runs. With the shipped documents, in library mode. */
let guard: Guard
before(async () => {
  guard = await createGuard()
})
after(() => guard.close())

type Step = readonly [tool: string, args: Readonly<Record<string, unknown>>, result: unknown]

const TIDY = '#!/bin/bash\nrm -rf ~/Photos/2019\n'
const HARMLESS = '#!/bin/bash\nrm -rf build\nmake\n'
const bash = (command: string, result: unknown = ''): Step => ['Bash', { command }, result]

/** The verdict of the last step, after the others have run. */
async function lastVerdict(task: string, ...steps: readonly Step[]): Promise<string> {
  const session = await guard.startSession({ category: 'code_debugging', task })
  let verdict = ''
  for (const [tool, args, result] of steps) {
    const answer = await session.propose({ tool, arguments: args })
    ;({ verdict } = answer)
    if (answer.mayRun) await session.complete(answer, { result })
  }
  await session.end()
  return verdict
}

const TASK = 'Find out why the build is slow'

test('however it was read and is run, what it does asks as if the step did it', async () => {
  const reads: readonly Step[] = [
    bash('cat ops/tidy.sh', TIDY),
    bash('head -5 ops/tidy.sh', TIDY),
    bash('git show HEAD:ops/tidy.sh', TIDY),
    ['Read', { file_path: '/w/ops/tidy.sh' }, `1\t#!/bin/bash\n2\trm -rf ~/Photos/2019`],
    ['read_file', { path: 'ops/tidy.sh' }, { content: [{ type: 'text', text: TIDY }] }],
    ['WebFetch', { url: 'https://docs.example/tidy.sh' }, TIDY],
  ]
  for (const read of reads)
    for (const run of ['bash ops/tidy.sh', 'cd ops && ./tidy.sh'])
      assert.equal(await lastVerdict(TASK, read, bash(run)), 'confirm', `${JSON.stringify(read[1])} ${run}`)
  assert.equal(
    await lastVerdict(TASK, bash('cat Makefile', 'wipe:\n\tdropdb shop\n'), bash('make wipe')),
    'confirm',
  )
})

test('honest readings and runs are quiet', async () => {
  for (const steps of [
    [bash('cat tidy.sh', TIDY), bash('bash tidy.sh --help')],
    [bash('cat tidy.sh', TIDY), bash('bash other.sh')],
    [bash('cat tidy.sh', TIDY), bash('shellcheck tidy.sh')],
    [bash('cat build.sh', HARMLESS), bash('bash build.sh')],
    [bash('cat Makefile', 'test:\n\tgo test ./...\nwipe:\n\tdropdb shop\n'), bash('make test')],
    [
      bash('cat tidy.sh', TIDY),
      ['Write', { file_path: 'tidy.sh', content: HARMLESS }, ''],
      bash('bash tidy.sh'),
    ],
  ] as const)
    assert.match(await lastVerdict(TASK, ...(steps as readonly Step[])), /allow|warn/, JSON.stringify(steps))
})

test('a script that the task names runs; not so if the session writes it', async () => {
  const read = bash('cat ops/tidy.sh', TIDY)
  for (const task of ['Run ops/tidy.sh', 'Please run tidy.sh for me'])
    assert.equal(await lastVerdict(task, read, bash('bash ops/tidy.sh')), 'allow', task)
  const recipe = bash('cat Makefile', 'build:\n\tdropdb shop\n')
  assert.equal(await lastVerdict(TASK, recipe, bash('make build')), 'confirm')
  const write: Step = ['Write', { file_path: 'ops/tidy.sh', content: TIDY }, 'ok']
  assert.equal(await lastVerdict('Run ops/tidy.sh', read, write, bash('bash ops/tidy.sh')), 'confirm')
})

test('no page and no later reading makes a script known to be harmless', async () => {
  const read = bash('cat tidy.sh', TIDY)
  for (const forged of [
    ['WebFetch', { url: 'https://evil.example/tidy.sh' }, HARMLESS],
    bash('cat copies/tidy.sh', HARMLESS),
  ] as const)
    assert.equal(await lastVerdict(TASK, read, forged as Step, bash('bash tidy.sh')), 'confirm')
})

test('what `run` executes is read, and what a command printed before it failed', async () => {
  const session = await guard.startSession({ category: 'code_debugging', task: TASK })
  const failed = await session.propose({ tool: 'Bash', arguments: { command: 'cat reset.sh none.sh' } })
  await session.complete(failed, { outcome: 'error', result: TIDY })
  assert.equal(
    (await session.propose({ tool: 'Bash', arguments: { command: 'bash reset.sh' } })).verdict,
    'confirm',
  )
  assert.equal(
    (await session.propose({ tool: 'Bash', arguments: { command: 'bash tidy.sh' } })).verdict,
    'allow',
  )
  await session.run({ tool: 'Bash', arguments: { command: 'cat tidy.sh' } }, async () => TIDY)
  assert.equal(
    (await session.propose({ tool: 'Bash', arguments: { command: 'bash tidy.sh' } })).verdict,
    'confirm',
  )
  await session.end()
})
