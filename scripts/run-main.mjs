import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './prepare.mjs'

/**
 * Runs a built main file in this very process, so that signals, standard streams and the exit code are its own.
 * @param {string} file from the project's root
 * @param {readonly string[]} args
 */
export async function runMain(file, args) {
  const main = path.join(root, file)
  if (!existsSync(main)) {
    process.stderr.write(`plimsoll: the build made no ${file}\n`)
    process.exit(1)
  }
  process.argv.splice(1, Number.POSITIVE_INFINITY, main, ...args)
  await import(pathToFileURL(main).href)
}
