import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { projectRoot } from './paths.js'

/** The pages that show how an agent is connected. */
const PAGES = ['README.md', 'docs/tutorials/first-decision.md', 'docs/guides/frameworks.md']

/** The one block of JavaScript on these pages that imports `specifier`. */
export async function readmeExample(specifier: string): Promise<string> {
  const pages = await Promise.all(PAGES.map((page) => readFile(path.join(projectRoot, page), 'utf8')))
  const blocks = pages.flatMap((text) =>
    [...text.matchAll(/^```js\n([^]*?)^```$/gm)].map(([, block = '']) => block),
  )
  const [found, ...more] = blocks.filter((block) => block.includes(`from '${specifier}'`))
  if (found === undefined || more.length > 0)
    throw new Error(
      `the pages have not one example of \`${specifier}\` but ${found ? more.length + 1 : 'none'}`,
    )
  return found
}

/** Writes `code` as a file of the project, where its imports resolve as a reader's do. */
export async function writeExample(
  t: Pick<TestContext, 'after'>,
  name: string,
  code: string,
): Promise<string> {
  const file = path.join(projectRoot, 'test/dist', `${name}.mjs`)
  await writeFile(file, code)
  t.after(() => rm(file))
  return file
}
