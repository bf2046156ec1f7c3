import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const groups = ['shared', 'services', 'lab']
/** Tests of minutes, such as a matrix of crashes: CI runs them, `npm test` only with `--all` or by name. */
const isLong = (file: string) => file.endsWith('.long.test.js')
/** Tests on a container engine, which is theirs alone: they run only by name. */
const isOnEngine = (file: string) => file.endsWith('.engine.test.js')

/** The page of the console, a project of its own in the package. */
const PAGE = 'services/console/web'

/** Tests of packages that compute for half a minute: each in a process of its own, beside the rest of its package. */
const ALONE = [
  'shared/policy/dist/lint/lint-text.packs.test.js',
  'shared/policy/dist/verify/setup.commutes.test.js',
]

/** Parts of the paths of what takes longest. It begins first: begun last, one file would run at the end beside an idle core. */
const FIRST = [
  'bars.long',
  'shipped.long',
  '.long.test.js',
  'clients/python',
  'deploy/',
  'conformance/conformance',
  'e2e/operate/approvals',
  'e2e/services/up',
  'packages/shared-policy',
  ...ALONE,
  'property/linear/',
  'integration/agents/calendar-example',
  'frameworks/',
]

export interface TestSelection {
  /** Parts of paths; with none, everything runs. */
  readonly filters: readonly string[]
  /** Parts of the paths of files that are left out. */
  readonly except: readonly string[]
  /** With the long ones. */
  readonly all: boolean
}

/**
 * The built files to run, those first that take longest.
 *
 * Without `filters`: each file of `test/` by itself, and for each package one generated file that imports all tests of the package,
 * as starting a process and loading the package takes longer than most of its tests; long ones only if `all`. With `filters`: the
 * files whose path contains one of them. A file whose source is gone is left out: `tsc -b` never removes what it once built.
 */
export function findTestFiles(root: string, { filters, except, all }: TestSelection): readonly string[] {
  const includes = (file: string, parts: readonly string[]) =>
    parts.some((part) => path.relative(root, file).includes(part))
  const own = testFilesIn(path.join(root, 'test'), '.')
  const folders = groups.flatMap((group) =>
    subdirectories(path.join(root, group)).map((name) => `${group}/${name}`),
  )
  const packages = [...folders, PAGE].map((folder) => ({
    name: folder.replaceAll('/', '-'),
    files: testFilesIn(path.join(root, folder), 'src'),
  }))
  if (filters.length > 0) {
    const files = [...own, ...packages.flatMap(({ files }) => files)]
    return files.filter((file) => includes(file, filters) && !includes(file, except))
  }
  const folder = path.join(root, 'test/dist/packages')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const short = packages.flatMap(({ name, files }) => {
    const imports = files
      .filter((file) => !isLong(file) && !includes(file, ALONE))
      .map((file) => `import '${pathToFileURL(file).href}'\n`)
    if (imports.length === 0) return []
    const entry = path.join(folder, `${name}.js`)
    writeFileSync(entry, imports.join(''))
    return [entry]
  })
  const inPackages = packages.flatMap(({ files }) => files)
  const long = [...own, ...inPackages].filter(isLong)
  const alone = inPackages.filter((file) => includes(file, ALONE))
  const files = [...own.filter((file) => !isLong(file) && !isOnEngine(file)), ...alone, ...short]
  return [...(all ? long : []), ...files]
    .filter((file) => !includes(file, except))
    .sort((a, b) => placeOf(a) - placeOf(b))
}

function placeOf(file: string): number {
  const place = FIRST.findIndex((part) => file.includes(part))
  return place < 0 ? FIRST.length : place
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
