import { chmodSync, lstatSync, mkdirSync, unlinkSync } from 'node:fs'
import { type Server, type Socket, connect, createServer } from 'node:net'
import path from 'node:path'
import { PlimsollError, parseJson } from '@plimsoll/contracts'
import { findHookClient } from '../clients/index.js'
import { isOwnFolder } from '../program/ask.js'
import { type HookRequest, type HookResponse, REQUEST_BYTES_MAX } from '../settings.js'
import type { HookSessions } from './hook-sessions.js'

export interface HookServiceOptions {
  readonly socket: string
  readonly sessions: HookSessions
  /** When the script that runs was written: a request of another build ends this service. */
  readonly build: number
  /** How long no request may come until the service ends, milliseconds. */
  readonly idleMs: number
}

export interface HookService {
  /** Resolves when the service has ended: it was idle, another build has come, or `close` was called. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

/** How often it looks whether the socket is still its own, milliseconds. */
const CHECK_MS = 1_000
/** Characters of a request: JSON may write a character of the event as six. */
const LINE_MAX = 6 * REQUEST_BYTES_MAX

/**
 * Serves hooks of this user at a socket that only they can open. Rejects with `config_invalid` if the folder cannot be theirs alone, and
 * with `closed` if another service has the socket.
 */
export async function serveHooks({
  socket,
  sessions,
  build,
  idleMs,
}: HookServiceOptions): Promise<HookService> {
  let usedAt = Date.now()
  let working = 0
  let isClosing = false
  let resolveEnded: () => void = () => {}
  const ended = new Promise<void>((resolve) => (resolveEnded = resolve))

  async function respond(line: string): Promise<HookResponse> {
    const request = parseJson(line) as Partial<HookRequest> | undefined
    const client = findHookClient(request?.client ?? '')
    if (!client || request?.event === undefined) return { error: 'the request cannot be read' }
    if (request.build !== build) {
      void close()
      return { isOutdated: true }
    }
    try {
      return { answer: await sessions.handle(client, request.event) }
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) }
    }
  }

  const server = createServer((link) => {
    const parts: string[] = []
    let length = 0
    link.setEncoding('utf8')
    link.on('error', () => {})
    link.on('data', (part: string) => {
      parts.push(part)
      length += part.length
      if (length > LINE_MAX) return void link.end(`${JSON.stringify({ error: 'the event is too long' })}\n`)
      if (!part.endsWith('\n')) return
      link.pause()
      usedAt = Date.now()
      working++
      void answerOn(link, parts.join('')).finally(() => working--)
    })
  })

  async function answerOn(link: Socket, line: string): Promise<void> {
    const response = await respond(line)
    link.end(`${JSON.stringify(response)}\n`)
  }

  const inode = await listen(server, socket)
  const check = setInterval(() => {
    const isIdle = working === 0 && Date.now() - usedAt > idleMs
    if (isIdle || inodeOf(socket) !== inode) void close()
  }, CHECK_MS)

  async function close(): Promise<void> {
    if (isClosing) return ended
    isClosing = true
    clearInterval(check)
    // The next hook starts another service; calls in progress are answered first.
    if (inodeOf(socket) === inode) removeSocket(socket)
    await new Promise<void>((resolve) => server.close(() => resolve()))
    await sessions.close()
    resolveEnded()
  }

  return { ended, close }
}

const isPipe = (socket: string): boolean => socket.startsWith('\\\\')

const inodeOf = (socket: string): number =>
  isPipe(socket) ? 0 : (lstatSync(socket, { throwIfNoEntry: false })?.ino ?? -1)

function removeSocket(socket: string): void {
  if (isPipe(socket)) return
  try {
    unlinkSync(socket)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/** Listens at the socket, also where a service that was killed has left one; returns its inode. */
async function listen(server: Server, socket: string): Promise<number> {
  assertOwnFolder(socket)
  if (inodeOf(socket) >= 0 && (await answers(socket)))
    throw new PlimsollError('closed', `another service has \`${socket}\``)
  if (inodeOf(socket) >= 0) removeSocket(socket)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(
        cause.code === 'EADDRINUSE'
          ? new PlimsollError('closed', `another service has \`${socket}\``, { cause })
          : new PlimsollError('config_invalid', `\`${socket}\` cannot be used: ${cause.message}`, { cause }),
      ),
    )
    server.listen(socket, resolve)
  })
  if (!isPipe(socket)) chmodSync(socket, 0o600)
  return inodeOf(socket)
}

const answers = (socket: string): Promise<boolean> =>
  new Promise((resolve) => {
    const link = connect(socket)
    link.on('connect', () => {
      link.destroy()
      resolve(true)
    })
    link.on('error', () => resolve(false))
  })

/** Creates the folder with mode 0700. Throws `config_invalid` if it is not this user's alone. */
function assertOwnFolder(socket: string): void {
  if (isPipe(socket)) return
  const folder = path.dirname(socket)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (isOwnFolder(folder)) return
  throw new PlimsollError(
    'config_invalid',
    `\`${folder}\` is not yours alone: remove it, or set \`PLIMSOLL_STATE_DIR\` to a folder that only you can use`,
  )
}
