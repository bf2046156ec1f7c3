import {
  decisionSchema,
  httpAnswerSchema,
  httpAppealSchema,
  httpApprovalAnswerSchema,
  httpApprovalAnsweredSchema,
  httpApprovalListSchema,
  httpApprovalsSchema,
  httpCheckSchema,
  httpCompletionSchema,
  httpEndSchema,
  httpErrorSchema,
  httpInstructionSchema,
  httpResolutionSchema,
  httpStartSchema,
  httpStartedSchema,
} from '@plimsoll/contracts'
import { z } from 'zod'
import type { Route } from './route.js'
import { APPROVAL_ROUTES } from './approval-routes.js'
import { CHECK_ROUTES } from './routes.js'

type JsonSchema = z.core.JSONSchema.BaseSchema

/** Schemas by their names in generated clients. */
const SHAPES = {
  Start: httpStartSchema,
  Started: httpStartedSchema,
  Instruction: httpInstructionSchema,
  Check: httpCheckSchema,
  Answer: httpAnswerSchema,
  Resolution: httpResolutionSchema,
  Completion: httpCompletionSchema,
  End: httpEndSchema,
  ApprovalList: httpApprovalListSchema,
  Approvals: httpApprovalsSchema,
  ApprovalAnswer: httpApprovalAnswerSchema,
  ApprovalAnswered: httpApprovalAnsweredSchema,
  Appeal: httpAppealSchema,
  Decision: decisionSchema,
  Error: httpErrorSchema,
} as const satisfies Record<string, z.ZodType>

/** Failures of every operation, by their names in the document. */
const FAILURES: Readonly<Record<string, readonly [status: number, description: string]>> = {
  Invalid: [400, 'The body is not what the schema says.'],
  Unproved: [401, 'The caller is not authenticated as a principal of the gateway.'],
  Forbidden: [403, 'The principal may not do this.'],
  Unknown: [404, 'The caller has no such session, or the session no such call.'],
  Conflict: [
    409,
    'The id of the call belongs to another step, which may still run, or the call waits for approval.',
  ],
  Ended: [410, 'The session has ended.'],
  Oversize: [413, 'The body is too large.'],
  Full: [429, 'A queue is full. Ask again later.'],
  Unavailable: [503, 'The gateway is closing, or cannot reach the log or the store. Ask again later.'],
}

/** The OpenAPI 3.1 document of the HTTP check, generated from the schemas that validate requests. */
export function openApiDocument(): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Plimsoll HTTP check',
      version: '1',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description: [
        'Verdicts on the tool calls of agents, before they run, for agents that use neither Kafka nor TypeScript.',
        'Made from the schemas that requests are read with: `npm run reference`.',
      ].join('\n'),
    },
    servers: [{ url: 'http://127.0.0.1:9465', description: 'A gateway on this machine.' }],
    security: [{ principal: [] }],
    paths: Object.fromEntries(
      [...CHECK_ROUTES, ...APPROVAL_ROUTES].map((route) => [route.path, { post: operationOf(route) }]),
    ),
    components: {
      securitySchemes: {
        principal: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key of a principal, or a token of an OIDC issuer that the gateway trusts.',
        },
      },
      responses: Object.fromEntries(
        Object.entries(FAILURES).map(([name, [, description]]) => [
          name,
          { description, content: jsonOf(httpErrorSchema) },
        ]),
      ),
      schemas: schemasOf(),
    },
  }
}

function operationOf({ name, summary, description, body, reply }: Route): object {
  const failures = Object.entries(FAILURES).map(([name, [status]]) => [
    status,
    { $ref: `#/components/responses/${name}` },
  ])
  const success = reply
    ? { '200': { description: 'The answer.', content: jsonOf(reply) } }
    : { '204': { description: 'It was accepted.' } }
  return {
    operationId: name,
    summary,
    description,
    requestBody: { required: true, content: jsonOf(body) },
    responses: { ...success, ...Object.fromEntries(failures) },
  }
}

const refTo = (name: string) => `#/components/schemas/${name}`

function jsonOf(schema: z.ZodType): object {
  const name = Object.entries(SHAPES).find(([, each]) => each === schema)?.[0]
  if (name === undefined) throw new Error('a route has a schema without a name')
  return { 'application/json': { schema: { $ref: refTo(name) } } }
}

/** Schemas refer to each other by name. */
function schemasOf(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(SHAPES)) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, {
    uri: refTo,
    io: 'input',
    override: ({ jsonSchema }) => makePortable(jsonSchema),
  })
  const shapes = Object.entries(schemas).map(([name, schema]) => {
    const { $schema: _, $id: _id, ...body } = schema
    return [name, body] as const
  })
  return Object.fromEntries(shapes)
}

/** Control characters by code: not every language's regular expressions support categories. */
function makePortable(schema: JsonSchema): void {
  if (schema.pattern === String.raw`^\P{Cc}*$`) schema.pattern = String.raw`^[^\u0000-\u001f\u007f-\u009f]*$`
}
