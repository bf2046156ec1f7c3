import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSet } from '../text/data.js'
import { createEffects } from './effects.js'
import { notePackageSources } from './package-sources.js'

const HOSTS = [...readSet('paths', 'packageHosts')]

function sourcesIn(path: string, text: string): string[] {
  const effects = createEffects()
  notePackageSources(path, text, effects)
  assert.ok(effects.objects.every(({ byName, act }) => byName && act === 'persist'))
  return effects.objects.map(({ names }) => names.at(-1) ?? '')
}

test('a file that takes packages from a place that not everybody uses names the place', () => {
  for (const [path, text] of [
    ['.npmrc', 'registry=https://packages.example.org/npm/'],
    ['web/.npmrc', '//packages.example.org/:_authToken=x\n@acme:registry = https://packages.example.org/'],
    ['/home/eva/.config/pip/pip.conf', '[global]\nextra-index-url = https://packages.example.org/simple'],
    ['app\\.cargo\\config.toml', '[source.near]\nregistry = "sparse+https://packages.example.org/index/"'],
    ['.yarnrc.yml', 'npmRegistryServer: "https://packages.example.org"'],
    ['NuGet.Config', '<add key="near" value="https://packages.example.org/v3/index.json" />'],
    ['.condarc', 'channels:\n  - https://packages.example.org/conda'],
  ] as const)
    assert.deepEqual(sourcesIn(path, text), ['packages.example.org'], path)
})

test('a host whose customers give packages of their own is none that everybody uses', () => {
  for (const host of [
    'near.jfrog.io',
    'near.s3.eu-west-1.amazonaws.com',
    'dl.cloudsmith.io',
    'pypi.fury.gemfury.com',
  ])
    assert.deepEqual(sourcesIn('.npmrc', `registry=https://${host}/`), [host], host)
})

test('places that everybody uses, the own network and other files are none', () => {
  assert.ok(HOSTS.length > 20)
  for (const [path, text] of [
    ...HOSTS.map((host) => ['.npmrc', `registry=https://${host}/`] as const),
    ['.npmrc', '# see https://docs.example.org/npm\nsave-exact=true'],
    ['.npmrc', 'registry=https://npm.shop.internal/'],
    ['pip.conf', 'index-url = https://download.pytorch.org/whl/cpu'],
    ['.cargo/config.toml', '[build]\ntarget-dir = "out"'],
    ['src/config.toml', 'registry = "https://packages.example.org"'],
    ['README.md', 'registry=https://packages.example.org/'],
  ] as const)
    assert.deepEqual(sourcesIn(path, text), [], `${path} ${text}`)
})
