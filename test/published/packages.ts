import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { projectRoot } from '../support/paths.js'
import { createReleasers } from '../support/releasers.js'
import { type Registry, startRegistry } from './registry.js'

/** A tarball, and the sizes that it states. */
export interface Packed {
  readonly name: string
  readonly file: string
  /** Bytes unpacked. */
  readonly bytes: number
  /** Bytes of the tarball. */
  readonly packed: number
}

export interface PublishedPackages {
  readonly tarballs: readonly Packed[]
  readonly registry: Registry
  remove(): Promise<void>
}

const { pack } = (await import(pathToFileURL(path.join(projectRoot, 'scripts/pack.mjs')).href)) as {
  readonly pack: (folder: string) => Promise<readonly Packed[]>
}

/** What `npm run pack` makes, in a registry of its own. */
export async function publishPackages(): Promise<PublishedPackages> {
  const releasers = createReleasers()
  try {
    const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-tarballs-'))
    releasers.add(() => rm(folder, { recursive: true }))
    const [tarballs, registry] = await Promise.all([pack(folder), startRegistry()])
    releasers.add(() => registry.stop())
    for (const { file } of tarballs) await registry.publish(file)
    return { tarballs, registry, remove: () => releasers.releaseAll() }
  } catch (error) {
    await releasers.releaseAll()
    throw error
  }
}
