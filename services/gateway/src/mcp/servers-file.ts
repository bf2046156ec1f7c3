import { readFile } from 'node:fs/promises'
import { PlimsollError } from '@plimsoll/contracts'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { SERVER_NAME } from './tools/names.js'

const common = {
  prefix: z
    .boolean()
    .default(true)
    .describe('whether its tools are called `<server>__<tool>`; only a server alone may do without'),
  trustNames: z
    .boolean()
    .default(false)
    .describe(
      "whether its tools are what the catalogue says of their bare names; otherwise it is asked for `<server>__<tool>`, and any server's `read_file` is not taken for a harmless one",
    ),
  protocol: z
    .enum(['auto', '2025-11-25', '2026-07-28'])
    .optional()
    .describe('what is spoken with it; `auto` over HTTP and 2025-11-25 over stdio where it is left out'),
}

const commandSchema = z.strictObject({
  ...common,
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: z
    .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/))
    .default([])
    .describe('names of variables that it is given from the environment'),
  cwd: z.string().optional(),
})

const urlSchema = z.strictObject({
  ...common,
  url: z.url({ protocol: /^https?$/ }),
  headers: z
    .record(z.string(), z.string())
    .default({})
    .describe('by name, the variables of the environment that hold them: no secret stands in the file'),
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
        'withholds every tool that no catalogue labels; otherwise the policy says what becomes of it',
      ),
    servers: z
      .record(z.string().regex(SERVER_NAME, 'expected 1–32 characters of a–z 0–9 -'), serverSchema)
      .refine((servers) => Object.keys(servers).length > 0, 'expected at least one server')
      .refine((servers) => Object.keys(servers).length <= 64, 'expected at most 64 servers'),
  })
  .refine(
    ({ servers }) =>
      Object.keys(servers).length === 1 || Object.values(servers).every(({ prefix }) => prefix),
    '`prefix: false`: only a server alone may do without',
  )

export type ServerSpec = z.infer<typeof serverSchema>
export type ServersDocument = z.infer<typeof fileSchema>

/** Reads a file of MCP servers, YAML or JSON. Throws `document_invalid` with every problem. */
export async function readServersFile(file: string): Promise<ServersDocument> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new PlimsollError('document_invalid', `\`${file}\` cannot be read`, { cause })
  })
  return parseServers(text, file)
}

/** Throws `document_invalid`. */
export function parseServers(text: string, name: string): ServersDocument {
  let value: unknown
  try {
    value = parseYaml(text)
  } catch (cause) {
    throw new PlimsollError('document_invalid', `\`${name}\` is not YAML`, { cause })
  }
  const { data, error } = fileSchema.safeParse(value)
  if (data) return data
  const problems = error.issues.map(({ path, message }) => `${path.join('.') || 'all'}: ${message}`)
  throw new PlimsollError('document_invalid', `\`${name}\`: ${problems.join('; ')}`)
}

/** One server by its command, its tools under their own names: anyone who typed the command vouches for them. */
export function serverOfCommand(
  [command = '', ...args]: readonly string[],
  env: readonly string[],
): ServerSpec {
  return { command, args, env: [...env], prefix: false, trustNames: true }
}
