/**
 * Bundles the page of the console: `src/` → `../dist/page/`, which the console serves. `npm run build` calls it after the types are
 * checked; by itself it is `node services/console/web/build.mjs`. Everything is in those files: the page loads nothing from elsewhere,
 * and has no inline script or style.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('./', import.meta.url))

/** The folder of the built page: `index.html`, `app.js`, `app.css`, `icon.svg`. */
const pageFolder = path.join(folder, '../dist/page')

/** Writes no file that has not changed, and each at once: a console that runs may serve them meanwhile. */
export async function buildPage() {
  // Here, as this file is loaded before the dependencies are installed.
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [
      { in: path.join(folder, 'src/main.tsx'), out: 'app' },
      { in: path.join(folder, 'src/style/app.css'), out: 'app' },
    ],
    outdir: pageFolder,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'eof',
    logLevel: 'warning',
    write: false,
  })
  await mkdir(pageFolder, { recursive: true })
  for (const { path: file, contents } of outputFiles) await replace(file, Buffer.from(contents))
  for (const name of ['index.html', 'icon.svg'])
    await replace(path.join(pageFolder, name), await readFile(path.join(folder, 'src', name)))
}

async function replace(file, contents) {
  const before = await readFile(file).catch(() => undefined)
  if (before?.equals(contents)) return
  const beside = `${file}.${process.pid}`
  await writeFile(beside, contents)
  await rename(beside, file)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPage()
