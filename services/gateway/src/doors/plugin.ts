import type { Answer } from '@plimsoll/client'
import { PlimsollError, formatIssues, parseJson } from '@plimsoll/contracts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Signer } from '../auth/authenticator.js'
import type { Principal } from '../auth/principals.js'
import type { GatewayContext, GatewayPlugin } from '../context.js'
import { assertExact, readJson } from '../http/exact-json.js'
import { createOpenRequests } from '../http/plugin.js'
import { publicError, statusOf } from '../http/server.js'
import {
  type CopilotAnswer,
  copilotAnswer,
  copilotCallSchema,
  copilotRefusal,
  readCopilotCall,
} from './copilot-studio.js'
import { type OutsideCall, judgeOutside } from './outside-call.js'
import {
  assertPlainNames,
  isSigned,
  readToolHiveRequest,
  toolHiveAnswer,
  toolHiveRequestSchema,
} from './toolhive.js'

/** The platform waits a second and then does what its setting says, which is to run the call: an answer must come before. */
const COPILOT_TIMEOUT_MS = 700
/** For what is reported with the call, milliseconds. */
const GRACE_MS = 100

const COPILOT = '/doors/copilot-studio'

const ANALYZE = `${COPILOT}/analyze-tool-execution`
/** A request repeats what the conversation's tools gave. */
const BODY_BYTES_MAX = 8 * 1024 * 1024

const TOOLHIVE = '/doors/toolhive'
/** ToolHive waits ten seconds by default. */
const TOOLHIVE_TIMEOUT_MS = 5_000

/**
 * Decision points for platforms that ask in forms of their own. `signers`: principals whose requests are signed. Source:
 * docs/decisions/20261129-doors.md.
 */
export const createDoorsPlugin =
  (signers: ReadonlyMap<string, Signer>): GatewayPlugin =>
  async (app, context) => {
    const { principalOf, sessions, approvals, checkMetrics: metrics } = context
    const requests = createOpenRequests()
    app.setErrorHandler((error, request, reply) => answerError(error, request, reply, context))

    const onResponse = async (request: FastifyRequest, reply: FastifyReply) =>
      metrics.answered(request.routeOptions.url ?? '', reply.statusCode)

    async function judge(principal: Principal, call: OutsideCall, timeoutMs: number): Promise<Answer> {
      const { signal } = new AbortController()
      const caller = { principal, sessions, approvals, metrics, signal, trace: undefined }
      const asked = performance.now()
      const answer = await requests.during(principal.name, () => judgeOutside(call, caller, timeoutMs))
      metrics.checked(answer, (performance.now() - asked) / 1000)
      return answer
    }

    await app.register(async (scope) => {
      readJson(scope)
      scope.post(ANALYZE, { onResponse, bodyLimit: BODY_BYTES_MAX }, async (request) => {
        const call = readCopilotCall(parsed(copilotCallSchema, request.body))
        const answer = judge(principalOf(request), call, COPILOT_TIMEOUT_MS).then(copilotAnswer)
        answer.catch(() => {})
        return withinTime(answer)
      })
    })

    await app.register(async (scope) => {
      // What is signed are the bytes; the body of `validate` is empty, whatever its type.
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
      scope.post(`${COPILOT}/validate`, { onResponse }, async () => ({ isSuccessful: true, status: 'OK' }))
      scope.post<{ Params: { name: string } }>(
        `${TOOLHIVE}/:name`,
        { onResponse, config: { open: true } },
        async (request) => {
          const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
          const signer = signers.get(request.params.name)
          if (!signer || !isSigned(signer.secret, signedIn(request, body), Date.now()))
            throw new PlimsollError(
              'unauthenticated',
              'the signature is none of this principal, or it is older than five minutes: compare the secret of the webhook, and `webhookSecretEnv` of the principal',
            )
          const asked = parsed(toolHiveRequestSchema, parseJson(assertExact(body)))
          assertPlainNames(asked)
          const call = readToolHiveRequest(asked)
          const answer = call && (await judge(signer.principal, call, TOOLHIVE_TIMEOUT_MS))
          return toolHiveAnswer(asked.uid, answer)
        },
      )
    })
  }

const signedIn = ({ headers }: FastifyRequest, body: Uint8Array) => ({
  timestamp: String(headers['x-toolhive-timestamp'] ?? ''),
  signature: String(headers['x-toolhive-signature'] ?? ''),
  body,
})

function parsed<S extends z.ZodType>(schema: S, body: unknown): z.infer<S> {
  const { data, error } = schema.safeParse(body)
  if (!error) return data
  throw new PlimsollError('schema_invalid', formatIssues(error, 'body').slice(0, 500))
}

/** The answer, or a refusal once the platform would no longer wait for it. */
async function withinTime(answer: Promise<CopilotAnswer>): Promise<CopilotAnswer> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<CopilotAnswer>((resolve) => {
    timer = setTimeout(
      () => resolve(copilotRefusal('no verdict came in time')),
      COPILOT_TIMEOUT_MS + GRACE_MS,
    )
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

/** An error of a caller that is known blocks a call of Copilot Studio; ToolHive looks at the status alone. */
function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { logger }: Pick<GatewayContext, 'logger'>,
) {
  const shown = publicError(error, (defect) => logger.error('a door failed', { error: defect }))
  const httpStatus = statusOf(shown.code)
  if (request.routeOptions.url === ANALYZE && shown.code !== 'unauthenticated')
    return reply.status(200).send(copilotRefusal(`the call could not be judged: ${shown.message}`))
  const { code: diagnostics, message } = shown
  return reply.status(httpStatus).send({ errorCode: httpStatus, message, httpStatus, diagnostics })
}
