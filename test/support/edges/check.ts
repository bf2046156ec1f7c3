import { adapterLibraries, allowedEdges, entryPoints, purePackages } from './rules.js'
import { codeOnly, specifiersOf } from './source-text.js'

export interface SourceFile {
  /** From the project's root. */
  readonly path: string
  readonly text: string
}

export interface PackageFacts {
  /** Its folder from the project's root: `shared/engine`, `test`. */
  readonly folder: string
  readonly files: readonly SourceFile[]
  /** Names in `dependencies`. */
  readonly dependencies: readonly string[]
  /** Names in `peerDependencies`: its user's libraries; an entry point may know no more than their form. */
  readonly peers?: readonly string[]
  /** Folders that tsconfig.json refers to, from the project's root. */
  readonly references: readonly string[]
}

const scope = '@plimsoll/'
const isTest = (file: SourceFile) => file.path.endsWith('.test.ts')
const shortName = (folder: string) => folder.split('/').at(-1) ?? folder

/** What is wrong with a package, a line each; nothing if all is well. */
export function checkPackage(facts: PackageFacts): readonly string[] {
  const allowed = allowedEdges[facts.folder]
  if (allowed === undefined) return [`${facts.folder}: no allowed edges are stated for it`]
  const isTestPackage = facts.folder === 'test'
  return [
    ...facts.files.flatMap((file) => checkImports(file, facts.folder, allowed)),
    ...(isTestPackage
      ? []
      : facts.files.flatMap((file) => [...checkAdapters(file), ...checkEnvironment(file)])),
    ...(purePackages.includes(facts.folder) ? facts.files.flatMap(checkPurity) : []),
    ...checkDeclarations(facts, isTestPackage),
  ]
}

const checkImports = (file: SourceFile, folder: string, allowed: readonly string[]): readonly string[] =>
  specifiersOf(file.text).flatMap((specifier) => {
    const problem = problemOf(specifier, file, folder, allowed)
    return problem === undefined ? [] : [`${file.path}: ${problem}`]
  })

function problemOf(specifier: string, file: SourceFile, folder: string, allowed: readonly string[]) {
  if (specifier.startsWith('.')) {
    return leavesPackage(file, folder, specifier) ? `\`${specifier}\` leaves the package` : undefined
  }
  if (!specifier.startsWith(scope)) return undefined
  const name = shortName(libraryOf(specifier))
  if (!allowed.includes(name)) return `${folder} may not use ${name}`
  return isEntryPoint(specifier, name) ? undefined : `\`${specifier}\` reaches behind an index`
}

const isEntryPoint = (specifier: string, name: string) =>
  specifier === scope + name ||
  entryPoints[name]?.includes(specifier.slice(`${scope}${name}/`.length)) === true

function leavesPackage(file: SourceFile, folder: string, specifier: string): boolean {
  const target = new URL(specifier, `file:///${file.path}`).pathname
  return !target.startsWith(`/${folder}/`)
}

const checkAdapters = (file: SourceFile): readonly string[] =>
  specifiersOf(file.text)
    .filter((specifier) => adapterLibraries[libraryOf(specifier)]?.test(file.path) === false)
    .map((specifier) => `${file.path}: only an adapter may import ${specifier}`)

const ownedByMain = /\bprocess\.(?:env|exit|exitCode|on|once|off)\b/

function checkEnvironment(file: SourceFile): readonly string[] {
  // A package has one file of a name: the hook's program is in that of the command line.
  if (/\/(?:main|hook-program)\.ts$/.test(file.path) || isTest(file)) return []
  const used = ownedByMain.exec(codeOnly(file.text))?.[0]
  const imported = specifiersOf(file.text).includes('node:process') ? 'node:process' : undefined
  return [used, imported]
    .filter((found) => found !== undefined)
    .map((found) => `${file.path}: only a main.ts may touch ${found}`)
}

const impurity =
  /\b(?:Date\.now|new Date\(\)|performance\.|Math\.random|process\.|globalThis\.|setTimeout|setInterval|console\.)/

function checkPurity(file: SourceFile): readonly string[] {
  if (isTest(file)) return []
  const used = impurity.exec(codeOnly(file.text))?.[0]
  const imported = specifiersOf(file.text).find((specifier) => specifier.startsWith('node:'))
  return [used, imported]
    .filter((found) => found !== undefined)
    .map((found) => `${file.path}: a pure package has no use for ${found}`)
}

/** `dependencies` and project references name exactly what the sources use; the tests may declare more than they use. */
function checkDeclarations(facts: PackageFacts, mayDeclareMore: boolean): readonly string[] {
  const used = new Set(
    facts.files
      .flatMap((file) => specifiersOf(file.text))
      .filter(isForeign)
      .map(libraryOf),
  )
  const usedFolders = new Set(
    Object.keys(allowedEdges).filter((folder) => used.has(scope + shortName(folder))),
  )
  const lists = [
    { what: 'dependencies', declared: facts.dependencies, peers: facts.peers ?? [], used },
    { what: 'references', declared: facts.references, peers: [], used: usedFolders },
  ]
  return lists.flatMap((list) => [
    ...[...list.used]
      .filter((name) => !list.declared.includes(name) && !list.peers.includes(name))
      .map((name) => `${facts.folder}: ${name} is used and missing from its ${list.what}`),
    ...(mayDeclareMore ? [] : list.declared)
      .filter((name) => !list.used.has(name))
      .map((name) => `${facts.folder}: ${name} is in its ${list.what} and not used`),
  ])
}

const isForeign = (specifier: string) => !specifier.startsWith('.') && !specifier.startsWith('node:')

/** `a/b` belongs to the library `a`, `@a/b/c` to `@a/b`. */
const libraryOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
