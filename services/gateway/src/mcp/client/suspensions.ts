import { randomBytes, randomUUID } from 'node:crypto'
import { createRequestStateCodec } from '@modelcontextprotocol/server'
import { digestOf } from '@plimsoll/contracts'
import { LRUCache } from 'lru-cache'
import type { ClientIdentity } from '../upstream/link.js'
import {
  type Members,
  type RequestId,
  type Sent,
  invalid,
  isObject,
  metaIn,
  textMember,
} from '../rpc/messages.js'
import { type Exchange, type InputRequests, type InputResponses, ASK_MS_MAX } from './exchange.js'

/** A request of the 2026 era, and where its answer goes. */
export interface ModernRequest extends Sent {
  readonly id: RequestId
  readonly params: Members
  readonly signal: AbortSignal
  notify(sent: Sent): void
}

/** Travels to the client with its questions and back, signed. */
interface State {
  readonly id: string
}

interface Question {
  readonly requests: InputRequests
  readonly meta: Members | undefined
  answer(responses: InputResponses): void
  fail(cause: Error): void
}

/** Who answers the client now: the latest request of the exchange. */
interface Round {
  readonly request: ModernRequest
  resolve(result: Members): void
  reject(cause: unknown): void
}

interface Suspended {
  readonly key: string
  resume(round: Round, responses: InputResponses): void
  end(cause: Error): void
}

export interface SuspensionsOptions {
  /** Exchanges that wait for their clients at a time. */
  readonly suspendedMax: number
}

/**
 * Requests of the 2026 era that wait for their client: the answer is a question (`input_required`), and the client's next request with
 * the answer's state continues where the first one stopped. A state is for one continuation, by the same principal, of the same request.
 */
export function createSuspensions({ suspendedMax }: SuspensionsOptions) {
  // A random key: exchanges of an earlier process are unknown here anyway.
  const codec = createRequestStateCodec<State>({ key: randomBytes(32), ttlSeconds: ASK_MS_MAX / 1_000 })
  const suspended = new LRUCache<string, Suspended>({
    max: suspendedMax,
    ttl: ASK_MS_MAX,
    ttlAutopurge: true,
    dispose: ({ end }, _, reason) => {
      if (reason !== 'delete') end(new Error('the client has not answered in time'))
    },
  })

  function take(id: string, key: string): Suspended | undefined {
    const found = suspended.get(id)
    if (found?.key !== key) return undefined
    suspended.delete(id)
    return found
  }

  function begin(
    round: Round,
    client: ClientIdentity,
    key: () => string,
    run: (exchange: Exchange) => Promise<Members>,
  ): void {
    let current: Round | undefined = round
    let finished: { readonly result: Members } | { readonly cause: unknown } | undefined
    let questions: Question[] = []
    let asked: Question[] = []
    const controller = new AbortController()
    const watch = ({ request: { signal } }: Round): void => {
      const onAbort = () => {
        // The end of an earlier round is no cancellation.
        if (current?.request.signal === signal) controller.abort(signal.reason)
      }
      if (signal.aborted) onAbort()
      else signal.addEventListener('abort', onAbort, { once: true })
    }

    async function flush(): Promise<void> {
      if (!current) return
      if (finished) {
        const { resolve, reject } = current
        current = undefined
        if ('result' in finished) resolve(finished.result)
        else reject(finished.cause)
        return
      }
      if (questions.length === 0) return
      const { resolve } = current
      current = undefined
      // Each name is of one question: an answer to one must not count for another.
      const names = new Set<string>()
      asked = []
      for (const question of questions) {
        const own = Object.keys(question.requests)
        if (own.some((name) => names.has(name))) break
        for (const name of own) names.add(name)
        asked.push(question)
      }
      questions = questions.slice(asked.length)
      const id = randomUUID()
      suspended.set(id, { key: key(), resume, end })
      const inputRequests = Object.assign({}, ...asked.map(({ requests }) => requests)) as InputRequests
      const meta = Object.assign({}, ...asked.map(({ meta }) => meta)) as Members
      resolve({
        resultType: 'input_required',
        ...(Object.keys(inputRequests).length > 0 && { inputRequests }),
        requestState: await codec.mint({ id }),
        ...(Object.keys(meta).length > 0 && { _meta: meta }),
      })
    }

    function resume(next: Round, responses: InputResponses): void {
      current = next
      watch(next)
      const answered = asked
      asked = []
      for (const { answer } of answered) answer(responses)
      // What it does next may take long, or be another question that already waits.
      void flush()
    }

    function end(cause: Error): void {
      for (const { fail } of asked) fail(cause)
      controller.abort(cause)
    }

    watch(round)
    const { id: requestId, method, params } = round.request
    const { requestState: _, inputResponses, ...rest } = params
    const exchange: Exchange = {
      id: requestId,
      method,
      params: rest,
      client,
      signal: controller.signal,
      ...(inputResponses !== undefined && { inputResponses }),
      wantsProgress: metaIn(params)['progressToken'] !== undefined,
      notify: (sent) => current?.request.notify(sent),
      progress: (progress) => {
        const progressToken = metaIn(current?.request.params)['progressToken']
        if (progressToken === undefined) return
        current?.request.notify({ method: 'notifications/progress', params: { ...progress, progressToken } })
      },
      ask: (requests, meta) =>
        new Promise((answer, fail) => {
          questions.push({ requests, meta, answer, fail })
          // Others that are asked in the same turn go along.
          setImmediate(() => void flush())
        }),
    }
    run(exchange)
      .then(
        (result) => (finished = { result }),
        (cause: unknown) => (finished = { cause }),
      )
      .finally(() => void flush())
  }

  return {
    /** Answers a request: begins `run`, or continues the exchange of its state. */
    handle: async (
      request: ModernRequest,
      { principal, client }: { readonly principal: string; readonly client: ClientIdentity },
      run: (exchange: Exchange) => Promise<Members>,
    ): Promise<Members> => {
      const { method, params } = request
      const { requestState, inputResponses, _meta: __, ...own } = params
      const state = requestState === undefined ? undefined : await stateIn(requestState)
      let made: string | undefined
      const key = (): string => (made ??= digestOf([principal, method, own]))
      const found = state && take(state.id, key())
      return new Promise<Members>((resolve, reject) => {
        const round = { request, resolve, reject }
        if (found) return found.resume(round, isObject(inputResponses) ? inputResponses : {})
        // The answers belong to a question that is no more, or was of another request.
        const fresh = state ? { ...request, params: withoutAnswers(params) } : request
        begin({ ...round, request: fresh }, client, key, run)
      })
    },
    close: (): void => suspended.clear(),
  }

  async function stateIn(requestState: unknown): Promise<State> {
    try {
      const text = textMember({ requestState }, 'requestState') ?? ''
      // A request's own state needs no context.
      return await codec.verify(text, undefined as never)
    } catch {
      throw invalid('Invalid or expired requestState')
    }
  }
}

function withoutAnswers(params: Members): Members {
  const { requestState: _, inputResponses: __, ...rest } = params
  return rest
}
