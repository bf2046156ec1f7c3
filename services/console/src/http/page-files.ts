import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'

/** The built page; services/console/web makes it. */
const PAGE = new URL('../page/', import.meta.url)

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

export interface PageFile {
  readonly body: Buffer
  readonly gzipped: Buffer
  readonly type: string
  readonly etag: string
}

/** The files of the page by their address; `/` is `index.html`. Empty if the page is not built. Files of other kinds are left out. */
export async function readPage(folder: URL = PAGE): Promise<ReadonlyMap<string, PageFile>> {
  const names = await readdir(folder).catch(() => [])
  const files = new Map<string, PageFile>()
  for (const name of names) {
    const type = TYPES[name.split('.').at(-1) ?? '']
    if (type === undefined) continue
    const body = await readFile(new URL(name, folder))
    // Weak: the same for both encodings.
    const etag = `W/"${createHash('sha256').update(body).digest('base64url')}"`
    files.set(name === 'index.html' ? '/' : `/${name}`, { body, gzipped: gzipSync(body), type, etag })
  }
  return files
}
