import {
  DEFAULT_TENANT,
  PlimsollError,
  digestSchema,
  formatIssues,
  idSchema,
  lineSchema,
  tenantSchema,
  type World,
  worldSchema,
} from '@plimsoll/contracts'
import { readTextFile } from '@plimsoll/policy'
import { parse } from 'yaml'
import { z } from 'zod'

/** `host`: software that runs agents and reports truly. `agent`: the agent itself; nothing it reports can make a verdict milder. */
const TRUSTS_OF_PRINCIPALS = ['host', 'agent'] as const
export type PrincipalTrust = (typeof TRUSTS_OF_PRINCIPALS)[number]

/** An authenticated sender of requests. Source: docs/decisions/20261122-enforcement.md. */
export interface Principal {
  /** Unique, in the form of an id. */
  readonly name: string
  /** The tenant of all its sessions. */
  readonly tenant: string
  readonly trust: PrincipalTrust
  /** The category of all its sessions, whatever they state. */
  readonly category?: string
  /** Where the programs of its agents run; its members replace those of the catalogue's world. */
  readonly world?: World
  /** Whether it may answer approval requests of its tenant. */
  readonly approves?: boolean
  /** Expiry of its token, milliseconds since 1970; a key does not expire. */
  readonly expiresAtMs?: number
}

const rights = {
  tenant: tenantSchema.default(DEFAULT_TENANT),
  trust: z.enum(TRUSTS_OF_PRINCIPALS).default('agent'),
  approves: z
    .boolean()
    .default(false)
    .describe('Whether it may answer approval requests of its tenant. Never with `trust: agent`.'),
  category: lineSchema(64).optional().describe('Category of all its sessions, whatever they state.'),
  world: worldSchema
    .optional()
    .describe(
      'Where the programs of its agents run. A host may declare another for a session, an agent none.',
    ),
}

/** A part of session ids, which use `:` and `~` as separators. */
const nameSchema = (max: number) => idSchema.max(max).regex(/^[^:~]*$/, 'expected no `:` and no `~`')

const principalSchema = z.strictObject({
  name: nameSchema(80),
  ...rights,
  keys: z
    .array(digestSchema)
    .min(1)
    .max(8)
    .describe('SHA-256 of each API key, in hex: list the old and the new one during a change.'),
  webhookSecretEnv: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{0,99}$/, 'expected the name of an environment variable')
    .optional()
    .describe(
      'Environment variable with the secret by which its webhooks are signed: for `/doors/toolhive/NAME`.',
    ),
})

const issuerSchema = z.strictObject({
  name: nameSchema(30).describe('Prefix of the names of its principals: `name/sub`.'),
  issuer: z.url().describe('The `iss` of its tokens.'),
  audience: lineSchema(200).describe('The `aud` of tokens for this gateway.'),
  jwksUrl: z.url().optional().describe('URL of its keys; from its discovery document if left out.'),
  ...rights,
})

const principalsSchema = z
  .strictObject({
    principals: z.array(principalSchema).max(10_000).default([]),
    issuers: z.array(issuerSchema).max(16).default([]),
  })
  .superRefine(({ principals, issuers }, context) => {
    if (principals.length + issuers.length === 0)
      context.addIssue({ code: 'custom', message: 'expected at least one principal or issuer' })
    for (const { name } of [...principals, ...issuers].filter(
      (each) => each.approves && each.trust === 'agent',
    ))
      context.addIssue({
        code: 'custom',
        message: `\`${name}\` is an agent and cannot approve: set \`trust: host\`, or remove \`approves\``,
      })
    for (const twice of repeated([...principals, ...issuers].map(({ name }) => name)))
      context.addIssue({ code: 'custom', message: `\`${twice}\` is named twice` })
    for (const twice of repeated(principals.flatMap(({ keys }) => keys)))
      context.addIssue({
        code: 'custom',
        message: `the key with the SHA-256 \`${twice}\` is of two principals`,
      })
  })

/** The principals of a gateway. */
export type PrincipalsDocument = z.infer<typeof principalsSchema>
export type NamedIssuer = PrincipalsDocument['issuers'][number]

/** Reads the principals in `file`, YAML or JSON. Rejects with `document_invalid`, listing all problems. */
export async function readPrincipals(file: string): Promise<PrincipalsDocument> {
  const text = await readTextFile(file)
  try {
    return parsePrincipals(parse(text))
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause)
    throw new PlimsollError('document_invalid', `\`${file}\`: ${problem}`, { cause })
  }
}

/** Throws `document_invalid`, listing all problems. */
export function parsePrincipals(document: unknown): PrincipalsDocument {
  const { data, error } = principalsSchema.safeParse(document ?? {})
  if (data) return data
  throw new PlimsollError('document_invalid', formatIssues(error, 'principals'))
}

const repeated = (names: readonly string[]): Set<string> =>
  new Set(names.filter((name, i) => names.indexOf(name) !== i))
