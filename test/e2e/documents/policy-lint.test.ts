import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '../../support/paths.js'
import { runCli } from '../cli-process.js'

const CALENDAR = 'examples/calendar/policy.yaml'

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-lint-'))
  try {
    await work(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('the policy of the calendar agent has no errors, and its matrix maps losses to specs', () =>
  inFolder(async (folder) => {
    const markdown = path.join(folder, 'matrix.md')
    const given = ['--tools', 'examples/calendar/catalogue.yaml', '--markdown', markdown]
    const { code, stdout, stderr } = await runCli(['policy', 'lint', CALENDAR, ...given])
    assert.deepEqual([code, stderr], [0, ''], stdout)
    assert.match(
      stdout,
      /^examples\/calendar\/policy\.yaml:\d+:\d+: warning hazard-not-reached \(hazard `H2`\): /m,
    )
    assert.match(stdout, /^0 errors, \d+ warnings, 0 notes$/m)
    const matrix = await readFile(markdown, 'utf8')
    assert.match(
      matrix,
      /^\| \*\*L1\*\* .* \| \*\*H1\*\* .* \| yes \| \*\*U1\*\* .* \| \*\*REQ1\*\* .* \| `SPEC1a`, `SPEC1b` \|$/m,
    )
    assert.match(matrix, /^\| `SPEC2` \| mustlist \| +\| ● \|/m)
  }))

test('no policy of the project has errors or suspicious specs', async () => {
  const folder = 'examples/configurations'
  const names = (await readdir(path.join(projectRoot, folder))).filter((name) => name.endsWith('.yaml'))
  const files = [CALENDAR, 'shared/policy/policies/default.yaml', ...names.map((name) => `${folder}/${name}`)]
  assert.ok(files.length > 3)
  for (const file of files) {
    const { code, stdout } = await runCli(['policy', 'lint', file])
    assert.equal(code, 0, stdout)
    assert.doesNotMatch(stdout.replaceAll(/^.*warning hazard-not-reached.*$/gm, ''), / warning /, file)
  }
})

test('an error is shown with its line and fails', () =>
  inFolder(async (folder) => {
    const file = path.join(folder, 'mine.yaml')
    const text = await readFile(CALENDAR, 'utf8')
    await writeFile(
      file,
      text
        .replace('requirements: [REQ2]', 'requirements: [REQ3]')
        .replace('recipient: external }', 'recipeint: external }'),
    )
    const invalid = await runCli(['policy', 'lint', file])
    assert.equal(invalid.code, 1)
    assert.match(invalid.stdout, /mine\.yaml:\d+:\d+: error invalid \(.*\): .*did you mean `recipient`\?$/m)
    await writeFile(file, text.replace('requirements: [REQ2]', 'requirements: [REQ3]'))
    const holed = await runCli(['policy', 'lint', file, '--json'])
    assert.equal(holed.code, 1)
    const { findings, traceability } = JSON.parse(holed.stdout) as {
      findings: { code: string; severity: string; place: object }[]
      traceability: object
    }
    const errors = findings.filter(({ severity }) => severity === 'error')
    assert.deepEqual(
      errors.map(({ code }) => code),
      ['requirement-without-spec'],
    )
    assert.deepEqual(Object.keys(errors[0]?.place ?? {}), ['line', 'column'])
    assert.deepEqual(Object.keys(traceability), ['hazards', 'requirements', 'specs'])
  }))

test('names in a policy are escaped for the terminal and the matrix', () =>
  inFolder(async (folder) => {
    const file = path.join(folder, 'evil.yaml')
    const markdown = path.join(folder, 'evil.md')
    const text = await readFile(CALENDAR, 'utf8')
    const evil = String.raw`"\e[2J<script>alert(1)</script>"`
    await writeFile(
      file,
      text.replace(/text: Ann's private life.*/, `text: ${evil}`).replace('name: calendar', `name: ${evil}`),
    )
    const { code, stdout } = await runCli(['policy', 'lint', file, '--markdown', markdown])
    assert.equal(code, 0, stdout)
    assert.ok(!stdout.includes('\u001b'))
    assert.doesNotMatch(await readFile(markdown, 'utf8'), /[^\\]<script/)
  }))
