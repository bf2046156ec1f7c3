import { z } from 'zod'

/** Content of a request, for any protocol. */
export interface Prompt {
  /** The task and the form of the answer. */
  readonly system: string
  /** The subject, as JSON. */
  readonly user: string
  /** JSON Schema of the answer. */
  readonly schema: object
  /** Description of the answer for protocols that need one; by default the labels of a tool. */
  readonly answer?: string
}

export interface Endpoint {
  /** Without the protocol's path. */
  readonly url: string
  readonly model: string
  readonly key: string | undefined
}

/** A response whose answer is not validated yet. */
export type Reading =
  { readonly kind: 'answer'; readonly value: unknown } | { readonly kind: 'refused' | 'invalid' }

/** Tokens of one response, as the endpoint counts them. */
export interface TokenCount {
  readonly input: number
  readonly output: number
}

/** One way to ask a model for an answer of a given shape over HTTP. Pure. */
export interface Protocol {
  readonly path: string
  headers(endpoint: Endpoint): Record<string, string>
  body(prompt: Prompt, endpoint: Endpoint): object
  /** Reads the JSON of a successful response. Never throws. */
  read(json: unknown): Reading
  /** The tokens that the response reports; undefined if it reports none. Never throws. */
  tokens(json: unknown): TokenCount | undefined
}

/** Most tokens of an answer, which has five short members. */
export const ANSWER_TOKENS_MAX = 1024
/** Name of the answer for protocols that need one. */
export const ANSWER_NAME = 'label_tool'

const responseSchema = z.object({
  stop_reason: z.string().nullish(),
  content: z.array(z.looseObject({ type: z.string() })),
})
const usageSchema = z.object({ usage: z.object({ input_tokens: z.int(), output_tokens: z.int() }) })
const toolUseSchema = z.object({
  type: z.literal('tool_use'),
  name: z.literal(ANSWER_NAME),
  input: z.unknown(),
})

/** `POST /v1/messages` with one tool that the model must call. Source: Anthropic's API reference, Messages. */
export const anthropic: Protocol = {
  path: '/messages',
  headers: ({ key }) => ({
    'anthropic-version': '2023-06-01',
    ...(key !== undefined && { 'x-api-key': key }),
  }),
  body: ({ system, user, schema, answer = 'Takes the labels of the tool.' }, { model }) => ({
    model,
    max_tokens: ANSWER_TOKENS_MAX,
    system,
    messages: [{ role: 'user', content: user }],
    tools: [{ name: ANSWER_NAME, description: answer, input_schema: schema }],
    tool_choice: { type: 'tool', name: ANSWER_NAME },
  }),
  read(json) {
    const parsed = responseSchema.safeParse(json)
    if (!parsed.success) return { kind: 'invalid' }
    const { stop_reason: end, content } = parsed.data
    if (end === 'refusal') return { kind: 'refused' }
    if (end === 'max_tokens') return { kind: 'invalid' }
    for (const part of content) {
      const use = toolUseSchema.safeParse(part)
      if (use.success) return { kind: 'answer', value: use.data.input }
    }
    // It answered in prose instead of calling the tool.
    return { kind: content.some(({ type }) => type === 'text') ? 'refused' : 'invalid' }
  },
  tokens(json) {
    const { data } = usageSchema.safeParse(json)
    return data && { input: data.usage.input_tokens, output: data.usage.output_tokens }
  },
}
