import { z } from 'zod'

/** What is sent, whatever the protocol. */
export interface Prompt {
  /** What to do, and with what to answer. */
  readonly system: string
  /** What it is about, as JSON. */
  readonly user: string
  /** JSON Schema of the answer. */
  readonly schema: object
  /** What the answer is, where the protocol wants that said; the labels of a tool where it is left out. */
  readonly answer?: string
}

export interface Endpoint {
  /** Without what the protocol appends. */
  readonly url: string
  readonly model: string
  readonly key: string | undefined
}

/** What a response comes to, before its answer is checked. */
export type Reading =
  { readonly kind: 'answer'; readonly value: unknown } | { readonly kind: 'refused' | 'invalid' }

/** One way to ask a model for an answer of a given shape over HTTP. Pure. */
export interface Protocol {
  readonly path: string
  headers(endpoint: Endpoint): Record<string, string>
  body(prompt: Prompt, endpoint: Endpoint): object
  /** Reads the JSON of a response with status 200; whatever it is. */
  read(json: unknown): Reading
}

/** The most that an answer may take; it is five short members. */
export const ANSWER_TOKENS_MAX = 1024
/** The answer's name, where the protocol wants one. */
export const ANSWER_NAME = 'label_tool'

const responseSchema = z.object({
  stop_reason: z.string().nullish(),
  content: z.array(z.looseObject({ type: z.string() })),
})
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
    // It was told to call the tool, and talked instead.
    return { kind: content.some(({ type }) => type === 'text') ? 'refused' : 'invalid' }
  },
}
