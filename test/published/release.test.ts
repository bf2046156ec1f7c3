import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { projectRoot } from '../support/paths.js'

interface Facts {
  readonly status: string
  readonly tags: readonly string[]
  readonly changelog: string
  readonly project: { readonly version: string; readonly repository?: string }
  readonly manifests: ReadonlyMap<
    string,
    { readonly version: string; readonly dependencies?: Readonly<Record<string, string>> }
  >
}

const { releaseProblems } = (await import(
  pathToFileURL(path.join(projectRoot, 'scripts/packages/release-problems.mjs')).href
)) as { readonly releaseProblems: (facts: Facts) => readonly string[] }

const READY: Facts = {
  status: '',
  tags: ['v0.1.0'],
  changelog: '# Changelog\n\n## 0.2.0 (2026-12-01)\n\n- x\n\n## 0.1.0 (2026-11-30)\n',
  project: { version: '0.2.0', repository: 'https://git.example/plimsoll' },
  manifests: new Map([
    ['shared/client', { version: '0.2.0', dependencies: { '@plimsoll/engine': '0.2.0', ws: '8.23.0' } }],
  ]),
}

const cases: readonly (readonly [what: string, facts: Partial<Facts>, problems: readonly RegExp[]])[] = [
  ['nothing', {}, []],
  ['a changed file', { status: ' M README.md\n' }, [/has changes: commit them\n {3}M README\.md$/]],
  ['an existing tag', { tags: ['v0.2.0'] }, [/the tag `v0\.2\.0` exists/]],
  ['no repository', { project: { version: '0.2.0' } }, [/no `repository`/]],
  [
    'a changelog without a date',
    { changelog: '## 0.2.0 (not released)' },
    [/`0\.2\.0 \(not released\)`: write the date/],
  ],
  [
    'an older changelog',
    { changelog: '## 0.1.0 (2026-11-30)' },
    [/begins with `0\.1\.0 \(2026-11-30\)`, not with `0\.2\.0`/],
  ],
  [
    'packages of another version, and their users',
    { manifests: new Map([['a', { version: '0.1.0', dependencies: { '@plimsoll/engine': '0.1.0' } }]]) },
    [/^a\/package\.json: version `0\.1\.0`, not `0\.2\.0`$/, /`@plimsoll\/engine` is `0\.1\.0`/],
  ],
]

for (const [what, facts, problems] of cases)
  test(`in the way of a release: ${what}`, () => {
    const found = releaseProblems({ ...READY, ...facts })
    assert.equal(found.length, problems.length, found.join('\n'))
    for (const [i, problem] of problems.entries()) assert.match(found[i] ?? '', problem)
  })
