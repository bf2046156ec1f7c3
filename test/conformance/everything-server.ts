import {
  type CallToolResult,
  type InputRequiredResult,
  type Prompt,
  type Resource,
  type ServerContext,
  type Tool,
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  createRequestStateCodec,
  inputRequired,
} from '@modelcontextprotocol/server'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

/** A server that has all that the scenarios of `@modelcontextprotocol/conformance` demand of one, in both eras. */
export interface ChangeNotices {
  readonly toolsChanged: () => void
  readonly promptsChanged: () => void
}

/** A PNG of one pixel, and a WAV without a sample. */
const IMAGE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const SOUND = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='

type Result = CallToolResult | InputRequiredResult
type Handler = (context: ServerContext, args: Readonly<Record<string, unknown>>) => Result | Promise<Result>

interface TestTool {
  readonly description: string
  readonly properties?: Readonly<Record<string, object>>
  readonly run: Handler
}

const text = (value: string) => ({ type: 'text' as const, text: value })
const answer = (value: string): CallToolResult => ({ content: [text(value)] })
const image = { type: 'image' as const, data: IMAGE, mimeType: 'image/png' }
const embedded = (uri: string, mimeType: string, value: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: value },
})

const nameForm = (message: string) => formOf(message, { name: { type: 'string' } })
const formOf = (message: string, properties: Readonly<Record<string, object>>) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties, required: Object.keys(properties) } as never,
  })
const sample = (value: string, maxTokens = 100) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: text(value) }], maxTokens })

const codec = createRequestStateCodec<{ readonly round: number }>({ key: randomBytes(32) })

/** What the client has answered to the input request `key`; undefined if it has not, or not in an object. */
const responseOf = ({ mcpReq }: ServerContext, key: string): unknown => mcpReq.inputResponses?.[key]

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

const toolsOf = (notices: ChangeNotices): Readonly<Record<string, TestTool>> => ({
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

const RESOURCES: readonly (Resource & { readonly content: object })[] = [
  resource('test://static-text', 'text/plain', { text: 'This is the content of the static text resource.' }),
  resource('test://static-binary', 'image/png', { blob: IMAGE }),
  resource('test://watched-resource', 'text/plain', { text: 'Watched resource content' }),
]

function resource(uri: string, mimeType: string, content: object) {
  return { uri, name: uri.slice('test://'.length), description: `the resource ${uri}`, mimeType, content }
}

function read(uri: string) {
  const known = RESOURCES.find((each) => each.uri === uri)
  if (known) return { contents: [{ uri, mimeType: known.mimeType, ...known.content } as never] }
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
  if (id === undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Resource not found', { uri })
  const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
  return { contents: [{ uri, mimeType: 'application/json', text: data }] }
}

const argumentsOf = (...names: readonly string[]) =>
  names.map((name) => ({ name, description: `the argument ${name}`, required: true }))

const PROMPTS: readonly Prompt[] = [
  { name: 'test_simple_prompt', description: 'a prompt' },
  {
    name: 'test_prompt_with_arguments',
    description: 'a prompt with arguments',
    arguments: argumentsOf('arg1', 'arg2'),
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'a prompt with a resource',
    arguments: argumentsOf('resourceUri'),
  },
  { name: 'test_prompt_with_image', description: 'a prompt with an image' },
  { name: 'test_input_required_result_prompt', description: 'a prompt that needs an answer of the user' },
]

function prompt(name: string, args: Readonly<Record<string, string>>, context: ServerContext) {
  const says = (...content: readonly object[]) => ({
    messages: content.map((each) => ({ role: 'user' as const, content: each as never })),
  })
  switch (name) {
    case 'test_simple_prompt':
      return says(text('This is a simple prompt for testing.'))
    case 'test_prompt_with_arguments':
      return says(text(`Prompt with arguments: arg1='${args['arg1']}', arg2='${args['arg2']}'`))
    case 'test_prompt_with_embedded_resource':
      return says(
        embedded(args['resourceUri'] ?? '', 'text/plain', 'Embedded resource content for testing.'),
        text('Please process the embedded resource above.'),
      )
    case 'test_prompt_with_image':
      return says(image, text('Please analyze the image above.'))
    case 'test_input_required_result_prompt': {
      if (responseOf(context, 'user_context') !== undefined) return says(text('With your context.'))
      const form = formOf('What context should the prompt use?', { context: { type: 'string' } })
      return inputRequired({ inputRequests: { user_context: form } })
    }
    default:
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no prompt \`${name}\``)
  }
}

const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  logging: {},
  completions: {},
}

export function createEverythingServer(noticesOf: (server: Server) => ChangeNotices): Server {
  const server = new Server(
    { name: 'everything', version: '1.0.0' },
    {
      capabilities: CAPABILITIES,
      instructions: 'Every tool is a test.',
      requestState: { verify: codec.verify },
      cacheHints: { 'tools/list': { ttlMs: 1_000, cacheScope: 'public' } },
    },
  )
  const tools = toolsOf(noticesOf(server))
  server.setRequestHandler('tools/list', () => ({ tools: Object.entries(tools).map(listed) }))
  server.setRequestHandler('tools/call', ({ params }, context) => {
    const tool = Object.hasOwn(tools, params.name) ? tools[params.name] : undefined
    if (tool) return tool.run(context, params.arguments ?? {})
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool \`${params.name}\``)
  })
  server.setRequestHandler('resources/list', () => ({
    resources: RESOURCES.map(({ uri, name, description, mimeType }) => ({
      uri,
      name,
      description,
      mimeType,
    })) as Resource[],
  }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      {
        uriTemplate: 'test://template/{id}/data',
        name: 'template',
        mimeType: 'application/json',
        description: 'x',
      },
    ],
  }))
  server.setRequestHandler('resources/read', ({ params }) => read(params.uri))
  server.setRequestHandler('resources/subscribe', () => ({}))
  server.setRequestHandler('resources/unsubscribe', () => ({}))
  server.setRequestHandler('prompts/list', () => ({ prompts: [...PROMPTS] }))
  server.setRequestHandler('prompts/get', ({ params }, context) =>
    prompt(params.name, params.arguments ?? {}, context),
  )
  server.setRequestHandler('completion/complete', ({ params }) => {
    const values = ['paris', 'park', 'party'].filter((value) => value.startsWith(params.argument.value))
    return { completion: { values, total: values.length, hasMore: false } }
  })
  return server
}

function listed([name, { description, properties = {} }]: readonly [string, TestTool]): Tool {
  return {
    name,
    description,
    inputSchema: { type: 'object', properties, required: Object.keys(properties) } as never,
    annotations: { readOnlyHint: true },
  }
}
