import {
  type CallToolResult,
  type InputRequiredResult,
  type ServerContext,
  type Tool,
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  inputRequired,
} from '@modelcontextprotocol/server'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  SOUND,
  text,
  answer,
  image,
  embedded,
  nameForm,
  formOf,
  sample,
  codec,
  responseOf,
} from './everything-content.js'

export interface ChangeNotices {
  readonly toolsChanged: () => void
  readonly promptsChanged: () => void
}

type Result = CallToolResult | InputRequiredResult
type Handler = (context: ServerContext, args: Readonly<Record<string, unknown>>) => Result | Promise<Result>

interface TestTool {
  readonly description: string
  readonly properties?: Readonly<Record<string, object>>
  readonly run: Handler
}

/** Asks for `requests` in a first round, and answers in the second. */
const inTwoRounds =
  (requests: Parameters<typeof inputRequired>[0]['inputRequests'], hasState: boolean): Handler =>
  async (context) => {
    const keys = Object.keys(requests ?? {})
    if (keys.every((key) => responseOf(context, key) !== undefined))
      return answer(`state-ok ${JSON.stringify(context.mcpReq.inputResponses)}`)
    const requestState = hasState ? await codec.mint({ round: 1 }) : undefined
    return inputRequired({
      ...(requests && { inputRequests: requests }),
      ...(requestState && { requestState }),
    })
  }

async function multiRound(context: ServerContext): Promise<Result> {
  const round = context.mcpReq.requestState<{ readonly round: number }>()?.round ?? 0
  const steps = [
    { step1: formOf('Step 1: What is your name?', { name: { type: 'string' } }) },
    { step2: formOf('Step 2: What is your favorite color?', { color: { type: 'string' } }) },
  ]
  const inputRequests = steps[round]
  if (!inputRequests) return answer('all rounds are done')
  return inputRequired({ inputRequests, requestState: await codec.mint({ round: round + 1 }) })
}

function onlyDeclared({ mcpReq }: ServerContext): Result {
  const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope }
  const declared = { ...(envelope[CLIENT_CAPABILITIES_META_KEY] as object | undefined) }
  return inputRequired({
    inputRequests: {
      ...('sampling' in declared && { question: sample('What is 2 + 2?') }),
      ...('elicitation' in declared && { form: nameForm('What is your name?') }),
    },
  })
}

const send = async (
  context: ServerContext,
  method: 'elicitation/create',
  params: object,
): Promise<string> => {
  const { action, content } = await context.mcpReq.send({ method, params: params as never })
  return `action=${action}, content=${JSON.stringify(content ?? {})}`
}

async function log({ mcpReq }: ServerContext, data: string): Promise<void> {
  await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } })
}

async function logThrice(context: ServerContext): Promise<Result> {
  await log(context, 'Tool execution started')
  await sleep(50)
  await log(context, 'Tool processing data')
  await sleep(50)
  await log(context, 'Tool execution completed')
  return answer('logged three times')
}

async function progressThrice({ mcpReq }: ServerContext): Promise<Result> {
  const { _meta: { progressToken } = {} } = mcpReq
  for (const progress of [0, 50, 100]) {
    if (progressToken !== undefined)
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 100 },
      })
    await sleep(progress === 100 ? 0 : 50)
  }
  return answer('done')
}

const choices = (...names: readonly string[]) =>
  names.map((name) => ({ const: name, title: `Choice ${name}` }))

const ENUMS = {
  untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
  titledSingle: { type: 'string', oneOf: choices('value1', 'value2', 'value3') },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
  titledMulti: { type: 'array', items: { anyOf: choices('value1', 'value2', 'value3') } },
}

const DEFAULTS = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
}

export const toolsOf = (notices: ChangeNotices): Readonly<Record<string, TestTool>> => ({
  test_simple_text: {
    description: 'answers a text',
    run: () => answer('This is a simple text response for testing.'),
  },
  test_image_content: { description: 'answers an image', run: () => ({ content: [image] }) },
  test_audio_content: {
    description: 'answers a sound',
    run: () => ({ content: [{ type: 'audio', data: SOUND, mimeType: 'audio/wav' }] }),
  },
  test_embedded_resource: {
    description: 'answers a resource',
    run: () => ({ content: [embedded('test://embedded-resource', 'text/plain', 'An embedded resource.')] }),
  },
  test_multiple_content_types: {
    description: 'answers a text, an image and a resource',
    run: () => ({
      content: [
        text('Multiple content types test:'),
        image,
        embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
      ],
    }),
  },
  test_tool_with_logging: { description: 'logs three times', run: logThrice },
  test_tool_with_progress: { description: 'reports progress three times', run: progressThrice },
  test_error_handling: {
    description: 'fails',
    run: () => ({ isError: true, content: [text('This tool intentionally returns an error for testing')] }),
  },
  test_sampling: {
    description: "asks the client's model",
    properties: { prompt: { type: 'string' } },
    run: async ({ mcpReq }, { prompt }) => {
      const messages = [{ role: 'user' as const, content: text(String(prompt)) }]
      const { content } = await mcpReq.send({
        method: 'sampling/createMessage',
        params: { messages, maxTokens: 100 },
      })
      const first = Array.isArray(content) ? content[0] : content
      return answer(`LLM response: ${first?.type === 'text' ? first.text : ''}`)
    },
  },
  test_elicitation: {
    description: "asks the client's user",
    properties: { message: { type: 'string' } },
    run: async (context, { message }) => {
      const properties = { username: { type: 'string' }, email: { type: 'string' } }
      const requestedSchema = { type: 'object', properties, required: ['username', 'email'] }
      return answer(
        `User response: ${await send(context, 'elicitation/create', { message, requestedSchema })}`,
      )
    },
  },
  test_elicitation_sep1034_defaults: {
    description: 'asks with defaults',
    run: async (context) => {
      const requestedSchema = { type: 'object', properties: DEFAULTS, required: [] }
      const said = await send(context, 'elicitation/create', { message: 'Review the form.', requestedSchema })
      return answer(`Elicitation completed: ${said}`)
    },
  },
  test_elicitation_sep1330_enums: {
    description: 'asks for choices',
    run: async (context) => {
      const requestedSchema = { type: 'object', properties: ENUMS, required: [] }
      const said = await send(context, 'elicitation/create', { message: 'Choose.', requestedSchema })
      return answer(`Elicitation completed: ${said}`)
    },
  },
  test_missing_capability: {
    description: 'needs sampling',
    run: () => {
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
    },
  },
  test_streaming_elicitation: {
    description: 'needs an answer of the user',
    run: inTwoRounds({ user_name: nameForm('What is your name?') }, false),
  },
  test_logging_tool: {
    description: 'logs if the client wants logs',
    run: async (context) => {
      const envelope: Readonly<Record<string, unknown>> = { ...context.mcpReq.envelope }
      if ('io.modelcontextprotocol/logLevel' in envelope) await log(context, 'wanted')
      return answer('logged')
    },
  },
  test_trigger_tool_change: { description: 'changes the tools', run: () => changed(notices.toolsChanged) },
  test_trigger_prompt_change: {
    description: 'changes the prompts',
    run: () => changed(notices.promptsChanged),
  },
  test_input_required_result_elicitation: {
    description: 'needs an answer of the user',
    run: inTwoRounds({ user_name: nameForm('What is your name?') }, false),
  },
  test_input_required_result_sampling: {
    description: 'needs an answer of the model',
    run: inTwoRounds({ capital_question: sample('What is the capital of France?') }, false),
  },
  test_input_required_result_list_roots: {
    description: "needs the client's roots",
    run: inTwoRounds({ client_roots: inputRequired.listRoots() }, false),
  },
  test_input_required_result_request_state: {
    description: 'needs a confirmation',
    run: inTwoRounds({ confirm: formOf('Please confirm', { ok: { type: 'boolean' } }) }, true),
  },
  test_input_required_result_multiple_inputs: {
    description: 'needs three things',
    run: inTwoRounds(
      {
        user_name: nameForm('What is your name?'),
        greeting: sample('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      },
      true,
    ),
  },
  test_input_required_result_multi_round: { description: 'needs two answers in turn', run: multiRound },
  test_input_required_result_tampered_state: {
    description: 'signs its state',
    run: inTwoRounds({ confirm: formOf('Please confirm', { ok: { type: 'boolean' } }) }, true),
  },
  test_input_required_result_capabilities: { description: 'asks what it may ask', run: onlyDeclared },
})

function changed(notice: () => void): Result {
  notice()
  return answer('changed')
}
export function listed([name, { description, properties = {} }]: readonly [string, TestTool]): Tool {
  return {
    name,
    description,
    inputSchema: { type: 'object', properties, required: Object.keys(properties) } as never,
    annotations: { readOnlyHint: true },
  }
}
