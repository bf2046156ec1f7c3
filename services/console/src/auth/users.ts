import { createHash } from 'node:crypto'
import { PlimsollError, digestSchema, formatIssues, lineSchema, tenantSchema } from '@plimsoll/contracts'
import { readTextFile } from '@plimsoll/policy'
import { parse } from 'yaml'
import { z } from 'zod'
import type { Role } from '../api.js'

/** Ascending: each may do what those before it may. */
export const ROLES = ['viewer', 'approver', 'operator', 'admin'] as const satisfies readonly Role[]

/** Stands for every tenant that is not named. */
export const ANY_TENANT = '*'

const userSchema = z.strictObject({
  name: lineSchema(80).describe('Recorded as the one who approves.'),
  tokens: z
    .array(digestSchema)
    .min(1)
    .max(8)
    .describe('SHA-256 of each token, in hex: list the old and the new one during a change.'),
  roles: z
    .record(z.union([z.literal(ANY_TENANT), tenantSchema]), z.enum(ROLES))
    .refine((roles) => Object.keys(roles).length > 0, 'expected a role in at least one tenant')
    .describe('By tenant; `*` for every other one.'),
})

const usersSchema = z
  .strictObject({ users: z.array(userSchema).min(1).max(10_000) })
  .superRefine(({ users }, context) => {
    for (const twice of repeated(users.map(({ name }) => name)))
      context.addIssue({ code: 'custom', message: `\`${twice}\` is named twice` })
    for (const twice of repeated(users.flatMap(({ tokens }) => tokens)))
      context.addIssue({ code: 'custom', message: `the token with the SHA-256 \`${twice}\` is of two users` })
  })

/** The people who may use a console. */
export type UsersDocument = z.infer<typeof usersSchema>
export type User = Pick<UsersDocument['users'][number], 'name' | 'roles'>

const repeated = (all: readonly string[]): ReadonlySet<string> =>
  new Set(all.filter((each, i) => all.indexOf(each) !== i))

/** Reads the users in `file`, YAML or JSON. Rejects with `document_invalid`, listing all problems. */
export async function readUsers(file: string): Promise<UsersDocument> {
  const text = await readTextFile(file)
  try {
    return parseUsers(parse(text))
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause)
    throw new PlimsollError('document_invalid', `\`${file}\`: ${problem}`, { cause })
  }
}

/** Throws `document_invalid`, listing all problems. */
export function parseUsers(document: unknown): UsersDocument {
  const { data, error } = usersSchema.safeParse(document ?? {})
  if (!error) return data
  throw new PlimsollError('document_invalid', formatIssues(error, 'users'))
}

/** What a file of users has of a token. */
export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Finds the user of a token by its hash: the time it takes says nothing of the tokens. */
export function createTokenFinder({ users }: UsersDocument): (token: string) => User | undefined {
  const byHash = new Map(
    users.flatMap(({ name, roles, tokens }) => tokens.map((hash) => [hash, { name, roles }] as const)),
  )
  return (token) => byHash.get(hashOfToken(token))
}

/** The role in `tenant`; undefined: none. */
export const roleIn = ({ roles }: User, tenant: string): Role | undefined =>
  Object.hasOwn(roles, tenant) ? roles[tenant] : roles[ANY_TENANT]

export const hasRole = (user: User, tenant: string, role: Role): boolean => {
  const own = roleIn(user, tenant)
  return own !== undefined && ROLES.indexOf(own) >= ROLES.indexOf(role)
}

/** Whether the user has the role in every tenant, those without a session too. */
export const hasRoleEverywhere = ({ roles }: User, role: Role): boolean =>
  Object.hasOwn(roles, ANY_TENANT) &&
  Object.values(roles).every((own) => ROLES.indexOf(own) >= ROLES.indexOf(role))

/** Tenants whose sessions the user may see; undefined for all. */
export const tenantsOf = ({ roles }: User): readonly string[] | undefined =>
  Object.hasOwn(roles, ANY_TENANT) ? undefined : Object.keys(roles)
