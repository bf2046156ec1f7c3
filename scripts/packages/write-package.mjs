/** Writes the folder of a published package: code, types, data, manifest, readme, licences. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { root } from '../prepare.mjs'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { parse } from 'yaml'
import { bundle, dataPlace } from './bundle.mjs'
import { PUBLISHED } from './published.mjs'
import { copyTypes, placeOf } from './types.mjs'
import { exportsOf, isOptional, packageOf, rangeOf, readManifest } from './workspace.mjs'

/**
 * @param {import('./published.mjs').Published} published
 * @param {string} outFolder is emptied
 * @returns {Promise<number>} bytes unpacked
 */
export async function writePackage(published, outFolder) {
  rmSync(outFolder, { recursive: true, force: true })
  mkdirSync(outFolder, { recursive: true })
  const isExternal = (specifier) => isInstalled(published, packageOf(specifier))
  const code = await bundle({
    isLean: published.isLean === true || published.isMinified === true,
    entries: entriesOf(published),
    outFolder: path.join(outFolder, 'dist'),
    isExternal,
  })
  const declarations = published.main === undefined ? typesOf(published) : []
  const ofTypes = copyTypes({
    entries: declarations,
    outFolder: path.join(outFolder, 'types'),
    isExternal,
  })
  for (const place of code.data)
    if (place === CATALOGUES) await writeCatalogue(outFolder)
    else if (place === TABLES) writeTables(outFolder)
    else if (!published.leftOut?.includes(path.basename(place)))
      copyData(place, outFolder, published.isLean === true)
  if (published.main !== undefined) writeBin(outFolder)
  const needed = new Set([...code.externals, ...ofTypes].filter((each) => !isBuiltin(each)).map(packageOf))
  const indent = published.isLean === true ? 0 : 2
  write(outFolder, 'package.json', `${JSON.stringify(manifestOf(published, needed), null, indent)}\n`)
  write(outFolder, 'README.md', pageOf(published.readme, 'README.md', outFolder))
  for (const page of pagesIn(outFolder, 'docs')) write(outFolder, page, pageOf(page, page, outFolder))
  cpSync(path.join(root, 'LICENSE'), path.join(outFolder, 'LICENSE'))
  if (code.inlined.size > 0) write(outFolder, 'THIRD-PARTY-NOTICES.txt', noticesOf(code.inlined))
  return checkedSize(published, outFolder)
}

const write = (folder, name, text) => writeFileSync(path.join(folder, name), text)

function isInstalled({ name, main, inlined }, library) {
  if (!library.startsWith('@plimsoll/')) return !inlined.includes(library)
  // A command has no users of its types: it needs no second package for them.
  return main === undefined && library !== name && PUBLISHED.some((each) => each.name === library)
}

const entryName = (entry) => (entry === '.' ? 'index' : entry.slice(2))

/** The entries of a package without those that only the workspace uses. */
const exportedBy = ({ folder, ownEntries = [] }) =>
  Object.entries(exportsOf(folder)).filter(([entry]) => !ownEntries.includes(entry))

function entriesOf(published) {
  const { folder, main } = published
  if (main !== undefined) return { main: path.join(root, folder, main) }
  return Object.fromEntries(
    exportedBy(published).map(([entry, { default: file }]) => [
      entryName(entry),
      path.join(root, folder, file),
    ]),
  )
}

const typesOf = (published) =>
  exportedBy(published).map(([, { types }]) => path.join(root, published.folder, types))

/** Cases of tests; pages for who changes the code, and their long tables of figures; what another page shows better. */
const LEFT_OUT = new Set([
  'cases',
  'decisions',
  'schemas',
  'openapi.json',
  'asyncapi.yaml',
  'terminal.svg',
  'console.png',
  'claims.tsv',
  'prediction-figures.md',
])

const CATALOGUES = 'shared/labels/catalogues'
const TABLES = 'shared/labels/data'
const PACKS = 'shared/policy/packs'

/** The catalogues as one file, merged as their reader merges them: to read them one by one takes every process a second. */
async function writeCatalogue(outFolder) {
  const { readDocument } = await import('../../shared/policy/dist/index.js')
  const folder = path.join(outFolder, dataPlace(CATALOGUES))
  mkdirSync(folder, { recursive: true })
  const text = JSON.stringify(await readDocument('catalogue'))
  writeFileSync(path.join(folder, 'default.json.br'), zipped(text))
}

/** The tables of the readers as one file, by their names: `shared/labels/src/text/data.ts` reads it. */
function writeTables(outFolder) {
  const source = path.join(root, TABLES)
  const tables = Object.fromEntries(
    readdirSync(source).map((name) => [
      path.basename(name, '.json'),
      JSON.parse(readFileSync(path.join(source, name), 'utf8')),
    ]),
  )
  tables.patterns = renumbered(tables.patterns, path.join(outFolder, 'dist'))
  const folder = path.join(outFolder, dataPlace(TABLES))
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'tables.json.br'), zipped(JSON.stringify(tables, withoutReason)))
}

/** No package says why a reader of arguments thinks so. */
const withoutReason = (key, value) => (key === 'reason' && typeof value === 'string' ? undefined : value)

/** Where a line ends within a string. */
const CONTINUED = /(?<!\\)((?:\\\\)*)\\\n/g

/** The patterns that the bundled code of `folder` names, by numbers; the code gets the numbers for the names. */
function renumbered(patterns, folder) {
  const files = readdirSync(folder).filter((name) => name.endsWith('.js'))
  const code = new Map(
    files.map((name) => [name, readFileSync(path.join(folder, name), 'utf8').replaceAll(CONTINUED, '$1')]),
  )
  const used = Object.keys(patterns).filter((name) =>
    [...code.values()].some((text) => text.includes(`"${name}"`)),
  )
  const numbers = new Map(used.map((name, i) => [name, i.toString(36)]))
  for (const [file, text] of code)
    write(
      folder,
      file,
      text.replaceAll(/"([\w.-]+)"/g, (quoted, name) =>
        numbers.has(name) ? `"${numbers.get(name)}"` : quoted,
      ),
    )
  return Object.fromEntries(used.map((name) => [numbers.get(name), patterns[name]]))
}

const lean = (json) => JSON.stringify(JSON.parse(json))

/** Which size of blocks is best depends on the text. */
const zipped = (text) =>
  [0, 16, 18]
    .map((bits) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_LGBLOCK]: bits } }))
    .toSorted((a, b) => a.length - b.length)[0]

/** JSON without its spaces, models and tables zipped; of a minified package packs as zipped JSON, other YAML without comments and zipped under its name; everything else as it is. */
function copyData(place, outFolder, isLean) {
  const source = path.join(root, place)
  if (statSync(source).isDirectory()) {
    for (const name of readdirSync(source))
      if (!LEFT_OUT.has(name)) copyData(path.join(place, name), outFolder, isLean)
    return
  }
  const target = path.join(outFolder, dataPlace(place))
  mkdirSync(path.dirname(target), { recursive: true })
  if (target.endsWith('.br')) writeFileSync(target, zipped(lean(readFileSync(source, 'utf8'))))
  else if (target.endsWith('.json')) writeFileSync(target, lean(readFileSync(source, 'utf8')))
  else if (isLean && place.startsWith(PACKS))
    writeFileSync(`${target}.br`, zipped(JSON.stringify(parse(readFileSync(source, 'utf8')))))
  else if (isLean && target.endsWith('.yaml'))
    writeFileSync(
      target,
      gzipSync(readFileSync(source, 'utf8').replaceAll(/^[ \t]*#.*\n/gm, ''), { level: 9 }),
    )
  else cpSync(source, target)
}

function writeBin(outFolder) {
  mkdirSync(path.join(outFolder, 'bin'))
  writeFileSync(path.join(outFolder, 'bin/plimsoll.js'), "#!/usr/bin/env node\nimport '../dist/main.js'\n", {
    mode: 0o755,
  })
}

function manifestOf(published, needed) {
  const { name, description, folder, main } = published
  const { version, license, engines, repository, homepage, bugs } = readManifest('.')
  const { peerDependencies, peerDependenciesMeta } = readManifest(folder)
  const isPeer = (library) => peerDependencies?.[library] !== undefined
  const isLeftOut = (library) => !library.startsWith('@plimsoll/') && isOptional(library)
  const all = [...needed].filter((library) => !isPeer(library)).toSorted(byName)
  const ranges = (libraries) =>
    Object.fromEntries(libraries.map((library) => [library, rangeFor(library, version)]))
  const optional = all.filter(isLeftOut)
  return {
    name,
    version,
    description,
    keywords: ['llm', 'agents', 'guardrails', 'security', 'mcp', 'tool-calls'],
    license,
    repository,
    homepage,
    bugs,
    type: 'module',
    engines,
    sideEffects: false,
    ...(main === undefined
      ? { exports: publishedExports(published) }
      : { bin: { plimsoll: 'bin/plimsoll.js' }, exports: {} }),
    files: ['bin', 'dist', 'types', 'data', 'docs', 'THIRD-PARTY-NOTICES.txt'],
    dependencies: ranges(all.filter((library) => !isLeftOut(library))),
    ...(optional.length > 0 && { optionalDependencies: ranges(optional) }),
    peerDependencies,
    peerDependenciesMeta,
    publishConfig: { access: 'public', provenance: true },
  }
}

/** Packages of ours go together: their release is one. */
const rangeFor = (library, version) => (library.startsWith('@plimsoll/') ? version : rangeOf(library))

/** One file for `import` and `require`: Node 20.19 and later load ES modules by both. */
function publishedExports(published) {
  const { folder } = published
  const entries = exportedBy(published).map(([entry, { types }]) => [
    entry,
    { types: `./types/${placeOf(path.join(root, folder, types))}`, default: `./dist/${entryName(entry)}.js` },
  ])
  return { ...Object.fromEntries(entries), './package.json': './package.json' }
}

const pagesIn = (outFolder, folder) =>
  existsSync(path.join(outFolder, folder))
    ? readdirSync(path.join(outFolder, folder), { recursive: true })
        .filter((name) => name.endsWith('.md'))
        .map((name) => path.join(folder, name))
    : []

/** The page `source` as the package's `target`: links to what the package lacks go to its repository, or become plain text. */
function pageOf(source, target, outFolder) {
  const { repository } = readManifest('.')
  const url = (repository?.url ?? repository)?.replace(/^git\+|\.git$/g, '')
  const linked = (text) =>
    text
      .replaceAll(/^!\[[^\]]*\]\((?!https?:)[^)]*\)\n+/gm, '')
      .replaceAll(/\[([^\]]+)\]\((?!https?:|#)([^)]+)\)/g, (whole, label, link) => {
        const file = path.join(outFolder, path.dirname(target), link.replace(/#.*/, ''))
        if (existsSync(file)) return whole
        if (url === undefined) return label
        const place = path.join(path.dirname(source), link)
        return `[${label}](${new URL(`blob/HEAD/${place}`, `${url}/`).href})`
      })
  // Code has brackets of its own.
  return readFileSync(path.join(root, source), 'utf8')
    .split(/(^```[^]*?^```$)/m)
    .map((part) => (part.startsWith('```') ? part : linked(part)))
    .join('')
}

function noticesOf(folders) {
  const parts = [...folders].toSorted(byName).map((folder) => {
    const { name, version, license } = readManifest(folder)
    const file = readdirSync(path.join(root, folder)).find((each) => /^licen[cs]e/i.test(each))
    if (file === undefined) throw new Error(`\`${name}\` has no licence text, so it cannot be inlined`)
    return `${name} ${version} (${license})\n\n${readFileSync(path.join(root, folder, file), 'utf8').trim()}\n`
  })
  return ['This package contains:\n', ...parts].join(`\n${'-'.repeat(80)}\n\n`)
}

function checkedSize({ name, bytesMax }, folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
  const bytes = files.reduce(
    (sum, file) => sum + statSync(path.join(file.parentPath ?? file.path, file.name)).size,
    0,
  )
  if (bytes > bytesMax) throw new Error(`\`${name}\` has ${bytes} bytes unpacked, more than ${bytesMax}`)
  if (!existsSync(path.join(folder, 'package.json'))) throw new Error(`\`${name}\` has no manifest`)
  return bytes
}

function byName(a, b) {
  return a < b ? -1 : 1
}
