import {
  gatewayFrameSchema,
  PlimsollError,
  STREAM_PATH,
  STREAM_PROTOCOL,
  type ErrorCode,
  type GatewayFrame,
} from '@plimsoll/contracts'
import { WebSocket } from 'ws'
import { GATEWAY_FRAME_BYTES_MAX, SILENCE_MS_MAX, WELCOME_MS_MAX } from './limits.js'

export type Welcome = Extract<GatewayFrame, { type: 'welcome' }>

/** One WebSocket to a gateway that has said welcome. */
export interface Connection {
  readonly welcome: Welcome
  send(frame: string): void
  close(): void
}

export interface ConnectionHooks {
  readonly onFrame: (frame: Exclude<GatewayFrame, Welcome>) => void
  /** Told once, however it ends. */
  readonly onClosed: (error: PlimsollError) => void
}

/**
 * Opens a connection. Rejects with `config_invalid`, `unauthenticated` and `forbidden`, which another attempt does not mend, and with
 * `gateway_unavailable`, which it may.
 */
export async function openConnection(
  url: string,
  credential: string,
  { onFrame, onClosed }: ConnectionHooks,
): Promise<Connection> {
  // A variable that is not set, or a file's text with the line's end: what a header cannot carry is told as what it is.
  if (typeof credential !== 'string' || !/^[\x21-\x7e]+$/.test(credential))
    throw new PlimsollError(
      'config_invalid',
      '`credential`: expected a key or a token, on one line, of visible ASCII',
    )
  const socket = new WebSocket(streamUrl(url), STREAM_PROTOCOL, {
    headers: { authorization: `Bearer ${credential}` },
    handshakeTimeout: WELCOME_MS_MAX,
    maxPayload: GATEWAY_FRAME_BYTES_MAX,
    perMessageDeflate: false,
  })
  let silence: NodeJS.Timeout | undefined

  function heard(): void {
    clearTimeout(silence)
    silence = setTimeout(() => socket.terminate(), SILENCE_MS_MAX)
    silence.unref()
  }

  const welcome = await new Promise<Welcome>((resolve, reject) => {
    let refusal: PlimsollError | undefined
    let isWelcome = false
    socket.on('unexpected-response', (_request, response) => {
      refusal = refusedBy(response.statusCode ?? 0)
      socket.terminate()
    })
    socket.on('error', (cause) => (refusal ??= unavailable(`\`${url}\`: ${cause.message}`, cause)))
    socket.on('ping', heard)
    socket.on('message', (data) => {
      heard()
      const frame = frameIn(Buffer.isBuffer(data) ? data.toString('utf8') : '')
      if (!frame) return socket.terminate()
      if (frame.type !== 'welcome') return onFrame(frame)
      isWelcome = true
      resolve(frame)
    })
    socket.once('close', (code, reason) => {
      clearTimeout(silence)
      const why = reason.length > 0 ? `: ${reason.toString()}` : ''
      const error = refusal ?? unavailable(`\`${url}\` closed the connection (${code})${why}`)
      if (isWelcome) onClosed(error)
      else reject(error)
    })
    heard()
  })
  return {
    welcome,
    send: (frame) => socket.send(frame, () => {}),
    close: () => socket.close(1000),
  }
}

function streamUrl(url: string): string {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new PlimsollError(
      'config_invalid',
      `\`url\`: expected the address of a gateway, such as \`http://127.0.0.1:9465\`, got \`${url}\``,
    )
  const { protocol, host, pathname } = new URL(url)
  return `${protocol.replace('http', 'ws')}//${host}${pathname.replace(/\/$/, '')}${STREAM_PATH}`
}

function frameIn(text: string): GatewayFrame | undefined {
  try {
    return gatewayFrameSchema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

function refusedBy(status: number): PlimsollError {
  const codes: Readonly<Record<number, ErrorCode>> = { 401: 'unauthenticated', 403: 'forbidden' }
  const code = codes[status] ?? 'gateway_unavailable'
  return new PlimsollError(code, `the gateway answered with status ${status}`)
}

export const unavailable = (message: string, cause?: unknown): PlimsollError =>
  new PlimsollError('gateway_unavailable', message, cause === undefined ? {} : { cause })
