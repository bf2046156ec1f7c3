import assert from 'node:assert/strict'
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Decision } from '@plimsoll/contracts'
import type { Answer } from '../answer.js'
import { createKeptApprovals } from './kept-approvals.js'

type Terms = NonNullable<Decision['approval']>

const OFFERED = 'a digest of the tool and its server'
const NOW = 1_000
const DAY = 86_400_000

interface Asked {
  readonly tool?: string
  readonly argumentsDigest?: string
  readonly reasons?: readonly string[]
  readonly terms?: Partial<Terms>
}

function asked({
  tool = 'frob',
  argumentsDigest = 'd1',
  reasons = ['tool_unlabelled'],
  terms,
}: Asked = {}): Answer {
  const approval: Terms = {
    capability: 'write',
    reversibility: 'partial',
    isLabelled: false,
    acts: [],
    scopes: ['once', 'session', 'always'],
    always: { arguments: 'any', days: 30 },
    ...terms,
  }
  const listed = reasons.map((code) => ({ source: 'unlabelled', code, verdict: 'confirm', message: code }))
  const decision = { tool, argumentsDigest, reasons: listed, approval } as unknown as Decision
  return { callId: 'c', tool, verdict: 'confirm', mayRun: false, by: 'decision', decision }
}

async function folderOf(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kept-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return path.join(folder, 'always')
}

const KEY = '0'.repeat(64)

const keptIn = (folder: string, at = NOW) =>
  createKeptApprovals({ folder, key: async () => KEY, now: () => at })

const same = { always: { arguments: 'same', days: 30 } } as const

const cases: readonly {
  readonly what: string
  readonly kept?: Asked
  readonly next?: Asked
  readonly offered?: string
  readonly at?: number
  readonly isFound: boolean
}[] = [
  { what: 'the same step', isFound: true },
  { what: 'other arguments, where the policy permits any', next: { argumentsDigest: 'd2' }, isFound: true },
  { what: 'a milder step', next: { terms: { capability: 'read' } }, isFound: true },
  {
    what: 'other arguments',
    kept: { terms: same },
    next: { argumentsDigest: 'd2', terms: same },
    isFound: false,
  },
  {
    what: 'other arguments, once the policy permits only the same',
    next: { argumentsDigest: 'd2', terms: same },
    isFound: false,
  },
  {
    what: 'other arguments than those approved, once the policy permits any',
    kept: { terms: same },
    next: { argumentsDigest: 'd2' },
    isFound: false,
  },
  { what: 'another tool', next: { tool: 'frab' }, isFound: false },
  { what: 'one reason more', next: { reasons: ['tool_unlabelled', 'ask'] }, isFound: false },
  { what: 'a stronger capability', next: { terms: { capability: 'network' } }, isFound: false },
  {
    what: 'a step that cannot be undone',
    next: { terms: { reversibility: 'irreversible' } },
    isFound: false,
  },
  { what: 'a policy that does not permit it', next: { terms: { always: undefined } }, isFound: false },
  { what: 'a tool from elsewhere', offered: 'another digest', isFound: false },
  { what: 'the last moment', at: NOW + 30 * DAY - 1, isFound: true },
  { what: 'a later time', at: NOW + 30 * DAY, isFound: false },
]

for (const { what, kept, next, offered = OFFERED, at = NOW, isFound } of cases)
  test(`a kept approval ${isFound ? 'counts' : 'does not count'} for ${what}`, async (t) => {
    const folder = await folderOf(t)
    await keptIn(folder).keep(asked(kept), OFFERED, 'ines')
    const found = await keptIn(folder, at).find(asked(next), offered)
    assert.deepEqual(
      found && [found.resolution, found.by, found.scope],
      isFound ? ['approved', 'ines', 'session'] : undefined,
    )
  })

test('nothing is kept that the policy does not permit', async (t) => {
  const kept = keptIn(await folderOf(t))
  await kept.keep(asked({ terms: { always: undefined } }), OFFERED, 'ines')
  assert.deepEqual(await kept.list(), [])
})

test('only this user can read them, and a changed one counts for nothing', async (t) => {
  const folder = await folderOf(t)
  const kept = keptIn(folder)
  await kept.keep(asked(), OFFERED, 'ines')
  const [{ id } = { id: '' }] = await kept.list()
  const file = path.join(folder, `${id}.json`)
  assert.deepEqual([(await stat(folder)).mode & 0o777, (await stat(file)).mode & 0o777], [0o700, 0o600])
  const text = await readFile(file, 'utf8')
  for (const damaged of [text.replace('frob', 'frab'), text.slice(0, -3), '[]', 'null', '{"signature":7}'])
    assert.deepEqual([await writeFile(file, damaged), await kept.list()], [undefined, []])
  await writeFile(file, text)
  assert.equal((await kept.list()).length, 1)
  assert.deepEqual(
    [await kept.forget('../key'), await kept.forget(id), await kept.forget(id)],
    [false, true, false],
  )
  assert.deepEqual(await readdir(folder), [])
})
