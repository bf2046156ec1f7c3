import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { outputOf } from '../commands.js'
import { cacheDirectory } from '../paths.js'

export interface MavenJars {
  /** What is fetched, for people. */
  readonly title: string
  readonly version: string
  /** Where the jars are, once they are there: a directory is complete as soon as it has this name. */
  readonly directory: string
  /** Why they cannot be had here; undefined if they can. */
  readonly missing: () => Promise<string | undefined>
  /** Has Maven fetch the jars where the cache has none. */
  readonly ensure: () => Promise<string>
}

/** The jars that the pom.xml of `files` asks for, kept in the cache as `name` in the version of its property `<name>.version`. */
export function mavenJars(name: string, title: string, files: string): MavenJars {
  const pom = path.join(files, 'pom.xml')
  const version = new RegExp(`<${name}\\.version>([^<]+)<`).exec(readFileSync(pom, 'utf8'))?.[1]
  if (version === undefined) throw new Error(`${pom} names no ${name}.version`)
  const directory = path.join(cacheDirectory(), name, version)
  return {
    title,
    version,
    directory,
    missing: async () => {
      if (existsSync(directory)) return undefined
      return (await outputOf('mvn', ['--version'])) === undefined ? 'no mvn to fetch it' : undefined
    },
    ensure: async () => {
      if (existsSync(directory)) return directory
      const partial = `${directory}.partial-${process.pid}`
      mkdirSync(partial, { recursive: true })
      try {
        await fetchJars(`${title} ${version}`, pom, partial)
        if (!existsSync(directory)) renameSync(partial, directory)
      } finally {
        rmSync(partial, { recursive: true, force: true })
      }
      return directory
    },
  }
}

async function fetchJars(what: string, pom: string, directory: string): Promise<void> {
  process.stderr.write(`test: fetching ${what} with Maven\n`)
  // -U: a download that failed once is not remembered as impossible.
  const flags = ['-q', '-B', '-U', '-f', pom, '-DincludeScope=runtime']
  const args = [...flags, `-DoutputDirectory=${directory}`, 'dependency:copy-dependencies']
  const child = spawn('mvn', args, { stdio: ['ignore', 2, 2] })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`mvn could not fetch the jars of ${what} (exit ${code})`)
}
