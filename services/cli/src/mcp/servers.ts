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
  /** Of the file, these alone; all where none is named. */
  readonly only?: readonly string[]
}

/** The servers that a command line names. Rejects with `usage_invalid` and `document_invalid`. */
export async function serversFrom({
  command,
  file,
  name,
  env,
  only = [],
}: ServersFrom): Promise<ServersDocument> {
  if (file !== undefined && command.length > 0)
    throw new PlimsollError('usage_invalid', 'give a file of servers or the command of one, not both')
  if (file !== undefined) return narrowed(await readServersFile(file), only)
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

/** Throws `usage_invalid` for a server that the file does not name. */
function narrowed(document: ServersDocument, only: readonly string[]): ServersDocument {
  if (only.length === 0) return document
  const { servers } = document
  const unknown = only.find((name) => !Object.hasOwn(servers, name))
  if (unknown !== undefined)
    throw new PlimsollError('usage_invalid', `\`--only\`: there is no server \`${unknown}\``)
  return {
    ...document,
    servers: Object.fromEntries(Object.entries(servers).filter(([name]) => only.includes(name))),
  }
}
