/** Bundles a package: its own code and that of the workspace in a few files, with libraries left to be installed. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'
import { root } from '../prepare.mjs'

const OPTIONS = {
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  legalComments: 'none',
  metafile: true,
  write: false,
}

/** Saves half. Node prints the whole line where an uncaught error was thrown, so lines stay short. */
const LEAN = { minify: true, lineLimit: 1200, charset: 'utf8' }

/**
 * @param {object} options
 * @param {Readonly<Record<string, string>>} options.entries built files by the name of the output
 * @param {string} options.outFolder
 * @param {(specifier: string) => boolean} options.isExternal whether a package is left to be installed
 * @param {boolean} options.isLean minified
 * @returns {Promise<{ externals: Set<string>, inlined: Set<string>, data: Set<string> }>} specifiers that
 * remain; folders of libraries that are inside; files and folders, from the root, that the code reads
 */
export async function bundle({ entries, outFolder, isExternal, isLean }) {
  const data = new Set()
  const workers = new Set()
  const plugins = [resolveOwn(isExternal), moveData({ data, workers }), ...(isLean ? [withoutReasons()] : [])]
  const bundled = (more) =>
    build({
      ...OPTIONS,
      ...(isLean && LEAN),
      entryPoints: { ...entries, ...more },
      outdir: outFolder,
      plugins,
    })
  let result = await bundled({})
  // A worker is an entry of its own, which is known once its starter was read.
  if (workers.size > 0)
    result = await bundled(Object.fromEntries([...workers].map((file) => [path.basename(file, '.js'), file])))
  for (const { path: file, contents } of result.outputFiles) {
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, contents)
  }
  const { metafile } = result
  const outputs = Object.values(metafile.outputs)
  return {
    externals: new Set(
      outputs.flatMap(({ imports }) => imports.filter(({ external }) => external).map((each) => each.path)),
    ),
    inlined: new Set(outputs.flatMap(({ inputs }) => Object.keys(inputs).map(libraryFolder).filter(Boolean))),
    data,
  }
}

const libraryFolder = (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]

/** npm installs one version of a library in several places: one is enough. */
function createOnlyCopy() {
  const copies = new Map()
  return (found) => {
    const folder = libraryFolder(found.path)
    if (folder === undefined) return found
    const { name, version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
    const place = `${name}@${version}${found.path.slice(folder.length)}`
    if (!copies.has(place)) copies.set(place, found)
    return copies.get(place)
  }
}

/** Modules of the workspace have no effects when loaded, so that what is not used stays out. */
function resolveOwn(isExternal) {
  const onlyCopy = createOnlyCopy()
  const isOwn = (importer) => !importer.includes('node_modules')
  return {
    name: 'resolve-own',
    setup({ onResolve, resolve }) {
      onResolve({ filter: /^[^.]/ }, async ({ path: specifier, kind, importer, resolveDir, pluginData }) => {
        if (kind === 'entry-point' || pluginData === 'resolved') return
        if (specifier.startsWith('node:') || isExternal(specifier))
          return { path: specifier, external: true, sideEffects: false }
        const found = await resolve(specifier, { kind, importer, resolveDir, pluginData: 'resolved' })
        return specifier.startsWith('@plimsoll/') ? { ...found, sideEffects: false } : onlyCopy(found)
      })
      onResolve({ filter: /^\./ }, ({ path: specifier, importer, resolveDir }) =>
        isOwn(importer) ? { path: path.resolve(resolveDir, specifier), sideEffects: false } : undefined,
      )
    },
  }
}

/** Code finds its data by `new URL('…', import.meta.url)`: in a package that is `data/`, beside the folder of the code. */
function moveData({ data, workers }) {
  return {
    name: 'move-data',
    setup({ onLoad }) {
      onLoad({ filter: /\/dist\/.*\.js$/ }, async ({ path: file }) => {
        if (file.includes('node_modules')) return
        const text = await readFile(file, 'utf8')
        if (!text.includes('import.meta.url')) return
        return { contents: movedData(text, file, { data, workers }) }
      })
    },
  }
}

/** Leaves out why a reader of arguments thinks so: no event has that and no package shows it, only tests ask for it. */
function withoutReasons() {
  return {
    name: 'without-reasons',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]labels[\\/]dist[\\/]arguments[\\/].*\.js$/ }, async ({ path: file }) => {
        const text = await readFile(file, 'utf8')
        if (text.includes('import.meta.url')) return
        return { contents: text.replaceAll(REASON, (_, call, end) => withoutLast(call, end)) }
      })
    },
  }
}
/** `raise(effects, labels, 'a reason'`, `raiseIrreversible('grant', 'a reason'` and their like, as TypeScript writes them. */
const REASON =
  /(\b(?:raise\((?:\w+\.)?effects, (?:\{[^{}]*\}|[^,'{}()]+), |raiseIrreversible\((?:'\w+'|\w+(?: \? '\w+' : '\w+')?), |(?:note|forbid)\((?:'\w+'|\w+), |(?:deletes|publishes|noteControl)\(|(?:unreadable|opaque)\((?:\w+\.)?effects, ))'(?:[^'\\\n]|\\.)*'(\)?)/g
/** A reason that comes last is left out, another is empty. */
const withoutLast = (call, end) => (end === ')' ? `${call.replace(/, $/, '')})` : `${call}''`)

function movedData(text, file, { data, workers }) {
  let places = 0
  const moved = text.replaceAll(
    /new URL\((['"`])(\.[^'"`$]*)(?=\1, import\.meta\.url\)|\$[^`]*`, import\.meta\.url\))/g,
    (whole, quote, relative, at) => {
      places += 1
      const target = path.resolve(path.dirname(file), relative)
      if (relative.startsWith('./') && relative.endsWith('.js')) {
        workers.add(target)
        return whole
      }
      if (relative.endsWith('/package.json')) return `new URL(${quote}../package.json`
      const isFolder = relative.endsWith('/') || text[at + whole.length] === '$'
      const place = path.relative(root, target)
      data.add(place)
      return `new URL(${quote}../${dataPlace(place)}${isFolder ? '/' : ''}`
    },
  )
  if (places !== text.split('import.meta.url').length - 1)
    throw new Error(
      `${path.relative(root, file)}: \`import.meta.url\` is used in a way that a bundle cannot follow`,
    )
  return moved
}

/** Where a package has a file that is `place` in the project. Fitted models and tables are zipped, as their readers take them too. */
export const dataPlace = (place) =>
  place
    .replace(/^(?:shared|services|lab)\//, 'data/')
    .replace(/\/(?:policy\/bundles|labels\/(?:models|data))\/.*\.json$/, '$&.br')
