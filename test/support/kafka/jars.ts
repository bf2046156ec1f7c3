import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { cacheDirectory, projectRoot } from '../paths.js'

export const kafkaFiles = path.join(projectRoot, 'test/support/kafka')

export function kafkaVersion(): string {
  const pom = readFileSync(path.join(kafkaFiles, 'pom.xml'), 'utf8')
  const version = /<kafka\.version>([^<]+)</.exec(pom)?.[1]
  if (version === undefined) throw new Error('test/support/kafka/pom.xml names no kafka.version')
  return version
}

/** Where the jars are, once they are there: a directory is complete as soon as it has this name. */
export const jarDirectory = (): string => path.join(cacheDirectory(), 'kafka', kafkaVersion())

/** Has Maven fetch the jars where the cache has none. */
export async function ensureJars(): Promise<string> {
  const directory = jarDirectory()
  if (existsSync(directory)) return directory
  const partial = `${directory}.partial-${process.pid}`
  mkdirSync(partial, { recursive: true })
  try {
    await fetchJars(partial)
    if (!existsSync(directory)) renameSync(partial, directory)
  } finally {
    rmSync(partial, { recursive: true, force: true })
  }
  return directory
}

async function fetchJars(directory: string): Promise<void> {
  process.stderr.write(`test: fetching Apache Kafka ${kafkaVersion()} with Maven\n`)
  // -U: a download that failed once is not remembered as impossible.
  const flags = ['-q', '-B', '-U', '-f', path.join(kafkaFiles, 'pom.xml'), '-DincludeScope=runtime']
  const args = [...flags, `-DoutputDirectory=${directory}`, 'dependency:copy-dependencies']
  const child = spawn('mvn', args, { stdio: ['ignore', 2, 2] })
  const [code] = await once(child, 'exit')
  if (code !== 0)
    throw new Error(`mvn could not fetch the jars of Apache Kafka ${kafkaVersion()} (exit ${code})`)
}
