import path from 'node:path'
import type { PackageFacts } from './check.js'
import { specifiersOf } from './source-text.js'

type Imports = ReadonlyMap<string, readonly string[]>

/**
 * What is wrong inside a package, a line each: circles of files, imports of types included, and imports against the order of its folders.
 * @param order the package's folders, the lowest first; undefined where none is stated
 */
export function checkInside(facts: PackageFacts, order: readonly string[] | undefined): readonly string[] {
  const root = `${facts.folder}/src/`
  const imports = importsOf(facts, root)
  return [...circlesOf(imports), ...(order ? upwardImports(imports, order, facts.folder) : [])]
}

function importsOf({ files }: PackageFacts, root: string): Imports {
  const names = new Set(files.map((file) => file.path))
  const sources = files.filter(({ path: file }) => file.startsWith(root) && !file.endsWith('.test.ts'))
  return new Map(
    sources.map((file) => [
      file.path.slice(root.length),
      specifiersOf(file.text)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => path.posix.join(path.posix.dirname(file.path), specifier).replace(/\.js$/, '.ts'))
        .filter((target) => names.has(target))
        .map((target) => target.slice(root.length)),
    ]),
  )
}

function circlesOf(imports: Imports): readonly string[] {
  const found: string[] = []
  const done = new Set<string>()
  const visit = (file: string, above: readonly string[]): void => {
    const at = above.indexOf(file)
    if (at >= 0) found.push(`circle: ${[...above.slice(at), file].join(' → ')}`)
    if (at >= 0 || done.has(file)) return
    for (const target of imports.get(file) ?? []) visit(target, [...above, file])
    done.add(file)
  }
  for (const file of imports.keys()) visit(file, [])
  return found
}

const folderOf = (file: string): string | undefined => (file.includes('/') ? file.split('/')[0] : undefined)

/** Sample makers serve tests of any folder, and may use any. */
const isSample = (file: string): boolean => /(^|\/)(sample|testing)/.test(file)

function upwardImports(imports: Imports, order: readonly string[], folder: string): readonly string[] {
  const unnamed = new Set(
    [...imports.keys()]
      .filter((file) => !isSample(file))
      .map(folderOf)
      .filter((each) => each !== undefined && !order.includes(each)),
  )
  const found = [...unnamed].map((each) => `${folder}: no place is stated for its folder ${each}`)
  for (const [file, targets] of imports) {
    const from = folderOf(file)
    if (from === undefined || isSample(file)) continue
    for (const target of targets) {
      const to = folderOf(target)
      if (to !== undefined && order.indexOf(to) > order.indexOf(from))
        found.push(`${folder}: ${file} may not use ${target}: ${to} lies above ${from}`)
    }
  }
  return found
}
