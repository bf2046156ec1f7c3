import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The registry has its programs by platform; only those of Linux are complete. */
const VERSION = '24.21.0'
const DOWNLOAD_MS_MAX = 180_000

export type Node24 = { readonly program: string } | { readonly missing: string }

/**
 * The program of a Node 24, out of npm's own cache or its registry. No dependency of the project: as one it would be the `node` of
 * every script that npm runs.
 */
export async function obtainNode24(): Promise<Node24> {
  const name = `node-${process.platform}-${process.arch}@${VERSION}`
  const args = ['--yes', '--package', name, '--', 'node', '-p', 'process.version + process.execPath']
  try {
    const { stdout } = await run('npx', args, { timeout: DOWNLOAD_MS_MAX })
    const reported = stdout.trim()
    // Where the package has no program, npx runs whatever `node` there is.
    if (reported.startsWith(`v${VERSION}`)) return { program: reported.slice(VERSION.length + 1) }
    return { missing: `npx gives another Node than ${name}: ${reported}` }
  } catch (error) {
    return { missing: `${name} cannot be had: ${error instanceof Error ? error.message : String(error)}` }
  }
}
