import { createHash } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { type Answer, approveCommand } from '@plimsoll/client'
import { readObject, writePrivate } from '@plimsoll/client/services'
import { type PermittedScope, isSignedBy, sign } from '@plimsoll/contracts'
import type { ApprovalQueue, Approve, GivenApproval, OfferedTool } from '@plimsoll/gateway'
import { readUserKey, stateFolderOf } from './user-state.js'

/** An open approval request. */
export interface LocalRequest {
  readonly decisionId: string
  readonly tool: string
  /** The step for a human, by lines. */
  readonly lines: readonly string[]
  readonly scopes: readonly PermittedScope[]
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

interface SignedAnswer extends GivenApproval {
  readonly decisionId: string
  readonly expiresAt: number
  readonly signature: string
}

/** Requests in one folder: more are not shown. */
const REQUESTS_MAX = 1_000

export type LocalQueue = ReturnType<typeof createLocalQueue>

/**
 * Approval requests as files of this user, answered in a terminal by files that are signed with a key that only this user can read. An
 * agent that can run code as the same user could answer for itself. Source: docs/decisions/20261125-approvals.md.
 */
export function createLocalQueue(folder: string, now: () => number = Date.now) {
  const fileOf = (decisionId: string, kind: 'request' | 'answer'): string =>
    path.join(folder, `${createHash('sha256').update(decisionId).digest('hex').slice(0, 32)}.${kind}.json`)

  const key = () => readUserKey(folder)

  async function find(decisionId: string): Promise<LocalRequest | undefined> {
    const request = await read<LocalRequest>(fileOf(decisionId, 'request'))
    return request?.decisionId === decisionId && request.expiresAt > now() ? request : undefined
  }

  async function all(): Promise<readonly LocalRequest[]> {
    const names = await readdir(folder).catch(() => [])
    const files = names.filter((name) => name.endsWith('.request.json')).slice(0, REQUESTS_MAX)
    const requests = await Promise.all(files.map((name) => read<LocalRequest>(path.join(folder, name))))
    return requests.filter((request) => request !== undefined)
  }

  async function remove(decisionId: string): Promise<void> {
    await rm(fileOf(decisionId, 'request'), { force: true })
    await rm(fileOf(decisionId, 'answer'), { force: true })
  }

  return {
    add: async (request: LocalRequest): Promise<void> => {
      // A process that was killed leaves its requests, with the arguments of their steps.
      for (const { decisionId, expiresAt } of await all()) if (expiresAt <= now()) await remove(decisionId)
      await writePrivate(fileOf(request.decisionId, 'request'), request)
    },
    find,
    /** Open requests, the first to expire first. */
    list: async (): Promise<readonly LocalRequest[]> => {
      const requests = await all()
      return requests.filter(({ expiresAt }) => expiresAt > now()).sort((a, b) => a.expiresAt - b.expiresAt)
    },
    /** Leaves an answer for the process that asks. */
    answer: async ({ decisionId, expiresAt }: LocalRequest, approval: GivenApproval): Promise<void> => {
      const signed = sign<SignedAnswer>({ ...approval, decisionId, expiresAt }, await key())
      await writePrivate(fileOf(decisionId, 'answer'), signed)
    },
    /** The answer to a request; undefined if there is none. Ignores answers that this user's key has not signed. */
    answerTo: async ({ decisionId, expiresAt }: LocalRequest): Promise<GivenApproval | undefined> => {
      const answer = await read<SignedAnswer>(fileOf(decisionId, 'answer'))
      if (answer?.decisionId !== decisionId || answer.expiresAt !== expiresAt) return undefined
      if (typeof answer.signature !== 'string' || !isSignedBy(answer, await key())) return undefined
      const { decisionId: _, expiresAt: __, signature: ___, ...given } = answer
      return given
    },
    remove,
  }
}

const read = async <T>(file: string) => (await readObject(file)) as T | undefined

/** The folder of approval requests of this user. Throws `config_invalid` if there is no home. */
export const localQueueFolder = (env: Readonly<Record<string, string | undefined>>): string =>
  path.join(stateFolderOf(env), 'approvals')

/** How often answers are looked for, milliseconds, besides before each call. */
const COLLECT_MS = 1_000

/** An approval that was kept earlier and covers the step of the answer. */
export type FindApproval = NonNullable<ApprovalQueue['findKept']>

/**
 * The queue of a process that decides itself: answers are applied before its next step. `plimsoll` is the command that
 * starts this Plimsoll in a terminal. `close` removes the requests.
 */
export function createLocalApprovals(
  queue: LocalQueue,
  approve: Approve,
  findKept: FindApproval,
  plimsoll: string,
): ApprovalQueue & { close(): Promise<void> } {
  const open = new Map<string, OpenCall>()

  async function close(decisionId: string): Promise<void> {
    open.delete(decisionId)
    await queue.remove(decisionId)
  }

  async function collect(): Promise<void> {
    for (const [decisionId, { request, answer, offered }] of open) {
      const given = await queue.answerTo(request)
      // It may have been answered in its client, or have expired.
      if (given) await approve(answer, given, offered).catch(() => {})
      if (given || request.expiresAt <= Date.now()) await close(decisionId)
    }
  }

  const timer = setInterval(() => void collect().catch(() => {}), COLLECT_MS).unref()
  return {
    approveWith: ({ decision }) => {
      const isForSession = decision?.approval?.scopes.includes('session') === true
      const again = isForSession ? ' (with `--session`, also when it is called again in this session)' : ''
      return `\`${approveCommand(decision?.id ?? '', plimsoll)}\` in a terminal${again}`
    },
    add: async (answer, lines, offered) => {
      const { decision, tool } = answer
      if (!decision || open.has(decision.id)) return
      const { id: decisionId, expiresAt = 0, approval } = decision
      const request = { decisionId, tool, lines, scopes: approval?.scopes ?? ['once'], expiresAt }
      open.set(decisionId, { request, answer, offered })
      await queue.add(request)
    },
    remove: async ({ decision }) => close(decision?.id ?? ''),
    collect,
    findKept,
    close: async () => {
      clearInterval(timer)
      for (const decisionId of open.keys()) await close(decisionId)
    },
  }
}

interface OpenCall {
  readonly request: LocalRequest
  readonly answer: Answer
  readonly offered: OfferedTool
}
