import {
  type JSONRPCMessage,
  type Transport,
  type TransportSendOptions,
  ProtocolErrorCode,
} from '@modelcontextprotocol/client'
import {
  type Members,
  type RequestId,
  type Sent,
  errorFrom,
  errorInBody,
  errorOf,
  isObject,
  metaIn,
  textMember,
  withMeta,
} from './messages.js'

/** A request of the other side. */
export interface Incoming extends Sent {
  readonly id: RequestId
  readonly params: Members
  /** Aborts when the other side cancels it, or has gone. */
  readonly signal: AbortSignal
}

export interface PeerOptions {
  readonly transport: Transport
  /** Answers a request. Rejects with the error of its response. */
  readonly onRequest: (incoming: Incoming) => Promise<Members>
  readonly onNotification: (notification: Sent) => void
  readonly onClose: () => void
  /** Whether the end of a request's stream cancels it; otherwise a notification does. */
  readonly cancelsByStream?: boolean
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined
  /** How long the other side may take, since its last sign of life for this request, milliseconds. */
  readonly idleMs?: number
  /** How long in total. */
  readonly totalMs?: number
  /** Gets the progress of the request, without a token. Asks for it. */
  readonly onProgress?: ((progress: Members) => void) | undefined
  /** The request of the other side in whose stream this one travels. */
  readonly relatedTo?: RequestId | undefined
  /** Headers over HTTP. */
  readonly headers?: Readonly<Record<string, string>>
}

/** One end of a JSON-RPC connection of MCP: any method, and members as they are. */
export type Peer = ReturnType<typeof createPeer>

interface Open {
  settle(result: Members): void
  fail(cause: unknown): void
  /** Notes a sign of life. */
  touch(): void
  readonly onProgress: ((progress: Members) => void) | undefined
}

/** Attaches to the transport, which must not be started yet. */
export function createPeer(options: PeerOptions) {
  const { transport, onRequest, onNotification, onClose, cancelsByStream = false } = options
  const open = new Map<RequestId, Open>()
  const incoming = new Map<RequestId, AbortController>()
  let lastId = 0
  let isClosed = false

  const send = (message: Members, options?: TransportSendOptions): Promise<void> =>
    transport.send({ jsonrpc: '2.0', ...message } as JSONRPCMessage, options)

  function onmessage(message: JSONRPCMessage): void {
    const { id, method, params, result, error } = message as unknown as Readonly<Record<string, unknown>>
    if (typeof method !== 'string') settle(id as RequestId, result, error)
    else if (id === undefined) notified({ method, ...(isObject(params) && { params }) })
    else void answer(id as RequestId, method, isObject(params) ? params : {})
  }

  const { onclose: closedBefore } = transport
  function onclose(): void {
    closedBefore?.()
    if (isClosed) return
    isClosed = true
    for (const { fail } of open.values()) fail(new Error('the connection has closed'))
    for (const controller of incoming.values()) controller.abort(new Error('the connection has closed'))
    onClose()
  }
  Object.assign(transport, { onmessage, onclose })

  function settle(id: RequestId, result: unknown, error: unknown): void {
    const waiting = open.get(id)
    if (!waiting) return
    if (isObject(error)) waiting.fail(errorFrom(error))
    else waiting.settle(isObject(result) ? result : {})
  }

  function notified({ method, params = {} }: Sent): void {
    if (method === 'notifications/progress') {
      const { progressToken, ...progress } = params
      const waiting = open.get(progressToken as RequestId)
      waiting?.touch()
      if (waiting) waiting.onProgress?.(progress)
      else onNotification({ method, params })
    } else if (method === 'notifications/cancelled')
      incoming
        .get(params['requestId'] as RequestId)
        ?.abort(new Error(textMember(params, 'reason') ?? 'cancelled'))
    else onNotification({ method, params })
  }

  async function answer(id: RequestId, method: string, params: Members): Promise<void> {
    const controller = new AbortController()
    const { signal } = controller
    incoming.set(id, controller)
    try {
      const result = await onRequest({ id, method, params, signal })
      // A cancelled request gets no response.
      if (!signal.aborted) await send({ id, result })
    } catch (cause) {
      if (!signal.aborted) await send({ id, error: errorOf(cause) }).catch(() => {})
    } finally {
      if (incoming.get(id) === controller) incoming.delete(id)
    }
  }

  /** Rejects with the other side's error, with the signal's reason, and if the time is over or the connection closes. */
  function request({ method, params }: Sent, options: RequestOptions = {}): Promise<Members> {
    const { signal, idleMs, totalMs, onProgress, relatedTo, headers } = options
    if (isClosed) return Promise.reject(new Error('the connection has closed'))
    const id = ++lastId
    const stream = transport.hasPerRequestStream === true ? new AbortController() : undefined
    return new Promise<Members>((resolve, reject) => {
      const startedAt = Date.now()
      let timer: NodeJS.Timeout | undefined
      const finish = (): void => {
        open.delete(id)
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
      }
      const fail = (cause: unknown): void => {
        finish()
        reject(cause instanceof Error ? cause : new Error(String(cause)))
      }
      const cancel = (cause: Error): void => {
        fail(cause)
        if (method === 'initialize') return
        const params = { requestId: id, reason: cause.message }
        if (!cancelsByStream) send({ method: 'notifications/cancelled', params }).catch(() => {})
        stream?.abort()
      }
      const onAbort = () => cancel(signal?.reason instanceof Error ? signal.reason : new Error('cancelled'))
      const touch = (): void => {
        clearTimeout(timer)
        const left = Math.min(idleMs ?? Infinity, (totalMs ?? Infinity) - (Date.now() - startedAt))
        if (left === Infinity) return
        timer = setTimeout(() => cancel(new Error('Request timed out')), Math.max(0, left))
      }
      open.set(id, {
        onProgress,
        touch,
        fail,
        settle: (result) => {
          finish()
          resolve(result)
        },
      })
      touch()
      if (signal?.aborted) return onAbort()
      signal?.addEventListener('abort', onAbort, { once: true })
      const sent = onProgress ? withMeta(params, { progressToken: id }) : params
      send(
        { id, method, ...(sent && { params: sent }) },
        {
          ...(relatedTo !== undefined && { relatedRequestId: relatedTo }),
          ...(headers && { headers }),
          ...(stream && {
            requestSignal: stream.signal,
            onRequestStreamEnd: () => fail(new Error('the server has ended its answer early')),
          }),
        },
      ).catch((cause: unknown) => fail(errorInBody(cause)))
    })
  }

  return {
    request,
    /** Notifies the other side, in the stream of its request `relatedTo` if there is one. */
    notify: async ({ method, params }: Sent, relatedTo?: RequestId): Promise<void> =>
      send(
        { method, ...(params && { params }) },
        relatedTo === undefined ? undefined : { relatedRequestId: relatedTo },
      ),
    /** Notes a sign of life for all open requests: the other side waits for an answer of ours. */
    touchAll: (): void => {
      for (const { touch } of open.values()) touch()
    },
    /** Answers what is still open with an error: the other side need not wait for its timeout. */
    close: async (): Promise<void> => {
      const message = 'the connection has been closed'
      for (const [id, controller] of incoming) {
        controller.abort(new Error(message))
        await send({ id, error: { code: ProtocolErrorCode.InternalError, message } }).catch(() => {})
      }
      await transport.close()
    },
    progressTokenOf: (params: Members): RequestId | undefined => {
      const token = metaIn(params)['progressToken']
      return typeof token === 'string' || typeof token === 'number' ? token : undefined
    },
  }
}
