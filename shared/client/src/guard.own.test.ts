import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { createGuard, type Guard } from './guard.js'

/** Deleting what this session made is quiet; deleting what it found asks. With the shipped documents, in library mode. */
let guard: Guard
before(async () => {
  guard = await createGuard()
})
after(() => guard.close())

interface Ran {
  readonly command: string
  readonly outcome?: 'ok' | 'error'
}

/** The verdict of the last command, after the others have run. A command that waits is approved. */
async function lastVerdict(...commands: readonly (string | Ran)[]): Promise<string> {
  const session = await guard.startSession({ category: 'other', task: 'Find out why the build fails' })
  let verdict = ''
  for (const each of commands) {
    const { command, outcome = 'ok' } = typeof each === 'string' ? { command: each } : each
    const answer = await session.propose({ tool: 'bash', arguments: { command } })
    ;({ verdict } = answer)
    const ran =
      verdict === 'confirm' ? await guard.approve(answer, { by: 'ann', resolution: 'approved' }) : answer
    if (ran.mayRun) await session.complete(ran, { outcome, result: '' })
  }
  await session.end()
  return verdict
}

test('a folder that the session made is deleted without a question', async () => {
  for (const [made, deleted] of [
    ['mkdir repro_app && touch repro_app/a.py', 'rm -rf repro_app'],
    ['mkdir -p work/a', 'rm -rf work/a/b'],
    ['git clone https://github.com/acme/harbour.git', 'rm -rf harbour'],
    ['cd /srv/app && mkdir old', 'cd /srv/app && rm -rf old'],
    ['cd /srv/app && mkdir old', 'rm -rf /srv/app/old'],
  ] as const)
    assert.match(await lastVerdict(made, deleted), /allow|warn/, deleted)
})

test('a folder that `mkdir -p` may have found is own if it was not there, or may be new by its name', async (t) => {
  const localFolder = mkdtempSync(path.join(tmpdir(), 'own-'))
  t.after(() => rmSync(localFolder, { recursive: true }))
  mkdirSync(path.join(localFolder, 'data'))
  const verdictIn = async (folder: string | undefined, made: string, deleted: string): Promise<string> => {
    const session = await guard.startSession({
      category: 'other',
      task: 'Find out why the build fails',
      ...(folder !== undefined && { localFolder: folder }),
    })
    const first = await session.propose({ tool: 'bash', arguments: { command: made } })
    await session.complete(first, { outcome: 'ok', result: '' })
    const { verdict } = await session.propose({ tool: 'bash', arguments: { command: deleted } })
    await session.end()
    return verdict
  }
  assert.equal(await verdictIn(localFolder, 'mkdir -p data', 'rm -rf data'), 'confirm')
  assert.equal(await verdictIn(localFolder, 'mkdir -p exports', 'rm -rf exports'), 'allow')
  assert.equal(await verdictIn(undefined, 'mkdir -p exports', 'rm -rf exports'), 'confirm')
  assert.equal(await verdictIn(undefined, 'mkdir -p spike/parser', 'rm -rf spike/parser'), 'allow')
  assert.equal(await verdictIn(undefined, 'echo a > customers.csv', 'rm customers.csv'), 'confirm')
})

test('a folder that the session found is not', async () => {
  for (const commands of [
    ['rm -rf thesis'],
    ['ls thesis', 'rm -rf thesis'],
    ['mkdir other', 'rm -rf thesis'],
    ['mkdir thesis/new', 'rm -rf thesis'],
    ['mkdir thesis', 'rm -rf thesis customer-exports'],
    ['mkdir thesis', 'cd .. && rm -rf thesis'],
    ['mkdir thesis', 'rm -rf ~/thesis'],
  ])
    assert.equal(await lastVerdict(...commands), 'confirm', commands.join('; '))
})

test('a `mkdir` that failed or has not run makes nothing own', async () => {
  assert.equal(await lastVerdict({ command: 'mkdir thesis', outcome: 'error' }, 'rm -rf thesis'), 'confirm')
  const session = await guard.startSession({ category: 'other' })
  await session.propose({ tool: 'bash', arguments: { command: 'mkdir thesis' } })
  const { verdict } = await session.propose({ tool: 'bash', arguments: { command: 'rm -rf thesis' } })
  assert.equal(verdict, 'confirm')
  await session.end()
})

test('what was deleted with approval, and is there again, was made by the session', async () => {
  assert.match(await lastVerdict('rm -rf proj', 'bash setup.sh', 'rm -rf proj'), /allow|warn/)
})

test('a file goes back to what was committed without a question if this session has changed it', async () => {
  for (const edit of [
    'sed -i s/a/b/ src/a.py',
    `cat <<'EOF' > fix.py\nopen('src/a.py', 'w').write('')\nEOF`,
    'rm -f src/a.py',
  ])
    assert.match(await lastVerdict(edit, 'git checkout src/a.py'), /allow|warn/, edit)
  for (const before of [[], ['sed -i s/a/b/ src/b.py'], ['cat src/a.py']])
    for (const restore of ['git checkout -- src/a.py', 'git restore src/a.py', 'git -C . checkout src/a.py'])
      assert.equal(await lastVerdict(...before, restore), 'confirm', restore)
  // It is no right to delete the file.
  assert.equal(await lastVerdict('echo a >> customers.csv', 'rm customers.csv'), 'confirm')
})

test('what the session started is stopped without a question, other programs only if the task names them', async () => {
  for (const [start, stop] of [
    ['docker compose up -d', 'docker compose down'],
    ['python server.py &', 'kill 1234'],
  ] as const) {
    assert.match(await lastVerdict(start, stop), /allow|warn/, stop)
    assert.equal(await lastVerdict(stop), 'confirm', stop)
  }
  const session = await guard.startSession({ category: 'other', task: 'Stop nginx and look at its log' })
  const answer = await session.propose({ tool: 'bash', arguments: { command: 'systemctl stop nginx' } })
  assert.equal(answer.verdict, 'allow')
  await session.end()
})

test('where the files are here, what is committed goes without a question and what is not asks, in every language', async (t) => {
  const localFolder = mkdtempSync(path.join(tmpdir(), 'own-'))
  t.after(() => rmSync(localFolder, { recursive: true }))
  for (const name of ['thesis.tex', 'helper.py']) writeFileSync(path.join(localFolder, name), name)
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-C', localFolder, ...args])
  git('init', '-q')
  git('add', 'thesis.tex')
  git('commit', '-qm', 'one')
  const session = await guard.startSession({
    category: 'other',
    task: 'Find out why the build fails',
    localFolder,
  })
  const verdictOf = async (tool: string, args: Record<string, string>) =>
    (await session.propose({ tool, arguments: args })).verdict
  for (const [name, expected] of [
    ['thesis.tex', /allow|warn/],
    ['helper.py', /confirm/],
  ] as const) {
    for (const command of [
      `rm ${name}`,
      `python3 -c "import os; os.remove('${name}')"`,
      `node -e "fs.unlinkSync('${name}')"`,
      `pwsh -c "Remove-Item ${name}"`,
      `git add ${name}; rm ${name}`,
    ])
      assert.match(await verdictOf('bash', { command }), expected, command)
    assert.match(await verdictOf('delete_file', { path: name }), expected, name)
  }
  assert.match(await verdictOf('bash', { command: 'git checkout thesis.tex' }), /allow|warn/)
  appendFileSync(path.join(localFolder, 'thesis.tex'), 'more')
  assert.equal(await verdictOf('bash', { command: 'git checkout thesis.tex' }), 'confirm')
  assert.equal(await verdictOf('bash', { command: 'rm thesis.tex' }), 'confirm')
  assert.equal(await verdictOf('bash', { command: 'rm -rf .git' }), 'confirm')
  await session.end()
})

test('a database runs a file that the session wrote and that loses nothing', async () => {
  const write = (sql: string) => `cat > up.sql <<'EOF'\n${sql}\nEOF`
  const clean = write("UPDATE users SET plan = 'pro' WHERE id = 41;")
  assert.match(await lastVerdict(clean, 'sqlite3 app.db < up.sql'), /allow|warn/)
  for (const before of [
    [],
    [write('DELETE FROM users;')],
    [clean, write('DELETE FROM users;')],
    [clean, 'cp other.sql up.sql'],
    [clean, 'curl -o up.sql https://a.example.org/up.sql'],
  ])
    assert.equal(await lastVerdict(...before, 'sqlite3 app.db < up.sql'), 'confirm', before.join(' && '))
})

test('a loss of what only the run shows is not hidden behind one of something own', async () => {
  for (const loss of [
    'mongosh --host db --eval "db.dropDatabase()"',
    'rm -rf "$OTHER"',
    'docker volume rm theirs',
  ])
    assert.equal(await lastVerdict('mkdir x', `rm -rf x && ${loss}`), 'confirm', loss)
})

test('another act than a loss asks also for what is own', async () => {
  assert.equal(await lastVerdict('mkdir site', 'rm -rf site && npm publish'), 'confirm')
})
