import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const groups = ['shared', 'services', 'lab']
/** Tests of minutes, such as a matrix of crashes, or on a container engine: CI runs them, `npm test` only with `--all` or by name. */
const isLong = (file: string) => /\.(long|engine)\.test\.js$/.test(file)

/**
 * The built files to run, those of `test/` first, for they take longest.
 *
 * Without `filters`: each file of `test/` by itself, and for each package one generated file that imports all tests of the package,
 * as starting a process and loading the package takes longer than most of its tests; long ones only if `all`. With `filters`: the
 * files whose path contains one of them. A file whose source is gone is left out: `tsc -b` never removes what it once built.
 */
export function findTestFiles(root: string, filters: readonly string[], all: boolean): readonly string[] {
  const own = testFilesIn(path.join(root, 'test'), '.')
  const packages = groups.flatMap((group) =>
    subdirectories(path.join(root, group)).map((name) => ({
      name: `${group}-${name}`,
      files: testFilesIn(path.join(root, group, name), 'src'),
    })),
  )
  if (filters.length > 0) {
    const files = [...own, ...packages.flatMap(({ files }) => files)]
    return files.filter((file) => filters.some((filter) => path.relative(root, file).includes(filter)))
  }
  const folder = path.join(root, 'test/dist/packages')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const short = packages.flatMap(({ name, files }) => {
    const imports = files
      .filter((file) => !isLong(file))
      .map((file) => `import '${pathToFileURL(file).href}'\n`)
    if (imports.length === 0) return []
    const entry = path.join(folder, `${name}.js`)
    writeFileSync(entry, imports.join(''))
    return [entry]
  })
  const long = [...own, ...packages.flatMap(({ files }) => files)].filter(isLong)
  return [...(all ? long : []), ...own.filter((file) => !isLong(file)), ...short]
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
