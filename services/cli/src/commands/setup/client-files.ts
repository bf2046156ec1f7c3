import { existsSync } from 'node:fs'
import path from 'node:path'
import { PlimsollError } from '@plimsoll/contracts'

/** MCP clients whose configuration has a known place. */
export const CLIENTS = ['claude-desktop', 'claude-code', 'cursor', 'vscode'] as const
export type ClientName = (typeof CLIENTS)[number]

/** Where files are looked for. */
export interface Place {
  readonly platform: NodeJS.Platform
  readonly home: string
  /** The project's folder. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Folder of applications' settings: macOS, Windows, then XDG. */
function settingsFolder({ platform, home, env }: Place): string {
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support')
  if (platform === 'win32') return env['APPDATA'] ?? path.join(home, 'AppData', 'Roaming')
  return env['XDG_CONFIG_HOME'] || path.join(home, '.config')
}

/** Files of a client, the project's before the user's. Sources: the clients' documentation of MCP, November 2026. */
export function filesOf(client: ClientName, place: Place): readonly string[] {
  const { home, cwd } = place
  const settings = settingsFolder(place)
  switch (client) {
    case 'claude-desktop':
      return [path.join(settings, 'Claude', 'claude_desktop_config.json')]
    case 'claude-code':
      return [path.join(cwd, '.mcp.json')]
    case 'cursor':
      return [path.join(cwd, '.cursor', 'mcp.json'), path.join(home, '.cursor', 'mcp.json')]
    case 'vscode':
      return [path.join(cwd, '.vscode', 'mcp.json'), path.join(settings, 'Code', 'User', 'mcp.json')]
  }
}

/** The files of all clients that exist. */
export const existingFiles = (place: Place): readonly string[] =>
  [...new Set(CLIENTS.flatMap((client) => filesOf(client, place)))].filter((file) => existsSync(file))

export interface WantedFile {
  readonly file: string | undefined
  readonly client: ClientName | undefined
  /** Whether a file that does not exist yet will do. */
  readonly mayBeNew: boolean
}

/** The file that the options mean: the named one, that of the client, or the only file found. Throws `usage_invalid`. */
export function configFile({ file, client, mayBeNew }: WantedFile, place: Place): string {
  const refuse = (problem: string): never => {
    throw new PlimsollError('usage_invalid', problem)
  }
  if (file !== undefined) {
    const named = path.resolve(place.cwd, file)
    return mayBeNew || existsSync(named) ? named : refuse(`there is no file \`${named}\``)
  }
  if (client !== undefined) {
    const files = filesOf(client, place)
    const found = files.find((each) => existsSync(each)) ?? (mayBeNew ? files[0] : undefined)
    return found ?? refuse(`\`${client}\` has no configuration at ${listed(files)}: name it with \`--file\``)
  }
  const [first, ...others] = existingFiles(place)
  if (first === undefined)
    return refuse(`found no configuration of ${CLIENTS.join(', ')}: name one with \`--file\` or \`--client\``)
  return others.length === 0
    ? first
    : refuse(`found ${listed([first, ...others])}: name one with \`--file\` or \`--client\``)
}

const listed = (files: readonly string[]): string => files.map((file) => `\`${file}\``).join(', ')
