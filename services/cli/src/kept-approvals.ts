import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Answer, Approval } from '@plimsoll/client'
import { type Decision, CAPABILITIES, REVERSIBILITIES, digestOf, isSignedBy, sign } from '@plimsoll/contracts'
import { shownOf } from '@plimsoll/engine'
import { type OfferedTool, type ServersDocument, definitionDigest } from '@plimsoll/gateway'
import { readObject, readUserKey, stateFolderOf, writePrivate } from './user-state.js'

/** A human's approval for later sessions on this machine. */
export interface KeptApproval {
  readonly id: string
  readonly tool: string
  /** Digest of the tool's definition and of its server's URL, or its command with its folder. */
  readonly offered: string
  /** Digest of the arguments that it covers; absent: any. */
  readonly argumentsDigest?: string | undefined
  /** Of the approved step: a covered one is no worse. */
  readonly capability: Terms['capability']
  readonly reversibility: Terms['reversibility']
  /** The reasons that the human saw, as `source:code`. */
  readonly reasons: readonly string[]
  readonly by: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  readonly signature: string
}

type Terms = NonNullable<Decision['approval']>

/** Kept approvals in one folder: more are not read. */
const KEPT_MAX = 1_000
const DAY_MS = 86_400_000
const SUFFIX = '.json'
/** The form of their ids, which are names of files. */
export const KEPT_ID = /^always-[0-9a-f]{12}$/

/**
 * Approvals of this user for all sessions of `plimsoll mcp` on this machine, as files that are signed with the user's key. Each covers the
 * tool as it was defined, of the same server, for the reasons that were shown, no worse than it was, and only while the policy permits the
 * scope `always` for them. Every use of one is an approval in the session's log. Source: docs/decisions/20261125-approvals.md.
 */
export function createKeptApprovals(folder: string, now: () => number = Date.now) {
  const fileOf = (id: string): string => path.join(folder, `${id}${SUFFIX}`)
  const key = () => readUserKey(folder)

  /** Those that count, the first to expire first. Ignores what this user's key has not signed. */
  async function list(): Promise<readonly KeptApproval[]> {
    const names = await readdir(folder).catch(() => [])
    const ids = names.map((name) => path.basename(name, SUFFIX)).filter((id) => KEPT_ID.test(id))
    if (ids.length === 0) return []
    const userKey = await key()
    const read = await Promise.all(ids.slice(0, KEPT_MAX).map((id) => readObject(fileOf(id))))
    return read
      .filter((value): value is KeptApproval => value !== undefined && isSignedByUser(value, userKey))
      .filter(({ expiresAt }) => expiresAt > now())
      .sort((a, b) => a.expiresAt - b.expiresAt)
  }

  return {
    list,
    /** Resolves with whether there was one of that id. */
    forget: async (id: string): Promise<boolean> => {
      const isKept = KEPT_ID.test(id) && (await readObject(fileOf(id))) !== undefined
      if (isKept) await rm(fileOf(id), { force: true })
      return isKept
    },
    /** Those of the tools of `servers`. */
    of: ({ servers }: ServersDocument) => {
      const offeredDigest = ({ server, tool }: OfferedTool): string =>
        digestOf({ server: addressOf(servers[server]), definition: definitionDigest(tool) })
      return {
        find: async ({ decision }: Answer, offered: OfferedTool): Promise<Approval | undefined> => {
          if (decision?.approval?.always === undefined) return undefined
          const digest = offeredDigest(offered)
          const kept = (await list()).find((each) => each.offered === digest && covers(each, decision))
          return kept && { resolution: 'approved', by: kept.by, scope: 'session', reason: reasonOf(kept) }
        },
        keep: async ({ decision }: Answer, offered: OfferedTool, by: string): Promise<void> => {
          const { approval: terms, tool, argumentsDigest } = decision ?? {}
          if (!decision || !terms?.always || tool === undefined) return
          const { capability, reversibility, always } = terms
          const approval = {
            id: `always-${randomBytes(6).toString('hex')}`,
            tool,
            offered: offeredDigest(offered),
            ...(always.arguments === 'same' && { argumentsDigest }),
            capability,
            reversibility,
            reasons: shownOf(decision.reasons),
            by,
            expiresAt: now() + always.days * DAY_MS,
          }
          await writePrivate(fileOf(approval.id), sign<KeptApproval>(approval, await key()))
        },
      }
    },
  }
}

const isSignedByUser = (value: object, key: string): boolean =>
  'signature' in value && typeof value.signature === 'string' && isSignedBy(value as KeptApproval, key)

function covers(kept: KeptApproval, decision: Decision): boolean {
  const { approval: terms, argumentsDigest, tool } = decision
  if (terms?.always === undefined || kept.tool !== tool) return false
  const isSame = kept.argumentsDigest === argumentsDigest
  return (
    (isSame || (kept.argumentsDigest === undefined && terms.always.arguments === 'any')) &&
    CAPABILITIES.indexOf(terms.capability) <= CAPABILITIES.indexOf(kept.capability) &&
    REVERSIBILITIES.indexOf(terms.reversibility) <= REVERSIBILITIES.indexOf(kept.reversibility) &&
    shownOf(decision.reasons).every((reason) => kept.reasons.includes(reason))
  )
}

const reasonOf = ({ id, expiresAt }: KeptApproval): string =>
  `kept on this machine as ${id}, until ${new Date(expiresAt).toISOString()}`

/**
 * What starts or reaches a server. The same words start another one in another folder: `node server.js`, `npx server`. Its variables may
 * change.
 */
function addressOf(server: ServersDocument['servers'][string] | undefined): object {
  if (server === undefined) return {}
  if ('url' in server) return { url: server.url }
  const { command, args, cwd = '' } = server
  return { command, args, cwd: path.resolve(cwd) }
}

/** The folder of kept approvals of this user. Throws `config_invalid` if there is no home. */
export const keptFolder = (env: Readonly<Record<string, string | undefined>>): string =>
  path.join(stateFolderOf(env), 'approvals', 'always')
