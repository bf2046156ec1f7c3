import { lstatSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import type { HookAnswer, HookEvent } from '../event.js'
import type { HookRequest, HookResponse, HookSettings } from '../settings.js'
import { type Started, startService } from './start.js'

/** How long a hook waits for an answer, milliseconds: below the shortest limit of a client (30 s), since most let a call run after it. */
const ANSWER_MS_MAX = 25_000
/** How often it tries to reach a service that starts, milliseconds. */
const RETRY_MS = 15

/** Asks the service, which it starts if none runs. Rejects if none can be reached, or none answers. */
export async function askService(
  settings: HookSettings,
  client: string,
  event: HookEvent,
): Promise<HookAnswer> {
  const deadline = Date.now() + ANSWER_MS_MAX
  const request: HookRequest = { build: buildOf(settings), client, event }
  const line = `${JSON.stringify(request)}\n`
  let started: Started | undefined
  assertOwn(settings.socket)
  try {
    while (Date.now() < deadline) {
      // A service that has failed may have found another that listens.
      const isLast = started?.hasFailed === true
      const response = await exchange(settings.socket, line, deadline - Date.now())
      if (response && 'answer' in response) return response.answer
      if (response && 'error' in response) throw new Error(response.error)
      if (isLast) throw new Error('it cannot start')
      started ??= await startService(settings, ANSWER_MS_MAX)
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
    throw new Error('it did not start in time')
  } finally {
    started?.release()
  }
}

/** When the script was written: after an upgrade another service is needed. */
export const buildOf = ({ script }: Pick<HookSettings, 'script'>): number =>
  statSync(script, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** No service listens, or it has ended in the middle. */
const UNSERVED: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'])

/** One request, one response. Undefined if no service listens, or it ends before it has answered. */
function exchange(socket: string, line: string, limitMs: number): Promise<HookResponse | undefined> {
  return new Promise((resolve, reject) => {
    const link = connect(socket)
    let text = ''
    link.setEncoding('utf8')
    link.setTimeout(limitMs, () => link.destroy(new Error('it did not answer in time')))
    link.on('connect', () => link.write(line))
    link.on('data', (part: string) => {
      text += part
      const end = text.indexOf('\n')
      if (end < 0) return
      link.end()
      resolve(JSON.parse(text.slice(0, end)) as HookResponse)
    })
    link.on('error', (error: NodeJS.ErrnoException) => {
      if (UNSERVED.has(error.code)) resolve(undefined)
      else reject(error)
    })
    link.on('close', () => resolve(undefined))
  })
}

/** Throws unless the socket's folder is this user's alone: what is sent holds texts of the session. */
function assertOwn(socket: string): void {
  const folder = path.dirname(socket)
  if (!isOwnFolder(folder))
    throw new Error(`\`${folder}\` is not yours alone: remove it, and install the hook again`)
}

/** Whether only this user can open the folder, or there is none yet. Windows has no such rights. */
export function isOwnFolder(folder: string): boolean {
  const user = process.getuid?.()
  const found = user === undefined ? undefined : lstatSync(folder, { throwIfNoEntry: false })
  return !found || (found.isDirectory() && found.uid === user && (found.mode & 0o077) === 0)
}
