import path from 'node:path'
import { PlimsollError } from '@plimsoll/contracts'
import {
  type ServersDocument,
  SERVER_NAME,
  passedOn,
  readServersFile,
  serverOfCommand,
  serverOfUrl,
} from '@plimsoll/gateway'
import { type Context, type Values, list, text } from '../../command.js'
import { shellWord } from '../../format/text.js'
import { headerVariables } from '../documents/tools-from.js'

/** Options of `mcp` and `mcp approve` that say which servers. */
export const serverOptions = {
  servers: text('FILE.yaml', 'a file that lists several servers'),
  name: text('NAME', 'the name of the server; puts `NAME__` before its tools'),
  header: list('NAME=VARIABLE', 'with a URL: a header, and the variable that holds its value'),
  env: list(
    'NAME',
    'the command gets only these variables; default: all but those of Plimsoll (`PLIMSOLL_…`)',
  ),
}

interface ServersFrom extends Values<typeof serverOptions> {
  /** The command of one server, its URL, or nothing. */
  readonly command: readonly string[]
  readonly environment: Context['env']
  /** Variables that are the proxy's own; default: those of Plimsoll. */
  readonly uses?: readonly string[]
}

/** The servers that a command line names. Rejects with `usage_invalid` and `document_invalid`. */
export async function serversFrom(options: ServersFrom): Promise<ServersDocument> {
  const { command, servers: file, name, env, header, environment, uses } = options
  if (file !== undefined && command.length > 0)
    throw new PlimsollError('usage_invalid', 'give a file of servers or the command of one, not both')
  if (file !== undefined) return readServersFile(file)
  if (command.length === 0)
    throw new PlimsollError(
      'usage_invalid',
      'give a server: its command or URL after `--`, or `--servers FILE`',
    )
  const isUrl = command.length === 1 && /^https?:\/\//i.test(command[0] ?? '')
  if (header.length > 0 && !isUrl)
    throw new PlimsollError('usage_invalid', '`--header` is for a server at a URL')
  const server = isUrl
    ? serverOfUrl(command[0] ?? '', headerVariables(header))
    : serverOfCommand(command, env.length > 0 ? env : passedOn(environment, uses))
  const isNamed = name !== undefined
  if (isNamed && !SERVER_NAME.test(name))
    throw new PlimsollError('usage_invalid', '`--name`: expected 1–32 characters of a–z 0–9 -')
  return {
    schema: 1,
    kind: 'plimsoll.mcp-servers',
    requireLabels: false,
    servers: { [name ?? 'server']: { ...server, prefix: isNamed } },
  }
}

/** What may be a secret: it must not reach the model in an answer. */
const isSecretLike = (word: string): boolean =>
  /key|token|secret|passw|bearer/i.test(word) || /^(?=.*\d)[\w+=-]{20,}$/.test(word)

/** The command that approves the tools of the same servers; undefined without a file of pins. */
export function approveCommandOf(
  { pins, servers, name, env, header }: Values<typeof serverOptions> & { readonly pins?: string | undefined },
  command: readonly string[],
  own: string,
): string | undefined {
  if (pins === undefined) return undefined
  const shown = command.map((word, at) =>
    isSecretLike(word) || isSecretLike(command[at - 1] ?? '') ? '…' : word,
  )
  const words = [
    'mcp',
    'approve',
    '--pins',
    path.resolve(pins),
    ...(servers === undefined ? [] : ['--servers', path.resolve(servers)]),
    ...(name === undefined ? [] : ['--name', name]),
    ...env.flatMap((each) => ['--env', each]),
    ...header.flatMap((each) => ['--header', each]),
    ...(shown.length > 0 ? ['--', ...shown] : []),
  ]
  return `${own} ${words.map(shellWord).join(' ')}`
}
