import path from 'node:path'
import { outputOf } from '../commands.js'

const javaMin = 17

export const java = (): string => {
  const home = process.env.JAVA_HOME
  return home === undefined || home === '' ? 'java' : path.join(home, 'bin', 'java')
}

/** Why there is no Java to run jars with; undefined where there is. */
export async function javaMissing(): Promise<string | undefined> {
  const version = /version "(\d+)/.exec((await outputOf(java(), ['-version'])) ?? '')?.[1]
  if (version === undefined) return 'no java'
  return Number(version) < javaMin ? `java is ${version}, not ${javaMin} or later` : undefined
}
