import { PlimsollError, formatIssues } from '@plimsoll/contracts'
import { assertKind, readTextFile } from '@plimsoll/policy'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'

export const SERVER_NAME = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/

const common = {
  prefix: z
    .boolean()
    .default(true)
    .describe('Whether its tools are named `<server>__<tool>`; only a single server may do without.'),
  trustNames: z
    .boolean()
    .default(false)
    .describe(
      "Whether the catalogue's entries for its tools' bare names apply. Otherwise `<server>__<tool>` is looked up, so that no server's `read_file` passes for a harmless one; a server that is named as a well-known one has its entries, without trust in what they return.",
    ),
  protocol: z
    .enum(['auto', '2025-11-25', '2026-07-28'])
    .optional()
    .describe('The protocol revision. Default: `auto` over HTTP and 2025-11-25 over stdio.'),
}

const variableSchema = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of a variable')

const commandSchema = z.strictObject({
  ...common,
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: z
    .union([z.array(variableSchema), z.record(variableSchema, z.string())])
    .default([])
    .describe(
      'Variables that it gets: names of this environment, or values by name, in which `${NAME}` and `${NAME:-default}` stand for variables.',
    ),
  cwd: z.string().optional(),
})

const urlSchema = z.strictObject({
  ...common,
  url: z.url({ protocol: /^https?$/ }),
  headers: z
    .record(z.string(), z.string())
    .default({})
    .describe(
      'By header, the variable that holds its value, or a text in which `${NAME}` stands for a variable: the file contains no secrets.',
    ),
})

const serverSchema = z.union([commandSchema, urlSchema])

const fileSchema = z
  .strictObject({
    schema: z.literal(1),
    kind: z.literal('plimsoll.mcp-servers'),
    requireLabels: z
      .boolean()
      .default(false)
      .describe(
        'Whether to withhold every tool that no catalogue labels. Otherwise the policy decides on it.',
      ),
    servers: z
      .record(z.string().regex(SERVER_NAME, 'expected 1–32 characters of a–z 0–9 -'), serverSchema)
      .refine((servers) => Object.keys(servers).length > 0, 'expected at least one server')
      .refine((servers) => Object.keys(servers).length <= 64, 'expected at most 64 servers'),
  })
  .refine(
    ({ servers }) =>
      Object.keys(servers).length === 1 || Object.values(servers).every(({ prefix }) => prefix),
    '`prefix: false`: only a single server may do without',
  )

export type ServerSpec = z.infer<typeof serverSchema>
export type ServersDocument = z.infer<typeof fileSchema>

/** Reads a file of MCP servers, YAML or JSON. Throws `document_invalid`, listing all problems. */
export async function readServersFile(file: string): Promise<ServersDocument> {
  return parseServers(await readTextFile(file), file)
}

/** Throws `document_invalid`. */
export function parseServers(text: string, name: string): ServersDocument {
  let value: unknown
  try {
    value = parseYaml(text)
  } catch (cause) {
    throw new PlimsollError('document_invalid', `\`${name}\` is not YAML`, { cause })
  }
  assertKind(value, 'plimsoll.mcp-servers', name)
  const { data, error } = fileSchema.safeParse(value)
  if (data) return data
  throw new PlimsollError('document_invalid', `\`${name}\`: ${formatIssues(error)}`)
}

/** A server by its URL, with its tools under their own names. `headers`: the variable of each. Throws `usage_invalid`. */
export function serverOfUrl(url: string, headers: Readonly<Record<string, string>>): ServerSpec {
  if (!URL.canParse(url)) throw new PlimsollError('usage_invalid', `\`${url}\` is not a URL`)
  return { url, headers: { ...headers }, prefix: false, trustNames: true }
}

/**
 * A server by its command, with its tools under their own names: the user who typed the command trusts them. `env`: names of variables that
 * it gets.
 */
export function serverOfCommand(
  [command = '', ...args]: readonly string[],
  env: readonly string[],
): ServerSpec {
  return { command, args, env: [...env], prefix: false, trustNames: true }
}
