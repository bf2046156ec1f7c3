import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { projectRoot } from '../support/paths.js'

interface Locked {
  readonly version?: string
  readonly resolved?: string
  readonly link?: boolean
  readonly peer?: boolean
}
type Packages = Readonly<Record<string, Locked>>

const { whatToInstall } = (await import(
  pathToFileURL(path.join(projectRoot, 'scripts/installed.mjs')).href
)) as { readonly whatToInstall: (root: string, workspace?: string) => string }

const { packages } = JSON.parse(readFileSync(path.join(projectRoot, 'package-lock.json'), 'utf8')) as {
  readonly packages: Packages
}
const only = (keep: (where: string, locked: Locked) => boolean): Packages =>
  Object.fromEntries(Object.entries(packages).filter(([where, locked]) => keep(where, locked)))

const testOnly = ['@plimsoll/test', '@plimsoll/dashboards', '@asyncapi/parser', 'testcontainers', 'prettier']
const isLean = (where: string, { peer }: Locked): boolean =>
  peer !== true && !testOnly.some((name) => where === `node_modules/${name}`)
const lean = only(isLean)
const older = (where: string): Packages => ({ [where]: { ...packages[where], version: '0.0.1' } })

const cases: readonly {
  readonly of: string
  readonly installed: Packages | undefined
  readonly toStart: string
  readonly toTest: string
}[] = [
  { of: 'a fresh clone', installed: undefined, toStart: 'workspace', toTest: 'all' },
  { of: 'what `npm start` installs', installed: lean, toStart: 'nothing', toTest: 'all' },
  { of: 'all of it', installed: packages, toStart: 'nothing', toTest: 'nothing' },
  {
    of: 'no compiler',
    installed: only((where, locked) => isLean(where, locked) && where !== 'node_modules/typescript'),
    toStart: 'workspace',
    toTest: 'all',
  },
  {
    of: 'an older library of a library of the CLI',
    installed: { ...lean, ...older('node_modules/fast-json-stringify') },
    toStart: 'workspace',
    toTest: 'all',
  },
  {
    of: 'an older library in all of it, which stays all of it',
    installed: { ...packages, ...older('node_modules/zod') },
    toStart: 'all',
    toTest: 'all',
  },
  {
    of: 'a package of the workspace in another folder',
    installed: { ...packages, 'node_modules/@plimsoll/chains': { resolved: 'old/chains', link: true } },
    toStart: 'all',
    toTest: 'all',
  },
  {
    of: 'an older framework in all of it',
    installed: { ...packages, ...older('node_modules/ai') },
    toStart: 'nothing',
    toTest: 'all',
  },
]

const root = mkdtempSync(path.join(tmpdir(), 'plimsoll-installed-'))
after(() => rmSync(root, { recursive: true }))

for (const { of, installed, toStart, toTest } of cases)
  test(`to install over ${of}: ${toStart} to start, ${toTest} to test`, () => {
    rmSync(path.join(root, 'node_modules'), { recursive: true, force: true })
    mkdirSync(path.join(root, 'node_modules'))
    writeFileSync(path.join(root, 'package-lock.json'), JSON.stringify({ packages }))
    if (installed !== undefined)
      writeFileSync(
        path.join(root, 'node_modules/.package-lock.json'),
        JSON.stringify({ packages: installed }),
      )
    assert.equal(whatToInstall(root, 'services/cli'), toStart)
    assert.equal(whatToInstall(root), toTest)
  })
