import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { COMMANDS } from '@plimsoll/cli'
import { projectRoot } from '../support/paths.js'
import { CLAIMS_FILE, claimPages, isClaim, readClaims, sentencesOf } from './claims.js'

/** TypeScript and scripts of the project, from its root. */
const sources = (): readonly string[] =>
  ['shared', 'services', 'lab', 'test', 'scripts']
    .filter((folder) => existsSync(path.join(projectRoot, folder)))
    .flatMap((folder) =>
      readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
        .filter(
          (file) =>
            /(?:\.ts|\.mjs|package\.json|policies\/\w+\.yaml)$/.test(file) &&
            !/(?:^|\/)(?:dist|node_modules)\//.test(file),
        )
        .map((file) => `${folder}/${file}`),
    )

const rows = readClaims()
const read = (page: string) => readFileSync(path.join(projectRoot, page), 'utf8')
const sentences = new Map(
  [...new Set([...claimPages(), ...rows.map(({ page }) => page)])].map((page) => [
    page,
    new Set(sentencesOf(read(page))),
  ]),
)

test('every claim of the table still stands on its page', () => {
  const gone = rows.filter(({ page, claim }) => sentences.get(page)?.has(claim) !== true)
  assert.deepEqual(gone, [], `remove or reword in ${CLAIMS_FILE}`)
})

test('every claim of README, CHANGELOG and the pages of explanation is in the table', () => {
  const known = new Set(rows.map(({ page, claim }) => `${page}\t${claim}`))
  const missing = claimPages().flatMap((page) =>
    [...(sentences.get(page) ?? [])]
      .filter((sentence) => isClaim(sentence) && !known.has(`${page}\t${sentence}`))
      .map((sentence) => `${page}\t${sentence}`),
  )
  assert.deepEqual(missing, [], `add each to ${CLAIMS_FILE} with its holder, or say less`)
})

test('every holder exists', () => {
  const all = sources()
  const isTest = (file: string) => /(?:\.test\.ts|^test\/.*\.ts)$/.test(file)
  const tests = all.filter(isTest).map(read).join('\n')
  const code = all
    .filter((file) => !isTest(file))
    .map(read)
    .join('\n')
  const scripts = (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts
  const runs = (command: string): boolean => {
    const [program = '', name = '', ...rest] = command.replace(/^sudo /, '').split(' ')
    if (program === 'plimsoll') return COMMANDS.some((each) => `${name} ${rest[0]}`.startsWith(each.name))
    if (program === 'npm') return name === 'test' || (name === 'run' && Object.hasOwn(scripts, rest[0] ?? ''))
    return existsSync(path.join(projectRoot, program === 'node' ? name : program))
  }
  const wrong = rows.filter(({ page, holder }) => {
    const [, kind, what = ''] = /^(test|code|run): (.+)$/.exec(holder) ?? []
    if (kind === 'test') return !tests.includes(what.replaceAll("'", "\\'")) && !tests.includes(what)
    if (kind === 'code') return !`${code}${tests}`.includes(what)
    if (kind === 'run') return !runs(what)
    return holder !== '-' && !(holder === 'study' && /\bstudy\b/.test(read(page)))
  })
  assert.deepEqual(wrong, [])
})

test('a sentence with a figure or without exception is a claim; code and plain words are none', () => {
  const claims = ['It takes 1.5 ms.', 'No text leaves.', 'Each step counts.', '.85 of them', '| a | 32 |']
  const others = ['It asks `every 5 s`.', 'Version `2`', 'paper5 is a space', 'Steps are judged.']
  assert.deepEqual(claims.filter(isClaim), claims)
  assert.deepEqual(others.filter(isClaim), [])
  const page =
    '# Five 5\n\nOne [link](a.md) is 3. [4](f.md#x "y / z") too.\n\n```\n6 x\n```\n\n- a\n- b\n\n| c | 7 |\n|---|---|\n'
  assert.deepEqual(sentencesOf(page), ['One link is 3.', '… too.', 'a', 'b', '| c | 7 |'])
})
