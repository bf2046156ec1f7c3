import assert from 'node:assert/strict'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { readmeExample, writeExample } from '../../support/readme.js'
import { LETTER, type Script } from '../desk.js'

/** It reads what is confidential, then mails it to the press. */
export const READ = { tool: 'read_email', arguments: { id: 7 } }
export const LEAK: Script = [
  [READ],
  [{ tool: 'send_email', arguments: { to: 'press@example.org', body: LETTER } }],
]
/** It calls a tool that no catalogue knows. */
export const UNKNOWN: Script = [[{ tool: 'stamp_form', arguments: { form: 'A1' } }]]

/** Without anybody to ask, the model gets what to do within seconds: the reason, the decision and who can approve it. */
export async function assertAnswersAtOnce(
  running: Promise<void>,
  shown: () => string,
  tool = 'stamp_form',
): Promise<void> {
  await running
  for (const expected of [
    new RegExp(`\\b${tool}\\b.* waits for approval`),
    /no catalogue labels the tool/,
    /`guard\.approve` or `onConfirm`/,
    /decision `session-[^`]+`/,
    /make the same call again/,
  ])
    assert.match(shown(), expected)
}

export const TASK = 'Read the letter and act on it.'

let runs = 0

/**
 * Runs README's example of `specifier` as it stands there, with what it takes for given; `edit` may have it run with another major of
 * its package.
 */
export async function runExample(
  t: TestContext,
  specifier: string,
  given: Readonly<Record<string, unknown>>,
  edit = (code: string) => code,
): Promise<void> {
  const code = edit(await readmeExample(specifier))
  assert.ok(code.trim().split('\n').length < 10, 'an integration takes less than ten lines')
  // Two majors of a package have one example, and may run at a time. Node runs a module once.
  const name = `readme-${path.basename(specifier)}-${process.pid}-${runs++}`
  const key = `given to ${name}`
  Object.assign(globalThis, { [key]: given })
  const prelude = `const { ${Object.keys(given).join(', ')} } = globalThis[${JSON.stringify(key)}]`
  await import(pathToFileURL(await writeExample(t, name, `${prelude}\n${code}`)).href)
}
