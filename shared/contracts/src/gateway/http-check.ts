import { z } from 'zod'
import { decisionSchema } from '../decision/decision.js'
import { idSchema, lineSchema, toolNameSchema } from '../ids.js'
import { claimedLabelsSchema } from '../policy/catalogue.js'
import { worldSchema } from '../policy/world.js'
import { EVIDENCES, TAINTS, VERDICTS } from '../words.js'

/** Requests and responses of the HTTP check. Source: docs/reference/http.md. */

/** How long one request may wait for a human, milliseconds; below the usual time limits of proxies. */
const HTTP_WAIT_MS_MAX = 55_000

/** How long one request may wait for its verdict, milliseconds. */
const HTTP_TIMEOUT_MS_MAX = 30_000

/** Below it no verdict could arrive, and the fail mode would answer every request. */
const HTTP_TIMEOUT_MS_MIN = 100

const tokenSchema = z
  .string()
  .min(1)
  .max(4096)
  .describe(
    'The token that the start of the session returned: opaque, and valid for the principal that started it.',
  )

const whichSession = {
  session: tokenSchema.optional(),
  user: lineSchema(200)
    .optional()
    .describe("The agent's user. Without `session`, the session of this caller and user is used."),
}

const userTextSchema = z.string().max(65_536)

const whatStarts = {
  category: lineSchema(64)
    .optional()
    .describe('The kind of task; a principal with a category keeps its own.'),
  agent: idSchema.optional().describe('Name of the agent.'),
  task: userTextSchema
    .optional()
    .describe(
      'What the user asked for. It stays in the gateway; fingerprints of its distinctive values travel.',
    ),
}

const waitMsSchema = z
  .int()
  .min(0)
  .max(HTTP_WAIT_MS_MAX)
  .describe("How long to wait for a human's answer, milliseconds. You can repeat the request.")

export const httpStartSchema = z.strictObject({
  user: lineSchema(200).optional().describe("The agent's user."),
  ...whatStarts,
  parent: tokenSchema
    .optional()
    .describe('The token of the delegating session: the new session starts with its state.'),
  world: worldSchema.optional().describe('Where the programs of the agent run. Accepted from hosts only.'),
})
export type HttpStart = z.infer<typeof httpStartSchema>

export const httpStartedSchema = z.strictObject({ session: tokenSchema, sessionId: idSchema })
export type HttpStarted = z.infer<typeof httpStartedSchema>

export const httpInstructionSchema = z.strictObject({
  ...whichSession,
  text: userTextSchema.describe(
    'What the user writes after the task. It stays in the gateway; fingerprints of its distinctive values travel.',
  ),
})

export const httpCheckSchema = z.strictObject({
  ...whichSession,
  ...whatStarts,
  tool: toolNameSchema,
  description: z
    .string()
    .max(8192)
    .optional()
    .describe('The description of the tool by its server. It stays in the gateway.'),
  arguments: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'The arguments that the tool will run with. They stay in the gateway, except those that the deployment discloses.',
    ),
  callId: idSchema
    .optional()
    .describe(
      'One for each attempt. With your own id you can repeat the request safely; without it the gateway chooses one.',
    ),
  labels: claimedLabelsSchema
    .optional()
    .describe("Your labels of this step. They can only raise the catalogue's."),
  evidence: z
    .enum(EVIDENCES)
    .optional()
    .describe('Whether sensitive data that was read is in the arguments. Accepted from hosts only.'),
  timeoutMs: z
    .int()
    .min(HTTP_TIMEOUT_MS_MIN)
    .max(HTTP_TIMEOUT_MS_MAX)
    .optional()
    .describe(
      "How long to wait for the verdict, milliseconds; by default the gateway's limit, and at least that for an agent.",
    ),
  waitMs: waitMsSchema.default(0),
})
export type HttpCheck = z.infer<typeof httpCheckSchema>

export const httpResolutionSchema = z.strictObject({
  ...whichSession,
  callId: idSchema,
  waitMs: waitMsSchema.default(30_000),
})

export const httpAnswerSchema = z.strictObject({
  session: tokenSchema,
  sessionId: idSchema,
  callId: idSchema,
  tool: toolNameSchema,
  verdict: z.enum(VERDICTS),
  mayRun: z.boolean().describe('Whether the step may run now. Act on this member; the others explain it.'),
  by: z
    .enum(['decision', 'fail_open', 'fail_closed', 'observe'])
    .describe("A decision, or the fail mode of the tool's capability if none arrived in time."),
  message: z
    .string()
    .describe('One line for the agent: the verdict, the reason, and an alternative if there is one.'),
  decision: decisionSchema.exactOptional().describe('The full decision.'),
})
export type HttpAnswer = z.infer<typeof httpAnswerSchema>

export const httpCompletionSchema = z.strictObject({
  ...whichSession,
  callId: idSchema,
  tool: toolNameSchema
    .optional()
    .describe('Required if the step was not checked here: it counts as a step without a verdict.'),
  outcome: z.enum(['ok', 'error']).optional().describe('`ok` by default.'),
  result: z
    .unknown()
    .optional()
    .describe(
      'The result of the step, a text or any JSON. It stays in the gateway; labels, signals and fingerprints travel.',
    ),
  arguments: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'The arguments that the step ran with, if known: if they differ from the proposed ones, it counts as a step without a verdict.',
    ),
  labels: claimedLabelsSchema.optional().describe('Labels of the result. They can only raise.'),
  taint: z.enum(TAINTS).optional().describe('Taint of the session by reading the result. It can only raise.'),
  child: tokenSchema.optional().describe('The token of the session that ran the step, if it was delegated.'),
})

export const httpEndSchema = z.strictObject({
  ...whichSession,
  outcome: z.enum(['completed', 'failed', 'cancelled']).optional(),
})

export const httpErrorSchema = z.strictObject({
  error: z.strictObject({
    code: z.string().describe('One of docs/reference/errors.md.'),
    message: z.string(),
    retryable: z.boolean().describe('Whether the same request may succeed later.'),
  }),
})
