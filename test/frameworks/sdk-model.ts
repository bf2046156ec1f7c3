import type { LanguageModel } from 'ai'
import type { Script } from './desk.js'

/** What the model says: tools it calls, all in one turn, or its last words. */
export type Turn = string | readonly ToolUse[]

export interface ToolUse {
  readonly id: string
  readonly tool: string
  readonly input: unknown
}

/** What the model was shown of a call's end. */
export interface Shown {
  readonly tool: string
  readonly output: { readonly type: string; readonly value?: unknown; readonly reason?: string }
}

export interface ScriptedModel {
  readonly model: LanguageModel
  /** The ends of tool calls in the latest prompt. */
  shown(): readonly Shown[]
}

type Message = {
  readonly role: string
  readonly content: string | readonly (Partial<ToolEnd> & { type: string })[]
}
interface ToolEnd {
  readonly toolName: string
  readonly output: Shown['output']
}

/** A script as turns, at whose end the model says that it is done. */
export const turnsOf = (script: Script): readonly Turn[] => [
  ...script.map((turn, i) =>
    turn.map(({ tool, arguments: input, id = '' }, j) => ({ id: id || `call-${i}-${j}`, tool, input })),
  ),
  'done',
]

/** What the model got for a call, in words. */
export const wordsOf = ({ output: { reason, value } }: Shown): string => String(reason ?? value)

/** A model that says one turn after the other, as providers of the SDK's major 6 (`v3`) or 7 (`v4`) do. */
export function scriptedModel(specificationVersion: 'v3' | 'v4', turns: readonly Turn[]): ScriptedModel {
  const script = [...turns]
  let prompt: readonly Message[] = []

  function next(options: { readonly prompt: unknown }): Said {
    prompt = options.prompt as readonly Message[]
    const turn = script.shift()
    if (turn === undefined) throw new Error('the model has nothing more to say')
    return said(turn)
  }

  const model = {
    specificationVersion,
    provider: 'scripted',
    modelId: 'scripted',
    supportedUrls: {},
    doGenerate: async (options: { readonly prompt: unknown }) => ({ ...next(options), warnings: [] }),
    doStream: async (options: { readonly prompt: unknown }) => {
      const { content, ...finish } = next(options)
      const parts = content.flatMap<object>((part) => (part.type === 'text' ? streamed(part.text) : [part]))
      const start = { type: 'stream-start', warnings: [] }
      return { stream: ReadableStream.from([start, ...parts, { type: 'finish', ...finish }]) }
    },
  }
  return {
    model: model as unknown as LanguageModel,
    shown: () =>
      prompt
        .filter(({ role }) => role === 'tool')
        .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
        .flatMap(({ toolName, output }) => (toolName && output ? [{ tool: toolName, output }] : [])),
  }
}

type Said = ReturnType<typeof said>

function said(turn: Turn) {
  const content =
    typeof turn === 'string'
      ? [{ type: 'text', text: turn } as const]
      : turn.map(
          ({ id, tool, input }) =>
            ({ type: 'tool-call', toolCallId: id, toolName: tool, input: JSON.stringify(input) }) as const,
        )
  const unified = typeof turn === 'string' ? 'stop' : 'tool-calls'
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
  return { content, finishReason: { unified, raw: unified }, usage }
}

const streamed = (text: string) => [
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', delta: text },
  { type: 'text-end', id: '1' },
]
