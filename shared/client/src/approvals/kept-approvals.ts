import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { type Decision, CAPABILITIES, REVERSIBILITIES, isSignedBy, sign } from '@plimsoll/contracts'
import { shownOf } from '@plimsoll/engine'
import type { Answer } from '../answer.js'
import type { Approval } from '../session.js'
import { readObject, writePrivate } from './private-files.js'

/** A human's approval for later sessions on this machine. */
export interface KeptApproval {
  readonly id: string
  readonly tool: string
  /** Where the tool came from, as its host tells such places apart: a digest of its definition and of its server. */
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

export interface KeptApprovalsOptions {
  /** Where the files are. */
  readonly folder: string
  /** The key of this user, which signs them. Called only where there is something to read or to write. */
  readonly key: () => Promise<string>
  readonly now?: () => number
}

export type KeptApprovals = ReturnType<typeof createKeptApprovals>

/**
 * Approvals of a user for all sessions on this machine, as files that are signed with the user's key. Each covers the tool as it was
 * defined, of the same server, for the reasons that were shown, no worse than it was, and only while the policy permits the scope `always`
 * for them. Every use of one is an approval in the session's log. Source: docs/decisions/20261125-approvals.md.
 */
export function createKeptApprovals({ folder, key, now = Date.now }: KeptApprovalsOptions) {
  const fileOf = (id: string): string => path.join(folder, `${id}${SUFFIX}`)

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
    /** The approval that covers the step of the answer; `offered`: where its tool comes from. */
    find: async ({ decision }: Answer, offered: string): Promise<Approval | undefined> => {
      if (decision?.approval?.always === undefined) return undefined
      const kept = (await list()).find((each) => each.offered === offered && covers(each, decision))
      return kept && { resolution: 'approved', by: kept.by, scope: 'session', reason: reasonOf(kept) }
    },
    /** Keeps the approval of the answer's step, if the policy permits it. */
    keep: async ({ decision }: Answer, offered: string, by: string): Promise<void> => {
      const { approval: terms, tool, argumentsDigest } = decision ?? {}
      if (!decision || !terms?.always || tool === undefined) return
      const { capability, reversibility, always } = terms
      const approval = {
        id: `always-${randomBytes(6).toString('hex')}`,
        tool,
        offered,
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
