import { PlimsollError } from '@plimsoll/contracts'
import { readServersFile, SERVER_NAME, serverOfCommand, type ServersDocument } from '@plimsoll/gateway'

/** What a server is called whose command stands on the command line. */
const ONLY = 'server'

export interface ServersFrom {
  /** The command of one server, or nothing. */
  readonly command: readonly string[]
  readonly file: string | undefined
  readonly name: string | undefined
  /** Names of variables that the command is given. */
  readonly env: readonly string[]
}

/** The servers that a command line names. Rejects with `usage_invalid` and `document_invalid`. */
export async function serversFrom({ command, file, name, env }: ServersFrom): Promise<ServersDocument> {
  if (file !== undefined && command.length > 0)
    throw new PlimsollError('usage_invalid', 'give a file of servers or the command of one, not both')
  if (file !== undefined) return readServersFile(file)
  if (command.length === 0)
    throw new PlimsollError('usage_invalid', 'give a server: its command after `--`, or `--servers FILE`')
  const server = serverOfCommand(command, env)
  const isNamed = name !== undefined
  if (isNamed && !SERVER_NAME.test(name))
    throw new PlimsollError('usage_invalid', '`--name`: expected 1–32 characters of a–z 0–9 -')
  return {
    schema: 1,
    kind: 'plimsoll.mcp-servers',
    requireLabels: false,
    servers: { [name ?? ONLY]: { ...server, prefix: isNamed } },
  }
}
