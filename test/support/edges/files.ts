import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

const IGNORED = new Set(['node_modules', 'dist'])

/** The files of the tree that are written by hand in TypeScript, JavaScript or Python, by their paths from `root`. */
export function findCode(root: string): readonly string[] {
  const filesIn = (folder: string): readonly string[] =>
    readdirSync(path.join(root, folder), { withFileTypes: true })
      .filter(({ name }) => !IGNORED.has(name) && !name.startsWith('.'))
      .flatMap((entry) => {
        const file = path.posix.join(folder, entry.name)
        return entry.isDirectory() ? filesIn(file) : [file]
      })
  return filesIn('.').filter((file) => /\.(?:tsx?|mjs|py)$/.test(file))
}

/** The tests among `findCode`. */
export const findTests = (root: string): readonly string[] =>
  findCode(root).filter((file) => /\.test\.ts$|\/test_\w+\.py$/.test(file))

/** Tests of units, but for the packages whose tests still have names of their own. */
const isOfUnit = (file: string): boolean =>
  /^(?:shared|services)\/.*\.test\.ts$/.test(file) && !file.startsWith('shared/engine/')

/** Whether a test of a unit stands beside its source: `x.test.ts`, or `x.CONCEPT.test.ts` where one source has several, beside `x.ts`. */
export function isBesideSource(root: string, file: string): boolean {
  const { dir, base } = path.parse(file)
  const names = base.replace(/\.test\.ts$/, '').split('.')
  return (
    !isOfUnit(file) ||
    names.some((_, i) => existsSync(path.join(root, dir, `${names.slice(0, i + 1).join('.')}.ts`)))
  )
}
