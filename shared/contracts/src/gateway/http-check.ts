import { z } from 'zod'
import { decisionSchema } from '../decision/decision.js'
import { idSchema, lineSchema, toolNameSchema } from '../ids.js'
import { claimedLabelsSchema } from '../policy/catalogue.js'
import { EVIDENCES, TAINTS, VERDICTS } from '../words.js'

/** What the HTTP check takes and gives. Source: docs/reference/http.md, which says what shapes cannot. */

/** How long one request may wait for a human, milliseconds: shorter than proxies let a request last. */
export const HTTP_WAIT_MS_MAX = 55_000

/** How long one request may wait for its verdict, milliseconds. */
export const HTTP_TIMEOUT_MS_MAX = 30_000

/** Below it no verdict could come, and a fail mode would be all that answers. */
export const HTTP_TIMEOUT_MS_MIN = 100

const tokenSchema = z
  .string()
  .min(1)
  .max(4096)
  .describe('What the start of the session gave: opaque, and of use to the principal alone that started it.')

const whichSession = {
  session: tokenSchema.optional(),
  user: lineSchema(200)
    .optional()
    .describe("The agent's user. Without `session`, the session of the caller and this user is used."),
}

const userTextSchema = z.string().max(65_536)

const whatStarts = {
  category: lineSchema(64)
    .optional()
    .describe('What kind of task it is; a principal that has a category keeps its own.'),
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
  .describe('How long to wait where a human is asked, milliseconds. Ask again as often as you like.')

export const httpStartSchema = z.strictObject({
  user: lineSchema(200).optional().describe("The agent's user."),
  ...whatStarts,
  parent: tokenSchema
    .optional()
    .describe('Of the session that delegates to this one: it starts no safer than that.'),
})
export type HttpStart = z.infer<typeof httpStartSchema>

export const httpStartedSchema = z.strictObject({ session: tokenSchema, sessionId: idSchema })
export type HttpStarted = z.infer<typeof httpStartedSchema>

export const httpInstructionSchema = z.strictObject({
  ...whichSession,
  text: userTextSchema.describe(
    'What the user says after the task. It stays in the gateway; fingerprints of its distinctive values travel.',
  ),
})
export type HttpInstruction = z.infer<typeof httpInstructionSchema>

export const httpCheckSchema = z.strictObject({
  ...whichSession,
  ...whatStarts,
  tool: toolNameSchema,
  description: z
    .string()
    .max(8192)
    .optional()
    .describe("What the tool's server says of it. It stays in the gateway."),
  arguments: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'The very arguments that the tool is to run with. They stay in the gateway, but for those that the deployment discloses.',
    ),
  callId: idSchema
    .optional()
    .describe(
      'One for each attempt. Where you choose it, the same request may be sent again without harm; it is chosen for you else.',
    ),
  labels: claimedLabelsSchema
    .optional()
    .describe('What this step is, as far as you know. Can only raise what the catalogue says.'),
  evidence: z
    .enum(EVIDENCES)
    .optional()
    .describe('Whether sensitive data that was read is in the arguments. Believed of hosts alone.'),
  timeoutMs: z
    .int()
    .min(HTTP_TIMEOUT_MS_MIN)
    .max(HTTP_TIMEOUT_MS_MAX)
    .optional()
    .describe(
      "How long to wait for the verdict, milliseconds; the gateway's own limit where it is left out, and at least that for an agent.",
    ),
  waitMs: waitMsSchema.default(0),
})
export type HttpCheck = z.infer<typeof httpCheckSchema>

export const httpResolutionSchema = z.strictObject({
  ...whichSession,
  callId: idSchema,
  waitMs: waitMsSchema.default(30_000),
})
export type HttpResolution = z.infer<typeof httpResolutionSchema>

export const httpAnswerSchema = z.strictObject({
  session: tokenSchema,
  sessionId: idSchema,
  callId: idSchema,
  tool: toolNameSchema,
  verdict: z.enum(VERDICTS),
  mayRun: z.boolean().describe('Whether the step may run now. The only thing to act on; the rest says why.'),
  by: z
    .enum(['decision', 'fail_open', 'fail_closed', 'observe'])
    .describe("A decision, or the fail mode of the tool's capability where none came in time."),
  message: z
    .string()
    .describe('One line for the agent: the verdict, why, and what would do instead, where that is known.'),
  decision: decisionSchema.exactOptional().describe('Everything behind the verdict.'),
})
export type HttpAnswer = z.infer<typeof httpAnswerSchema>

export const httpCompletionSchema = z.strictObject({
  ...whichSession,
  callId: idSchema,
  tool: toolNameSchema
    .optional()
    .describe('Required if the step was not checked here: it counts as a step without a verdict.'),
  outcome: z.enum(['ok', 'error']).optional().describe('`ok` where it is left out.'),
  result: z
    .unknown()
    .optional()
    .describe(
      'What the step returned, a text or any JSON. It stays in the gateway; what it was seen to be travels.',
    ),
  arguments: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'What the step ran with, if you know: if it differs from what was proposed, it counts as a step without a verdict.',
    ),
  labels: claimedLabelsSchema.optional().describe('What the result turned out to be. Can only raise.'),
  taint: z
    .enum(TAINTS)
    .optional()
    .describe('What reading the result has done to the session. Can only raise.'),
  child: tokenSchema.optional().describe('Of the session that did the step, where it was delegated.'),
})
export type HttpCompletion = z.infer<typeof httpCompletionSchema>

export const httpEndSchema = z.strictObject({
  ...whichSession,
  outcome: z.enum(['completed', 'failed', 'cancelled']).optional(),
})
export type HttpEnd = z.infer<typeof httpEndSchema>

export const httpErrorSchema = z.strictObject({
  error: z.strictObject({
    code: z.string().describe('One of docs/reference/errors.md.'),
    message: z.string(),
    retryable: z.boolean().describe('Whether the same request may succeed later.'),
  }),
})
export type HttpError = z.infer<typeof httpErrorSchema>
