import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'

/**
 * The value in a JSON file of this package, which a published package zips (Brotli): under the same name with `.br` at its end.
 *
 * @throws Error if neither is there, or it is no JSON
 */
export function readJsonFile(file: URL): unknown {
  const zipped = file.href.endsWith('.br') ? file : new URL(`${file.href}.br`)
  return JSON.parse((plainBytes(file, zipped) ?? brotliDecompressSync(readFileSync(zipped))).toString('utf8'))
}

/** Undefined if there is only the zipped file. */
function plainBytes(file: URL, zipped: URL): Buffer | undefined {
  if (file === zipped) return undefined
  try {
    return readFileSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}
