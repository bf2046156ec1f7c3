import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRunTexts } from './code-strings.js'
import { labelStep } from './label-step.js'
import { CODE } from './samples.js'

function read(text: string): readonly string[] {
  const found: string[] = []
  readRunTexts(text, {
    shell: (command) => found.push(`shell ${command.join('|')}`),
    sql: (statement) => found.push(`sql ${statement}`),
    written: (path) => found.push(`written ${path}`),
  })
  return found
}

test('finds the texts that a program runs, sends to a database or writes to', () => {
  for (const [text, expected] of [
    ["os.system('scp a b:')", ['shell scp a b:']],
    ['os.popen("echo \\"a\\"")', ['shell echo "a"']],
    ["subprocess.run(['git', 'push', '--force'], check=True)", ['shell git|push|--force']],
    ["subprocess.run(['git', name])", ['shell git']],
    ['execSync(`rm -rf a`)', ['shell rm -rf a']],
    ['c.execute("""UPDATE a\nSET b = 1""")', ['sql UPDATE a\nSET b = 1']],
    ["open('/etc/cron.d/x', 'w').write(a)", ['written /etc/cron.d/x']],
    ["open('a', mode='ab')", ['written a']],
    ["zipfile.ZipFile('a.zip', 'w').write(b)", ['written a.zip']],
    ["shutil.make_archive('a', 'zip', d)", ['written a']],
    ["zipfile.ZipFile('a.zip')", []],
    ['!scp a b:', ['shell scp a b:']],
    ["open('a')", []],
    ["open('a', 'rb')", []],
    ["agent.run('delete it')", []],
    ["exec('import os')", []],
    ['os.system(command)', []],
    ['a != b', []],
  ] as const)
    assert.deepEqual(read(text), expected, text)
})

test('such texts count like those of a shell or a database', () => {
  const step = (code: string) => labelStep('python', { code }, CODE, undefined)
  for (const code of [
    "import os\nos.system('kubectl scale deploy --all --replicas=0')",
    "import sqlite3\nsqlite3.connect('a.db').execute(\"UPDATE a SET b = 'x'\")",
    'import pymongo\npymongo.MongoClient().prod.users.delete_many({})',
    "import boto3\nboto3.client('ec2').stop_instances(InstanceIds=['i'])",
  ])
    assert.equal(step(code).signals.doesDelete, 1, code)
  assert.equal(step("open('/root/.ssh/authorized_keys', 'a').write(a)").signals.doesGrant, 1)
  assert.equal(step("import os\nos.system('ls -l')").signals.doesDelete, undefined)
})

test('is not slow on any text', () => {
  for (const text of ["system('".repeat(20_000), 'open("a",'.repeat(20_000), `run([${"'a',".repeat(40_000)}`])
    assert.ok(read(text).length <= 64)
})
