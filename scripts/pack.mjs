/** `npm run pack -- DIR`: writes the tarballs of the published packages into DIR. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { npm, prepare, root } from './prepare.mjs'

/**
 * @param {string} folder gets the tarballs
 * @returns {Promise<{ name: string, file: string, bytes: number, packed: number }[]>} in the order to publish them; `bytes` unpacked
 */
export async function pack(folder) {
  // Once there is an esbuild.
  const [{ PUBLISHED }, { writePackage }] = await Promise.all([
    import('./packages/published.mjs'),
    import('./packages/write-package.mjs'),
  ])
  mkdirSync(folder, { recursive: true })
  const stage = mkdtempSync(path.join(tmpdir(), 'plimsoll-pack-'))
  try {
    const packed = []
    for (const published of PUBLISHED) {
      const staged = path.join(stage, published.name)
      const bytes = await writePackage(published, staged)
      const [command, args] = npm('pack', staged, '--pack-destination', folder, '--json', '--loglevel=error')
      const [{ filename, size }] = listed(execFileSync(command, args, { cwd: root, encoding: 'utf8' }))
      packed.push({ name: published.name, file: path.join(folder, filename), bytes, packed: size })
    }
    return packed
  } finally {
    rmSync(stage, { recursive: true })
  }
}

/** npm 12 lists by name. */
const listed = (text) => Object.values(JSON.parse(text))

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, ...more] = process.argv.slice(2)
  if (folder === undefined || more.length > 0 || folder.startsWith('-')) {
    process.stderr.write('usage: npm run pack -- DIR\n')
    process.exit(2)
  }
  await prepare()
  const tarballs = await pack(path.resolve(process.env.INIT_CWD ?? '', folder))
  for (const { file, bytes, packed } of tarballs)
    process.stdout.write(`${file}  ${kilobytes(packed)} packed, ${kilobytes(bytes)} unpacked\n`)
}

function kilobytes(bytes) {
  return `${Math.ceil(bytes / 1_000)} kB`
}
