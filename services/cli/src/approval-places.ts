import { userInfo } from 'node:os'
import {
  type Decision,
  type ErrorCode,
  type ExpectedVerdict,
  type HttpApproval,
  ERRORS,
  PlimsollError,
  httpApprovalAnsweredSchema,
  httpApprovalsSchema,
  httpErrorSchema,
} from '@plimsoll/contracts'
import { type Environment, setting } from '@plimsoll/runtime'
import type { GivenApproval } from '@plimsoll/gateway'
import { type LocalRequest, createLocalQueue, localQueueFolder } from './local-queue.js'

/** How a gateway is reached. */
export const gatewayKeySettings = {
  gatewayUrl: setting.url({
    env: 'PLIMSOLL_GATEWAY_URL',
    doc: 'URL of the gateway.',
    protocols: ['http', 'https'],
    default: 'http://127.0.0.1:9465',
  }),
  apiKey: setting.text({
    env: 'PLIMSOLL_API_KEY',
    doc: 'Key of one of the principals of the gateway; to approve, of one with `approves: true`.',
    expects: 'printable characters without spaces',
    pattern: /^[\x21-\x7e]+$/,
    isSecret: true,
    required: true,
  }),
}

/** An open approval request outside of Kafka. */
export interface OpenRequest extends LocalRequest {
  /** False if another process has the step's arguments. Default: true. */
  readonly isSeen?: boolean
}

/** Where approval requests are answered without access to Kafka. */
export interface ApprovalPlace {
  readonly name: string
  list(): Promise<readonly OpenRequest[]>
  /** Answers it; returns the new decision if there is one already. */
  answer(request: OpenRequest, approval: GivenApproval): Promise<Decision | undefined>
}

/** The place that has the open request, and the request. Undefined if it can only be in Kafka. */
export async function findRequest(
  decisionId: string,
  env: Environment,
): Promise<{ readonly place: ApprovalPlace; readonly request: OpenRequest } | undefined> {
  for (const place of placesOf(env)) {
    const request = (await place.list()).find((each) => each.decisionId === decisionId)
    if (request) return { place, request }
  }
  return undefined
}

/** This machine, and the gateway if its URL and a key are set. */
export function placesOf(env: Environment): readonly ApprovalPlace[] {
  const gateway = gatewayPlace(env)
  return [placeOnMachine(env), ...(gateway ? [gateway] : [])]
}

/** The gateway, if its URL and a key are set. */
export function gatewayPlace({
  PLIMSOLL_GATEWAY_URL: url,
  PLIMSOLL_API_KEY: key,
}: Environment): GatewayPlace | undefined {
  return url !== undefined && key !== undefined ? placeAt(url, key) : undefined
}

interface GatewayPlace extends ApprovalPlace {
  /** Says that a decision was wrong. */
  appeal(appeal: {
    readonly decisionId: string
    readonly expected?: ExpectedVerdict | undefined
    readonly reason?: string | undefined
  }): Promise<void>
}

function placeOnMachine(env: Environment): ApprovalPlace {
  const queue = createLocalQueue(localQueueFolder(env))
  return {
    name: 'this machine',
    list: queue.list,
    answer: async (request, approval) => {
      await queue.answer(request, approval)
      return undefined
    },
  }
}

/** Longest wait for the gateway, milliseconds: it waits 10 s for the monitors. */
const GATEWAY_MS_MAX = 20_000

function placeAt(url: string, key: string): GatewayPlace {
  async function post(path: string, body: object): Promise<unknown> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    const reply = await fetch(new URL(path, url), {
      ...init,
      signal: AbortSignal.timeout(GATEWAY_MS_MAX),
    }).catch((cause: unknown) => {
      throw new PlimsollError('log_unavailable', `the gateway at \`${url}\` does not answer`, { cause })
    })
    const value: unknown = await reply.json().catch(() => undefined)
    if (reply.ok) return value
    const { data } = httpErrorSchema.safeParse(value)
    const code =
      data && Object.hasOwn(ERRORS, data.error.code) ? (data.error.code as ErrorCode) : 'log_unavailable'
    throw new PlimsollError(code, data?.error.message ?? `the gateway at \`${url}\` answered ${reply.status}`)
  }

  return {
    name: url,
    list: async () =>
      httpApprovalsSchema.parse(await post('/v1/approvals/list', {})).approvals.map(requestOf),
    appeal: async (appeal) => void (await post('/v1/appeals', appeal)),
    answer: async ({ decisionId }, { resolution, reason, scope }) => {
      const body = { decisionId, resolution, reason, scope }
      return httpApprovalAnsweredSchema.parse(await post('/v1/approvals/answer', body)).decision
    },
  }
}

const requestOf = ({ lines, message, sessionId, ...rest }: HttpApproval): OpenRequest => ({
  ...rest,
  isSeen: lines.length > 0,
  lines:
    lines.length > 0
      ? lines
      : [
          `An agent wants to call ${rest.tool}; another process has its arguments.`,
          `Plimsoll asks because: ${message}`,
          `Session: ${sessionId}`,
          `Decision: ${rest.decisionId}`,
        ],
})

/** Who answers, if nobody says so. */
export function defaultApprover(): string {
  try {
    return userInfo().username || 'unknown'
  } catch {
    return 'unknown'
  }
}
