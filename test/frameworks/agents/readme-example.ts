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
export const TASK = 'Read the letter and act on it.'

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
  // Two majors of a package have one example, and may run at a time.
  const name = `readme-${path.basename(specifier)}-${process.pid}`
  const key = `given to ${name}`
  Object.assign(globalThis, { [key]: given })
  const prelude = `const { ${Object.keys(given).join(', ')} } = globalThis[${JSON.stringify(key)}]`
  await import(pathToFileURL(await writeExample(t, name, `${prelude}\n${code}`)).href)
}
