import { randomUUID } from 'node:crypto'
import { appendFileSync, createReadStream, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import {
  type Appeal,
  type Decision,
  type GivenAppeal,
  PlimsollError,
  appealOf,
  eventSchema,
  isSignedBy,
  parseJson,
} from '@plimsoll/contracts'
import { decisionsFile, readDecisions, stoppedFile } from './decisions-file.js'
import { localQueueFolder } from './local-queue.js'
import { readUserKey, stateFolderOf } from './user-state.js'

type Env = Readonly<Record<string, string | undefined>>

/** A larger file takes no more, in bytes: some ten thousand appeals. */
const BYTES_MAX = 16 * 2 ** 20

/** The appeals of this user on this machine, a line each: the signed event, and the decision with its facts. No texts of steps. */
export const appealsFile = (env: Env): string => path.join(stateFolderOf(env), 'appeals.jsonl')

/** Records an appeal against a decision of this machine; undefined if it made none with this id, or has it no more. */
export async function appealHere(
  decisionId: string,
  appeal: GivenAppeal,
  env: Env,
): Promise<Appeal | undefined> {
  const decision = await findHere(decisionId, env)
  if (!decision) return undefined
  const source = { id: `appeal-${randomUUID()}`, producer: 'plimsoll-cli', timeMs: Date.now() }
  const event = appealOf(decision, appeal, source, await readUserKey(localQueueFolder(env)))
  const { error } = eventSchema.safeParse(event)
  if (error)
    throw new PlimsollError(
      'usage_invalid',
      `decision \`${decisionId}\` cannot be appealed against: ${error.message}`,
    )
  const file = appealsFile(env)
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > BYTES_MAX)
    throw new PlimsollError('usage_invalid', `\`${file}\` is full: move it to another place`)
  appendFileSync(file, `${JSON.stringify({ event, decision })}\n`, { mode: 0o600 })
  return event
}

async function findHere(decisionId: string, env: Env): Promise<Decision | undefined> {
  let found: Decision | undefined
  for (const file of [stoppedFile(env), decisionsFile(env)])
    await readDecisions(file, (decision) => {
      if (decision.id === decisionId) found = decision
    }).catch((error: unknown) => {
      if (!(error instanceof PlimsollError)) throw error
    })
  return found
}

/** Calls `onAppeal` for each appeal of this machine that this user signed. */
export async function readAppealsHere(env: Env, onAppeal: (appeal: Appeal) => void): Promise<void> {
  const file = appealsFile(env)
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return
  const key = await readUserKey(localQueueFolder(env))
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    const { data } = eventSchema.safeParse(
      (parseJson(line) as { readonly event?: unknown } | undefined)?.event,
    )
    if (data?.type === 'decision.appealed' && isSignedBy(data, key)) onAppeal(data)
  }
}
