/**
 * Copies the declarations that a package's entries reach. What they import from another package of the workspace comes from the file that
 * declares it: its whole index would bring declarations that no user of the package can reach.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../prepare.mjs'
import { exportsOf, workspaceFolder } from './workspace.mjs'

/** Comments hold examples, whose specifiers are the reader's. */
const CODE_LINE = /^(?!\s*(?:\*|\/\*)).*$/gm
/** TypeScript writes each statement on one line. */
const STATEMENT = /^(import|export)( type)? (\{[^}]*\}|\*(?: as \w+)?) from ['"]([^'"]+)['"];$/
const TYPE_IMPORT = /\bimport\((['"])([^'"]+)\1\)\.(\w+)/g
const DECLARATION =
  /^export (?:declare )?(?:abstract )?(?:const|let|function|class|interface|type|enum|namespace) (\w+)/gm

/** Folders and files of the client whose declarations agents do not use: those go without comments. */
const INTERNAL = /[\\/](?:(?:approvals|frameworks|observe|pending|transport)[\\/]|wait\.d)/

/** Without indents, and without `readonly` before members: whether one may be set is no matter of what can be given for it. */
const bare = (text) => text.replaceAll(/^\t+/gm, '').replaceAll(/^readonly (?=[\w$]+\??:)/gm, '')

/**
 * @param {object} options
 * @param {readonly string[]} options.entries built `.d.ts` files, absolute
 * @param {string} options.outFolder gets `<package>/<file>.d.ts`
 * @param {(specifier: string) => boolean} options.isExternal
 * @returns {Set<string>} the specifiers of packages that must be installed
 */
export function copyTypes({ entries, outFolder, isExternal }) {
  const files = new Set(entries)
  const externals = new Set()
  const documented = new Set(entries.map(packageFolder))
  for (const file of files) {
    const reach = (target) => {
      files.add(target)
      return relativeSpecifier(placeOf(file), placeOf(target))
    }
    const isDocumented = documented.has(packageFolder(file)) && !INTERNAL.test(file)
    const kept = isDocumented ? textOf(file) : withoutComments(textOf(file))
    const text = kept.replaceAll(CODE_LINE, (line) => {
      const statement = STATEMENT.exec(line)
      return statement === null ? ofTypes(line) : ofStatement(line, statement)
    })
    const out = path.join(outFolder, placeOf(file))
    mkdirSync(path.dirname(out), { recursive: true })
    writeFileSync(out, isDocumented ? shortened(text) : bare(shortened(text)))

    function ofStatement(line, [, keyword, isType = '', names, specifier]) {
      const target = ownDeclaration(specifier, file, isExternal)
      if (target === undefined) return external(specifier, line)
      if (specifier.startsWith('.') || !names.startsWith('{')) return line.replace(specifier, reach(target))
      return namesOf(names)
        .map(({ original, shown, type }) => {
          const found = declaring(target, original, isExternal)
          const renamed = found.name === shown ? shown : `${found.name} as ${shown}`
          const from =
            found.file === undefined ? external(found.specifier, found.specifier) : reach(found.file)
          return `${keyword}${isType} { ${type}${renamed} } from '${from}';`
        })
        .join('\n')
    }

    function ofTypes(line) {
      return line.replaceAll(TYPE_IMPORT, (whole, _, specifier, name) => {
        const target = ownDeclaration(specifier, file, isExternal)
        if (target === undefined) return external(specifier, whole)
        const found = specifier.startsWith('.') ? { file: target, name } : declaring(target, name, isExternal)
        if (found.file === undefined)
          return external(found.specifier, `import('${found.specifier}').${found.name}`)
        return `import('${reach(found.file)}').${found.name}`
      })
    }
  }
  return externals

  function external(specifier, text) {
    externals.add(specifier)
    return text
  }
}

/** `shared/client/dist/a/b.d.ts` → `client/a/b.d.ts`. */
export const placeOf = (file) =>
  path
    .relative(root, file)
    .replace(/^[^/]+\//, '')
    .replace('/dist/', '/')

const packageFolder = (file) => placeOf(file).split('/')[0]

const textOf = (file) => readFileSync(file, 'utf8').replace(/^\/\/# sourceMappingURL=.*\n?/m, '')

/** A tab for each four spaces that a line begins with; in declarations, the end of a line ends a member, and what is exported is declared. */
const shortened = (text) =>
  text
    .replaceAll(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4))
    .replaceAll(CODE_LINE, (line) => line.replace(/;$/, '').replace(/^export declare /, 'export '))

/** In declarations, `/*` begins nothing else. */
const withoutComments = (text) => text.replaceAll(/^\s*\/\*[^]*?\*\/\n/gm, '')

function relativeSpecifier(from, to) {
  const relative = path.relative(path.dirname(from), to).replace(/\.d\.ts$/, '.js')
  return relative.startsWith('.') ? relative : `./${relative}`
}

function ownDeclaration(specifier, importer, isExternal) {
  if (specifier.startsWith('.'))
    return path.resolve(path.dirname(importer), specifier.replace(/\.js$/, '.d.ts'))
  if (!specifier.startsWith('@plimsoll/') || isExternal(specifier)) return undefined
  const [scope, name, ...sub] = specifier.split('/')
  const folder = workspaceFolder(`${scope}/${name}`)
  return path.join(root, folder, exportsOf(folder)[['.', ...sub].join('/')].types)
}

/** Of `{ A, type B as C }`. */
function namesOf(braces) {
  const each = braces.slice(1, -1).split(',')
  return each
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => {
      const [, type = '', original = '', shown = original] = /^(type )?(\w+)(?: as (\w+))?$/.exec(part) ?? []
      return { original, shown, type }
    })
}

/** Where `name` of an index is declared: `{ file, name }`, or `{ specifier, name }` in a package that is installed. */
function declaring(index, name, isExternal) {
  const found = declaredBelow(index, name, isExternal)
  if (found === undefined) throw new Error(`${path.relative(root, index)} exports no \`${name}\``)
  return found
}

function declaredBelow(file, name, isExternal) {
  const text = textOf(file)
  for (const [, declared] of text.matchAll(DECLARATION)) if (declared === name) return { file, name }
  const stars = []
  for (const line of text.split('\n')) {
    const [, keyword, , names = '', specifier = ''] = STATEMENT.exec(line) ?? []
    if (keyword !== 'export') continue
    const target = ownDeclaration(specifier, file, isExternal)
    if (names === '*') stars.push(target)
    else if (names.startsWith('{')) {
      const match = namesOf(names).find(({ shown }) => shown === name)
      if (match === undefined) continue
      if (target === undefined) return { specifier, name: match.original }
      return declaredBelow(target, match.original, isExternal)
    }
  }
  // Exported apart from its declaration: `export { A, B };`.
  const apart = [...text.matchAll(/^export (?:type )?(\{[^}]*\});$/gm)].flatMap(([, names = '']) =>
    namesOf(names),
  )
  if (apart.some(({ shown }) => shown === name)) return { file, name }
  for (const target of stars) {
    const found = target && declaredBelow(target, name, isExternal)
    if (found) return found
  }
  return undefined
}
