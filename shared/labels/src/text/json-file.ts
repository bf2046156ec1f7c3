import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/**
 * The value in a JSON file of this package, which a published package zips: under the same name with `.gz` at its end.
 *
 * @throws Error if neither is there, or it is no JSON
 */
export function readJsonFile(file: URL): unknown {
  const bytes = bytesOf(file)
  const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b
  return JSON.parse((isZipped ? gunzipSync(bytes) : bytes).toString('utf8'))
}

function bytesOf(file: URL): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return readFileSync(new URL(`${file.href}.gz`))
  }
}
