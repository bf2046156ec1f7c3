import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The registry has its programs by platform; only those of Linux are complete. */
export const NODE_22 = '22.23.3'
const NODE_24 = '24.21.0'
const DOWNLOAD_MS_MAX = 180_000

export type OtherNode = { readonly program: string } | { readonly missing: string }

/**
 * The program of another Node, out of npm's own cache or its registry. No dependency of the project: as one it would be the `node` of
 * every script that npm runs.
 */
export async function obtainNode(version: string): Promise<OtherNode> {
  const name = `node-${process.platform}-${process.arch}@${version}`
  const args = ['--yes', '--package', name, '--', 'node', '-p', 'process.version + process.execPath']
  try {
    const { stdout } = await run('npx', args, { timeout: DOWNLOAD_MS_MAX })
    const reported = stdout.trim()
    // Where the package has no program, npx runs whatever `node` there is.
    if (reported.startsWith(`v${version}`)) return { program: reported.slice(version.length + 1) }
    return { missing: `npx gives another Node than ${name}: ${reported}` }
  } catch (error) {
    return { missing: `${name} cannot be had: ${error instanceof Error ? error.message : String(error)}` }
  }
}

export const obtainNode24 = (): Promise<OtherNode> => obtainNode(NODE_24)
