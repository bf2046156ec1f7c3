import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelStep } from '../../label-step.js'
import { SHELL } from '../../samples.js'

const step = (command: string) => labelStep('bash', { command }, SHELL, undefined)
/** The first names of what is set: each file or the value, then each place. */
const set = (command: string): string[] => step(command).objects.map(({ names }) => names[0] ?? '')

test('values of a service come from files, and go to places, that a task has to name', () => {
  for (const [command, names] of [
    ['vercel env add API_KEY preview < .env.qa', ['.env.qa', 'preview']],
    ['grep ^API_KEY= conf/qa.env | cut -d= -f2 | vercel env add API_KEY preview', ['conf/qa.env', 'preview']],
    ['railway variables --set "API_KEY=$(cat .env.qa)" -s web -e qa', ['.env.qa', 'web', 'qa']],
    ['gh secret set API_KEY -R eva/shop --body "$(cat ~/keys/api)"', ['~/keys/api', 'eva/shop']],
    ['gh secret set -f .env.qa --env qa', ['.env.qa', 'qa']],
    ['fly secrets import -a shop < .env.qa', ['.env.qa', 'shop']],
    ['heroku config:set LEVEL=3 -a shop', ['LEVEL', 'shop']],
    ['wrangler secret bulk qa.json --name edge', ['qa.json', 'edge']],
    ['netlify env:set LEVEL 3 --context deploy-preview', ['LEVEL', 'deploy-preview']],
    ['supabase secrets set --env-file .env.qa --project-ref abcd', ['.env.qa', 'abcd']],
  ] as const) {
    const { objects, signals } = step(command)
    assert.deepEqual(set(command), names, command)
    assert.ok(objects.every(({ byName, kind, act }) => byName && kind === 'setting' && act === 'change'))
    assert.equal(signals.complete, 1, command)
  }
})

test('what else such a command takes along is not known', () => {
  for (const command of [
    'vercel env add API_KEY preview --token x',
    './tool | vercel env add API_KEY preview',
    'curl -s https://a.example.org | gh secret set API_KEY',
    'heroku config:set API_KEY=$KEY -a shop',
    'heroku config:set API_KEY=$(./tool) -a shop',
    'gh secret set API_KEY < .env.qa; ./tool',
  ])
    assert.notEqual(step(command).signals.complete, 1, command)
  for (const command of ['railway variables -s web', 'vercel env ls', 'heroku config -a shop'])
    assert.deepEqual(set(command), [], command)
})

test('a text that only reads files and sets values fills none', () => {
  const fills = (command: string): boolean => step(command).signals.readsFile !== 1
  assert.ok(!fills('cat .env.qa | vercel env add API_KEY preview'))
  assert.ok(!fills('railway variables --set "A=$(cat .env.qa)" > /dev/null && railway redeploy -s web -y'))
  assert.ok(fills('cat .env.qa | tee a | vercel env add API_KEY preview'))
  assert.ok(fills('cat .env.qa > a; vercel env add API_KEY preview < a'))
  assert.ok(fills("sed -i 's/a/b/' a; vercel env add API_KEY preview < a"))
})
