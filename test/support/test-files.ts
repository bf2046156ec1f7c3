import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

const groups = ['shared', 'services']

/**
 * The built test files of all packages, with those of `test/` first, for they take longest; given `filters`, those whose path
 * has one of them in it. A file whose source is gone is left out: `tsc -b` never removes what it once built.
 */
export function findTestFiles(root: string, filters: readonly string[]): readonly string[] {
  const packages = groups.flatMap((group) =>
    subdirectories(path.join(root, group)).map((name) => testFilesIn(path.join(root, group, name), 'src')),
  )
  const files = [...testFilesIn(path.join(root, 'test'), '.'), ...packages.flat()]
  if (filters.length === 0) return files
  return files.filter((file) => filters.some((filter) => path.relative(root, file).includes(filter)))
}

const subdirectories = (directory: string): readonly string[] =>
  readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()

function testFilesIn(packageRoot: string, sourceFolder: string): readonly string[] {
  const built = path.join(packageRoot, 'dist')
  if (!existsSync(built)) return []
  return readdirSync(built, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.js'))
    .filter((file) => existsSync(path.join(packageRoot, sourceFolder, file.replace(/\.js$/, '.ts'))))
    .sort()
    .map((file) => path.join(built, file))
}
