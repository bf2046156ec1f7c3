import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACTS, actSignal } from '@plimsoll/contracts'
import { kindName } from '../../../acts/product-words.js'
import { labelStep } from '../../label-step.js'
import { SHELL } from '../../samples.js'

const stepOf = (command: string) => labelStep('bash', { command }, SHELL, undefined)
const actsOf = (command: string) =>
  ACTS.filter((act) => stepOf(command).signals[actSignal('does', act)] === 1)

test('work that git throws away, by what it is', () => {
  for (const [act, ...commands] of [
    [
      'delete',
      'git branch -D a',
      'git push origin --delete a',
      'git push origin :a',
      'git stash clear',
      'git tag -d v1',
      'git clean -fd',
      'git worktree remove --force ../a',
    ],
    [
      'overwrite',
      'git reset --hard HEAD~2',
      'git checkout .',
      'git checkout -f v2',
      'git switch --discard-changes a',
      'git restore .',
      'git push --force origin a',
      'git push origin +a',
    ],
  ] as const)
    for (const command of commands) assert.deepEqual(actsOf(command), [act], command)
})

test('nothing is lost where git keeps or refuses it', () => {
  for (const command of [
    'git branch -d a',
    'git rm -r old',
    'git remote prune origin',
    'git restore --staged .',
    'git reset HEAD a',
    'git clean -nd',
    'git stash',
    'git checkout main',
    'git push origin a',
  ])
    assert.deepEqual(actsOf(command), [], command)
})

test('a file that is put back loses what was not committed, whatever names it', () => {
  for (const command of [
    'git checkout a.py',
    'git checkout -- a.py',
    'git checkout HEAD~1 -- a.py',
    'git checkout main a.py',
    'git -C . checkout a.py',
    'git restore a.py',
    'git restore -s HEAD~1 a.py',
    'git restore --source=HEAD a.py',
    'git restore -SW a.py',
  ])
    assert.deepEqual(
      stepOf(command).objects.map(({ act, thing, own }) => [act, thing?.replace('./', ''), own]),
      [['change', 'a.py', ['ownthing:edited:a.py']]],
      command,
    )
  for (const command of [
    'git checkout feature/a.b.c~1',
    'git checkout v1.2.3',
    'git checkout -b fix/a.py',
    'git checkout --theirs a.py',
    'git checkout -p a.py',
    'git restore --staged a.py',
  ])
    assert.deepEqual(stepOf(command).objects, [], command)
})

test('a file is edited by what writes it, and by a program that writes and names it; not by what runs elsewhere', () => {
  for (const command of [
    'sed -i s/a/b/ src/a.py',
    'echo a >> src/a.py',
    'cd src && sed -i s/a/b/ a.py',
    `python3 - <<'EOF'\np = 'src/a.py'\nopen(p, 'w').write('')\nEOF`,
    `cat <<'EOF' > fix.py\nwith open('src/a.py', 'w') as f:\n    f.write('')\nEOF`,
    `node -e "fs.writeFileSync('src/a.py', '')"`,
  ])
    assert.ok(stepOf(command).edited.includes('src/a.py'), command)
  for (const command of [
    'cat src/a.py',
    `python3 -c "print(open('src/a.py').read())"`,
    'ssh web02 sed -i s/a/b/ src/a.py',
    'docker exec app sed -i s/a/b/ src/a.py',
    'sed -i s/a/b/ $X/src/a.py',
  ])
    assert.ok(!stepOf(command).edited.some((path) => path.endsWith('a.py')), command)
})

test('a branch is named by itself, a shared one only by a word for force, ignored files by no path', () => {
  assert.ok(stepOf('git push --force origin fix/a').objects[0]?.names.includes('fix/a') === true)
  assert.ok(stepOf('git push --force origin main').objects[0]?.names.includes('main') === false)
  assert.deepEqual(
    stepOf('git clean -fdX -- old').objects.map(({ names }) => names),
    [['ignored', 'untracked']],
  )
})

test('a push without a branch has an object, a tried push has none', () => {
  assert.equal(stepOf('git push --force').objects[0]?.reach, 'shared')
  assert.deepEqual(stepOf('git push --dry-run --force').objects, [])
  const fed = stepOf('git branch -r --merged | xargs -n1 git push origin --delete').objects[0]
  assert.ok(new Set(fed?.names).has('remote'))
  assert.ok(!new Set(fed?.names).has('branch'))
})

test('every branch is named by the history, or by the repository that is pushed to', () => {
  const names = (command: string) =>
    labelStep('bash', { command }, SHELL, undefined).objects.flatMap((object) => object.names)
  const found = names('git push --mirror --force https://git.example.org/eva/atlas.git')
  for (const name of ['eva/atlas', 'atlas', 'history']) assert.ok(found.includes(name), name)
  assert.ok(!names('git push --force origin topic').includes('history'))
})

test('branches of a remote that only the run finds are several, and an expired reflog is a loss', () => {
  const [remote, several] = stepOf('git branch -r --merged | xargs -n1 git push origin --delete').objects
  assert.ok(remote?.names.includes('remote'))
  assert.deepEqual(several?.names, [kindName('severalbranches')])
  const { labels } = stepOf('git reflog expire --expire=now --all')
  assert.deepEqual([labels.capability, labels.reversibility], ['write', 'irreversible'])
  assert.deepEqual(actsOf('git reflog show'), [])
})
