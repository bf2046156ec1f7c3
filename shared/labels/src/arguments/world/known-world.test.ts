import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CatalogueEntry, World } from '@plimsoll/contracts'
import { createEffects } from '../effects.js'
import { labelStep } from '../label-step.js'
import { readWorld } from './known-world.js'
import { isThrownAway } from './thrown-away.js'

const BASH: CatalogueEntry = {
  tools: ['bash'],
  labels: {
    capability: 'execute',
    confidentiality: 'internal',
    trust: 'untrusted',
    reversibility: 'partial',
  },
  least: { capability: 'read', reversibility: 'reversible' },
  arguments: [{ in: 'command', as: 'shell' }],
}
const OURS = { domains: ['example.com', '*.example.com'] }

const label = (command: string, world: World | undefined, tool = 'bash') =>
  labelStep(tool, { command }, BASH, OURS, { world })
const reachesOf = (command: string, world: World) => label(command, world).objects.map(({ reach }) => reach)

test('only programs of the agent are contained, and only what is not seen to reach out', () => {
  const contained = (command: string, tool?: string) =>
    label(command, { network: 'none' }, tool).signals.contained
  assert.equal(contained('python a.py'), 1)
  assert.equal(contained('./run'), 1)
  assert.equal(contained('ls'), undefined)
  assert.equal(contained('curl https://example.com'), undefined)
  assert.equal(contained('docker run x && python a.py'), undefined)
  assert.equal(contained('python a.py', 'mcp__box__bash'), undefined)
})

test('hosts contain if all of them are inside', () => {
  const isContained = (...hosts: string[]) => readWorld({ network: { hosts } }, OURS, 'programs').isContained
  assert.equal(isContained('example.com', 'a.example.com', '*.example.com', '*.a.example.com'), true)
  assert.equal(isContained('localhost', '10.0.0.7'), true)
  for (const host of ['*.com', '*.example.org', 'pypi.org', 'badexample.com'])
    assert.equal(isContained('example.com', host), false, host)
  assert.equal(
    readWorld({ network: { hosts: ['*.example.com'] } }, { domains: ['example.com'] }, 'programs')
      .isContained,
    false,
  )
  assert.equal(readWorld({}, OURS, 'programs').isContained, false)
})

test('the reach of a path follows the declared folder and the machine', () => {
  assert.deepEqual(reachesOf('rm /srv/app/data.csv /srv/application/data.csv', { folder: '/srv/app/' }), [
    'project',
    'shared',
  ])
  assert.deepEqual(reachesOf('rm /srv/app/../x.csv', { folder: '/srv/app' }), ['shared'])
  assert.deepEqual(reachesOf('rm data.csv /opt/a/b', { disposable: true }), ['disposable', 'disposable'])
  assert.deepEqual(reachesOf('rm -rf .claude/settings.json', { disposable: true }), ['control'])
})

test('a file tool of the agent knows the folder; a machine that is thrown away is one for programs alone', () => {
  const entry: CatalogueEntry = {
    tools: ['delete_file'],
    labels: { capability: 'write', reversibility: 'irreversible' },
  }
  const reach = (tool: string, path: string) =>
    labelStep(tool, { path }, entry, OURS, { world: { folder: '/srv/app', disposable: true } }).objects[0]
      ?.reach
  assert.equal(reach('delete_file', '/srv/app/data.csv'), 'project')
  assert.equal(reach('Delete', '/srv/app/data.csv'), 'project')
  assert.equal(reach('delete_file', '/opt/a/b'), 'shared')
  assert.equal(reach('mcp__drive__delete_file', '/srv/app/data.csv'), 'shared')
})

test('a loss without an object hides behind no disposable one', () => {
  const both = 'rm -rf /opt/a/b && mongosh --eval "db.dropDatabase()"'
  assert.deepEqual(reachesOf(both, { disposable: true }), ['shared', undefined])
  const named = 'rm -rf /opt/a/b && aws s3 rm s3://b --recursive'
  assert.equal(reachesOf(named, { disposable: true })[0], 'disposable')
})

test('what may hold what guards the agent is not thrown away', () => {
  const effects = (folder?: string) =>
    createEffects(
      readWorld({ disposable: true, ...(folder !== undefined && { folder }) }, undefined, 'programs'),
    )
  for (const path of [
    '/opt/data',
    '/opt/data/*',
    '/home/ann/app/x',
    '~/a/b',
    'logs',
    './logs/a.csv',
    '/tmp/x/y',
  ])
    assert.equal(isThrownAway(path, effects()), true, path)
  for (const path of [
    '/',
    '/opt',
    '/*',
    '/opt/*',
    '~',
    '~/',
    '~/*',
    '~/app',
    '/home/ann',
    '/home/ann/app',
    '/home/*/x',
    '.',
    './',
    '*',
    './*',
    '..',
    '../x',
    '.claude',
    '~/.config/x',
    '/opt/data/.claude',
    '/etc/x/y',
    '/usr/local/x',
    '/var/log/x',
    '/mnt/x/y',
    '/opt/Plimsoll/x',
    '$HOME/x',
    '/opt/$x',
    '/opt/da*/x',
    '/opt/data/.*',
    '//host/share/x/y',
    'opt',
    `/${'a/'.repeat(400)}`,
  ])
    assert.equal(isThrownAway(path, effects()), false, path)
  for (const path of ['/opt/data', '/opt/data/app', '/opt/data/app/..'])
    assert.equal(isThrownAway(path, effects('/opt/data/app')), false, path)
  assert.equal(isThrownAway('/opt/data/app/x', effects('/opt/data/app')), true)
  assert.equal(isThrownAway('/opt/data', createEffects()), false)
})

test('names of production are words of a command that changes something', () => {
  const isLive = (command: string) =>
    reachesOf(command, { production: ['blue', 'Orders-DB'] }).includes('live')
  for (const command of [
    'kubectl --context blue scale deploy x --replicas=1',
    'kubectl --context=BLUE apply -f x.yaml',
    'mytool migrate orders-db.example.com',
    'sudo mytool migrate --env blue',
    'STAGE=blue python manage.py migrate',
  ])
    assert.equal(isLive(command), true, command)
  for (const command of [
    'cat blue',
    'kubectl --context blue get pods',
    'mytool migrate blues',
    'mytool apply blue.yaml',
    'mytool --dry-run blue',
  ])
    assert.equal(isLive(command), false, command)
})
