import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '../../support/paths.js'
import { runCli } from '../cli-process.js'

test('the cases of the project and of the calendar agent pass', async () => {
  const own = await runCli(['policy', 'test', 'test/cases'])
  assert.deepEqual([own.code, own.stderr], [0, ''], own.stdout)
  assert.match(own.stdout, /^ok {2}test\/cases\/leak-by-email\.json: reading mail and sending some asks/m)
  const calendar = 'examples/calendar'
  const given = ['--policy', `${calendar}/policy.yaml`, '--tools', `${calendar}/catalogue.yaml`]
  const { code, stdout, stderr } = await runCli(['policy', 'test', `${calendar}/cases.yaml`, ...given])
  assert.deepEqual([code, stderr], [0, ''], stdout)
  assert.match(
    stdout,
    /^ok {2}examples\/calendar\/cases\.yaml: once private events were read, nobody outside/m,
  )
  assert.match(stdout, /^\d+ passed, 0 failed$/m)
})

test('a failing case shows the actual answer; a policy can be given', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-policy-test-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'case.yaml')
  await writeFile(
    file,
    'name: a file is written\nevents: [{ type: session.started }, { tool: write_file }]\nexpect: [{ verdict: allow }]\n',
  )
  const own = path.join(folder, 'own.yaml')
  const shipped = await readFile(path.join(projectRoot, 'shared/policy/policies/default.yaml'), 'utf8')
  await writeFile(
    own,
    shipped.replace('specs: []', 'specs: [{ id: no-files, tier: blocklist, tools: [write_file] }]'),
  )
  assert.equal((await runCli(['policy', 'test', file])).code, 0)
  const failed = await runCli(['policy', 'test', file, '--policy', own])
  assert.equal(failed.code, 1)
  assert.match(
    failed.stdout,
    /^not ok .*case\.yaml: a file is written\n {8}expect\.0\.verdict: expected "allow", got "block" of e1 write_file block \[no-files\]\n0 passed, 1 failed$/m,
  )
  const json = await runCli(['policy', 'test', file, '--policy', own, '--json'])
  const { passed, cases } = JSON.parse(json.stdout) as { passed: number; cases: { problems: string[] }[] }
  assert.deepEqual([json.code, passed, cases[0]?.problems.length], [1, 0, 1])
  const none = await runCli(['policy', 'test', path.join(folder, 'none')])
  assert.deepEqual([none.code, none.stdout], [2, ''])
  assert.match(none.stderr, /none` cannot be read/)
})
