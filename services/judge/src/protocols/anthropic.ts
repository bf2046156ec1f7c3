import { z } from 'zod'
import { ANSWER_NAME, ANSWER_TOKENS_MAX, type Protocol } from './protocol.js'

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
