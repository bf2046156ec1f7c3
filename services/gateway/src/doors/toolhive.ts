import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Answer, explain } from '@plimsoll/client'
import { PlimsollError, lineSchema } from '@plimsoll/contracts'
import { z } from 'zod'
import type { OutsideCall } from './outside-call.js'

/**
 * The interface by which ToolHive asks a validating webhook before a request reaches an MCP server (version v0.1.0). Members that are not read here
 * may come and go.
 */
export const toolHiveRequestSchema = z.looseObject({
  version: z.string().max(20),
  uid: z.string().min(1).max(200),
  principal: z.looseObject({ subject: lineSchema(128).nullish() }).nullish(),
  mcp_request: z.looseObject({
    method: lineSchema(128),
    params: z.record(z.string(), z.unknown()).nullish(),
  }),
  context: z.looseObject({
    server_name: z.string().max(200).nullish(),
    backend_server: z.string().max(200).nullish(),
    namespace: z.string().max(200).nullish(),
    source_ip: z.string().max(200).nullish(),
  }),
})
type ToolHiveRequest = z.infer<typeof toolHiveRequestSchema>

export interface ToolHiveAnswer {
  readonly version: string
  readonly uid: string
  readonly allowed: boolean
  readonly code?: number
  readonly reason?: string
  readonly message?: string
  readonly details?: Readonly<Record<string, string>>
}

const VERSION = 'v0.1.0'

/** Methods that start or list and carry nothing of a conversation. */
const QUIET =
  /^(?:initialize|ping|(?:tools|prompts|resources|resources\/templates|roots)\/list|logging\/setLevel|notifications\/(?:initialized|cancelled|progress|roots\/list_changed))$/

/** The call in the form of all doors; undefined for a method that needs no verdict. Results never come this way. */
export function readToolHiveRequest({
  mcp_request,
  principal,
  context,
}: ToolHiveRequest): OutsideCall | undefined {
  const { method, params } = mcp_request
  if (QUIET.test(method)) return undefined
  const server = (context.backend_server ?? context.server_name ?? '').replaceAll(/[^\w-]/g, '-').slice(0, 60)
  const who = callerOf(principal?.subject, context.source_ip)
  const { name, arguments: values } = params ?? {}
  if (method === 'tools/call' && !isNamed(params ?? {}))
    throw new PlimsollError('schema_invalid', 'mcp_request.params: expected `name` and `arguments` of a call')
  const isCall = method === 'tools/call'
  return {
    conversation: JSON.stringify(['toolhive', context.namespace, ...who]),
    user: principal?.subject ?? undefined,
    said: [],
    ran: undefined,
    step: {
      tool: isCall ? (server === '' ? String(name) : `mcp__${server}__${String(name)}`) : method,
      arguments: (isCall ? (values as Readonly<Record<string, unknown>> | undefined) : params) ?? {},
    },
  }
}

/** Whether the call names a tool, and its arguments are an object or absent. */
const isNamed = ({ name, arguments: values }: Readonly<Record<string, unknown>>): boolean =>
  lineSchema(128).safeParse(name).success &&
  (values === undefined || (typeof values === 'object' && values !== null && !Array.isArray(values)))

/** Who calls: a subject, else an address without its port. Throws `schema_invalid` if neither is there: callers would share a session. */
function callerOf(subject: string | null | undefined, address: string | null | undefined): readonly string[] {
  if (subject !== undefined && subject !== null) return ['subject', subject]
  const host = /^\[[^\]]+\]/.exec(address ?? '')?.[0] ?? (address ?? '').replace(/^([^:]+):\d+$/, '$1')
  if (host !== '') return ['address', host]
  throw new PlimsollError('schema_invalid', 'expected `principal.subject` or `context.source_ip`')
}

/** Members that other readers of JSON would take for those that are judged: names that differ by case alone. */
export function assertPlainNames({ mcp_request: asked }: ToolHiveRequest): void {
  for (const [values, names] of [
    [asked, ['jsonrpc', 'id', 'method', 'params']],
    [asked.params ?? {}, ['name', 'arguments']],
  ] as const)
    for (const name of Object.keys(values))
      if (!names.includes(name as never) && names.includes(name.toLowerCase() as never))
        throw new PlimsollError('schema_invalid', `\`${name}\`: expected \`${name.toLowerCase()}\``)
}

/** ToolHive shows its own text to the client; reason and message are for its log. */
export function toolHiveAnswer(uid: string, answer: Answer | undefined): ToolHiveAnswer {
  if (answer === undefined || answer.mayRun) return { version: VERSION, uid, allowed: true }
  const { decision, verdict } = answer
  return {
    version: VERSION,
    uid,
    allowed: false,
    code: 403,
    reason: decision === undefined ? 'no_verdict' : verdict === 'confirm' ? 'approval_required' : 'blocked',
    message: explain(answer),
    ...(decision && { details: { decision: decision.id, session: decision.sessionId } }),
  }
}

/** How old a signed request may be, seconds: an older one may be sent again by somebody who has read it. */
const AGE_SECONDS_MAX = 300

/** Whether `signature` (`sha256=` and hex) is that of `timestamp`, a dot and the body, and recent. In constant time. */
export function isSigned(
  secret: string,
  {
    timestamp,
    signature,
    body,
  }: { readonly timestamp: string; readonly signature: string; readonly body: Uint8Array },
  nowMs: number,
): boolean {
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(nowMs / 1000 - Number(timestamp)) > AGE_SECONDS_MAX)
    return false
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest()
  const given = Buffer.from(/^sha256=([0-9a-f]{64})$/.exec(signature)?.[1] ?? '', 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
