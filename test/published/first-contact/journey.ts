import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { projectRoot } from '../../support/paths.js'

/** The blocks in `language` on a page of the docs, in order. */
export async function blocksOf(page: string, language: string): Promise<readonly string[]> {
  const text = await readFile(path.join(projectRoot, page), 'utf8')
  const blocks = [...text.matchAll(/^ *```(\w+)\n([^]*?)^ *```$/gm)]
  return blocks.filter(([, name]) => name === language).map(([, , block = '']) => block)
}

/** The one block that has `part`. */
export async function blockWith(page: string, language: string, part: string): Promise<string> {
  const found = (await blocksOf(page, language)).filter((block) => block.includes(part))
  assert.equal(found.length, 1, `${page} has ${found.length} blocks with ${part}`)
  return found[0] ?? ''
}

/** The command lines of a block, without comments, as one may paste them. */
export const linesOf = (block: string): readonly string[] =>
  block
    .split('\n')
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter((line) => line !== '')

/** Notes how long each part of a journey takes, seconds since its begin; printed with the test. */
export function createStopwatch(t: TestContext) {
  const startedAt = performance.now()
  return (what: string): void =>
    t.diagnostic(`${((performance.now() - startedAt) / 1_000).toFixed(1)} s: ${what}`)
}

/** The id of the decision in a text that says how to approve it. */
export function decisionIn(text: string): string {
  const [, id] = /plimsoll approve '([^']+)'/.exec(text) ?? []
  assert.ok(id, `no command to approve in: ${text}`)
  return id
}
