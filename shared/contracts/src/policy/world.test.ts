import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinWorlds, worldSchema } from './world.js'

const problemOf = (value: unknown): string =>
  worldSchema
    .safeParse(value)
    .error?.issues.map(({ message }) => message)
    .join('; ') ?? ''

test('accepts each member alone, and all of them', () => {
  for (const world of [
    {},
    { network: 'none' },
    { network: { hosts: ['pypi.org', '*.example.com', '10.0.0.7', 'localhost'] } },
    { disposable: true },
    { folder: '/srv/app' },
    { folder: 'C:\\work' },
    { production: ['blue', 'arn:aws:eks/prod-1', 'db.example.com'] },
    { network: 'none', disposable: true, folder: '/srv/app', production: [] },
  ])
    assert.equal(problemOf(world), '', JSON.stringify(world))
})

test('says what is expected of a member', () => {
  for (const [world, problem] of [
    [{ network: 'off' }, 'expected `none`, or `hosts` with a list of host names'],
    [{ network: { hosts: ['https://example.com'] } }, 'expected a host in lower case'],
    [{ network: { hosts: [] } }, 'expected at least one host'],
    [{ disposable: false }, 'expected true'],
    [{ folder: '/' }, 'expected an absolute path below the root'],
    [{ folder: './app' }, 'expected an absolute path below the root'],
    [{ production: ['a b'] }, 'expected a name of 2 to 128'],
    [{ production: ['x'] }, 'expected a name of 2 to 128'],
    [{ offline: true }, 'offline'],
  ] as const)
    assert.ok(problemOf(world).includes(problem), `${JSON.stringify(world)}: ${problemOf(world)}`)
})

test('later worlds replace members as a whole', () => {
  const base = { network: 'none', production: ['blue'] } as const
  const own = { production: ['green'], folder: '/srv/app' }
  const declared = { ...base, production: ['blue'] }
  assert.deepEqual(joinWorlds(declared, own), { network: 'none', production: ['green'], folder: '/srv/app' })
  assert.equal(joinWorlds(undefined, own), own)
  assert.equal(joinWorlds(undefined, undefined), undefined)
})
