import path from 'node:path'
import { PlimsollError } from '@plimsoll/contracts'
import type { ServerSpec } from '../servers-file.js'

export type Environment = Readonly<Record<string, string | undefined>>

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/
/** `${NAME}`, `${NAME:-default}` and VS Code's `${env:NAME}`. */
const REFERENCE = /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g

/**
 * Names of the variables that the command of a server gets when you typed it yourself: all of `environment`, without Plimsoll's own
 * (`PLIMSOLL_…`), which hold its keys, and those that it `uses`. A client's configuration sets the server's variables there.
 */
export const passedOn = (environment: Environment, uses: readonly string[] = []): string[] =>
  Object.keys(environment).filter(
    (name) => environment[name] !== undefined && !/^PLIMSOLL_/i.test(name) && !uses.includes(name),
  )

/**
 * Variables whose search path ends with the folder of this Node, where `npx` is too: a desktop client may have been started without them.
 */
export function withOwnNode(variables: Readonly<Record<string, string>>): Record<string, string> {
  // Windows says `Path`.
  const name = Object.keys(variables).find((each) => each.toUpperCase() === 'PATH') ?? 'PATH'
  const folders = (variables[name] ?? '').split(path.delimiter).filter((folder) => folder !== '')
  const own = path.dirname(process.execPath)
  return { ...variables, [name]: [...new Set([...folders, own])].join(path.delimiter) }
}

/** The variables of a server's process by `env` of its spec. Throws `config_invalid` if one is not set. */
export function variablesOf(
  server: string,
  env: Extract<ServerSpec, { command: string }>['env'],
  environment: Environment,
): Record<string, string> {
  const named = Array.isArray(env) ? Object.fromEntries(env.map((name) => [name, name])) : {}
  const written = Array.isArray(env) ? {} : env
  return {
    ...mapped(named, (name) => valueOf(server, name, environment)),
    ...mapped(written, (text) => expanded(server, text, environment)),
  }
}

/** The headers of a server's requests: a name alone is that of the variable with the value. Throws `config_invalid`. */
export const headersOf = (
  server: string,
  headers: Readonly<Record<string, string>>,
  environment: Environment,
): Record<string, string> =>
  mapped(headers, (text) =>
    NAME.test(text) ? valueOf(server, text, environment) : expanded(server, text, environment),
  )

const mapped = (
  texts: Readonly<Record<string, string>>,
  change: (text: string) => string,
): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, change(text)]))

const expanded = (server: string, text: string, environment: Environment): string =>
  text.replaceAll(REFERENCE, (_, name: string, byDefault?: string) =>
    byDefault === undefined ? valueOf(server, name, environment) : (environment[name] ?? byDefault),
  )

function valueOf(server: string, name: string, environment: Environment): string {
  const value = environment[name]
  if (value !== undefined) return value
  throw new PlimsollError(
    'config_invalid',
    `MCP server \`${server}\` needs the variable \`${name}\`, which is not set: set it in the environment of \`plimsoll\`, or write \`\${${name}:-default}\` in the servers file`,
  )
}
