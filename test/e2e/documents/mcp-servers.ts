import { createRequire } from 'node:module'
import path from 'node:path'
import { projectRoot } from '../../support/paths.js'

/** The official servers under test, with what each needs to start. None needs the network to list its tools. */
export const OFFICIAL_SERVERS = ['filesystem', 'memory', 'everything', 'github'] as const
export type OfficialServer = (typeof OFFICIAL_SERVERS)[number]

const require = createRequire(path.join(projectRoot, 'test/package.json'))

/** The command that starts an official server from node_modules. */
export function officialServer(name: OfficialServer | 'slack'): readonly string[] {
  const manifest = require.resolve(`@modelcontextprotocol/server-${name}/package.json`)
  const { bin } = require(manifest) as { bin: Readonly<Record<string, string>> }
  const [script = ''] = Object.values(bin)
  const args = name === 'filesystem' ? [projectRoot] : []
  return [process.execPath, path.join(path.dirname(manifest), script), ...args]
}

/** A token without any access: the server needs one to start. */
export const DUMMY_TOKEN = { GITHUB_PERSONAL_ACCESS_TOKEN: 'dummy' }

/** A server that lists the JSON of `tools`, valid or not. */
export const serverOf = (tools: unknown): readonly string[] => [
  process.execPath,
  path.join(projectRoot, 'test/dist/e2e/documents/mcp-list-server.js'),
  JSON.stringify(tools),
]
