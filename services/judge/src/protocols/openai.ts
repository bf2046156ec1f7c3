import { z } from 'zod'
import { type Protocol, type Reading, ANSWER_NAME, ANSWER_TOKENS_MAX } from './anthropic.js'

const responseSchema = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
})

const usageSchema = z.object({ usage: z.object({ prompt_tokens: z.int(), completion_tokens: z.int() }) })

/** `POST /v1/chat/completions` with a `json_schema` as response format. Source: OpenAI's API reference, Chat Completions. */
export const openai: Protocol = {
  path: '/chat/completions',
  headers: ({ key }) => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  body: ({ system, user, schema }, { model }) => ({
    model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
    max_completion_tokens: ANSWER_TOKENS_MAX,
    response_format: { type: 'json_schema', json_schema: { name: ANSWER_NAME, strict: true, schema } },
  }),
  read(json) {
    const parsed = responseSchema.safeParse(json)
    const choice = parsed.data?.choices[0]
    if (!choice) return { kind: 'invalid' }
    const { finish_reason: end, message } = choice
    if (typeof message.refusal === 'string' || end === 'content_filter') return { kind: 'refused' }
    return end === 'length' ? { kind: 'invalid' } : parseContent(message.content ?? '')
  },
  tokens(json) {
    const { data } = usageSchema.safeParse(json)
    return data && { input: data.usage.prompt_tokens, output: data.usage.completion_tokens }
  },
}

function parseContent(text: string): Reading {
  try {
    return { kind: 'answer', value: JSON.parse(text) }
  } catch {
    return { kind: 'invalid' }
  }
}
