import { z } from 'zod'
import { PlimsollError } from '../errors.js'
import { formatIssues } from '../parse.js'

const NETWORK_EXPECTED = 'expected `none`, or `hosts` with a list of host names'

const hostSchema = z
  .string()
  .max(253)
  .regex(
    /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*$/,
    'expected a host in lower case without scheme and port, or `*.` and a domain for all below it',
  )

const hostsSchema = z.strictObject({
  hosts: z
    .array(hostSchema)
    .min(1, 'expected at least one host; for a machine without a network use `network: none`')
    .max(256)
    .describe('all hosts that its programs can reach: `*.example.com` matches all subdomains'),
})

/** One message for what is neither: zod alone would only say that no form fits. */
const networkSchema = z
  .union([z.literal('none'), hostsSchema], {
    error: ({ input }) =>
      typeof input === 'object' && input !== null && 'hosts' in input ? undefined : NETWORK_EXPECTED,
  })
  .describe('`none`: programs of the agent reach no other host; or the only `hosts` that they can reach')

/** An absolute path below the root: `/srv/app`, `C:\work`. */
const ABSOLUTE = /^(?:\/[^/]|[A-Za-z]:[\\/][^\\/])/

/**
 * What the host declares of where the agent's programs run. It is believed: declare only what the machine enforces. Tools that are no
 * programs of that machine (mail, web, MCP servers) are not affected. Source: docs/decisions/20261127-worlds.md.
 */
export const worldSchema = z.strictObject({
  network: networkSchema.optional(),
  disposable: z
    .literal(true)
    .optional()
    .describe(
      'the machine or container is thrown away after the session, with all that is on it; not true where folders, sockets or keys of others are mounted',
    ),
  folder: z
    .string()
    .max(1024)
    .regex(ABSOLUTE, 'expected an absolute path below the root, such as `/srv/app`')
    .refine((folder) => !/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(folder), 'expected a path without `..`')
    .optional()
    .describe('the working folder: a path inside it is of the project, also if it is written absolute'),
  production: z
    .array(
      z.string().regex(/^[\w][\w.:/@-]{1,127}$/, 'expected a name of 2 to 128 letters, digits and `._:/@-`'),
    )
    .max(64)
    .optional()
    .describe(
      'names of hosts, contexts, databases and environments that people use: a command that changes something and has one among its words counts as live',
    ),
})
export type World = z.infer<typeof worldSchema>

/** A world whose members replace those of `base`, each as a whole; undefined if both are. */
export const joinWorlds = (base: World | undefined, own: World | undefined): World | undefined =>
  base && own ? { ...base, ...own } : (own ?? base)

/** Throws `schema_invalid`, listing all problems. */
export function parseWorld(given: unknown): World {
  const { data, error } = worldSchema.safeParse(given)
  if (data) return data
  throw new PlimsollError('schema_invalid', formatIssues(error, 'world'))
}
